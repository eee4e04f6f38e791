// @ts-check
import { ask, element } from "./common.js";
import { Graph } from "./graph.js";
import { t, translated } from "./language.js";
import { moveText } from "./panel.js";
import { isTheirs, pointCards } from "./points.js";
import { forEach, patiently, think } from "./thoughts.js";

/** How many moves of a better line are shown. */
const LINE = 5;
/** How long a page waits between questions for news, in milliseconds. */
const PAUSE = 250;

/**
 * Looks back at a game: shows what every position was worth to an engine, and which moves lost most.
 * @typedef {{scores: number[], shares: number[], line: string[], best?: string, proven?: boolean}} Known the best line begins with the best move
 * @typedef {{game: string, start: string, moves: string[], movers: number[], names: string[], scores?: number[], fault?: {seat: number, text: string}}} Course
 *   the turns that are looked at; `movers` has every turn, `fault` the first that was none
 */
export class Review {
  /**
   * @param {HTMLElement} into @param {Course} course
   * @param {(ply: number) => void} look @param {() => void} changed @param {HTMLElement} [drawn] where the graph is drawn, if not with the rest
   */
  constructor(into, course, look, changed, drawn) {
    this.into = into;
    this.course = course;
    this.look = look;
    this.changed = changed;
    this.drawn = drawn;
    this.graph = new Graph(course.names, look);
    /** What is known, by ply. @type {(Known | null)[]} */ this.known = Array(course.moves.length + 1).fill(
      null,
    );
    this.now = course.moves.length;
    this.isShown = false;
    this.isDone = false;
    /** What to say instead of a result. */ this.problem = "";
    /** What the server made of it. @type {{turns: ({sign: string, loss: number} | null)[], points: {turn: number, played: string, better: string, loss: number}[]}} */ this.verdict =
      { turns: [], points: [] };
  }

  /** Has an engine think about every position, from the last on. @param {number} [ms] each @param {() => boolean} [isOver] whether it is not wanted any more */
  async run(ms = 120, isOver = () => false) {
    const { game, start, moves } = this.course;
    await forEach([...this.known.keys()].reverse(), async (ply) => {
      if (isOver()) return false;
      try {
        const answer = await think({ game, position: start, moves: moves.slice(0, ply) }, { ms });
        const best = answer.lines[0];
        this.known[ply] = answer.is_over
          ? { scores: answer.scores ?? [], shares: answer.shares ?? [], line: [] }
          : // An engine that did not look further has the move alone.
            { ...best, best: best.move, line: best.line[0] === best.move ? best.line : [best.move] };
      } catch {
        return false;
      }
      if (ply % 8 === 0) await this.judge();
      if (ply % 4 === 0) this.show();
      return true;
    });
    await this.judge();
    this.finish();
  }

  /** Shows the server's evaluation, which is made once for all visitors of the game. @param {string} path of the game's evaluation */
  async follow(path) {
    try {
      let found = await patiently(() => ask(path, {}), {
        tries: 120,
        pause: 1000,
        waiting: () => this.show(),
      });
      for (let ply = 0; ; ) {
        for (const known of found.worths) this.known[ply++] = known && { ...known, best: known.line[0] };
        this.verdict = found;
        if (found.is_over) break;
        this.show();
        await new Promise((done) => setTimeout(done, PAUSE));
        found = await ask(`${path}?done=${ply}`);
      }
      if (found.is_given_up) this.problem = t("The engines are busy. Load the page again in a minute.");
    } catch (error) {
      this.problem = t("The game is not evaluated: {reason}.", {
        reason: /** @type {Error} */ (error).message,
      });
    }
    this.finish();
  }

  finish() {
    this.isDone = true;
    this.show();
    this.changed();
  }

  /** Has the server say which moves were slips, by what is known so far. */
  async judge() {
    const { game, start, moves } = this.course;
    const worths = this.known.map((known) =>
      known ? { scores: known.scores, best: known.line[0] ?? null } : null,
    );
    try {
      this.verdict = await ask("/api/v1/reviews", { game, position: start, moves, worths });
    } catch {
      // What was said before stands.
    }
  }

  /** Shows the current place in the game. @param {number} ply */
  lookAt(ply) {
    this.now = Math.min(ply, this.course.moves.length);
    if (this.isShown) this.draw();
  }

  /** The mark behind a move. @param {number} ply */
  mark(ply) {
    return this.verdict.turns[ply]?.sign ?? "";
  }

  /** What was better, how it would have gone on, and what it is worth. @param {{turn: number, better: string, loss: number}} point */
  better({ turn, better, loss }) {
    const line = this.known[turn]?.line ?? [];
    const known = line[0] === better ? line.slice(0, LINE) : [better];
    const moves = known.map(moveText).join(" ") + (line.length > LINE ? " …" : "");
    return t("Better: {moves}, worth {n} more.", { moves, n: loss });
  }

  /** The turning points in the order of the game. */
  points() {
    return this.verdict.points.toSorted((a, b) => a.turn - b.turn);
  }

  draw() {
    const numbers = new Map(this.points().map((point, i) => [point.turn + 1, i + 1]));
    const about = new Map(
      this.verdict.points.map((point) => [
        point.turn + 1,
        t("{move} lost {n}", { move: point.played, n: point.loss }),
      ]),
    );
    this.graph.show(
      this.known.map((worth, ply) => ({
        move: this.course.moves[ply - 1] ?? "",
        worth,
        seat: this.course.movers[ply - 1],
        sign: ply ? this.mark(ply - 1) : "",
        about: about.get(ply),
        number: numbers.get(ply),
        isTheirs: ply > 0 && isTheirs(this.course, ply - 1),
      })),
      this.now,
    );
  }

  show() {
    this.draw();
    const points = this.points().map((point) => ({ ...point, words: this.better(point) }));
    const steps = points.length
      ? []
      : this.steps().map(({ turn, loss }) => {
          const better = this.known[turn]?.line[0] ?? "";
          return {
            turn,
            loss,
            played: this.course.moves[turn],
            better,
            words: this.better({ turn, better, loss }),
          };
        });
    const list = this.isDone ? pointCards(this.course, [...points, ...steps], this.look, !this.drawn) : [];
    const said = this.problem
      ? [element("p", { class: "soft" }, this.problem)]
      : this.isDone
        ? [
            element(
              "p",
              { class: "say" },
              points.length ? t("Turning points") : this.summary(steps.length > 0),
            ),
            element("ol", { class: "points" }, ...list),
          ]
        : [element("p", { class: "soft" }, t("Looking back…"))];
    if (!this.isShown && this.drawn) this.drawn.replaceChildren(this.graph.root);
    if (this.drawn) this.into.replaceChildren();
    else if (this.isShown) while (this.graph.root.nextSibling) this.graph.root.nextSibling.remove();
    else this.into.replaceChildren(this.graph.root);
    this.into.append(...said, ...this.apology());
    this.isShown = true;
  }

  /** The moves with which the loser lost most, where none of them was a slip: many small losses add up. */
  steps() {
    const { scores, movers } = this.course;
    if (!this.isDone || !scores || this.course.fault) return [];
    const [best, worst] = [Math.max(...scores), Math.min(...scores)];
    // A close game needs no explanation.
    if (best === worst || worst * 3 > best * 2) return [];
    const loser = scores.indexOf(worst) + 1;
    const lost = this.verdict.turns.flatMap((judged, turn) =>
      judged && judged.loss > 0 && movers[turn] === loser ? [{ turn, loss: judged.loss }] : [],
    );
    return lost
      .sort((a, b) => b.loss - a.loss)
      .slice(0, 3)
      .sort((a, b) => a.turn - b.turn);
  }

  /** What is said where no move was a turning point. @param {boolean} hasSteps */
  summary(hasSteps) {
    const { fault, names } = this.course;
    if (fault)
      return t("The game was decided by a fault: {name}, {reason}.", {
        name: names[fault.seat - 1],
        reason: translated(fault.text),
      });
    return hasSteps ? t("No single slip decided it. The lead grew most here:") : t("No blunders.");
  }

  /** Says that some of the game is not judged, if so. A fault at the end is no move. */
  apology() {
    const { moves, movers } = this.course;
    if (movers.length <= moves.length + 1) return [];
    return [
      element(
        "p",
        { class: "soft" },
        t("Judged until turn {n}; then a player was disqualified.", { n: moves.length }),
      ),
    ];
  }
}
