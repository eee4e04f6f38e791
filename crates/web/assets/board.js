// @ts-check
/**
 * The board of any game, drawn from what the server says about a position. It names no game: levels,
 * hues, owners, outlines and emblems are all it knows.
 *
 * @typedef {{ink: string, path: string}} Shape
 * @typedef {{word: string, drawing: Shape[]}} Emblem
 * @typedef {{name: string, score: number, note: string}} SeatView
 * @typedef {{width: number, height: number, glyphs: string, shades: string, owners: number[],
 *   promised?: number[], is_outlined: boolean, numbering: string | null, level: Emblem | null,
 *   piece: Emblem | null, phase: string, task: string, notes: string[], seats: SeatView[]}} Picture
 * @typedef {{move: string, from?: number, to?: number, special?: string, takes?: number[], gain: number}} Pick
 */

import { CELL, areasOf, outlineOf } from "./areas.js";

const NS = "http://www.w3.org/2000/svg";
const EDGE = 26;
/** The largest a field is drawn, in pixels: a small board need not fill a large screen. */
const LARGEST = 64;
/** Boards with more fields are drawn in few large shapes, without details. */
const DETAILED = 2500;
/** Boards with more fields are not spelt out field by field for screen readers. */
const SPELT = 900;
/** The signs of the players, so that nothing hangs on colour: paths around the origin. */
const SIGNS = [
  "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z", "M-4.5-4.5h9v9h-9Z", "M0-5.5L5.5 4.5H-5.5Z", "M0-6L6 0L0 6L-6 0Z",
  "M-5.5-1.8h3.7v-3.7h3.6v3.7h3.7v3.6h-3.7v3.7h-3.6v-3.7h-3.7Z", "M0-6L1.8-1.8L6-1.8L2.6 1.2L3.8 5.6L0 3L-3.8 5.6L-2.6 1.2L-6-1.8L-1.8-1.8Z",
  "M-5.5 4.5L0-1.5L5.5 4.5V-.5L0-6L-5.5-.5Z", "M-6-2h12v4h-12Z", "M-2-6h4v12h-4Z",
];

/** @param {string} name @param {Record<string, string | number>} [attributes] @returns {SVGElement} */
export function svg(name, attributes = {}) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** The letters of a column: a to z, then aa. @param {number} column @returns {string} */
function letters(column) {
  const last = String.fromCharCode(97 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}

/** A small sign in a player's colour. @param {number} seat @returns {SVGElement} */
export function seatSign(seat) {
  const box = svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true", class: `o${seatColour(seat)}` });
  box.append(svg("path", { d: SIGNS[(seat - 1) % SIGNS.length], class: "ink-owner" }));
  return box;
}

/** Which of the colours a player has. @param {number} seat */
export function seatColour(seat) {
  return ((seat - 1) % 9) + 1;
}

/** Whether things may move. */
function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

let boards = 0;

export class FloeBoard extends HTMLElement {
  constructor() {
    super();
    this.number = ++boards;
    /** @type {Picture | null} */ this.picture = null;
    /** @type {Pick[]} */ this.picks = [];
    /** @type {((pick: Pick) => void) | null} */ this.onpick = null;
    /** @type {string | null} */ this.special = null;
    /** @type {number | null} */ this.held = null;
    this.cursor = 0;
    /** @type {Pick | null} */ this.last = null;
    /** @type {Pick | null} */ this.hinted = null;
    /** @type {number[]} */ this.gains = [];
    /** @type {SVGElement | null} */ this.root = null;
    /** @type {SVGElement} */ this.marks = svg("g");
    /** @type {HTMLElement | null} */ this.grid = null;
    this.scale = 1;
  }

  connectedCallback() {
    const from = this.dataset.from && document.getElementById(this.dataset.from);
    if (from && !this.picture) {
      const data = JSON.parse(from.textContent || "{}");
      this.show(data.picture ?? data, data.last ?? null);
    }
  }

  /** Shows a position. @param {Picture} picture @param {Pick | null} [last] @param {boolean} [moves] whether the last move is seen moving */
  show(picture, last = null, moves = false) {
    const before = this.picture;
    this.picture = picture;
    this.last = last;
    this.held = null;
    this.hinted = null;
    this.gains = [];
    this.picks = [];
    this.special = null;
    if (!before || before.width !== picture.width || before.height !== picture.height) {
      this.cursor = Math.floor(picture.height / 2) * picture.width + Math.floor(picture.width / 2);
    }
    this.draw();
    if (moves && last && before && !isStill()) this.animateLast(last);
  }

  /** Lets somebody make one of these moves. @param {Pick[]} picks @param {(pick: Pick) => void} onpick */
  offer(picks, onpick) {
    this.picks = picks;
    this.onpick = onpick;
    this.dataset.playable = "";
    this.refresh();
  }

  /** Takes the offer back. */
  withdraw() {
    this.picks = [];
    this.onpick = null;
    this.held = null;
    delete this.dataset.playable;
    this.refresh();
  }

  /** Chooses which kind of special move a click makes. @param {string | null} special */
  choose(special) {
    this.special = special;
    this.held = null;
    this.refresh();
  }

  /** Marks a move somebody might make. @param {Pick | null} pick */
  hint(pick) {
    this.hinted = pick;
    this.refresh();
  }

  /** Marks what a move would take. @param {number[]} places */
  preview(places) {
    this.gains = places;
    this.refresh();
  }

  /** The moves of the kind that is chosen. */
  usable() {
    return this.picks.filter((pick) => (pick.special ?? null) === this.special);
  }

  /** @param {number} place @returns {[number, number]} */
  at(place) {
    const width = this.picture?.width ?? 1;
    return [(place % width) * CELL, Math.floor(place / width) * CELL];
  }

  /** The name of a field. @param {number} place */
  square(place) {
    const { width, height } = /** @type {Picture} */ (this.picture);
    return letters(place % width) + String(height - Math.floor(place / width));
  }

  draw() {
    const picture = /** @type {Picture} */ (this.picture);
    const { width, height } = picture;
    const isSmall = this.classList.contains("small");
    const edge = isSmall ? 4 : EDGE;
    const root = svg("svg", {
      viewBox: `${-edge} ${isSmall ? -4 : -6} ${width * CELL + edge + (isSmall ? 4 : 6)} ${height * CELL + edge + (isSmall ? 4 : 6)}`,
      "aria-hidden": "true",
    });
    root.style.maxWidth = `${Math.ceil(((width * CELL + 2 * edge) / CELL) * LARGEST)}px`;
    const isSea = picture.shades.includes("~") || picture.level !== null;
    root.append(svg("rect", { x: -3, y: -3, width: width * CELL + 6, height: height * CELL + 6, rx: 10, class: isSea ? "sea" : "paper" }));
    this.defineEmblems(root);
    if (width * height > DETAILED) this.drawRoughly(root);
    else this.drawFinely(root);
    if (!isSmall) this.drawLabels(root);
    this.marks = svg("g");
    root.append(this.marks);
    root.addEventListener("click", (event) => this.clicked(event));
    const frame = document.createElement("div");
    frame.className = "frame";
    frame.append(root);
    if (width > 40) this.addZoom(frame, root);
    this.root = root;
    const hadFocus = this.grid !== null && this.grid === document.activeElement;
    this.replaceChildren(frame);
    this.addGrid(isSmall);
    if (hadFocus) this.grid?.focus();
    this.refresh();
  }

  /** Zoom for boards that are too large for a screen. @param {HTMLElement} frame @param {SVGElement} root */
  addZoom(frame, root) {
    const apply = () => { root.style.width = `${this.scale * 100}%`; root.style.maxWidth = "none"; root.style.maxHeight = "none"; };
    const zoom = document.createElement("div");
    zoom.className = "zoom";
    for (const [text, label, factor] of /** @type {[string, string, number][]} */ ([["−", "Smaller", 1 / 1.5], ["+", "Larger", 1.5]])) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.setAttribute("aria-label", label);
      button.onclick = () => { this.scale = Math.min(8, Math.max(1, this.scale * factor)); apply(); };
      zoom.append(button);
    }
    apply();
    frame.append(zoom);
  }

  /** @param {SVGElement} root */
  defineEmblems(root) {
    const picture = /** @type {Picture} */ (this.picture);
    const defs = svg("defs");
    for (const [name, emblem] of Object.entries({ level: picture.level, piece: picture.piece })) {
      if (!emblem) continue;
      const symbol = svg("symbol", { id: `e${this.number}-${name}`, viewBox: "0 0 24 24" });
      for (const shape of emblem.drawing) symbol.append(svg("path", { d: shape.path, class: `ink-${shape.ink}` }));
      defs.append(symbol);
    }
    root.append(defs);
  }

  /** Everything on a board of usual size. @param {SVGElement} root */
  drawFinely(root) {
    const picture = /** @type {Picture} */ (this.picture);
    const ground = svg("g");
    const areas = svg("g");
    const things = svg("g");
    for (let place = 0; place < picture.owners.length; place++) {
      const [x, y] = this.at(place);
      const shade = picture.shades[place];
      const owner = picture.owners[place];
      if (shade === "~") {
        const sway = (place * 7) % 5;
        ground.append(svg("path", { class: "ripple", d: `M${x + 10 + sway} ${y + 20}q4-4 8 0t8 0` }));
      } else if (picture.level) {
        this.drawFloe(ground, place, shade);
      } else if (shade >= "A" && shade <= "Z") {
        if (!owner) ground.append(svg("rect", { class: `hue h${shade}`, x: x + 2.5, y: y + 2.5, width: 35, height: 35, rx: 7 }));
      } else if (!owner || !picture.is_outlined) {
        ground.append(svg("rect", { class: "free", x: x + 3, y: y + 3, width: 34, height: 34, rx: 7 }));
      }
      if (shade >= "1" && shade <= "9" && picture.level) this.drawLevel(things, place, Number(shade));
      if (owner && picture.piece) this.drawPiece(things, place, owner);
      else if (owner && picture.is_outlined && !(shade >= "A" && shade <= "Z")) {
        things.append(svg("path", { class: "sign", d: SIGNS[(owner - 1) % SIGNS.length], transform: `translate(${x + 20} ${y + 20})` }));
      } else if (owner && !picture.is_outlined) {
        things.append(svg("path", { class: `ink-owner o${seatColour(owner)}`, d: SIGNS[(owner - 1) % SIGNS.length], transform: `translate(${x + 20} ${y + 20}) scale(2)` }));
      }
      if (shade >= "A" && shade <= "Z" && !owner) {
        const glyph = svg("text", { class: "glyph", x: x + 20, y: y + 25 });
        glyph.textContent = picture.glyphs[place] === "." ? "·" : picture.glyphs[place];
        things.append(glyph);
      }
    }
    if (picture.is_outlined) this.drawAreas(areas, things);
    root.append(ground, areas, things);
  }

  /** @param {SVGElement} into @param {number} place @param {string} shade */
  drawFloe(into, place, shade) {
    const [x, y] = this.at(place);
    // Each floe is a little uneven, always the same way.
    const bend = (/** @type {number} */ k) => ((place * 13 + k * 29) % 7) / 2.2 - 1.4;
    const [a, b, c, d] = [[x + 4 + bend(1), y + 4 + bend(2)], [x + 36 + bend(3), y + 4 + bend(4)], [x + 36 + bend(5), y + 34 + bend(6)], [x + 4 + bend(7), y + 34 + bend(8)]];
    const outline = (/** @type {number} */ dy) => {
      const corners = [a, b, c, d];
      let path = "";
      for (let i = 0; i < 4; i++) {
        const [px, py] = corners[i];
        const [nx, ny] = corners[(i + 1) % 4];
        const [qx, qy] = corners[(i + 3) % 4];
        const toward = (/** @type {number} */ tx, /** @type {number} */ ty) => {
          const length = Math.hypot(tx - px, ty - py);
          return `${(px + ((tx - px) / length) * 6).toFixed(1)} ${(py + ((ty - py) / length) * 6 + dy).toFixed(1)}`;
        };
        path += `${i ? "L" : "M"}${toward(qx, qy)}Q${px.toFixed(1)} ${(py + dy).toFixed(1)} ${toward(nx, ny)}`;
      }
      return path + "Z";
    };
    const level = shade >= "1" && shade <= "9" ? Math.min(3, Number(shade)) : 1;
    into.append(svg("path", { class: "edge", d: outline(3) }), svg("path", { class: `level l${level}`, d: outline(0) }));
  }

  /** So many emblems as the level counts. @param {SVGElement} into @param {number} place @param {number} level */
  drawLevel(into, place, level) {
    const [x, y] = this.at(place);
    const spots = /** @type {Record<number, [number, number][]>} */ ({ 1: [[20, 19]], 2: [[20, 12.5], [20, 25.5]], 3: [[20, 10.5], [20, 19], [20, 27.5]] })[level];
    if (!spots) {
      const text = svg("text", { class: "glyph", x: x + 20, y: y + 25 });
      text.textContent = String(level);
      into.append(text);
      return;
    }
    const size = level === 3 ? 11.5 : level === 2 ? 13.5 : 15;
    for (const [dx, dy] of spots) {
      into.append(svg("use", { href: `#e${this.number}-level`, x: x + dx - size / 2, y: y + dy - size / 2, width: size, height: size }));
    }
  }

  /** @param {SVGElement} into @param {number} place @param {number} owner */
  drawPiece(into, place, owner) {
    const [x, y] = this.at(place);
    const piece = svg("g", { class: `o${seatColour(owner)}`, "data-piece": place });
    piece.append(svg("ellipse", { class: "shadow", cx: x + 20, cy: y + 34, rx: 11, ry: 3 }));
    piece.append(svg("use", { href: `#e${this.number}-piece`, x: x + 3, y: y + 1, width: 34, height: 34 }));
    piece.append(svg("path", { class: "ink-owner", d: SIGNS[(owner - 1) % SIGNS.length], transform: `translate(${x + 20} ${y + 22}) scale(.62)` }));
    into.append(piece);
  }

  /** Areas as one shape each. @param {SVGElement} into @param {SVGElement} things */
  drawAreas(into, things) {
    const picture = /** @type {Picture} */ (this.picture);
    for (const area of areasOf(picture)) {
      const owner = picture.owners[area[0]];
      const shade = picture.shades[area[0]];
      const isFilled = shade >= "A" && shade <= "Z";
      into.append(svg("path", { class: `area o${seatColour(owner)}${isFilled ? ` filled h${shade}` : ""}`, d: outlineOf(area, picture.width, isFilled ? 2 : 3), "fill-rule": "evenodd" }));
      if (isFilled) {
        const corner = (/** @type {number} */ place) => {
          const [column, row] = [place % picture.width, Math.floor(place / picture.width)];
          return Math.min(column, picture.width - 1 - column) + Math.min(row, picture.height - 1 - row);
        };
        const home = area.reduce((best, place) => (corner(place) < corner(best) ? place : best));
        const [x, y] = this.at(home);
        things.append(svg("circle", { class: "badge", cx: x + 20, cy: y + 20, r: 12 }));
        const text = svg("text", { class: "badge-text", x: x + 20, y: y + 25 });
        text.textContent = (picture.seats[owner - 1]?.name || String(owner)).slice(0, 2);
        things.append(text);
      }
    }
  }

  /** A large board: one shape for each kind of field. @param {SVGElement} root */
  drawRoughly(root) {
    const picture = /** @type {Picture} */ (this.picture);
    /** @type {Map<string, string[]>} */ const shapes = new Map();
    for (let place = 0; place < picture.owners.length; place++) {
      const shade = picture.shades[place];
      const owner = picture.owners[place];
      let kind = "free";
      if (shade === "~") continue;
      if (shade >= "A" && shade <= "Z") kind = `hue h${shade}`;
      else if (shade >= "1" && shade <= "9") kind = `level l${Math.min(3, Number(shade))}`;
      if (owner) kind = picture.is_outlined && !(shade >= "A" && shade <= "Z") ? `area o${seatColour(owner)}` : owner && shade >= "A" ? `area filled h${shade} o${seatColour(owner)}` : `ink-owner o${seatColour(owner)}`;
      const [x, y] = this.at(place);
      const path = shapes.get(kind) ?? [];
      path.push(`M${x + 2} ${y + 2}h36v36h-36Z`);
      shapes.set(kind, path);
    }
    for (const [kind, path] of shapes) root.append(svg("path", { class: kind, d: path.join("") }));
  }

  /** @param {SVGElement} root */
  drawLabels(root) {
    const { width, height } = /** @type {Picture} */ (this.picture);
    const step = width > 60 ? 10 : width > 30 ? 5 : 1;
    for (let column = 0; column < width; column += step) {
      const text = svg("text", { class: "label", x: column * CELL + 20, y: height * CELL + 19 });
      text.textContent = letters(column);
      root.append(text);
    }
    for (let row = 0; row < height; row += step) {
      const text = svg("text", { class: "label", x: -14, y: (height - row) * CELL - 15 });
      text.textContent = String(row + 1);
      root.append(text);
    }
  }

  /** The same board as a grid that keys move in and screen readers read. @param {boolean} isSmall */
  addGrid(isSmall) {
    const picture = /** @type {Picture} */ (this.picture);
    this.grid = null;
    if (isSmall) return;
    const grid = document.createElement("div");
    grid.className = "hidden";
    grid.tabIndex = 0;
    if (picture.owners.length <= SPELT) {
      grid.setAttribute("role", "grid");
      for (let row = 0; row < picture.height; row++) {
        const line = document.createElement("div");
        line.setAttribute("role", "row");
        for (let column = 0; column < picture.width; column++) {
          const place = row * picture.width + column;
          const cell = document.createElement("div");
          cell.setAttribute("role", "gridcell");
          cell.id = `b${this.number}-${place}`;
          line.append(cell);
        }
        grid.append(line);
      }
    } else {
      grid.setAttribute("role", "application");
    }
    grid.setAttribute("aria-label", "The board. Arrow keys move, Enter chooses, Escape lets go.");
    grid.addEventListener("keydown", (event) => this.key(event));
    grid.addEventListener("focus", () => this.refresh());
    grid.addEventListener("blur", () => this.refresh());
    this.append(grid);
    this.grid = grid;
  }

  /** What a field is, in words. @param {number} place */
  describe(place) {
    const picture = /** @type {Picture} */ (this.picture);
    const shade = picture.shades[place];
    const owner = picture.owners[place];
    const name = owner ? picture.seats[owner - 1]?.name || `player ${owner}` : "";
    let what = "free";
    if (shade === "~") what = "water";
    else if (owner) what = `${picture.piece?.word ?? "field"} of ${name}`;
    else if (shade >= "1" && shade <= "9") what = `${shade} ${picture.level?.word ?? ""}`;
    else if (shade >= "A") what = picture.glyphs[place];
    const isTarget = this.targets().has(place) ? ", can be chosen" : "";
    return `${this.square(place)}, ${what}${isTarget}`;
  }

  /** The fields that can be pointed at now. @returns {Set<number>} */
  targets() {
    const picks = this.usable();
    const held = this.held;
    const from = picks.filter((pick) => pick.from !== undefined);
    if (from.length === 0) return new Set(picks.flatMap((pick) => (pick.to !== undefined ? [pick.to] : [])));
    if (held === null) return new Set(from.map((pick) => /** @type {number} */ (pick.from)));
    return new Set(from.filter((pick) => pick.from === held).map((pick) => /** @type {number} */ (pick.to)));
  }

  /** Draws the marks anew. */
  refresh() {
    if (!this.picture || !this.root) return;
    const marks = svg("g");
    const frame = (/** @type {number} */ place, /** @type {string} */ kind, /** @type {number} */ gap) => {
      const [x, y] = this.at(place);
      marks.append(svg("rect", { class: kind, x: x + gap, y: y + gap, width: CELL - 2 * gap, height: CELL - 2 * gap, rx: 7 }));
    };
    const last = this.last;
    if (last && last.to !== undefined) {
      const [tx, ty] = this.at(last.to);
      if (last.from !== undefined) {
        const [fx, fy] = this.at(last.from);
        marks.append(svg("path", { class: "mark-last", d: `M${fx + 20} ${fy + 20}L${tx + 20} ${ty + 20}` }), svg("circle", { class: "mark-last-dot", cx: fx + 20, cy: fy + 20, r: 6 }));
        // The line ends under the piece.
        const piece = this.root.querySelector(`[data-piece="${last.to}"]`);
        if (piece) marks.append(piece.cloneNode(true));
      } else {
        frame(last.to, "mark-last", 3);
      }
    }
    for (const place of this.gains) frame(place, "mark-gain", 3);
    const targets = this.targets();
    // Where nearly everything can be chosen, marks would say nothing.
    const isTelling = targets.size * 2 <= this.picture.owners.length;
    for (const place of isTelling ? targets : []) {
      const [x, y] = this.at(place);
      marks.append(svg("circle", { class: "mark-target", cx: x + 33, cy: y + 8, r: 5 }));
    }
    const hinted = this.hinted;
    if (hinted) {
      for (const place of hinted.to !== undefined ? [hinted.to, ...(hinted.from !== undefined ? [hinted.from] : [])] : (hinted.takes ?? [])) frame(place, "mark-hint", 2);
      const sign = hinted.to ?? hinted.takes?.[0];
      if (sign !== undefined) {
        const [x, y] = this.at(sign);
        marks.append(svg("path", { class: "mark-hint-sign", d: SIGNS[5], transform: `translate(${x + 7} ${y + 8}) scale(1.2)` }));
      }
    }
    if (this.held !== null) frame(this.held, "mark-held", 2);
    if (this.grid && this.grid === document.activeElement) frame(this.cursor, "mark-cursor", 1);
    this.marks.replaceWith(marks);
    this.marks = marks;
    if (this.grid) {
      for (const cell of this.grid.querySelectorAll("[role=gridcell]")) {
        const place = Number(cell.id.split("-")[1]);
        const text = this.describe(place);
        if (cell.textContent !== text) cell.textContent = text;
      }
      if (this.grid.getAttribute("role") === "grid") this.grid.setAttribute("aria-activedescendant", `b${this.number}-${this.cursor}`);
    }
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const root = /** @type {SVGSVGElement} */ (this.root);
    const matrix = root.getScreenCTM();
    if (!matrix || !this.picture) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [column, row] = [Math.floor(point.x / CELL), Math.floor(point.y / CELL)];
    if (column < 0 || row < 0 || column >= this.picture.width || row >= this.picture.height) return;
    this.cursor = row * this.picture.width + column;
    this.point(this.cursor);
  }

  /** Somebody points at a field. @param {number} place */
  point(place) {
    const picks = this.usable();
    const made = picks.find((pick) => {
      if (pick.from !== undefined) return pick.from === this.held && pick.to === place;
      return pick.to !== undefined ? pick.to === place : (pick.takes ?? []).includes(place);
    });
    if (made) {
      const onpick = this.onpick;
      this.withdraw();
      onpick?.(made);
      return;
    }
    if (picks.some((pick) => pick.from === place)) {
      this.held = this.held === place ? null : place;
    } else {
      this.held = null;
      if (this.onpick) this.dispatchEvent(new CustomEvent("refused", { detail: this.square(place), bubbles: true }));
    }
    this.refresh();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const picture = this.picture;
    if (!picture) return;
    const { width, height } = picture;
    let [column, row] = [this.cursor % width, Math.floor(this.cursor / width)];
    if (event.key === "ArrowLeft") column = Math.max(0, column - 1);
    else if (event.key === "ArrowRight") column = Math.min(width - 1, column + 1);
    else if (event.key === "ArrowUp") row = Math.max(0, row - 1);
    else if (event.key === "ArrowDown") row = Math.min(height - 1, row + 1);
    else if (event.key === "Escape") this.held = null;
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.point(this.cursor);
      return;
    } else return;
    event.preventDefault();
    this.cursor = row * width + column;
    this.refresh();
  }

  /** Shows what the last move did, briefly. @param {Pick} last */
  animateLast(last) {
    const timing = { duration: 220, easing: "ease-out" };
    if (last.from !== undefined && last.to !== undefined) {
      const [fx, fy] = this.at(last.from);
      const [tx, ty] = this.at(last.to);
      const pieces = this.root?.querySelectorAll(`[data-piece="${last.to}"]`) ?? [];
      for (const piece of pieces) piece.animate([{ transform: `translate(${fx - tx}px, ${fy - ty}px)` }, { transform: "none" }], timing);
      return;
    }
    const taken = svg("g");
    for (const place of last.takes ?? (last.to !== undefined ? [last.to] : [])) {
      const [x, y] = this.at(place);
      taken.append(svg("rect", { class: "taken", x: x + 2, y: y + 2, width: 36, height: 36, rx: 7 }));
    }
    this.root?.append(taken);
    taken.animate([{ opacity: 0.75 }, { opacity: 0 }], timing).onfinish = () => taken.remove();
  }
}

customElements.define("floe-board", FloeBoard);
