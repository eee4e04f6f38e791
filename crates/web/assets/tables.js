// @ts-check
import { FloeBoard } from "./board.js";
import { element } from "./common.js";
import { translated } from "./language.js";
import { followStates } from "./live.js";
import { madeBy } from "./marks.js";

/**
 * Cards of the tables at which a game is played now, kept up to date by one stream.
 * @typedef {{id: string, href: string, title: string, players: string[], of?: string}} Table
 */

/** How long the end of a game stays to be seen. */
const FAREWELL = 4000;

/** @param {HTMLElement} into @param {string} topics @param {() => void} [changed] what to do when a game begins or ends */
export function showTables(into, topics, changed) {
  const card = (/** @type {string} */ id) =>
    /** @type {HTMLElement | null} */ (into.querySelector(`[data-game="${CSS.escape(id)}"]`));
  const none = document.getElementById("no-games");
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
            element("b", {}, translated(table.title)),
            element("span", {}, table.players.join(" – ")),
          ),
        );
      }
      if (none) none.hidden = tables.length > 0;
      changed?.();
    },
    state: ({ game, state }) => {
      const board = card(game)?.querySelector("floe-board");
      if (board instanceof FloeBoard)
        board.show(state.picture, madeBy(state.last, state.moves.at(-1)?.seat), true);
    },
  });
}
