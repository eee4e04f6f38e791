// @ts-check
// Takes a program that is chosen, or dropped anywhere on the page; says what was found in it, and
// whether it is too large, before anything is sent.
import { byId, element } from "./common.js";

const [zone, chosen, about, other, found, problem] = [
  "drop",
  "chosen",
  "about",
  "other",
  "found",
  "too-large",
].map(byId);
const field = /** @type {HTMLInputElement} */ (zone.querySelector("input"));
const most = Number(zone.dataset.most);
/** Files that are listed, the largest first, and the most bytes of an archive that are unpacked here. */
const [LISTED, UNPACKED] = [8, 64 * 1024 ** 2];
const emptyWords = about.textContent;

/** @typedef {{ name: string, size: number }} Found */

/** @param {number} bytes */
function sizeText(bytes) {
  return bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 ** 2
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

/** The files of a zip, from the list at its end; @param {Uint8Array} bytes @returns {Found[] | null} */
function filesOfZip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A comment of up to 64 KiB may follow.
  for (let end = bytes.length - 22; end >= Math.max(0, bytes.length - 22 - 65_535); end--) {
    if (view.getUint32(end, true) !== 0x06054b50) continue;
    const files = [];
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
      if (view.getUint32(at, true) !== 0x02014b50) return null;
      const length = view.getUint16(at + 28, true);
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
      files.push({ name, size: view.getUint32(at + 24, true) });
      at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    return files;
  }
  return null;
}

/** The files of a tar; @param {Uint8Array} bytes @returns {Found[] | null} */
function filesOfTar(bytes) {
  const text = (/** @type {number} */ from, /** @type {number} */ length) =>
    new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, "");
  const files = [];
  let at = 0;
  while (at + 512 <= bytes.length && bytes[at] !== 0) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    if (text(at + 257, 5) !== "ustar" || !(size >= 0)) return null;
    const [name, above] = [text(at, 100), text(at + 345, 155)];
    // Links, folders and what only describes the next file are no files.
    if (["", "0"].includes(text(at + 156, 1))) files.push({ name: above ? `${above}/${name}` : name, size });
    at += 512 + 512 * Math.ceil(size / 512);
  }
  return files;
}

/** What a packed file holds, if it is not too much; @param {Blob} file @returns {Promise<Uint8Array | null>} */
async function unpacked(file) {
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts = [];
  for (let [size, part] = [0, await reader.read()]; !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > UNPACKED) return null;
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/**
 * The files of an archive; null if it is none, or one that only the server can read.
 * @param {File} file
 * @returns {Promise<Found[] | null>}
 */
async function filesOf(file) {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const sign = String.fromCharCode(...start);
  const tar = sign === "\x1f\x8b" ? await unpacked(file) : null;
  if (tar) return filesOfTar(tar);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return sign === "PK" ? filesOfZip(bytes) : filesOfTar(bytes);
}

async function look() {
  const file = field.files?.[0];
  zone.classList.toggle("has", !!file);
  other.textContent = file ? "Take another" : "Choose a file";
  chosen.textContent = file?.name ?? "Drop your program here.";
  about.textContent = file ? `${sizeText(file.size)} of ${sizeText(most)}` : emptyWords;
  problem.hidden = found.hidden = true;
  if (!file) return;
  const known = await filesOf(file).catch(() => null);
  // Another file may have been chosen during the reading.
  if (field.files?.[0] !== file) return;
  const files = (known ?? []).filter((one) => !one.name.endsWith("/")).sort((a, b) => b.size - a.size);
  if (files.length > 0) {
    const count = files.length === 1 ? "1 file" : `${files.length} files`;
    about.textContent = `${count}, ${sizeText(file.size)} of ${sizeText(most)}`;
    found.replaceChildren(
      ...files
        .slice(0, LISTED)
        .map((one) =>
          element("li", {}, element("code", {}, one.name), element("span", {}, sizeText(one.size))),
        ),
    );
    if (files.length > LISTED)
      found.append(element("li", { class: "soft" }, `and ${files.length - LISTED} smaller ones`));
    found.hidden = false;
  }
  if (file.size <= most) return;
  const large = files[0] ? ` The largest file: ${files[0].name}, ${sizeText(files[0].size)}.` : "";
  problem.textContent = `${file.name} has ${sizeText(file.size)}, ${sizeText(most)} is the most.${large} Leave out what the build does not need, and drop it again.`;
  problem.hidden = false;
}

field.addEventListener("change", look);
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
void look();
