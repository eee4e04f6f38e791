// @ts-check
import { CELL, cornerOf, outlineOf } from "./areas.js";
import { SIGNS, pieceOf, svg } from "./drawing.js";

/**
 * What is marked on a board, and what is seen moving there.
 * @typedef {import("./board.js").Picture} Picture
 * @typedef {import("./board.js").Pick} Pick
 * @typedef {{picture: Picture, last: Pick | null, gains: number[], targets: Set<number>, hinted: Pick | null,
 *   held: number | null, cursor: number | null, cell: number}} Marked `cell`: how wide a field is, in pixels
 */

/** How long something moves, and how. */
const MOTION = { duration: 220, easing: "ease-out" };

/** A move that was made, with who made it. @param {Pick | null | undefined} last @param {number | undefined} seat @returns {Pick | null} */
export function madeBy(last, seat) {
  return last ? { ...last, seat } : null;
}

/** More fields than these are marked by one shape for all of them. */
const MANY = 60;
/** Dots on narrower fields, in pixels, are too small to be seen. */
const DOTTED_CELL = 6;

/** The same square in many fields. @param {Iterable<number>} places @param {number} width of the board @param {number} gap @param {number} size */
function squares(places, width, gap, size) {
  const parts = [];
  for (const place of places) {
    const [x, y] = cornerOf(place, width);
    parts.push(`M${x + gap} ${y + gap}h${size}v${size}h${-size}z`);
  }
  return parts.join("");
}

/** A line in two tones, so that it is seen on any field. @param {string} kind @param {string} shape @param {Record<string, string | number>} attributes */
function markLine(kind, shape, attributes) {
  const mark = svg("g", { class: `mark mark-${kind}` });
  mark.append(svg(shape, { ...attributes, class: "rim" }), svg(shape, { ...attributes, class: "tone" }));
  return mark;
}

/** The same for a shape that is filled. @param {string} kind @param {string} shape @param {Record<string, string | number>} attributes */
function markDot(kind, shape, attributes) {
  const mark = svg("g", { class: `mark mark-${kind}` });
  mark.append(svg(shape, { ...attributes, class: "dot" }));
  return mark;
}

/** A line around fields that belong together. @param {number[]} places @param {string} kind @param {number} gap @param {Picture} picture */
function markArea(places, kind, gap, picture) {
  return markLine(kind, "path", { d: outlineOf(places, picture.width, gap) });
}

/** Every mark there is now. @param {Marked} marked */
export function drawMarks(marked) {
  const { picture, last, targets, hinted } = marked;
  const at = (/** @type {number} */ place) => cornerOf(place, picture.width);
  const frame = (/** @type {number} */ place, /** @type {string} */ kind, /** @type {number} */ gap) => {
    const [x, y] = at(place);
    return markLine(kind, "rect", {
      x: x + gap,
      y: y + gap,
      width: CELL - 2 * gap,
      height: CELL - 2 * gap,
      rx: 7,
    });
  };
  const marks = svg("g");
  if (last) marks.append(...lastMarks(last, picture, frame));
  if (marked.gains.length > MANY) marks.append(markArea(marked.gains, "gain", 3, picture));
  else marks.append(...marked.gains.map((place) => frame(place, "gain", 3)));
  if (hinted?.to === undefined && hinted?.takes?.length)
    marks.append(markArea(hinted.takes, "hint", 3, picture));
  else if (hinted) marks.append(...hintedPlaces(hinted).map((place) => frame(place, "hint", 2)));
  if (marked.held !== null) marks.append(frame(marked.held, "held", 2));
  if (marked.cursor !== null) marks.append(frame(marked.cursor, "cursor", 1));
  // Where nearly everything can be chosen, marks would say nothing.
  const isTelling =
    targets.size * 2 <= picture.owners.length && (targets.size <= MANY || marked.cell >= DOTTED_CELL);
  if (isTelling && targets.size > MANY)
    marks.append(markDot("target", "path", { d: squares(targets, picture.width, 29, 9) }));
  for (const place of isTelling && targets.size <= MANY ? targets : []) {
    const [x, y] = at(place);
    marks.append(markDot("target", "circle", { cx: x + 33, cy: y + 8, r: 5 }));
  }
  for (const place of hinted ? hintedPlaces(hinted).slice(0, 1) : []) {
    const [x, y] = at(place);
    marks.append(
      markDot("hint", "path", { d: SIGNS[5], transform: `translate(${x + 7} ${y + 8}) scale(1.2)` }),
    );
  }
  return marks;
}

/** The fields of a move that is hinted at, where it goes first. @param {Pick} hinted */
function hintedPlaces(hinted) {
  if (hinted.to === undefined) return hinted.takes ?? [];
  return hinted.from === undefined ? [hinted.to] : [hinted.to, hinted.from];
}

/**
 * Where the last move came from and went, or what it took.
 * @param {Pick} last @param {Picture} picture @param {(place: number, kind: string, gap: number) => SVGElement} frame
 * @returns {Node[]}
 */
function lastMarks(last, picture, frame) {
  if (last.to === undefined) {
    // Who took nothing may have changed what they had.
    const places = last.takes?.length
      ? last.takes
      : [...picture.owners.keys()].filter((place) => picture.owners[place] === last.seat);
    return places.length ? [markArea(places, "last", 5, picture)] : [];
  }
  if (last.from === undefined) return [frame(last.to, "last", 3)];
  const [[fx, fy], [tx, ty]] = [last.from, last.to].map((place) => cornerOf(place, picture.width));
  const line = markLine("last", "path", { d: `M${fx + 20} ${fy + 20}L${tx + 20} ${ty + 20}` });
  const dot = markDot("last", "circle", { cx: fx + 20, cy: fy + 20, r: 6 });
  return [line, dot];
}

/** The piece that moved last, above the line to it. @param {Pick | null} last @param {Picture} picture */
export function liftedPiece(last, picture) {
  const owner = last?.from !== undefined && last.to !== undefined ? picture.owners[last.to] : 0;
  if (!owner || !picture.piece || last?.to === undefined) return svg("g");
  return pieceOf(picture.piece, owner, last.to, cornerOf(last.to, picture.width));
}

/** A star that grows while it fades. @param {[number, number]} corner of its field */
function glint([x, y]) {
  const star = svg("g", { transform: `translate(${x + CELL / 2} ${y + CELL / 2})` });
  const shape = svg("path", { class: "glint", d: SIGNS[5] });
  star.append(shape);
  shape.animate([{ transform: "scale(1)" }, { transform: "scale(5)" }], MOTION);
  return star;
}

/** Shows what the last move did, briefly, unless the user prefers less motion. @param {SVGElement} root @param {Picture} picture @param {Pick} last */
export function showMotion(root, picture, last) {
  for (const before of root.querySelectorAll(".taken")) before.remove();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const at = (/** @type {number} */ place) => cornerOf(place, picture.width);
  if (last.from !== undefined && last.to !== undefined) {
    const [fx, fy] = at(last.from);
    const [tx, ty] = at(last.to);
    for (const piece of root.querySelectorAll(`[data-piece="${last.to}"]`))
      piece.animate([{ transform: `translate(${fx - tx}px, ${fy - ty}px)` }, { transform: "none" }], MOTION);
    return;
  }
  const places = last.takes ?? (last.to !== undefined ? [last.to] : []);
  const taken = svg("g", { class: last.special ? "taken special" : "taken" });
  if (places.length > MANY) taken.append(svg("path", { d: squares(places, picture.width, 2, 36) }));
  else {
    for (const place of places) {
      const [x, y] = at(place);
      taken.append(svg("rect", { x: x + 2, y: y + 2, width: 36, height: 36, rx: 7 }));
    }
  }
  root.append(taken);
  taken.animate([{ opacity: last.special ? 1 : 0.75 }, { opacity: 0 }], MOTION).onfinish = () =>
    taken.remove();
  if (last.special && last.to !== undefined) taken.append(glint(at(last.to)));
}
