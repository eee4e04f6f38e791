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
 * @typedef {{move: string, from?: number, to?: number, special?: string, takes?: number[], also?: number[],
 *   gain: number, seat?: number}} Pick
 */

import { CELL, cornerOf } from "./areas.js";
import { repaintOnChange, stopRepainting } from "./colours.js";
import { columnName, svg } from "./drawing.js";
import { Fields } from "./fields.js";
import { t, translated } from "./language.js";
import { drawMarks, liftedPiece, madeBy, showMotion } from "./marks.js";
import { SightOf, letZoom } from "./sight.js";
import { ZoomBar } from "./zoom.js";

/** Boards with more fields are not spelt out field by field for screen readers. */
const SPELT = 900;
/** The height of what is below a large board, in pixels. */
const BAR = 60;
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
    /** Who plays, where the page knows better than the picture. @type {string[]} */ this.names = [];
    /** What is in sight. @type {SightOf | null} */ this.sight = null;
    this.fields = new Fields();
    /** The fields. */ this.canvas = document.createElement("canvas");
    /** The marks, above the fields. */ this.root = svg("svg", { "aria-hidden": "true" });
    /** @type {SVGElement} */ this.marks = svg("g");
    /** The piece that moved last. @type {SVGElement} */ this.lifted = svg("g");
    this.root.append(this.marks, this.lifted);
    /** @type {HTMLElement | null} */ this.grid = null;
    /** What is drawn in. */ this.frame = document.createElement("div");
    this.frame.className = "frame";
    this.frame.append(this.canvas, this.root);
    /** @type {ZoomBar | null} */ this.zoomBar = null;
    /** Whether a drag or a tap that zooms ends with this click. */
    const isGesture = letZoom(
      this.frame,
      () => this.sight,
      () => this.redraw(),
    );
    this.frame.addEventListener("click", (event) => {
      if (!isGesture(event)) this.clicked(event);
    });
    this.resized = new ResizeObserver(() => this.resize());
    this.redraw = this.redraw.bind(this);
    /** The room that was measured last. */ this.room = [0, 0];
  }

  connectedCallback() {
    repaintOnChange(this.redraw);
    this.resized.observe(this);
    const from = this.dataset.from && document.getElementById(this.dataset.from);
    if (from && !this.picture) {
      const data = JSON.parse(from.textContent || "{}");
      this.show(data.picture ?? data, madeBy(data.last, data.moves?.at(-1)?.seat));
    }
  }

  disconnectedCallback() {
    stopRepainting(this.redraw);
    this.resized.disconnect();
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
    if (!before || before.width !== picture.width || before.height !== picture.height) this.begin();
    this.zoomBar?.forget();
    const lifted = liftedPiece(last, picture);
    this.lifted.replaceWith(lifted);
    this.lifted = lifted;
    this.redraw();
    if (moves && last && before) showMotion(this.root, picture, last);
  }

  /** Lets a player make one of these moves. @param {Pick[]} picks @param {(pick: Pick) => void} onpick */
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
    this.dispatchEvent(new CustomEvent("chosen"));
  }

  /** Marks a move that might be made. @param {Pick | null} pick */
  hint(pick) {
    this.hinted = pick;
    if (pick) this.bring([pick.from, pick.to]);
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

  /** A board of another size: everything around it is rebuilt. */
  begin() {
    const { width, height } = /** @type {Picture} */ (this.picture);
    const isSmall = this.classList.contains("small");
    this.cursor = Math.floor(height / 2) * width + Math.floor(width / 2);
    this.sight = new SightOf({ width, height }, isSmall);
    this.zoomBar = isSmall ? null : new ZoomBar(this);
    this.replaceChildren(this.frame, ...(this.zoomBar ? [this.zoomBar.root] : []));
    this.addGrid(isSmall);
    this.room = [0, 0];
    this.measure();
  }

  /** Finds out how much room there is; whether that has changed. */
  measure() {
    const style = getComputedStyle(this);
    const room = this.clientWidth || 0;
    const most = Number.parseFloat(style.maxHeight) || Infinity;
    if (!this.sight || room === 0 || (this.room[0] === room && this.room[1] === most)) return false;
    this.room = [room, most];
    let [width, height] = this.sight.fitInto(room, most);
    // What is below a large board needs room, too.
    if (this.zoomBar && this.sight.isLarge) [width, height] = this.sight.fitInto(room, most - BAR);
    Object.assign(this.frame.style, { width: `${width}px`, height: `${height}px` });
    return true;
  }

  resize() {
    if (this.measure()) this.redraw();
  }

  /** Draws what is in sight. */
  redraw() {
    const { sight, picture, canvas, root } = this;
    if (!sight || !picture || (this.room[0] === 0 && !this.measure())) return;
    const scale = devicePixelRatio || 1;
    const { strip, cell, width, height, origin } = sight;
    const [wide, high] = [Math.round((width + strip) * scale), Math.round((height + strip) * scale)];
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    const lifted = this.lifted.hasChildNodes() ? (this.last?.to ?? null) : null;
    this.fields.paint(
      canvas,
      picture,
      { left: strip + origin.x, top: origin.y, cell, width, height, scale, labels: strip },
      lifted,
    );
    const box = [-origin.x, -origin.y, width, height]
      .map((part) => ((part / cell) * CELL).toFixed(2))
      .join(" ");
    if (root.getAttribute("viewBox") !== box) root.setAttribute("viewBox", box);
    Object.assign(root.style, { left: `${strip}px`, width: `${width}px`, height: `${height}px` });
    this.frame.style.touchAction = sight.isLarge ? (sight.zoom > 1 ? "none" : "pan-x pan-y") : "";
    this.zoomBar?.show();
    this.refresh();
  }

  /** Shows the board larger or smaller. @param {number} zoom 1 for all of it */
  zoomTo(zoom) {
    this.sight?.zoomTo(zoom);
    this.redraw();
  }

  /** Brings fields into sight. @param {(number | undefined)[]} places */
  bring(places) {
    const { sight } = this;
    if (!sight || sight.zoom === 1) return;
    const before = sight.middle;
    sight.reveal(places.filter((place) => place !== undefined));
    if (before.x !== sight.middle.x || before.y !== sight.middle.y) this.redraw();
  }

  /** Goes to where something happened last. */
  revealLast() {
    const places = [
      this.last?.from,
      this.last?.to,
      ...(this.last?.to === undefined ? (this.last?.takes ?? []).slice(0, 1) : []),
    ];
    if (this.sight?.zoom === 1) this.sight.zoomTo(Math.min(this.sight.most, 32 / this.sight.fit));
    this.bring(places);
    this.redraw();
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
    grid.setAttribute("aria-label", t("The board. Arrow keys move, Enter chooses, Escape lets go."));
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
    const name = owner
      ? this.names[owner - 1] || picture.seats[owner - 1]?.name || t("player {n}", { n: owner })
      : "";
    let what = t("free");
    if (shade === "~") what = t("water");
    else if (owner)
      what = t("{piece} of {name}", { piece: translated(picture.piece?.word ?? "field"), name });
    else if (shade >= "1" && shade <= "9") what = translated(`${shade} ${picture.level?.word ?? ""}`);
    else if (shade >= "A") what = picture.glyphs[place];
    return `${this.square(place)}, ${what}${targets.has(place) ? `, ${t("can be chosen")}` : ""}`;
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

  /** Redraws the marks. */
  refresh() {
    if (!this.picture) return;
    const targets = this.targets();
    const cursor = this.grid && this.grid === document.activeElement ? this.cursor : null;
    const marks = drawMarks({
      picture: this.picture,
      last: this.last,
      gains: this.gains,
      targets,
      hinted: this.hinted,
      held: this.held,
      cursor,
      cell: this.sight?.cell ?? CELL,
    });
    this.marks.replaceWith(marks);
    this.marks = marks;
    if (this.grid) {
      for (const cell of this.grid.querySelectorAll("[role=gridcell]")) {
        const place = Number(cell.id.split("-")[1]);
        const text = this.describe(place, targets);
        if (cell.textContent !== text) cell.textContent = text;
      }
      if (this.grid.getAttribute("role") === "grid")
        this.grid.setAttribute("aria-activedescendant", `b${this.number}-${this.cursor}`);
    }
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const { sight } = this;
    if (!sight || !this.picture) return;
    const box = this.root.getBoundingClientRect();
    const point = sight.fieldAt({ x: event.clientX - box.left, y: event.clientY - box.top });
    const [column, row] = [Math.floor(point.x), Math.floor(point.y)];
    if (column < 0 || row < 0 || column >= this.picture.width || row >= this.picture.height) return;
    this.cursor = row * this.picture.width + column;
    this.point(this.cursor);
  }

  /** A player points at a field. @param {number} place */
  point(place) {
    const picks = this.usable();
    const made = picks.find((pick) => {
      if (pick.from !== undefined) return pick.from === this.held && pick.to === place;
      if (pick.also?.includes(place)) return true;
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
      if (this.held !== null) this.bring([...this.targets(), place]);
    } else {
      this.held = null;
      if (this.onpick)
        this.dispatchEvent(new CustomEvent("refused", { detail: this.square(place), bubbles: true }));
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
    else if (this.sight?.isLarge && "+-0".includes(event.key)) {
      this.zoomTo(event.key === "0" ? 1 : this.sight.zoom * (event.key === "+" ? 1.5 : 1 / 1.5));
      return;
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.point(this.cursor);
      return;
    } else return;
    event.preventDefault();
    this.cursor = row * width + column;
    this.bring([this.cursor]);
    this.refresh();
  }
}

customElements.define("floe-board", FloeBoard);
