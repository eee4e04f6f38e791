// @ts-check
import "./common.js";

/** Remembers what was chosen last for each game, in this browser. */
const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-remember]"));
if (form) {
  const key = `play-${form.dataset.remember}`;
  const kept = ["opponent", "side", "size", "clock", "name"];
  const known = JSON.parse(localStorage.getItem(key) ?? "{}");
  const isFresh = !location.search && !document.querySelector(".problem");
  for (const name of kept) {
    const field = form.elements.namedItem(name);
    if (isFresh && known[name] && (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) {
      const before = field.value;
      field.value = known[name];
      if (!field.value) field.value = before;
    }
  }
  form.addEventListener("submit", () => {
    const said = new FormData(form);
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(kept.map((name) => [name, said.get(name)]))));
  });
}
