// @ts-check
/** What must be known before anything is painted: light or dark as the reader chose, where the style sheets ask the device, and the part of the page that the address leads to. */
(() => {
  /** What rules asked for before. @type {Map<CSSMediaRule, string>} */
  const asked = new Map();

  /** @param {string | null} look */
  const show = (look) => {
    for (const sheet of document.styleSheets)
      for (const rule of sheet.cssRules)
        if (
          rule instanceof CSSMediaRule &&
          /prefers-color-scheme/.test(asked.get(rule) ?? rule.conditionText)
        )
          asked.set(rule, asked.get(rule) ?? rule.conditionText);
    for (const [rule, before] of asked)
      rule.media.mediaText = look === "dark" ? "all" : look === "light" ? "not all" : before;
    const root = document.documentElement;
    root.style.colorScheme = look ?? "";
    root.dataset.look = look ?? "device";
  };

  /** @param {string} look */
  const choose = (look) => {
    if (look === "device") localStorage.removeItem("look");
    else localStorage.setItem("look", look);
    show(localStorage.getItem("look"));
  };

  addEventListener("look", (event) => choose(/** @type {CustomEvent<string>} */ (event).detail));
  document.documentElement.dataset.to = location.hash.slice(1);
  if (localStorage.getItem("look")) show(localStorage.getItem("look"));
})();
