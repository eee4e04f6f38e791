// @ts-check
import { element } from "./common.js";
import { graph } from "./panel.js";
import { think } from "./thoughts.js";

/** What share of the game a slip and a blunder cost, as `floe review` has it. */
const [SLIP, BLUNDER] = [0.08, 0.2];

/**
 * Looks back at a game: has an engine think about every position and says which moves lost most.
 */
export class Review {
  /**
   * @param {HTMLElement} into @param {{game: string, start: string, moves: string[], movers: number[], names: string[]}} course
   * @param {(ply: number) => void} look @param {() => void} changed
   */
  constructor(into, course, look, changed) {
    this.into = into;
    this.course = course;
    this.look = look;
    this.changed = changed;
    /** What every seat may expect, by ply. @type {(number[] | null)[]} */ this.worths = Array(course.moves.length + 1).fill(null);
    /** Every seat's share of the game, by ply. @type {(number[] | null)[]} */ this.shares = Array(course.moves.length + 1).fill(null);
    /** @type {(string | null)[]} */ this.best = Array(course.moves.length + 1).fill(null);
    this.now = course.moves.length;
    this.isDone = false;
  }

  async run() {
    const { game, start, moves } = this.course;
    for (let ply = moves.length; ply >= 0; ply--) {
      try {
        const answer = await think({ game, position: start, moves: moves.slice(0, ply) }, { ms: 120 });
        this.worths[ply] = answer.is_over ? (answer.scores ?? null) : answer.lines[0].scores;
        this.shares[ply] = answer.is_over ? (answer.shares ?? null) : answer.lines[0].shares;
        this.best[ply] = answer.is_over ? null : answer.lines[0].move;
      } catch {
        break;
      }
      if (ply % 4 === 0) this.show();
    }
    this.isDone = true;
    this.show();
    this.changed();
  }

  /** What the move after a ply lost its mover. @param {number} ply */
  loss(ply) {
    const [before, after] = [this.worths[ply], this.worths[ply + 1]];
    if (!before || !after) return 0;
    const mover = this.course.movers[ply] - 1;
    const ahead = (/** @type {number[]} */ scores) => scores[mover] - Math.max(...scores.filter((_, seat) => seat !== mover));
    return ahead(before) - ahead(after);
  }

  /** What share of the game the move after a ply lost its mover. @param {number} ply */
  lostShare(ply) {
    const mover = this.course.movers[ply] - 1;
    const [before, after] = [this.shares[ply], this.shares[ply + 1]];
    return before && after ? before[mover] - after[mover] : 0;
  }

  /** The moves that lost most, the worst first. */
  turningPoints() {
    return this.course.moves
      .map((move, ply) => ({ ply, move, loss: this.loss(ply), better: this.best[ply] }))
      .filter((point) => point.loss > 0 && this.mark(point.ply) !== "")
      .sort((a, b) => b.loss - a.loss)
      .slice(0, 5);
  }

  /** The mark behind a move. @param {number} ply */
  mark(ply) {
    const lost = this.lostShare(ply);
    if (this.best[ply] === this.course.moves[ply]) return "";
    return lost >= BLUNDER ? "??" : lost >= SLIP ? "?" : "";
  }

  show() {
    const shares = this.shares.map((all) => (all ? all[0] : null));
    const points = this.turningPoints();
    const name = (/** @type {number} */ ply) => this.course.names[this.course.movers[ply] - 1];
    const slips = points.map((point) => ({ ply: point.ply + 1, text: `${point.move} lost ${point.loss}` }));
    const list = points.map((point) => {
      const link = element("button", { type: "button" }, `${point.ply + 1}. ${name(point.ply)} ${point.move}: lost ${point.loss}; ${point.better} was better`);
      link.onclick = () => this.look(point.ply);
      return element("li", {}, link);
    });
    this.into.replaceChildren(graph(shares, this.now, slips, this.look), ...(this.isDone ? [element("p", { class: "say" }, list.length ? "Turning points" : "Nobody slipped badly."), element("ol", { class: "points" }, ...list)] : [element("p", { class: "soft" }, "Looking back…")]));
  }
}
