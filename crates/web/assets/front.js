// @ts-check
import "./board.js";
import "./common.js";
import { sortAsChosen } from "./sort.js";
import { showTables } from "./tables.js";

/** How often standings are asked for while games end. */
const PACE = 5000;

const live = document.getElementById("live");
const ratings = document.getElementById("ratings");
let isFirst = true;
let isDue = false;

/** Puts the standings as they are now in the place of those that are shown. */
async function refresh() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["#progress", "#ratings", "table.sortable tbody"]) {
    const [shown, next] = [document.querySelector(part), now.querySelector(part)];
    if (shown && next) shown.replaceWith(next);
  }
  // Whoever has sorted the table looks for something in it, and finds it where it was.
  const table = /** @type {HTMLTableElement | null} */ (document.querySelector("table.sortable"));
  if (table) sortAsChosen(table);
}

/** Asks for the standings soon, and once for all games that begin or end until then. */
function refreshSoon() {
  // The first list of tables is that of the page.
  if (isFirst || isDue) { isFirst = false; return; }
  isDue = true;
  setTimeout(() => { isDue = false; if (!document.hidden) void refresh(); }, PACE * (0.5 + Math.random() / 2));
}

if (live) showTables(live, live.dataset.of ? `tables=${encodeURIComponent(live.dataset.of)}` : "tables", ratings ? refreshSoon : undefined);
