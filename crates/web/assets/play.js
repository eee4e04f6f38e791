// @ts-check
import { element, isSite, to } from "./common.js";

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
  if (isSite) playHere(form);
  form.addEventListener("submit", () => {
    const said = new FormData(form);
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(kept.map((name) => [name, said.get(name)]))));
  });
}

/** Without a server the game is begun, and kept, in this browser. @param {HTMLFormElement} form */
function playHere(form) {
  form.querySelector("option[value=link]")?.remove();
  const position = new URLSearchParams(location.search).get("position");
  if (position) {
    const area = /** @type {HTMLTextAreaElement} */ (element("textarea", { name: "position", rows: "8", spellcheck: "false" }));
    area.value = position;
    form.querySelector("[name=size]")?.closest("label")?.before(element("label", {}, "From this position ", area));
    for (const setting of form.querySelectorAll("[data-setting]")) setting.remove();
  }
  const problem = element("p", { class: "problem", role: "alert", hidden: "" });
  form.before(problem);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const local = await import("./local.js");
    try {
      const id = await local.begin({ ...Object.fromEntries(new FormData(form)), game: form.dataset.remember });
      location.assign(to(`/game/${id}`));
    } catch (error) {
      const { place, message } = /** @type {any} */ (error);
      problem.textContent = (place?.line ? `line ${place.line}, column ${place.column}: ` : "") + message;
      problem.hidden = false;
    }
  });
}
