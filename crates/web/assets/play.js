// @ts-check
import "./board.js";
import { element, isSite, to } from "./common.js";
import { t, translated } from "./language.js";

/** Remembers what was chosen last for each game, in this browser, and which game it was. */
const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-remember]"));
if (form) {
  const key = `play-${form.dataset.remember}`;
  const isFresh = !location.search && !document.querySelector(".problem");
  if (isFresh) recall(form, JSON.parse(localStorage.getItem(key) ?? "{}"));
  if (isSite) playHere(form);
  else if ("module" in document.documentElement.dataset && typeof WebAssembly === "object")
    // This browser thinks for engines, so that the server need not.
    form.append(element("input", { type: "hidden", name: "thinks", value: "on" }));
  form.addEventListener("submit", () => {
    const said = Object.fromEntries([...new FormData(form)].filter(([name]) => name !== "position"));
    // A box that is not ticked is remembered, too.
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (
      form.querySelectorAll("input[type=checkbox]")
    ))
      said[box.name] = box.checked ? "on" : "";
    localStorage.setItem(key, JSON.stringify(said));
    localStorage.setItem("play-last", /** @type {string} */ (form.dataset.remember));
  });
  for (const board of boardsOf(form)) {
    board.button.onclick = () => {
      for (const [name, value] of board.fields) {
        const field = form.elements.namedItem(name);
        if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
      }
      sum(form);
    };
  }
  form.addEventListener("input", () => sum(form));
  sum(form);
}

/** The boards to choose from, with the fields that make each. @param {HTMLFormElement} form */
function boardsOf(form) {
  return [.../** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll("[data-size]"))].map(
    (button) => {
      const words = (button.dataset.words ?? "").split(" ").filter(Boolean);
      const size = ["size", button.dataset.size ?? ""];
      return { button, fields: [size, ...words.map((word) => word.split("="))] };
    },
  );
}

/** Fills in what is known. @param {HTMLFormElement} form @param {Record<string, string>} known */
function recall(form, known) {
  for (const [name, value] of Object.entries(known)) {
    const field = form.elements.namedItem(name);
    if (field instanceof RadioNodeList) {
      // A choice that is not offered any more changes nothing.
      if ([...field].some((one) => /** @type {HTMLInputElement} */ (one).value === value))
        field.value = value;
    } else if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value === "on";
    else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      const before = field.value;
      field.value = value;
      if (!field.value) field.value = before;
    }
  }
}

/** Says what was chosen, in a few words beside the button. @param {HTMLFormElement} form */
function sum(form) {
  const said = new FormData(form);
  const words = (/** @type {string} */ name) =>
    form.querySelector(`[name=${name}]:checked`)?.closest("label")?.querySelector("b")?.textContent ?? "";
  const size = String(said.get("size") ?? "");
  for (const { button, fields } of boardsOf(form))
    button.setAttribute("aria-pressed", String(fields.every(([name, value]) => said.get(name) === value)));
  const side =
    { first: t("you begin"), last: t("the opponent begins"), any: t("the first move at random") }[
      String(said.get("side"))
    ] ?? "";
  showVersus(form, words("opponent"));
  const chosen = [
    size.replace("x", " × "),
    words("clock"),
    side,
    isSite ? "" : said.has("public") ? t("others may watch") : t("private"),
  ];
  document
    .getElementById("chosen")
    ?.replaceChildren(...chosen.filter(Boolean).map((text) => element("span", { class: "pill" }, text)));
}

/** Who meets: the player, and the opponent's face; a name matters to people alone. @param {HTMLFormElement} form @param {string} opponent */
function showVersus(form, opponent) {
  const chosen = form.querySelector("[name=opponent]:checked");
  const face = /** @type {HTMLImageElement | null | undefined} */ (
    chosen?.closest("label")?.querySelector("img")
  );
  const shown = document.getElementById("versus")?.lastElementChild;
  const name = document.getElementById("name-field");
  const isFriend = chosen?.getAttribute("value") === "link";
  const [card, more] = [document.getElementById("chosen"), form.querySelector(".more-settings .form")];
  if (shown) {
    const [picture, label] = shown.children;
    if (face && picture instanceof HTMLImageElement) picture.src = face.src;
    label.textContent = opponent;
  }
  if (!name || name.contains(document.activeElement)) return;
  if (isFriend && name.closest(".more-settings")) card?.before(name);
  else if (!isFriend && !name.closest(".more-settings")) more?.prepend(name);
}

/** Without a server the game is begun, and kept, in this browser. @param {HTMLFormElement} form */
function playHere(form) {
  form.querySelector("[name=opponent][value=link]")?.closest("label")?.remove();
  const position = new URLSearchParams(location.search).get("position");
  if (position) {
    const area = /** @type {HTMLTextAreaElement} */ (
      element("textarea", { name: "position", rows: "8", spellcheck: "false" })
    );
    area.value = position;
    form
      .querySelector(".clocks")
      ?.before(element("label", { class: "from" }, `${t("From this position")} `, area));
    for (const setting of form.querySelectorAll("[data-setting]")) setting.remove();
  }
  const problem = element("p", { class: "problem", role: "alert", hidden: "" });
  form.before(problem);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const local = await import("./local.js");
    try {
      const id = await local.begin({
        ...Object.fromEntries(new FormData(form)),
        game: form.dataset.remember,
      });
      location.assign(to(`/game/${id}`));
    } catch (error) {
      const { place, message } = /** @type {any} */ (error);
      problem.textContent = place?.line
        ? t("line {line}, column {column}: {cause}", { ...place, cause: translated(message) })
        : translated(message);
      problem.hidden = false;
    }
  });
}
