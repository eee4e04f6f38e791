// @ts-check
/**
 * A first game on a small board. The opponent says what each of its moves does. The game is in this
 * page alone; it is kept until the browser's tab is closed.
 * @typedef {import("./board.js").Pick} Pick
 */
import { FloeBoard } from "./board.js";
import { ask, button, byId, data } from "./common.js";
import { t, translated } from "./language.js";
import { showPicks, showSeats } from "./panel.js";
import { patiently } from "./thoughts.js";

const { game, setup, engine } = /** @type {{game: string, setup: string, engine: string}} */ (data("data"));
const board = /** @type {FloeBoard} */ (byId("board"));
const picks = byId("picks");
const KEY = `first:${game}`;
/** The seat of the person. */
const ME = 1;
/** How long a hint is thought about, in milliseconds. */
const HINT = 300;
/** @type {{seed: number, moves: string[], seats: number[], words: string}} */
let played = JSON.parse(sessionStorage.getItem(KEY) ?? "null") ?? fresh();
/** @type {any} */ let shown;
/** Counts what was begun: what belongs to an earlier position changes nothing. */
let turn = 0;

function fresh() {
  return {
    seed: 1 + Math.floor(Math.random() * 1e6),
    moves: /** @type {string[]} */ ([]),
    seats: /** @type {number[]} */ ([]),
    words: "",
  };
}

/** What is asked about: the game so far. */
function at() {
  return { game, setup, seed: played.seed, moves: played.moves };
}

/** @param {string} text */
function say(text) {
  byId("say").textContent = text;
}

/** @param {string} text */
function explain(text) {
  played.words = text;
  byId("explained").hidden = text === "";
  byId("why").textContent = text;
}

/** Shows the game as it is; the opponent moves if it is its turn. @param {boolean} [moves] whether the last move is seen moving */
async function show(moves = false) {
  const mine = ++turn;
  sessionStorage.setItem(KEY, JSON.stringify(played));
  const position = await ask("/api/v1/positions", at());
  if (mine !== turn) return;
  shown = position;
  board.show(position.picture, position.last, moves);
  picks.hidden = true;
  showSeats(
    byId("seats"),
    position.scores.map((/** @type {number} */ score, /** @type {number} */ i) => ({
      seat: i + 1,
      name: i + 1 === ME ? t("you") : "floe · beginner",
      isOn: position.turn === i + 1,
      score,
      note: translated(position.picture.seats[i]?.note ?? ""),
    })),
  );
  showActs();
  if (position.is_over) return say(result(position.scores));
  if (position.turn === ME) return offer();
  say(t("{name} is thinking…", { name: "floe" }));
  const { lines } = await patiently(() => ask("/api/v1/thoughts", { ...at(), engine, explain: true }));
  if (mine !== turn) return;
  explain(`${lines[0].move}: ${translated(lines[0].words ?? "")}`.trim());
  await make(lines[0].move);
}

/** @param {number[]} scores */
function result(scores) {
  const other = Math.max(...scores.filter((_, i) => i + 1 !== ME));
  const by = scores[ME - 1] - other;
  const all = scores.join(" : ");
  if (by === 0) return t("A draw, {scores}.", { scores: all });
  return by > 0
    ? t("You won by {n}, {scores}.", { n: by, scores: all })
    : t("floe won by {n}, {scores}. Play again: it is your turn to win.", { n: -by, scores: all });
}

function offer() {
  say(t("Your turn: {task}.", { task: translated(shown.picture.task) }));
  const choose = (/** @type {Pick} */ pick) => {
    // A second click makes no second move.
    board.withdraw();
    picks.hidden = true;
    explain("");
    make(pick.move);
  };
  board.offer(shown.moves, choose);
  showPicks(picks, board, shown.moves, choose, null);
}

/** @param {string} move */
function make(move) {
  played.seats.push(shown.turn);
  played.moves.push(move);
  return show(true).catch(trouble);
}

/** @param {any} error */
function trouble(error) {
  say(`${error.message}.`);
  byId("acts").replaceChildren(
    button(t("Try again"), () => show().catch(trouble)),
    button(t("New game"), begin, "quiet"),
  );
}

function begin() {
  played = fresh();
  explain("");
  show().catch(trouble);
}

/** Back to the person's last turn. */
function takeBack() {
  const last = played.seats.lastIndexOf(ME);
  if (last < 0) return;
  played.moves.length = last;
  played.seats.length = last;
  explain("");
  show().catch(trouble);
}

async function hint() {
  const mine = turn;
  const { lines } = await patiently(() => ask("/api/v1/thoughts", { ...at(), ms: HINT, explain: true }));
  if (mine !== turn) return;
  const pick = shown.moves.find((/** @type {Pick} */ one) => one.move === lines[0].move);
  if (!pick) return;
  if (pick.special) board.choose(pick.special);
  board.hint(pick);
  say(`${t("Try {move}.", { move: pick.move })} ${translated(lines[0].words ?? "")}`);
}

function showActs() {
  const acts = [];
  if (shown.is_over) acts.push(button(t("Play again"), begin));
  else if (shown.turn === ME)
    acts.push(
      button(
        t("Show me"),
        () => {
          hint().catch(trouble);
        },
        "quiet",
      ),
    );
  if (played.seats.includes(ME)) acts.push(button(t("Undo"), takeBack, "quiet"));
  byId("acts").replaceChildren(...acts);
}

explain(played.words);
show().catch(trouble);
