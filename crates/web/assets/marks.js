// @ts-check
import { CELL, cornerOf } from "./areas.js";
import { SIGNS, svg } from "./drawing.js";

/**
 * What is marked on a board, and what is seen moving there.
 * @typedef {import("./board.js").Picture} Picture
 * @typedef {import("./board.js").Pick} Pick
 * @typedef {{picture: Picture, last: Pick | null, gains: number[], targets: Set<number>, hinted: Pick | null,
 *   held: number | null, cursor: number | null}} Marked
 */

/** How long something moves, and how. */
const MOTION = { duration: 220, easing: "ease-out" };

/** Every mark there is now. @param {Marked} marked @param {SVGElement} root the board, whose pieces may stand above a mark */
export function drawMarks(marked, root) {
  const { picture, last, targets, hinted } = marked;
  const marks = svg("g");
  const at = (/** @type {number} */ place) => cornerOf(place, picture.width);
  const frame = (/** @type {number} */ place, /** @type {string} */ kind, /** @type {number} */ gap) => {
    const [x, y] = at(place);
    marks.append(svg("rect", { class: kind, x: x + gap, y: y + gap, width: CELL - 2 * gap, height: CELL - 2 * gap, rx: 7 }));
  };
  if (last && last.to !== undefined) {
    const [tx, ty] = at(last.to);
    if (last.from !== undefined) {
      const [fx, fy] = at(last.from);
      marks.append(svg("path", { class: "mark-last", d: `M${fx + 20} ${fy + 20}L${tx + 20} ${ty + 20}` }), svg("circle", { class: "mark-last-dot", cx: fx + 20, cy: fy + 20, r: 6 }));
      // The line ends under the piece.
      const piece = root.querySelector(`[data-piece="${last.to}"]`);
      if (piece) marks.append(piece.cloneNode(true));
    } else {
      frame(last.to, "mark-last", 3);
    }
  }
  for (const place of marked.gains) frame(place, "mark-gain", 3);
  // Where nearly everything can be chosen, marks would say nothing.
  const isTelling = targets.size * 2 <= picture.owners.length;
  for (const place of isTelling ? targets : []) {
    const [x, y] = at(place);
    marks.append(svg("circle", { class: "mark-target", cx: x + 33, cy: y + 8, r: 5 }));
  }
  if (hinted) {
    for (const place of hinted.to !== undefined ? [hinted.to, ...(hinted.from !== undefined ? [hinted.from] : [])] : (hinted.takes ?? [])) frame(place, "mark-hint", 2);
    const sign = hinted.to ?? hinted.takes?.[0];
    if (sign !== undefined) {
      const [x, y] = at(sign);
      marks.append(svg("path", { class: "mark-hint-sign", d: SIGNS[5], transform: `translate(${x + 7} ${y + 8}) scale(1.2)` }));
    }
  }
  if (marked.held !== null) frame(marked.held, "mark-held", 2);
  if (marked.cursor !== null) frame(marked.cursor, "mark-cursor", 1);
  return marks;
}

/** Shows what the last move did, briefly, to those who like things to move. @param {SVGElement} root @param {Picture} picture @param {Pick} last */
export function showMotion(root, picture, last) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const at = (/** @type {number} */ place) => cornerOf(place, picture.width);
  if (last.from !== undefined && last.to !== undefined) {
    const [fx, fy] = at(last.from);
    const [tx, ty] = at(last.to);
    for (const piece of root.querySelectorAll(`[data-piece="${last.to}"]`)) piece.animate([{ transform: `translate(${fx - tx}px, ${fy - ty}px)` }, { transform: "none" }], MOTION);
    return;
  }
  const taken = svg("g");
  for (const place of last.takes ?? (last.to !== undefined ? [last.to] : [])) {
    const [x, y] = at(place);
    taken.append(svg("rect", { class: "taken", x: x + 2, y: y + 2, width: 36, height: 36, rx: 7 }));
  }
  root.append(taken);
  taken.animate([{ opacity: 0.75 }, { opacity: 0 }], MOTION).onfinish = () => taken.remove();
}
