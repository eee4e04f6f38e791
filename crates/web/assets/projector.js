// @ts-check
import { FloeBoard } from "./board.js";
import { byId, clockText, data, element } from "./common.js";
import { seatColour, seatSign } from "./drawing.js";
import { t, translated } from "./language.js";
import { followStates } from "./live.js";
import { madeBy } from "./marks.js";

/**
 * The most interesting game large, three others small, and the ladder beside them, on a screen that
 * no one touches.
 * @typedef {import("./game.js").State & {interest: number}} State
 * @typedef {import("./tables.js").Table} Table
 */
const shared =
  /** @type {{of: string | null, ranks: Record<string, Record<string, number>>, games: number, length: number | null, ends: number | null}} */ (
    data("data")
  );
/** How long a game stays, and how often standings are looked at. */
const STAY = 12000;
/** How many games are shown small. */
const OTHERS = 3;
/** How long a row that climbs takes, in milliseconds. */
const CLIMB = 900;
/** How long the end of a game stays at least. */
const FAREWELL = 5000;

const board = /** @type {FloeBoard} */ (byId("board"));
/** @type {Map<string, Table>} */ let tables = new Map();
/** @type {Map<string, State>} */ const states = new Map();
/** When each table was shown last. @type {Map<string, number>} */ const seen = new Map();
/** What is shown: a table's id, or null for standings. @type {string | null} */ let shown = null;
let since = performance.now();
/** Whether there was no table to show. */
let isIdle = true;
/** Whether no game was chosen yet: the page has the space for one that the server reserved. */
let isStarting = true;
/** Whether standings made by a new request are on their way. */
let isAsking = false;

/** How much a table is worth looking at. @param {Table} table */
function worth(table) {
  const state = states.get(table.id);
  if (!state) return -1;
  const ranks = shared.ranks[table.of ?? ""] ?? {};
  const rank =
    table.players.reduce((sum, name) => sum + (ranks[name] ?? 0.5), 0) / Math.max(1, table.players.length);
  // What was on the screen a moment ago may wait a little.
  const waited = Math.min(1, (performance.now() - (seen.get(table.id) ?? -60000)) / 60000);
  return state.interest + 0.4 * rank + 0.6 * waited;
}

/** @param {boolean} moves */
function draw(moves) {
  const table = shown === null ? null : (tables.get(shown) ?? last);
  const state = shown === null ? null : states.get(shown);
  if (isStarting && !state) return;
  byId("table").hidden = !table || !state;
  if (!table || !state) return;
  board.show(state.picture, madeBy(state.last, state.moves.at(-1)?.seat), moves);
  byId("seats").replaceChildren(
    ...table.players.map((name, i) => {
      const line = element(
        "li",
        {},
        seatSign(i + 1),
        element("span", { class: "name" }, name),
        element("b", {}, String(state.scores[i])),
      );
      if (state.turn === i + 1) line.setAttribute("aria-current", "true");
      return line;
    }),
  );
  byId("say").textContent = state.over
    ? `${translated(state.over.words)}.`
    : [translated(table.title), table.of, t("move {n}", { n: state.ply + 1 })].filter(Boolean).join(", ");
}

/** The games that are shown small: those worth most after the one on show. */
function drawOthers() {
  const others = [...tables.values()]
    .filter((table) => table.id !== shown && states.has(table.id))
    .sort((a, b) => worth(b) - worth(a))
    .slice(0, OTHERS);
  const known = new Map(
    [...byId("others").children].map((one) => [/** @type {HTMLElement} */ (one).dataset.game, one]),
  );
  byId("others").replaceChildren(
    ...others.map((table) => {
      const state = /** @type {State} */ (states.get(table.id));
      const one =
        known.get(table.id) ??
        element(
          "div",
          { class: "other", "data-game": table.id },
          element("floe-board", { class: "small" }),
          element("p"),
        );
      const scores = state.scores
        .slice(0, 4)
        .map((score, i) =>
          element("span", { class: `o${seatColour(i + 1)}`, title: table.players[i] ?? "" }, String(score)),
        );
      one.querySelector("p")?.replaceChildren(...scores);
      return one;
    }),
  );
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (byId("others").querySelectorAll(".other"))) {
    const state = states.get(one.dataset.game ?? "");
    const board = one.querySelector("floe-board");
    if (state && board instanceof FloeBoard && board.picture !== state.picture)
      board.show(state.picture, madeBy(state.last, state.moves.at(-1)?.seat));
  }
}

/** The table that is on, should it be gone from the list. @type {Table | null} */
let last = null;

/** Changes to the most interesting view. */
function next() {
  const best = [...tables.values()]
    .filter((table) => states.has(table.id) && !states.get(table.id)?.over)
    .sort((a, b) => worth(b) - worth(a))[0];
  since = performance.now();
  isStarting = false;
  isIdle = !best;
  shown = best?.id ?? null;
  if (best) {
    last = best;
    seen.set(best.id, performance.now());
  }
  draw(false);
  drawOthers();
  renew();
}

/** The place of every entrant, by name. @param {ParentNode} of @returns {Map<string, number>} */
function places(of) {
  return new Map(
    [.../** @type {NodeListOf<HTMLElement>} */ (of.querySelectorAll(".ladder li"))].map((row, i) => [
      row.dataset.name ?? "",
      i,
    ]),
  );
}

/** Standings as they are now, from the same page: a row that climbs is seen climbing. */
async function renew() {
  if (isAsking) return;
  isAsking = true;
  const text = await fetch(location.href).then(
    (response) => (response.ok ? response.text() : ""),
    () => "",
  );
  isAsking = false;
  const page = new DOMParser().parseFromString(text, "text/html");
  const standings = page.getElementById("standings");
  const news = page.getElementById("data")?.textContent;
  if (news) {
    const { ranks, games, length, ends } = JSON.parse(news);
    Object.assign(shared, { ranks, games, length, ends });
    samples.push([performance.now(), games]);
  }
  if (standings) {
    const before = places(document);
    const tops = new Map(
      [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".ladder li"))].map((row) => [
        row.dataset.name,
        row.getBoundingClientRect().top,
      ]),
    );
    byId("standings").replaceChildren(...standings.children);
    turn();
    climb(before, tops);
  }
  count();
}

/** @param {Map<string, number>} before @param {Map<string | undefined, number>} tops where the rows were */
function climb(before, tops) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const [name, place] of places(document)) {
    const row = /** @type {HTMLElement} */ (
      document.querySelector(`.ladder li[data-name="${CSS.escape(name)}"]`)
    );
    const up = (before.get(name) ?? place) - place;
    if (up === 0) continue;
    const change = /** @type {HTMLElement} */ (row.querySelector(".change"));
    change.textContent = up > 0 ? `▲ ${up}` : `▼ ${-up}`;
    change.className = `change ${up > 0 ? "up" : "down"}`;
    row.classList.toggle("climbs", up > 0);
    const from = (tops.get(name) ?? row.getBoundingClientRect().top) - row.getBoundingClientRect().top;
    if (!isStill && from)
      row.animate([{ transform: `translateY(${from}px)` }, { transform: "none" }], {
        duration: CLIMB,
        easing: "cubic-bezier(.2,.7,.2,1)",
      });
  }
}

/** Games played, with the time: what is left is guessed from the first and the last. @type {[number, number][]} */
const samples = [[performance.now(), shared.games]];

/** What is counted down to: the end that the organiser set, or that of all games. */
function count() {
  const [first, now] = [samples[0], samples[samples.length - 1]];
  const played = now[1] - first[1];
  let left = null;
  if (shared.length && played > 0 && shared.games < shared.length) {
    left = ((now[0] - first[0]) / played) * (shared.length - shared.games) - (performance.now() - now[0]);
    byId("until").textContent = t("podium in about");
  } else if (shared.ends && shared.ends * 1000 > Date.now()) {
    left = shared.ends * 1000 - Date.now();
    byId("until").textContent = t("submitting ends in");
  }
  byId("countdown").hidden = left === null;
  if (left !== null) byId("left").textContent = spell(Math.max(0, left));
}

/** @param {number} ms */
function spell(ms) {
  const hours = Math.floor(ms / 3_600_000);
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return hours > 0 ? `${hours} h ${Math.floor(ms / 60_000) % 60} min` : clockText(ms);
}

/** One league's standings at a time. */
let turned = 0;
function turn() {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".standing"));
  all.forEach((one, i) => {
    one.hidden = i !== turned % all.length;
  });
  byId("now").textContent = all[turned % all.length]?.querySelector("small")?.textContent ?? "";
  turned++;
}

followStates(shared.of ? `tables=${encodeURIComponent(shared.of)}` : "tables", {
  tables: (event) => {
    tables = new Map(event.tables.map((/** @type {Table} */ table) => [table.id, table]));
    for (const id of states.keys())
      if (!tables.has(id) && id !== shown) {
        states.delete(id);
        seen.delete(id);
      }
  },
  state: ({ game, state }) => {
    states.set(game, state);
    if (game === shown) draw(true);
    else if (isIdle) next();
    else drawOthers();
  },
});
setInterval(() => {
  const passed = performance.now() - since;
  const isOver = shown !== null && (!tables.has(shown) || Boolean(states.get(shown)?.over));
  if (passed >= STAY || (isOver && passed >= FAREWELL)) next();
}, 500);
setInterval(count, 1000);
turn();
draw(false);
setTimeout(next, 1500);
