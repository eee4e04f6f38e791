// @ts-check
import { ask, browserModule, byId, element } from "./common.js";
import { count, t, translated } from "./language.js";
import { openReplays } from "./report.js";
import { Review } from "./review.js";
import { Stepper } from "./stepper.js";

/** Records and reports dropped on the page: read here, sent nowhere. */

/** The largest file that is read. */
const LARGEST = 64 * 1024 * 1024;
/** How many games of a file are listed. */
const LISTED = 500;
const problem = byId("problem");
/** @type {Stepper | null} */
let stepper = null;

/** @param {string} text */
function complain(text) {
  problem.textContent = text;
  problem.hidden = text === "";
}

/** @param {File} file */
async function open(file) {
  complain("");
  if (file.size > LARGEST) {
    complain(t("{file}: more than {n} MiB", { file: file.name, n: LARGEST / 1024 / 1024 }));
    return;
  }
  const text = await file.text();
  for (const id of ["shown", "report"]) byId(id).hidden = true;
  byId("games").replaceChildren();
  try {
    if (/^\s*<!doctype html/i.test(text)) showReport(text, file.name);
    else await showRecords(text, file.name);
  } catch (error) {
    complain(`${file.name}: ${/** @type {Error} */ (error).message}`);
  }
}

/** What a report shows; its scripts do not run here, this page's own draw its boards. @param {string} text @param {string} name */
function showReport(text, name) {
  const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  if (!main?.querySelector("details.replay")) {
    complain(t("{file} is no report of floe report", { file: name }));
    return;
  }
  for (const script of main.querySelectorAll("script:not(.reel)")) script.remove();
  byId("report").replaceChildren(...main.childNodes);
  byId("report").hidden = false;
  openReplays(byId("report"));
}

/** The games of a file: by rules in this browser, or by what its lines say. @param {string} text @returns {Promise<any[]>} */
async function listed(text) {
  const module = await browserModule();
  if (module) return (await module.floe()).records(text);
  return partsOf(text).map((part) => {
    try {
      const lines = part
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const [opening, end] = [lines[0], lines.find((line) => line.line === "end")];
      return {
        id: opening.id,
        title: opening.game,
        players: opening.seats.map((/** @type {{name: string}} */ seat) => seat.name),
        result: end?.scores.join(" : "),
      };
    } catch {
      return { error: t("a game of this file cannot be read") };
    }
  });
}

/** The text of each game. @param {string} text */
function partsOf(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  if (!lines[0]?.includes('"line":"game"')) throw new Error(t("it does not begin with a game"));
  /** @type {string[][]} */ const parts = [];
  for (const line of lines) {
    if (line.includes('"line":"game"')) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts.map((part) => `${part.join("\n")}\n`);
}

/** Every position of a game. @param {string} text @param {number} index @returns {Promise<any>} */
async function replayed(text, index) {
  const module = await browserModule();
  return module
    ? (await module.floe()).replay(text, index)
    : ask("/api/v1/courses", { text: partsOf(text)[index] });
}

/** @param {string} text @param {string} name */
async function showRecords(text, name) {
  const games = await listed(text);
  if (games.every((game) => game.error)) {
    complain(
      `${name}: ${games[0]?.error ?? t("no game is in it")}. ${t("Drop a file of records (.jsonl) or a report (.html).")}`,
    );
    return;
  }
  const rows = games.slice(0, LISTED).map((game, index) => {
    if (game.error) return element("li", { class: "problem" }, game.error);
    const one = element(
      "button",
      { type: "button" },
      `${translated(game.title)} ${game.id}: ${game.players.join(" – ")}`,
    );
    one.onclick = () => show(text, index);
    return element(
      "li",
      {},
      one,
      " ",
      element(
        "span",
        { class: game.problem ? "problem" : "soft" },
        translated(game.problem ?? game.result ?? t("interrupted")),
      ),
    );
  });
  if (games.length > LISTED)
    rows.push(
      element(
        "li",
        { class: "soft" },
        count("{n} more game is not listed.", "{n} more games are not listed.", games.length - LISTED),
      ),
    );
  byId("games").replaceChildren(...rows);
  if (games.length === 1 && !games[0].error) await show(text, 0);
}

/** @param {string} text @param {number} index */
async function show(text, index) {
  const course = await replayed(text, index).catch((error) => {
    complain(error.message);
    return null;
  });
  if (!course) return;
  byId("shown").hidden = false;
  stepper = new Stepper(byId("shown"), /** @type {any} */ (course));
  const shown = stepper;
  const turns = shown.turns;
  const gap = turns.findIndex((turn) => turn.fault);
  const moves = turns.slice(0, gap < 0 ? turns.length : gap).map((turn) => turn.text);
  const look = (/** @type {number} */ ply) => shown.look(ply);
  const review = new Review(
    byId("graph"),
    {
      game: course.game,
      start: course.start,
      moves,
      movers: turns.map((turn) => turn.seat),
      names: course.names,
      scores: course.plies.at(-1)?.scores,
      fault: gap < 0 ? undefined : { seat: turns[gap].seat, text: turns[gap].fault ?? "" },
    },
    look,
    () => look(shown.now),
  );
  shown.mark = (turn) => review.mark(turn);
  shown.onlook = () => review.lookAt(shown.now);
  shown.look(0);
  await review.run();
}

byId("file").addEventListener("change", (event) => {
  const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
  if (file) void open(file);
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) void open(file);
});
addEventListener("keydown", (event) => stepper?.key(event));
