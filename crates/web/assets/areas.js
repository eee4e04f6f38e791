// @ts-check
/** Areas of a board, and the shapes they have. */

/** How wide a field is in a board's own measure. */
export const CELL = 40;

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
      for (const next of [place - width, place + width, ...(column > 0 ? [place - 1] : []), ...(column + 1 < width ? [place + 1] : [])]) {
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

/**
 * The outline of an area as a path with round corners, a little inside its fields. It is walked with
 * the area on the right; where two fields touch at a corner only, the way turns right, so that they
 * stay apart.
 * @param {number[]} area @param {number} width @param {number} inset
 */
export function outlineOf(area, width, inset) {
  const inside = new Set(area);
  const has = (/** @type {number} */ column, /** @type {number} */ row) => column >= 0 && column < width && inside.has(row * width + column);
  const along = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  const inward = [[0, 1], [-1, 0], [0, -1], [1, 0]];
  /** Edges not walked yet, by their first corner and direction. @type {Set<string>} */
  const edges = new Set();
  for (const place of area) {
    const [column, row] = [place % width, Math.floor(place / width)];
    if (!has(column, row - 1)) edges.add(`${column},${row},0`);
    if (!has(column + 1, row)) edges.add(`${column + 1},${row},1`);
    if (!has(column, row + 1)) edges.add(`${column + 1},${row + 1},2`);
    if (!has(column - 1, row)) edges.add(`${column},${row + 1},3`);
  }
  let path = "";
  while (edges.size > 0) {
    const first = /** @type {string} */ (edges.values().next().value);
    let [column, row, direction] = first.split(",").map(Number);
    /** @type {[number, number, number, number][]} */ const corners = [];
    for (;;) {
      edges.delete(`${column},${row},${direction}`);
      column += along[direction][0];
      row += along[direction][1];
      const isEdge = (/** @type {number} */ next) => `${column},${row},${next}` === first || edges.has(`${column},${row},${next}`);
      const next = /** @type {number} */ ([1, 0, 3].map((by) => (direction + by) % 4).find(isEdge));
      if (next !== direction) corners.push([column, row, direction, next]);
      // Where it began it ends, even if another field touches that corner.
      if (`${column},${row},${next}` === first) break;
      direction = next;
    }
    const points = corners.map(([x, y, before, after]) => [
      x * CELL + inset * (inward[before][0] + inward[after][0]),
      y * CELL + inset * (inward[before][1] + inward[after][1]),
    ]);
    corners.forEach(([, , before, after], i) => {
      const [x, y] = points[i];
      const r = 9;
      path += `${i ? "L" : "M"}${x - along[before][0] * r} ${y - along[before][1] * r}Q${x} ${y} ${x + along[after][0] * r} ${y + along[after][1] * r}`;
    });
    path += "Z";
  }
  return path;
}
