// @ts-check
import { byId } from "./common.js";

/** Says which file was chosen, and takes one that is dropped anywhere on the page. */
const [zone, chosen, about] = [byId("drop"), byId("chosen"), byId("about")];
const field = /** @type {HTMLInputElement} */ (zone.querySelector("input"));

/** @param {number} bytes */
function sizeText(bytes) {
  return bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 ** 2
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

field.addEventListener("change", () => {
  const file = field.files?.[0];
  if (!file) return;
  chosen.textContent = file.name;
  about.textContent = `${sizeText(file.size)}. Nothing is sent before you press Submit.`;
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  zone.classList.add("over");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) zone.classList.remove("over");
});
addEventListener("drop", (event) => {
  event.preventDefault();
  zone.classList.remove("over");
  if (!event.dataTransfer?.files.length) return;
  field.files = event.dataTransfer.files;
  field.dispatchEvent(new Event("change"));
});
