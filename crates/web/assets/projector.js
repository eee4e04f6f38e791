// @ts-check
import { FloeBoard } from "./board.js";
import { byId, data } from "./common.js";
import { follow } from "./live.js";
import { madeBy } from "./marks.js";
import { showSeats } from "./panel.js";

/**
 * The most interesting tables in turn, and standings in between, on an unattended screen.
 * @typedef {import("./game.js").State & {interest: number}} State
 * @typedef {import("./tables.js").Table} Table
 */
const shared = /** @type {{of: string | null, ranks: Record<string, Record<string, number>>}} */ (data("data"));
/** How long a table or the standings stay. */
const STAY = 12000;
/** Games between standings. */
const TABLES = 4;
/** How long the end of a game stays at least. */
const FAREWELL = 5000;

const board = /** @type {FloeBoard} */ (byId("board"));
/** @type {Map<string, Table>} */ let tables = new Map();
/** @type {Map<string, State>} */ const states = new Map();
/** When each table was shown last. @type {Map<string, number>} */ const seen = new Map();
/** What is shown: a table's id, or null for standings. @type {string | null} */ let shown = null;
let since = performance.now();
let sinceStandings = 0;
/** Whether there was no table to show. */
let isIdle = true;
/** Whether standings made by a new request are on their way. */
let isAsking = false;

/** How much a table is worth looking at. @param {Table} table */
function worth(table) {
  const state = states.get(table.id);
  if (!state) return -1;
  const ranks = shared.ranks[table.of ?? ""] ?? {};
  const rank = table.players.reduce((sum, name) => sum + (ranks[name] ?? 0.5), 0) / Math.max(1, table.players.length);
  // What was on the screen a moment ago may wait a little.
  const waited = Math.min(1, (performance.now() - (seen.get(table.id) ?? -60000)) / 60000);
  return state.interest + 0.4 * rank + 0.6 * waited;
}

/** @param {boolean} moves */
function draw(moves) {
  const table = shown === null ? null : tables.get(shown) ?? last;
  const state = shown === null ? null : states.get(shown);
  byId("table").hidden = !table || !state;
  byId("standings").hidden = !byId("table").hidden;
  if (!table || !state) return;
  board.show(state.picture, madeBy(state.last, state.moves.at(-1)?.seat), moves);
  byId("of").textContent = [table.title, table.of].filter(Boolean).join(", ");
  showSeats(byId("seats"), table.players.map((name, i) => ({ seat: i + 1, name, isOn: state.turn === i + 1, score: state.scores[i], note: "" })));
  byId("say").textContent = state.over ? `${state.over.words}.` : `Turn ${state.ply + 1}`;
}

/** The table that is on, should it be gone from the list. @type {Table | null} */
let last = null;

/** Switches to the most interesting game now. */
function next() {
  const best = [...tables.values()].filter((table) => states.has(table.id) && !states.get(table.id)?.over).sort((a, b) => worth(b) - worth(a))[0];
  since = performance.now();
  isIdle = !best;
  if (!best || (sinceStandings >= TABLES && document.querySelector(".standing"))) {
    shown = null;
    sinceStandings = 0;
    renew();
  } else {
    shown = best.id;
    last = best;
    sinceStandings++;
    seen.set(best.id, performance.now());
  }
  draw(false);
}

/** Standings as they are now, from the same page. */
async function renew() {
  if (isAsking) return;
  isAsking = true;
  const text = await fetch(location.href).then((response) => (response.ok ? response.text() : ""), () => "");
  isAsking = false;
  const page = new DOMParser().parseFromString(text, "text/html");
  const standings = page.getElementById("standings");
  if (standings) byId("standings").replaceChildren(...standings.children);
  const data = page.getElementById("data")?.textContent;
  if (data) shared.ranks = JSON.parse(data).ranks;
  turn();
}

/** One league's standings at a time. */
let turned = 0;
function turn() {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".standing"));
  all.forEach((one, i) => { one.hidden = i !== turned % all.length; });
  turned++;
}

follow(shared.of ? `tables=${encodeURIComponent(shared.of)}` : "tables", {
  tables: (event) => {
    tables = new Map(event.tables.map((/** @type {Table} */ table) => [table.id, table]));
    for (const id of states.keys()) if (!tables.has(id) && id !== shown) { states.delete(id); seen.delete(id); }
  },
  state: ({ game, state }) => {
    states.set(game, state);
    if (game === shown) draw(true);
    else if (isIdle) next();
  },
});
setInterval(() => {
  const passed = performance.now() - since;
  const isOver = shown !== null && (!tables.has(shown) || Boolean(states.get(shown)?.over));
  if (passed >= STAY || (isOver && passed >= FAREWELL)) next();
}, 500);
turn();
draw(false);
setTimeout(next, 1500);
