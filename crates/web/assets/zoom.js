// @ts-check
import { coarse } from "./fields.js";
import { colours } from "./colours.js";
import { t } from "./language.js";

/** What is below a board that is too large for its window: how large it is shown, and a small map. */

/** The longer side of the map, in pixels. */
const MAP = 132;
const STEP = 1.5;

export class ZoomBar {
  /** @param {import("./board.js").FloeBoard} board */
  constructor(board) {
    this.board = board;
    this.root = document.createElement("div");
    this.root.className = "zoom";
    this.slider = document.createElement("input");
    Object.assign(this.slider, { type: "range", min: "0", max: "100", ariaLabel: t("Size") });
    this.slider.setAttribute("aria-label", t("Zoom"));
    this.slider.oninput = () =>
      board.zoomTo(Math.exp((Number(this.slider.value) / 100) * Math.log(board.sight?.most ?? 1)));
    this.percent = document.createElement("output");
    this.map = document.createElement("canvas");
    this.map.className = "map";
    this.map.setAttribute("role", "img");
    this.map.setAttribute("aria-label", t("Overview: click or drag to go there"));
    /** The picture the map shows, so that it is painted once. @type {HTMLCanvasElement | null} */ this.painted =
      null;
    const tools = document.createElement("div");
    tools.className = "zoom-tools";
    tools.append(
      this.button("−", t("Smaller"), () => board.zoomTo((board.sight?.zoom ?? 1) / STEP)),
      this.slider,
      this.button("+", t("Larger"), () => board.zoomTo((board.sight?.zoom ?? 1) * STEP)),
      this.percent,
      this.button(t("Fit"), "", () => board.zoomTo(1)),
      this.button(t("Last move"), "", () => board.revealLast()),
    );
    this.root.append(tools, this.map);
    this.letDrag();
    // Beside the board, where the page has room for the map there.
    this.beside = board.id === "board" ? document.getElementById("overview") : null;
    const isWide = matchMedia("(min-width: 1024px)");
    const place = () => (isWide.matches && this.beside ? this.beside : this.root).append(this.map);
    if (this.beside) isWide.addEventListener("change", place);
    place();
  }

  /** @param {string} text @param {string} label @param {() => void} act */
  button(text, label, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = label ? "two icon" : "two";
    made.textContent = text;
    if (label) made.setAttribute("aria-label", label);
    made.onclick = act;
    return made;
  }

  /** A click or a drag on the map goes there. */
  letDrag() {
    const go = (/** @type {PointerEvent} */ event) => {
      const { picture, sight } = this.board;
      if (!picture || !sight || !(event.buttons & 1)) return;
      const box = this.map.getBoundingClientRect();
      if (sight.zoom === 1) sight.zoomTo(Math.min(sight.most, 32 / sight.fit));
      sight.moveTo(
        ((event.clientX - box.left) / box.width) * picture.width,
        ((event.clientY - box.top) / box.height) * picture.height,
      );
      this.board.redraw();
    };
    this.map.addEventListener("pointerdown", (event) => {
      this.map.setPointerCapture(event.pointerId);
      go(event);
    });
    this.map.addEventListener("pointermove", go);
  }

  /** The position is another: the map is repainted. */
  forget() {
    this.painted = null;
  }

  /** Shows what is in sight. */
  show() {
    const { picture, sight } = this.board;
    if (!picture || !sight) return;
    this.root.hidden = !sight.isLarge;
    if (this.beside) this.beside.hidden = !sight.isLarge;
    if (!sight.isLarge) return;
    this.slider.value = String(sight.most > 1 ? (Math.log(sight.zoom) / Math.log(sight.most)) * 100 : 0);
    this.percent.textContent = `${Math.round(sight.zoom * 100)} %`;
    this.painted ??= coarse(picture);
    const scale = MAP / Math.max(picture.width, picture.height);
    const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    if (this.map.width !== width || this.map.height !== height) Object.assign(this.map, { width, height });
    const context = /** @type {CanvasRenderingContext2D} */ (this.map.getContext("2d"));
    context.imageSmoothingEnabled = false;
    context.drawImage(this.painted, 0, 0, width, height);
    if (sight.zoom === 1) return;
    const half = { x: (sight.width / 2 / sight.cell) * scale, y: (sight.height / 2 / sight.cell) * scale };
    const box = /** @type {const} */ ([
      sight.middle.x * scale - half.x,
      sight.middle.y * scale - half.y,
      half.x * 2,
      half.y * 2,
    ]);
    for (const [tone, thick] of /** @type {[string, number][]} */ ([
      [colours().card, 5],
      [colours().ink, 2.5],
    ])) {
      context.strokeStyle = tone;
      context.lineWidth = thick;
      context.strokeRect(...box);
    }
  }
}
