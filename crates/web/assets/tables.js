// @ts-check
import { FloeBoard } from "./board.js";
import { data, element } from "./common.js";
import { count, t, translated } from "./language.js";
import { followStates } from "./live.js";
import { madeBy } from "./marks.js";
import { nameWords, shownName } from "./panel.js";

/**
 * Cards of the tables at which a game is played now, kept up to date by one stream.
 * @typedef {{id: string, href: string, title: string, players: string[], of?: string}} Table
 */

/** How long the end of a game stays to be seen. */
const FAREWELL = 4000;

/** The line of a player: the seat's sign, the name, the score. @param {string} name @param {number} i */
function seatLine(name, i) {
  return element(
    "span",
    { class: "live-seat" },
    element("i", { class: `swatch o${i + 1}` }),
    element("b", {}, nameWords(shownName(name))),
    element("b", { class: "points" }),
  );
}

/** Scores, who leads, and how far the game is. @param {HTMLElement} card @param {{scores?: number[], moves?: unknown[]}} state */
function showScores(card, { scores = [], moves = [] }) {
  const best = Math.max(...scores);
  card.querySelectorAll(".live-seat").forEach((line, i) => {
    const points = line.querySelector(".points");
    if (points && scores[i] !== undefined) points.textContent = String(scores[i]);
    line.classList.toggle("leads", scores[i] === best && scores.some((score) => score < best));
  });
  const about = card.querySelector(".live-about");
  if (!(about instanceof HTMLElement)) return;
  about.dataset.title ??= about.textContent ?? "";
  about.textContent = `${about.dataset.title} · ${t("move {n}", { n: moves.length })}`;
}

/** @param {HTMLElement} into @param {string} topics @param {() => void} [changed] what to do when a game begins or ends */
export function showTables(into, topics, changed) {
  const card = (/** @type {string} */ id) =>
    /** @type {HTMLElement | null} */ (into.querySelector(`[data-game="${CSS.escape(id)}"]`));
  const none = document.getElementById("no-games");
  const sum = document.getElementById("live-count");
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (into.querySelectorAll("[data-game]")))
    showScores(shown, data(`live-${shown.dataset.game}`) ?? {});
  followStates(topics, {
    tables: ({ tables }) => {
      const ids = new Set(tables.map((/** @type {Table} */ table) => table.id));
      for (const shown of /** @type {NodeListOf<HTMLElement>} */ (into.querySelectorAll("[data-game]"))) {
        if (ids.has(shown.dataset.game) || shown.dataset.leaves) continue;
        shown.dataset.leaves = "yes";
        setTimeout(() => shown.remove(), FAREWELL);
      }
      for (const table of /** @type {Table[]} */ (tables)) {
        if (card(table.id)) continue;
        into.append(
          element(
            "a",
            { class: "live-card", href: table.href, "data-game": table.id },
            element("floe-board", { class: "small" }),
            ...table.players.map(seatLine),
            element("span", { class: "live-about" }, translated(table.title)),
          ),
        );
      }
      if (none) none.hidden = tables.length > 0;
      if (sum) {
        sum.hidden = tables.length === 0;
        sum.lastElementChild?.replaceChildren(count("{n} live", "{n} live", tables.length));
      }
      changed?.();
    },
    state: ({ game, state }) => {
      const shown = card(game);
      const board = shown?.querySelector("floe-board");
      if (!shown || !(board instanceof FloeBoard)) return;
      board.show(state.picture, madeBy(state.last, state.moves.at(-1)?.seat), true);
      showScores(shown, state);
    },
  });
}
