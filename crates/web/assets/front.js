// @ts-check
import "./board.js";
import { isSite } from "./common.js";
import { sortAsChosen } from "./sort.js";
import { showTables } from "./tables.js";

/** How often standings are asked for while games end, at most; about how soon after a rest. */
const [PACE, SOON] = [5000, 200];

const live = isSite ? null : document.getElementById("live");
const ratings = document.getElementById("ratings");
let isFirst = true;
let isDue = false;
/** When standings were last asked for. */
let asked = -PACE;
/** @type {number | undefined} */ let last;

/** Puts the standings as they are now in the place of those that are shown. */
async function refresh() {
  if (document.hidden) return;
  asked = performance.now();
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
  if (isFirst) { isFirst = false; return; }
  // Whatever was not yet written down when they were asked for comes with the last time.
  clearTimeout(last);
  last = setTimeout(refresh, PACE);
  if (isDue) return;
  isDue = true;
  const rest = asked + PACE * (0.5 + Math.random() / 2) - performance.now();
  setTimeout(() => { isDue = false; void refresh(); }, Math.max(rest, SOON * (0.5 + Math.random())));
}

if (live) showTables(live, live.dataset.of ? `tables=${encodeURIComponent(live.dataset.of)}` : "tables", ratings ? refreshSoon : undefined);
// Whoever may not see games is not told when they end.
else if (ratings) setInterval(refresh, PACE * 2);
