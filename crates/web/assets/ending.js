// @ts-check
import { ask, browserModule, byId, element, isSite } from "./common.js";
import { count } from "./language.js";
import { nameWords } from "./panel.js";
import { Review } from "./review.js";
import { factsOf } from "./story.js";

/**
 * What the end of a game says besides its result: how it went, and facts that figures prove.
 * @typedef {import("./review.js").Course} Course
 */

/** How long an engine thinks about each position for this, in milliseconds: a glance. */
const GLANCE = 40;
/** Games of fewer moves have no story, and those of more cost too much. */
const [FEWEST, MOST] = [6, 240];

/** Shows how the game went, and adds facts to the card of its end. @param {HTMLElement} facts @param {Course} course @param {number} me @param {(ply: number) => void} look */
export async function showStory(facts, course, me, look) {
  if (course.moves.length < FEWEST || course.moves.length > MOST) return;
  // A server would have to think about every position of every game.
  if (!(await browserModule())) return;
  const card = byId("course");
  const review = new Review(element("div"), course, look, () => {}, byId("course-graph"));
  await review.run(GLANCE, () => byId("review").hasChildNodes());
  if (byId("review").hasChildNodes()) return;
  card.hidden = false;
  facts.replaceChildren(...factsOf(review, me));
}

/** How often this player has won against this opponent, this time included; the server knows. @param {string} name */
export async function winsAgainst(name) {
  if (isSite) return "";
  const { games } = await ask("/api/v1/my");
  const won = games.filter(
    (/** @type {{standing: string, against: string}} */ game) =>
      game.standing === "won" && game.against === name,
  ).length;
  const values = { name: nameWords(name) };
  return won ? count("{n} win against {name} so far", "{n} wins against {name} so far", won, values) : "";
}
