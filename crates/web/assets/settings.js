// @ts-check
import { isSounding, setSound } from "./calls.js";
import { button, choosePalette, element } from "./common.js";
import { t } from "./language.js";

/** A few choices of which one is taken. @param {string} name @param {[string, string][]} choices value and word @param {string} now @param {(value: string) => void} choose */
function choiceOf(name, choices, now, choose) {
  const buttons = choices.map(([value, word]) => {
    const made = button(word, () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === made));
      choose(value);
    });
    made.setAttribute("aria-pressed", String(value === now));
    return made;
  });
  return [
    element("b", {}, name),
    element("div", { class: "seg", role: "group", "aria-label": name }, ...buttons),
  ];
}

/** How the pages look and sound in this browser. */
export function showSettings() {
  const dialog = /** @type {HTMLDialogElement} */ (
    element("dialog", { class: "settings", "aria-label": t("Settings") })
  );
  const palettes = /** @type {HTMLSelectElement | null} */ (document.querySelector(".foot select"));
  const look = localStorage.getItem("look") ?? "device";
  const rows = element(
    "div",
    { class: "setting-rows" },
    ...choiceOf(
      t("Look"),
      [
        ["device", t("As my device")],
        ["light", t("Light")],
        ["dark", t("Dark")],
      ],
      look,
      (value) => dispatchEvent(new CustomEvent("look", { detail: value })),
    ),
    ...choiceOf(
      t("Colours"),
      [...(palettes?.options ?? [])].map((one) => [one.value, one.textContent ?? ""]),
      palettes?.value ?? "",
      choosePalette,
    ),
    ...choiceOf(
      t("Sound"),
      [
        ["off", t("Off")],
        ["on", t("Soft")],
      ],
      isSounding() ? "on" : "off",
      (value) => setSound(value === "on"),
    ),
  );
  dialog.append(
    element("h2", {}, t("Settings")),
    rows,
    element(
      "div",
      { class: "acts" },
      button(t("Close"), () => dialog.close()),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
