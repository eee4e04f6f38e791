// @ts-check
/** What every drawing of a board is made of. */

const NS = "http://www.w3.org/2000/svg";
/** The signs of the players, so that nothing hangs on colour: paths around the origin. */
export const SIGNS = [
  "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z",
  "M-4.5-4.5h9v9h-9Z",
  "M0-5.5L5.5 4.5H-5.5Z",
  "M0-6L6 0L0 6L-6 0Z",
  "M-5.5-1.8h3.7v-3.7h3.6v3.7h3.7v3.6h-3.7v3.7h-3.6v-3.7h-3.7Z",
  "M0-6L1.8-1.8L6-1.8L2.6 1.2L3.8 5.6L0 3L-3.8 5.6L-2.6 1.2L-6-1.8L-1.8-1.8Z",
  "M-5.5 4.5L0-1.5L5.5 4.5V-.5L0-6L-5.5-.5Z",
  "M-6-2h12v4h-12Z",
  "M-2-6h4v12h-4Z",
];

/** @param {string} name @param {Record<string, string | number>} [attributes] @returns {SVGElement} */
export function svg(name, attributes = {}) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** The letters of a column: a to z, then aa. @param {number} column @returns {string} */
export function columnName(column) {
  const last = String.fromCharCode(97 + (column % 26));
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last;
}

/** A small sign in a player's colour. @param {number} seat @returns {SVGElement} */
export function seatSign(seat) {
  const box = svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true", class: `o${seatColour(seat)}` });
  box.append(svg("path", { d: SIGNS[(seat - 1) % SIGNS.length], class: "ink-owner" }));
  return box;
}

/** A piece of a player on a field. @param {import("./board.js").Emblem} emblem @param {number} owner @param {number} place @param {[number, number]} corner of the field */
export function pieceOf(emblem, owner, place, [x, y]) {
  const piece = svg("g", { class: `o${seatColour(owner)}`, "data-piece": place });
  const drawn = svg("g", { transform: `translate(${x + 3} ${y + 1}) scale(${34 / 24})` });
  for (const shape of emblem.drawing) drawn.append(svg("path", { d: shape.path, class: `ink-${shape.ink}` }));
  const sign = svg("path", {
    class: "ink-owner",
    d: SIGNS[(owner - 1) % SIGNS.length],
    transform: `translate(${x + 20} ${y + 22}) scale(.62)`,
  });
  piece.append(svg("ellipse", { class: "shadow", cx: x + 20, cy: y + 34, rx: 11, ry: 3 }), drawn, sign);
  return piece;
}

/** Which of the colours a player has. @param {number} seat */
export function seatColour(seat) {
  return ((seat - 1) % 9) + 1;
}
