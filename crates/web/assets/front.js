// @ts-check
import "./board.js";
import { isSite, to } from "./common.js";
import { t, translated } from "./language.js";
import { sortAsChosen } from "./sort.js";
import { showTables } from "./tables.js";

/** How often standings are asked for while games end, at most; about how soon after a rest. */
const [PACE, SOON] = [5000, 200];

const live = isSite ? null : document.getElementById("live");
const ratings = document.getElementById("ratings") ?? document.querySelector("#standings.empty");
let isFirst = true;
let isDue = false;
/** When standings were last asked for. */
let asked = -PACE;
/** @type {number | undefined} */ let last;

/** Puts the standings as they are now in the place of those that are shown. */
async function refresh() {
  if (document.hidden) return;
  asked = performance.now();
  const text = await fetch(location.href)
    .then((answer) => (answer.ok ? answer.text() : null))
    .catch(() => null);
  // The next time is as good.
  if (text === null) return;
  const now = new DOMParser().parseFromString(text, "text/html");
  // Before the first game there is no table.
  const parts = ["#progress", "#ratings", "table.sortable tbody", "#standings.empty"];
  for (const part of parts) {
    const [shown, next] = [part, part.replace(".empty", "")].map((one, i) =>
      (i ? now : document).querySelector(one),
    );
    if (shown && next) shown.replaceWith(next);
  }
  // A visitor who has sorted the table looks for something in it, and finds it where it was.
  const table = /** @type {HTMLTableElement | null} */ (document.querySelector("table.sortable"));
  if (table) sortAsChosen(table);
}

/** Asks for the standings soon, and once for all games that begin or end until then. */
function refreshSoon() {
  // The first list of tables is that of the page.
  if (isFirst) {
    isFirst = false;
    return;
  }
  // Whatever was not yet written down when they were asked for comes with the last time.
  clearTimeout(last);
  last = setTimeout(refresh, PACE);
  if (isDue) return;
  isDue = true;
  const rest = asked + PACE * (0.5 + Math.random() / 2) - performance.now();
  setTimeout(
    () => {
      isDue = false;
      void refresh();
    },
    Math.max(rest, SOON * (0.5 + Math.random())),
  );
}

if (live)
  showTables(
    live,
    live.dataset.of ? `tables=${encodeURIComponent(live.dataset.of)}` : "tables",
    ratings ? refreshSoon : undefined,
  );
// Visitors who may not see games get no event when they end.
else if (ratings) setInterval(refresh, PACE * 2);

/** Play now is what was played last: the same game, with everything that was chosen for it. */
function rememberLast() {
  const now = /** @type {HTMLFormElement | null} */ (document.getElementById("play-now"));
  const game = localStorage.getItem("play-last");
  const known = /** @type {Record<string, string>} */ (
    JSON.parse(localStorage.getItem(`play-${game}`) ?? "{}")
  );
  const card = /** @type {HTMLFormElement | null} */ (
    document.querySelector(`.levels[action*="${CSS.escape(`play/${game}`)}"]`)
  );
  const level = known.opponent?.match(/^floe:(\w+)$/)?.[1];
  if (!now || !game || !card || !level) return;
  now.action = card.action;
  now.replaceChildren(...now.querySelectorAll("button"));
  for (const [name, value] of Object.entries(known)) {
    if (!value) continue;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    now.append(field);
  }
  const note = document.getElementById("play-note");
  if (note)
    note.textContent = t("Play now starts {game} against {level}, as last time.", {
      game: card.dataset.title ?? "",
      level: translated(level[0].toUpperCase() + level.slice(1)),
    });
}

rememberLast();
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (
  document.querySelectorAll("#play-now, .levels")
)) {
  const game = form.getAttribute("action")?.match(/play\/([^./]+)/)?.[1] ?? "";
  form.addEventListener("submit", async (event) => {
    const words = Object.fromEntries(new FormData(form, event.submitter));
    localStorage.setItem("play-last", game);
    localStorage.setItem(
      `play-${game}`,
      JSON.stringify({ ...JSON.parse(localStorage.getItem(`play-${game}`) ?? "{}"), ...words }),
    );
    if (!isSite) return;
    event.preventDefault();
    const id = await (await import("./local.js")).begin({ ...words, game });
    location.assign(to(`/game/${id}`));
  });
}
