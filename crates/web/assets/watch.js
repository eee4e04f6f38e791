// @ts-check
import { FloeBoard } from "./board.js";
import { byId, clockText, data } from "./common.js";
import { t, translated } from "./language.js";
import { followStates } from "./live.js";
import { madeBy } from "./marks.js";
import { addNews, showMoves, showSeats, shownName, turnWords } from "./panel.js";

/**
 * A table of another process, as it is played.
 * @typedef {import("./game.js").State} State
 */
const shown = /** @type {{table: {id: string, players: string[]}, state: State}} */ (data("data"));
const board = /** @type {FloeBoard} */ (byId("board"));
const tellNews = addNews(byId("say"));
let state = shown.state;
let isOver = false;

/** @param {boolean} moves */
function show(moves) {
  board.show(state.picture, madeBy(state.last, state.moves.at(-1)?.seat), moves);
  showSeats(
    byId("seats"),
    shown.table.players.map((name, i) => ({
      seat: i + 1,
      name: shownName(name),
      isOn: state.turn === i + 1,
      score: state.scores[i],
      note: translated(state.picture.seats[i]?.note ?? ""),
      clock: clockText(state.clocks[i].used_ms),
    })),
  );
  showMoves(byId("moves"), state.moves, state.moves.length, () => {});
  const turn = state.moves.at(-1);
  tellNews(turn ? turnWords(turn, shown.table.players[turn.seat - 1], state.last) : "");
  const mover = state.turn === null ? "" : shown.table.players[state.turn - 1];
  byId("say").textContent = state.over
    ? `${translated(state.over.words)}.`
    : isOver
      ? t("No more news of this game: it was cancelled, or the match has ended.")
      : t("{name} is thinking…", { name: mover });
}

followStates(
  `game=${shown.table.id}`,
  {
    state: (event) => {
      state = event.state;
      show(true);
    },
    over: () => {
      isOver = true;
      show(false);
    },
  },
  [[shown.table.id, state]],
);
show(false);
