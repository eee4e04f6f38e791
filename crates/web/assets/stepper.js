// @ts-check
import { FloeBoard } from "./board.js";
import { t, translated } from "./language.js";
import { madeBy } from "./marks.js";
import { showMoves, showSeats, shownName } from "./panel.js";

/**
 * A recorded game on a board: buttons, a slider and keys step through it; the figures of the game
 * that are there follow.
 * @typedef {{seat: number, text: string, ms: number, last?: import("./board.js").Pick, fault?: string, stderr?: string}} Turn
 * @typedef {{turn: number | null, scores: number[], picture: import("./board.js").Picture, made?: Turn}} Ply
 * @typedef {{plies: Ply[], names: string[], end: {scores: number[]} | null}} Recorded
 */
export class Stepper {
  /** @param {HTMLElement} root what all of it is in @param {Recorded} game */
  constructor(root, game) {
    this.root = root;
    this.game = game;
    this.turns = game.plies.slice(1).map((ply) => /** @type {Turn} */ (ply.made));
    this.now = 0;
    /** What stands behind a move. @type {(turn: number) => string} */ this.mark = () => "";
    /** @type {() => void} */ this.onlook = () => {};
    this.board = /** @type {FloeBoard} */ (this.part("floe-board"));
    this.slider = /** @type {HTMLInputElement} */ (this.part("input[type=range]"));
    this.slider.max = String(game.plies.length - 1);
    this.slider.oninput = () => this.look(Number(this.slider.value));
    const steps = /** @type {Record<string, () => number>} */ ({
      first: () => 0,
      back: () => this.now - 1,
      forward: () => this.now + 1,
      last: () => game.plies.length - 1,
    });
    for (const [name, to] of Object.entries(steps))
      this.part(`[data-step=${name}]`).onclick = () => this.look(to());
    for (const figure of root.querySelectorAll(".figures .graph")) {
      figure.addEventListener("click", (event) => {
        const box = figure.getBoundingClientRect();
        const { clientX } = /** @type {MouseEvent} */ (event);
        const part = (clientX - box.left) / box.width;
        this.look(
          figure.closest(".times")
            ? 1 + Math.floor(part * this.turns.length)
            : Math.round(part * this.turns.length),
        );
      });
    }
  }

  /** @param {string} selector @returns {HTMLElement} */
  part(selector) {
    return /** @type {HTMLElement} */ (this.root.querySelector(selector));
  }

  /** Steps by a key; the board has keys of its own. @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea, floe-board"))
      return;
    if (event.key === "ArrowLeft") this.look(this.now - 1);
    else if (event.key === "ArrowRight") this.look(this.now + 1);
    else if (event.key === "Home") this.look(0);
    else if (event.key === "End") this.look(this.turns.length);
    else return;
    event.preventDefault();
  }

  /** How many of the turns so far were moves. */
  moves() {
    return this.turns.slice(0, this.now).filter((turn) => !turn.fault).length;
  }

  /** Shows the position after `ply` turns. @param {number} ply */
  look(ply) {
    const { plies, names, end } = this.game;
    const before = this.now;
    this.now = Math.max(0, Math.min(plies.length - 1, ply));
    const shown = plies[this.now];
    this.board.show(shown.picture, madeBy(shown.made?.last, shown.made?.seat), this.now === before + 1);
    this.slider.value = String(this.now);
    showSeats(
      this.part(".seats"),
      names.map((name, i) => ({
        seat: i + 1,
        name: shownName(name),
        isOn: shown.turn === i + 1,
        score: shown.scores[i],
        note: translated(shown.picture.seats[i]?.note ?? ""),
      })),
    );
    showMoves(
      this.part(".moves"),
      this.turns.map((turn, i) => ({ ...turn, slip: turn.fault ? "" : this.mark(i) })),
      this.now,
      (to) => this.look(to),
    );
    const made = shown.made;
    const isEnd = this.now === plies.length - 1 && end;
    const last = isEnd ? ` ${t("The game ended {scores}.", { scores: end.scores.join(" : ") })}` : "";
    const name = made ? names[made.seat - 1] : "";
    this.part(".say").textContent = !made
      ? t("The start.")
      : made.fault
        ? t("{name} is out: {reason}.", { name, reason: translated(made.fault) }) + last
        : t("{name} played {move} in {n} ms.", { name, move: made.text, n: made.ms }) + last;
    const log = this.part(".log");
    log.hidden = !made?.stderr;
    const text = log.querySelector("pre");
    if (text) text.textContent = made?.stderr ?? "";
    for (const mark of this.root.querySelectorAll(".figures .now")) {
      const x = String(4 + (this.now / Math.max(1, this.turns.length)) * 312);
      mark.setAttribute("x1", x);
      mark.setAttribute("x2", x);
    }
    this.onlook();
  }
}
