// How long a move takes from the click until the answer of `floe:easy` is drawn, in a real browser:
//
//     FLOE=target/release/floe node crates/web/tests/browser/click.mjs
//
// after `npm --prefix crates/web/tests/browser ci`.
import { Place, begin, moveByMouse, said, sizes } from "./place.mjs";

const MOVES = 12;

const place = await Place.open();
try {
  const front = await place.visitor(sizes.desktop);
  await front.goto("/");
  const forms = [
    ...new Set(
      await front
        .locator("a[href^='/play/']")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href").split("?")[0])),
    ),
  ];
  await front.context().close();
  for (const form of forms) {
    const page = await place.visitor(sizes.desktop, { reducedMotion: "no-preference" });
    await begin(page, form.split("/").pop(), { opponent: "floe:easy" });
    await said(page, /^Your turn/);
    await page.evaluate(() => {
      const moves = document.getElementById("moves");
      const count = () => moves.querySelectorAll("li").length;
      window.drawn = [];
      let [clicked, before] = [0, 0];
      // What changes while a frame is prepared is in that frame, anything else in the next one.
      let isInFrame = false;
      const atNextFrame = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (act) =>
        atNextFrame((time) => {
          isInFrame = true;
          act(time);
          // After the observer below, which was called before.
          queueMicrotask(() => {
            isInFrame = false;
          });
        });
      addEventListener(
        "click",
        () => {
          [clicked, before] = [performance.now(), count()];
        },
        true,
      );
      new MutationObserver(() => {
        if (clicked === 0 || count() < before + 2) return;
        const since = clicked;
        clicked = 0;
        // The frame with the answer is on the screen when the one after it begins.
        const shown = () => window.drawn.push(performance.now() - since);
        atNextFrame(isInFrame ? shown : () => atNextFrame(shown));
      }).observe(moves, { childList: true, subtree: true });
    });
    for (let turn = 0; turn < MOVES; turn++) {
      await said(page, /^Your turn|^You |^A draw/);
      if (!/^Your turn/.test(await page.textContent("#say"))) break;
      await moveByMouse(page);
      await page.waitForFunction((least) => window.drawn.length > least, turn);
    }
    const times = (await page.evaluate(() => window.drawn)).sort((a, b) => a - b);
    const worst = times[times.length - 1];
    console.log(
      `${form}: ${times.length} moves, from click to drawn answer: median ${times[times.length >> 1].toFixed(0)} ms, worst ${worst.toFixed(0)} ms; at most 60 ms are wanted on a quiet machine`,
    );
    await page.context().close();
  }
} finally {
  await place.close();
}
