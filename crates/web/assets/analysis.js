// @ts-check
import { FloeBoard } from "./board.js";
import { ask, button, byId, data, element } from "./common.js";
import { seatSign } from "./drawing.js";
import { showBar, showMoves, showPicks } from "./panel.js";
import { ahead, think } from "./thoughts.js";

/** A board to try things on. The address carries the position, so that a link shares it. */
const shared = /** @type {{game: string, position: string, moves: string[]}} */ (data("data"));
const board = /** @type {FloeBoard} */ (byId("board"));
const text = /** @type {HTMLTextAreaElement} */ (byId("text"));
let start = shared.position;
/** The line that is looked at, and how much of it is on the board. */
let moves = shared.moves;
let ply = moves.length;
/** Counts what was shown, so that an answer that comes too late is not. */
let version = 0;
/** The brush in hand. @type {string | null} */
let brush = null;

/**
 * What can be painted here. While the editor is open, fields are painted instead of moves made.
 * @typedef {{word: string, label: string, is_on_field: boolean, owner: number | null, shade: {hue?: number} | string | null}} Brush
 * @param {Brush[]} brushes
 */
function showBrushes(brushes) {
  byId("brushes").replaceChildren(...brushes.map((one) => {
    const hue = typeof one.shade === "object" && one.shade?.hue !== undefined ? ` hue h${"ABCDEFGH"[one.shade.hue]}` : "";
    const made = button(one.label, () => {
      if (!one.is_on_field) { paint(one.word, null); return; }
      brush = brush === one.word ? null : one.word;
      showBrushes(brushes);
      show();
    }, `quiet${hue}`);
    if (one.is_on_field) made.setAttribute("aria-pressed", String(brush === one.word));
    if (one.owner) made.prepend(seatSign(one.owner));
    return made;
  }));
}

/** @param {string} word @param {number | null} place */
async function paint(word, place) {
  try {
    const answer = await ask("/api/v1/paint", { game: shared.game, position: text.value, brush: word, square: place === null ? null : board.square(place) });
    text.value = answer.text;
    start = answer.text;
    moves = [];
    ply = 0;
    showBrushes(answer.brushes);
    await show();
  } catch (error) {
    complain(error);
  }
}

/** Every field can be painted. @param {import("./board.js").Picture} picture */
function offerFields(picture) {
  const word = /** @type {string} */ (brush);
  board.offer(picture.owners.map((_, place) => ({ move: word, to: place, gain: 0 })), (pick) => paint(word, /** @type {number} */ (pick.to)));
}

/** @param {any} error */
function complain(error) {
  const problem = byId("problem");
  const place = error.place?.line ? `line ${error.place.line}, column ${error.place.column}: ` : "";
  problem.textContent = place + error.message + (error.place?.help ? `\n${error.place.help}` : "");
  problem.hidden = false;
  if (error.place?.line) {
    const before = text.value.split("\n").slice(0, error.place.line - 1).reduce((sum, row) => sum + row.length + 1, 0);
    text.setSelectionRange(before + error.place.column - 1, before + error.place.column);
  }
}

async function show(isStep = false) {
  const own = ++version;
  const line = { game: shared.game, position: start, moves: moves.slice(0, ply) };
  let answer;
  try {
    answer = await ask("/api/v1/positions", line);
  } catch (error) {
    complain(error);
    // Somebody who paints goes on painting.
    if (brush !== null && board.picture) offerFields(board.picture);
    return;
  }
  if (own !== version) return;
  byId("problem").hidden = true;
  showBrushes(answer.brushes);
  board.show(answer.picture, answer.last, isStep);
  const make = (/** @type {import("./board.js").Pick} */ pick) => { moves = [...moves.slice(0, ply), pick.move]; ply++; show(true); };
  if (brush !== null) offerFields(answer.picture);
  else if (answer.is_over) board.withdraw();
  else board.offer(answer.moves, make);
  showPicks(byId("picks"), board, answer.is_over || brush !== null ? [] : answer.moves, make, null);
  showMoves(byId("moves"), moves.map((move) => ({ text: move, seat: 1 })), ply, (to) => { ply = to; show(); });
  text.value = answer.text;
  byId("say").textContent = answer.is_over ? `Over, ${answer.scores.join(" : ")}.` : `${answer.picture.seats[answer.turn - 1]?.name || `Player ${answer.turn}`}: ${answer.picture.task}.`;
  /** @type {HTMLButtonElement} */ (byId("back")).disabled = ply === 0;
  /** @type {HTMLButtonElement} */ (byId("forward")).disabled = ply === moves.length;
  /** @type {HTMLAnchorElement} */ (byId("play-on")).href = `/play/${shared.game}?position=${encodeURIComponent(answer.text)}`;
  history.replaceState(null, "", address());
  if (!answer.is_over) evaluate(own, line, answer);
}

function address() {
  return `/analysis/${shared.game}?position=${encodeURIComponent(start)}&moves=${encodeURIComponent(moves.slice(0, ply).join(" "))}`;
}

/** @param {number} own @param {any} line @param {any} answer */
async function evaluate(own, line, answer) {
  for (const ms of [150, 1200]) {
    const thoughts = await think(line, { ms, top: 3 }).catch(() => null);
    if (own !== version || !thoughts) return;
    const { seat, by } = ahead(thoughts.lines[0].scores);
    const name = answer.picture.seats[seat - 1]?.name || `player ${seat}`;
    showBar(byId("bar"), thoughts.lines[0].shares, by === 0 ? "even" : `${name} +${by}`);
    byId("lines").replaceChildren(...thoughts.lines.map((thought) => {
      const one = button(`${thought.lead >= 0 ? "+" : "−"}${Math.abs(thought.lead)}  ${thought.line.slice(0, 6).join(" ") || thought.move}${thought.proven ? "  proven" : ""}`, () => { moves = [...moves.slice(0, ply), thought.move]; ply++; show(true); });
      one.title = `depth ${thought.depth}, ${thought.nodes} positions`;
      return element("li", {}, one);
    }));
  }
}

byId("editor").addEventListener("toggle", () => {
  if (!(/** @type {HTMLDetailsElement} */ (byId("editor")).open) && brush !== null) { brush = null; show(); }
});
byId("back").onclick = () => { if (ply > 0) { ply--; show(); } };
byId("forward").onclick = () => { if (ply < moves.length) { ply++; show(true); } };
byId("share").onclick = async () => {
  await navigator.clipboard?.writeText(new URL(address(), location.href).href).catch(() => {});
  byId("share").textContent = "Copied";
};
byId("load").onclick = () => { start = text.value; moves = []; ply = 0; show(); };
byId("file").addEventListener("change", async (event) => {
  const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
  if (!file) return;
  if (file.size > 200000) { complain(new Error("this file is too large to be a position")); return; }
  text.value = await file.text();
  byId("load").click();
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file && file.size <= 200000) { text.value = await file.text(); byId("load").click(); }
});
show();
