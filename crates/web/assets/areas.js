// @ts-check
/** Areas of a board, and the shapes they have. */

/** How wide a field is in a board's own measure. */
export const CELL = 40;
/** How round the corners of an outline are. */
const ROUND = 9;
/** The four directions along an outline, and those to its inside. */
const ALONG = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];
const INWARD = [
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 0],
];

/** Where a field's top-left corner is. @param {number} place @param {number} width of the board @returns {[number, number]} */
export function cornerOf(place, width) {
  return [(place % width) * CELL, Math.floor(place / width) * CELL];
}

/** The fields of each area: touching fields of one owner. @param {import("./board.js").Picture} picture @returns {number[][]} */
export function areasOf(picture) {
  const { width, owners } = picture;
  const seen = new Uint8Array(owners.length);
  const areas = [];
  for (let first = 0; first < owners.length; first++) {
    if (!owners[first] || seen[first]) continue;
    const area = [first];
    seen[first] = 1;
    for (const place of area) {
      const column = place % width;
      for (const next of [
        place - width,
        place + width,
        column > 0 ? place - 1 : -1,
        column + 1 < width ? place + 1 : -1,
      ]) {
        if (next >= 0 && next < owners.length && !seen[next] && owners[next] === owners[first]) {
          seen[next] = 1;
          area.push(next);
        }
      }
    }
    areas.push(area);
  }
  return areas;
}

/** The outline of some fields as a path. @param {number[]} area @param {number} width @param {number} inset */
export function outlineOf(area, width, inset) {
  const inside = new Set(area);
  const columns = area.map((place) => place % width);
  const rows = area.map((place) => Math.floor(place / width));
  const bounds = {
    left: Math.min(...columns),
    top: Math.min(...rows),
    right: Math.max(...columns) + 1,
    bottom: Math.max(...rows) + 1,
  };
  return outlineWithin((column, row) => inside.has(row * width + column), bounds, inset);
}

/**
 * The outline of all fields of a kind within bounds, as a path with round corners, a little inside the
 * fields. It is walked with the fields on the right; where two touch at a corner only, the way turns
 * right, so that they stay apart.
 * @typedef {{left: number, top: number, right: number, bottom: number}} Bounds in fields, without the last
 * @param {(column: number, row: number) => boolean} isInside @param {Bounds} bounds @param {number} inset
 */
export function outlineWithin(isInside, { left, top, right, bottom }, inset) {
  const wide = right - left + 1;
  const has = (/** @type {number} */ column, /** @type {number} */ row) =>
    column >= left && column < right && row >= top && row < bottom && isInside(column, row);
  /** The edges not walked yet that begin at a corner, as one bit for each direction. */
  const edges = new Uint8Array(wide * (bottom - top + 1));
  const at = (/** @type {number} */ column, /** @type {number} */ row) => (row - top) * wide + column - left;
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      if (!isInside(column, row)) continue;
      if (!has(column, row - 1)) edges[at(column, row)] |= 1;
      if (!has(column + 1, row)) edges[at(column + 1, row)] |= 2;
      if (!has(column, row + 1)) edges[at(column + 1, row + 1)] |= 4;
      if (!has(column - 1, row)) edges[at(column, row + 1)] |= 8;
    }
  }
  /** @type {string[]} */ const path = [];
  for (let corner = 0; corner < edges.length; corner++) {
    while (edges[corner]) walk(corner);
  }
  return path.join("");

  /** Walks one way around from an edge that begins at this corner. @param {number} from */
  function walk(from) {
    const first = 31 - Math.clz32(edges[from] & -edges[from]);
    let [corner, direction] = [from, first];
    let isBegun = false;
    for (;;) {
      edges[corner] &= ~(1 << direction);
      corner += ALONG[direction][0] + ALONG[direction][1] * wide;
      // Where it began it ends, even if another field touches that corner.
      const isHome = corner === from;
      const turn =
        [1, 0, 3].find(
          (by) => edges[corner] & (1 << ((direction + by) % 4)) || (isHome && (direction + by) % 4 === first),
        ) ?? 0;
      const next = (direction + turn) % 4;
      if (next !== direction) {
        const x = ((corner % wide) + left) * CELL + inset * (INWARD[direction][0] + INWARD[next][0]);
        const y = (Math.floor(corner / wide) + top) * CELL + inset * (INWARD[direction][1] + INWARD[next][1]);
        path.push(
          `${isBegun ? "L" : "M"}${x - ALONG[direction][0] * ROUND} ${y - ALONG[direction][1] * ROUND}Q${x} ${y} ${x + ALONG[next][0] * ROUND} ${y + ALONG[next][1] * ROUND}`,
        );
        isBegun = true;
      }
      if (isHome && next === first) break;
      direction = next;
    }
    path.push("Z");
  }
}
