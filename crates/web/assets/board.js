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
 * @typedef {{move: string, from?: number, to?: number, special?: string, takes?: number[], gain: number, seat?: number}} Pick
 */

import { CELL, cornerOf } from "./areas.js";
import { columnName, svg } from "./drawing.js";
import { Fields } from "./fields.js";
import { drawMarks, madeBy, showMotion } from "./marks.js";

const EDGE = 26;
/** The largest a field is drawn, in pixels: a small board need not fill a large screen. */
const LARGEST = 64;
/** Boards with more columns can be zoomed. */
const ZOOMED = 40;
/** Boards with more fields are not spelt out field by field for screen readers. */
const SPELT = 900;
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
    /** What the drawing is scrolled in. */ this.frame = document.createElement("div");
    this.frame.className = "frame";
    this.scale = 1;
  }

  connectedCallback() {
    const from = this.dataset.from && document.getElementById(this.dataset.from);
    if (from && !this.picture) {
      const data = JSON.parse(from.textContent || "{}");
      this.show(data.picture ?? data, madeBy(data.last, data.moves?.at(-1)?.seat));
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
    if (moves && last && before && this.root) showMotion(this.root, picture, last);
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
    return cornerOf(place, this.picture?.width ?? 1);
  }

  /** The name of a field. @param {number} place */
  square(place) {
    const { width, height } = /** @type {Picture} */ (this.picture);
    return columnName(place % width) + String(height - Math.floor(place / width));
  }

  draw() {
    const picture = /** @type {Picture} */ (this.picture);
    const { width, height } = picture;
    const isSmall = this.classList.contains("small");
    const edge = isSmall ? 4 : EDGE;
    const viewBox = `${-edge} ${isSmall ? -4 : -6} ${width * CELL + edge + (isSmall ? 4 : 6)} ${height * CELL + edge + (isSmall ? 4 : 6)}`;
    const root = svg("svg", { viewBox, "aria-hidden": "true" });
    root.style.maxWidth = `${Math.ceil(((width * CELL + 2 * edge) / CELL) * LARGEST)}px`;
    new Fields(picture, this.number).drawOn(root, !isSmall);
    this.marks = svg("g");
    root.append(this.marks);
    root.addEventListener("click", (event) => this.clicked(event));
    const before = this.root;
    this.root = root;
    if (width > ZOOMED) this.applyScale();
    // What is around a board stays while its size does: where it was scrolled to, and the focus.
    if (before?.getAttribute("viewBox") === viewBox) before.replaceWith(root);
    else this.addSurroundings(isSmall);
    this.refresh();
  }

  /** What is around a drawing: a frame to scroll in, and the grid. @param {boolean} isSmall */
  addSurroundings(isSmall) {
    const { width } = /** @type {Picture} */ (this.picture);
    this.frame.replaceChildren(/** @type {SVGElement} */ (this.root));
    this.replaceChildren(this.frame);
    if (width > ZOOMED) this.addZoom();
    this.addGrid(isSmall);
  }

  /** Draws the board as large as was chosen. */
  applyScale() {
    Object.assign(/** @type {SVGElement} */ (this.root).style, { width: `${this.scale * 100}%`, maxWidth: "none", maxHeight: "none" });
  }

  /** Draws the board larger or smaller; what is in the middle stays there. @param {number} factor */
  zoom(factor) {
    const { frame, scale } = this;
    const { clientWidth: width, clientHeight: height } = frame;
    const [x, y] = [frame.scrollLeft + width / 2, frame.scrollTop + height / 2];
    this.scale = Math.min(8, Math.max(1, scale * factor));
    this.applyScale();
    frame.scrollTo((x * this.scale) / scale - width / 2, (y * this.scale) / scale - height / 2);
  }

  /** Buttons to zoom, for boards that are too large for a screen. */
  addZoom() {
    const zoom = document.createElement("div");
    zoom.className = "zoom";
    for (const [text, label, factor] of /** @type {[string, string, number][]} */ ([["−", "Smaller", 1 / 1.5], ["+", "Larger", 1.5]])) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.setAttribute("aria-label", label);
      button.onclick = () => this.zoom(factor);
      zoom.append(button);
    }
    this.frame.append(zoom);
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

  /** What a field is, in words. @param {number} place @param {Set<number>} targets the fields that can be chosen */
  describe(place, targets) {
    const picture = /** @type {Picture} */ (this.picture);
    const shade = picture.shades[place];
    const owner = picture.owners[place];
    const name = owner ? picture.seats[owner - 1]?.name || `player ${owner}` : "";
    let what = "free";
    if (shade === "~") what = "water";
    else if (owner) what = `${picture.piece?.word ?? "field"} of ${name}`;
    else if (shade >= "1" && shade <= "9") what = `${shade} ${picture.level?.word ?? ""}`;
    else if (shade >= "A") what = picture.glyphs[place];
    return `${this.square(place)}, ${what}${targets.has(place) ? ", can be chosen" : ""}`;
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
    const targets = this.targets();
    const cursor = this.grid && this.grid === document.activeElement ? this.cursor : null;
    const marks = drawMarks({ picture: this.picture, last: this.last, gains: this.gains, targets, hinted: this.hinted, held: this.held, cursor }, this.root);
    this.marks.replaceWith(marks);
    this.marks = marks;
    if (this.grid) {
      for (const cell of this.grid.querySelectorAll("[role=gridcell]")) {
        const place = Number(cell.id.split("-")[1]);
        const text = this.describe(place, targets);
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
    this.marks.querySelector(".mark-cursor")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

}

customElements.define("floe-board", FloeBoard);
