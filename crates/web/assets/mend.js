// @ts-check
/** A page whose script or style is lost on the way is dead: it loads itself again once the server answers. */
(() => {
  /** The pause before the first attempt and the longest one, in milliseconds, and the most attempts in a row. */
  const [FIRST, LONGEST, MOST] = [500, 8000, 8];
  const KEY = "lost-pages";
  let isLost = false;

  /** @param {number} pause */
  const reload = async (pause) => {
    await new Promise((done) => {
      setTimeout(done, pause);
      addEventListener("online", done, { once: true });
    });
    const isThere = await fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isThere) location.reload();
    else void reload(Math.min(LONGEST, 2 * pause));
  };

  // Such errors do not bubble.
  addEventListener(
    "error",
    ({ target }) => {
      const isNeeded =
        target instanceof HTMLScriptElement ||
        (target instanceof HTMLLinkElement && target.rel === "stylesheet");
      if (!isNeeded || isLost) return;
      isLost = true;
      // What is missing for good must not be asked for without end.
      const tries = Number(sessionStorage.getItem(KEY));
      if (tries >= MOST) return;
      sessionStorage.setItem(KEY, String(tries + 1));
      void reload(Math.min(LONGEST, FIRST * 2 ** tries));
    },
    true,
  );
  addEventListener("load", () => {
    if (!isLost) sessionStorage.removeItem(KEY);
  });
})();
