// @ts-check
import { element } from "./common.js";
import { count, t } from "./language.js";
import { moveText } from "./panel.js";
import { ahead } from "./thoughts.js";

/**
 * What figures can prove about a game: how often the lead changed, and the player's best move.
 * @typedef {import("./review.js").Review} Review
 */

/** A game in which the lead changed so often was close. */
const CLOSE = 3;

/** How often the lead changed, and after which turn for the last time. @param {({scores: number[]} | null)[]} known by ply */
export function leadChanges(known) {
  let [leader, changes, last] = [0, 0, 0];
  known.forEach((worth, ply) => {
    if (!worth || worth.scores.length < 2) return;
    const { seat, by } = ahead(worth.scores);
    if (by === 0 || seat === leader) return;
    if (leader) [changes, last] = [changes + 1, ply];
    leader = seat;
  });
  return { leader, changes, last };
}

/** The same in a sentence with its first words apart. @param {Review} review @returns {[string, string]} */
export function leadWords({ known, course }) {
  const { leader, changes, last } = leadChanges(known);
  if (!leader) return ["", ""];
  const name = course.names[leader - 1];
  if (changes >= CLOSE)
    return [t("It was close:"), count("the lead changed {n} time.", "the lead changed {n} times.", changes)];
  if (changes > 0) return ["", t("The lead changed for the last time on move {n}.", { n: last })];
  return [
    "",
    name === t("you") ? t("You were ahead all the way.") : t("{name} was ahead all the way.", { name }),
  ];
}

/** Whether the lead changed often. @param {Review} review */
export function wasClose({ known }) {
  return leadChanges(known).changes >= CLOSE;
}

/** The player's move right after an opponent's largest slip, where nothing better was known. @param {Review} review @param {number} me */
function bestMove({ verdict, course }, me) {
  const slips = verdict.turns.flatMap((judged, turn) =>
    judged?.sign && course.movers[turn] !== me ? [{ turn, loss: judged.loss }] : [],
  );
  for (const { turn } of slips.sort((a, b) => b.loss - a.loss)) {
    const next = course.movers.findIndex((seat, i) => i > turn && seat === me);
    const judged = verdict.turns[next];
    if (judged && !judged.sign && judged.loss <= 0) return { turn: next, slipped: course.movers[turn] };
  }
  return null;
}

/** What figures say about a game of one player, a list item each. @param {Review} review @param {number} me */
export function factsOf(review, me) {
  const { course, verdict } = review;
  /** @type {[string, string][]} */ const facts = [];
  const best = bestMove(review, me);
  const judged = verdict.turns.filter((_, turn) => course.movers[turn] === me);
  if (best)
    facts.push([
      t("Your best move:"),
      t("{move} on move {n}, right after {name} slipped.", {
        move: moveText(course.moves[best.turn]),
        n: best.turn + 1,
        name: course.names[best.slipped - 1],
      }),
    ]);
  else if (judged.length > 2 && judged.every((one) => one && !one.sign))
    facts.push(["", t("You made no slip.")]);
  const lead = leadWords(review);
  if (lead[1]) facts.push(lead);
  return facts.map(([head, words]) =>
    element("li", {}, ...(head ? [element("b", {}, head), " "] : []), words),
  );
}
