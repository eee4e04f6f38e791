// @ts-check
import { ask, element } from "./common.js";
import { graph } from "./panel.js";
import { think } from "./thoughts.js";

/** How many moves of a better line are shown. */
const LINE = 5;

/**
 * Looks back at a game: has an engine think about every position and says which moves lost most.
 */
export class Review {
  /**
   * @param {HTMLElement} into @param {{game: string, start: string, moves: string[], movers: number[], names: string[]}} course
   *   with the moves until the first turn that is none; `movers` has every turn
   * @param {(ply: number) => void} look @param {() => void} changed
   */
  constructor(into, course, look, changed) {
    this.into = into;
    this.course = course;
    this.look = look;
    this.changed = changed;
    /** What every seat may expect, by ply. @type {(number[] | null)[]} */ this.worths = Array(course.moves.length + 1).fill(null);
    /** Every seat's share of the game, by ply. @type {(number[] | null)[]} */ this.shares = Array(course.moves.length + 1).fill(null);
    /** The best line from each position; it begins with the best move. @type {string[][]} */ this.lines = Array(course.moves.length + 1).fill([]);
    this.now = course.moves.length;
    this.isDone = false;
    /** What the server made of it. @type {{turns: ({sign: string} | null)[], points: {turn: number, played: string, better: string, loss: number}[]}} */ this.verdict = { turns: [], points: [] };
  }

  async run() {
    const { game, start, moves } = this.course;
    for (let ply = moves.length; ply >= 0; ply--) {
      try {
        const answer = await think({ game, position: start, moves: moves.slice(0, ply) }, { ms: 120 });
        this.worths[ply] = answer.is_over ? (answer.scores ?? null) : answer.lines[0].scores;
        this.shares[ply] = answer.is_over ? (answer.shares ?? null) : answer.lines[0].shares;
        const best = answer.lines[0];
        // An engine that did not look further has the move alone.
        this.lines[ply] = answer.is_over ? [] : best.line[0] === best.move ? best.line : [best.move];
      } catch {
        break;
      }
      if (ply % 8 === 0) await this.judge();
      if (ply % 4 === 0) this.show();
    }
    await this.judge();
    this.isDone = true;
    this.show();
    this.changed();
  }

  /** Has the server say which moves were slips, by what is known so far. */
  async judge() {
    const { game, start, moves } = this.course;
    const worths = this.worths.map((scores, ply) => (scores ? { scores, best: this.lines[ply][0] ?? null } : null));
    try {
      this.verdict = await ask("/api/v1/reviews", { game, position: start, moves, worths });
    } catch {
      // What was said before stands.
    }
  }

  /** Shows where in the game somebody looks. @param {number} ply */
  lookAt(ply) {
    this.now = Math.min(ply, this.course.moves.length);
    this.show();
  }

  /** The mark behind a move. @param {number} ply */
  mark(ply) {
    return this.verdict.turns[ply]?.sign ?? "";
  }

  /** What was better, and how it would have gone on. @param {{turn: number, better: string}} point */
  better({ turn, better }) {
    const line = this.lines[turn];
    if (line[0] !== better || line.length < 2) return `${better} was better`;
    return `better ${line.slice(0, LINE).join(" ")}${line.length > LINE ? " …" : ""}`;
  }

  show() {
    const shares = this.shares.map((all) => (all ? all[0] : null));
    const { points } = this.verdict;
    const name = (/** @type {number} */ ply) => this.course.names[this.course.movers[ply] - 1];
    const slips = points.map((point) => ({ ply: point.turn + 1, text: `${point.played} lost ${point.loss}` }));
    const list = points.map((point) => {
      const link = element("button", { type: "button" }, `${point.turn + 1}. ${name(point.turn)} ${point.played}: lost ${point.loss}; ${this.better(point)}`);
      link.onclick = () => this.look(point.turn);
      return element("li", {}, link);
    });
    const said = this.isDone
      ? [element("p", { class: "say" }, list.length ? "Turning points" : "Nobody slipped badly."), element("ol", { class: "points" }, ...list)]
      : [element("p", { class: "soft" }, "Looking back…")];
    this.into.replaceChildren(graph(shares, this.now, slips, this.look), ...said, ...this.apology());
  }

  /** Says that some of the game is not judged, if so. A fault at the end is no move. */
  apology() {
    const { moves, movers } = this.course;
    if (movers.length <= moves.length + 1) return [];
    return [element("p", { class: "soft" }, `Judged until turn ${moves.length}; then a turn was given up, or somebody was out.`)];
  }
}
