// @ts-check
import { FloeBoard } from "./board.js";
import { ask, button, element, to } from "./common.js";
import { t } from "./language.js";
import { madeBy } from "./marks.js";
import { moveText } from "./panel.js";

/**
 * The turning points of a game as cards: a small board with the move that was made and the better one,
 * what the difference is worth, and a way to try it.
 * @typedef {{turn: number, played: string, better: string, loss: number, words: string}} Point
 * @typedef {{game: string, start: string, moves: string[], movers: number[], names: string[]}} Course
 */

/** The mark of a point: its number, in another colour where another player slipped. @param {number} number @param {boolean} isTheirs */
function badge(number, isTheirs) {
  return element("span", { class: `point-badge${isTheirs ? " them" : ""}` }, String(number));
}

/** Whether the reader of the page is another player than the one who moved. @param {Course} course @param {number} turn */
export function isTheirs(course, turn) {
  return course.names.includes(t("you")) && course.names[course.movers[turn] - 1] !== t("you");
}

/** What was played, in a sentence. @param {Course} course @param {Point} point */
function playedWords(course, { turn, played }) {
  const name = course.names[course.movers[turn] - 1];
  const move = moveText(played);
  return name === t("you") ? t("You played {move}.", { move }) : t("{name} played {move}.", { name, move });
}

/** Shows the position after the move, with both moves marked. @param {FloeBoard} board @param {Course} course @param {Point} point */
async function drawPoint(board, { game, start, moves, movers }, { turn, better }) {
  const at = (/** @type {number} */ ply) =>
    ask("/api/v1/positions", { game, position: start, moves: moves.slice(0, ply) });
  const [before, after] = await Promise.all([at(turn), at(turn + 1)]).catch(() => [null, null]);
  if (!before || !after) return;
  board.show(after.picture, madeBy(after.last, movers[turn]));
  board.hint(
    before.moves.find((/** @type {import("./board.js").Pick} */ pick) => pick.move === better) ?? null,
  );
}

/** @param {Course} course @param {Point[]} points @param {(ply: number) => void} look @param {boolean} hasBoards */
export function pointCards(course, points, look, hasBoards) {
  return points.map((point, i) => {
    const board = /** @type {FloeBoard} */ (element("floe-board", { class: "small", "aria-hidden": "true" }));
    if (hasBoards) void drawPoint(board, course, point);
    const isOther = isTheirs(course, point.turn);
    const show = button(t("Show"), () => look(point.turn), "two");
    show.setAttribute("aria-label", `${t("Show")}: ${t("Move {n}", { n: point.turn + 1 })}`);
    const line = [...course.moves.slice(0, point.turn), point.better];
    const trial = element(
      "a",
      {
        class: "button two",
        href: to(
          `/analysis/${course.game}?position=${encodeURIComponent(course.start)}&moves=${encodeURIComponent(line.join(" "))}&at=${line.length}`,
        ),
        "aria-label": `${t("Try it")}: ${moveText(point.better)}`,
      },
      t("Try it"),
    );
    return element(
      "li",
      { class: `point${hasBoards ? "" : " row"}` },
      ...(hasBoards ? [element("div", { class: "point-sea" }, board)] : []),
      element(
        "p",
        { class: "point-head" },
        badge(i + 1, isOther),
        element("b", {}, t("Move {n}", { n: point.turn + 1 })),
        element("b", { class: isOther ? "gain" : "loss" }, `−${point.loss}`),
      ),
      element("p", { class: "point-what" }, element("b", {}, playedWords(course, point))),
      element("p", { class: "soft note" }, point.words),
      element("p", { class: "point-acts" }, show, ...(course.start ? [trial] : [])),
    );
  });
}
