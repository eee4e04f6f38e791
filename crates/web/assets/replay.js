// @ts-check
import { FloeBoard, svg } from "./board.js";
import { byId, data } from "./common.js";
import { showMoves, showSeats } from "./panel.js";
import { Review } from "./review.js";

/** A game of a league, step by step. */
const { replay } = /** @type {any} */ (data("data"));
const plies = replay.course.plies;
const names = replay.seats.map((/** @type {any} */ seat) => seat.name);
const board = /** @type {FloeBoard} */ (byId("board"));
const slider = /** @type {HTMLInputElement} */ (byId("slider"));
let now = 0;
const turns = plies.slice(1).map((/** @type {any} */ ply) => ply.made);
const moves = turns.filter((/** @type {any} */ turn) => !turn.fault);
const review = new Review(byId("graph"), { game: replay.course.game, start: replay.course.start, moves: moves.map((/** @type {any} */ turn) => turn.text), movers: moves.map((/** @type {any} */ turn) => turn.seat), names }, look, () => look(now));

/** @param {number} ply */
function look(ply) {
  const before = now;
  now = Math.max(0, Math.min(plies.length - 1, ply));
  const shown = plies[now];
  board.show(shown.picture, shown.made?.last ?? null, now === before + 1);
  slider.value = String(now);
  showSeats(byId("seats"), names.map((/** @type {string} */ name, /** @type {number} */ i) => ({ seat: i + 1, name, isOn: shown.turn === i + 1, score: shown.scores[i], note: shown.picture.seats[i]?.note ?? "" })));
  showMoves(byId("moves"), turns.map((/** @type {any} */ turn, /** @type {number} */ i) => ({ ...turn, slip: turn.fault ? "" : review.mark(i) })), now, look);
  const made = shown.made;
  const last = now === plies.length - 1 && replay.end ? ` The game ended ${replay.end.scores.join(" : ")}.` : "";
  byId("say").textContent = made ? `${names[made.seat - 1]} ${made.fault ? `is out: ${made.fault}` : `played ${made.text} in ${made.ms} ms`}.${last}` : `The start.`;
  byId("log").hidden = !made?.stderr;
  byId("stderr").textContent = made?.stderr ?? "";
  review.now = Math.min(now, moves.length);
  review.show();
}

/** Time used for each move, as bars in the players' colours. */
function times() {
  const [width, height] = [320, 60];
  const most = Math.max(1, ...turns.map((/** @type {any} */ turn) => turn.ms));
  const root = svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Time for each move; the longest took ${most} ms` });
  turns.forEach((/** @type {any} */ turn, /** @type {number} */ i) => {
    const tall = (turn.ms / most) * (height - 4);
    root.append(svg("rect", { class: `ink-owner o${((turn.seat - 1) % 9) + 1}`, x: (i / turns.length) * width, y: height - tall, width: Math.max(1, width / turns.length - 1), height: Math.max(1, tall) }));
  });
  root.addEventListener("click", (event) => {
    const box = root.getBoundingClientRect();
    look(1 + Math.floor(((/** @type {MouseEvent} */ (event).clientX - box.left) / box.width) * turns.length));
  });
  byId("times").replaceChildren(root);
}

slider.max = String(plies.length - 1);
slider.oninput = () => look(Number(slider.value));
byId("first").onclick = () => look(0);
byId("back").onclick = () => look(now - 1);
byId("forward").onclick = () => look(now + 1);
byId("last").onclick = () => look(plies.length - 1);
addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || (event.target instanceof Element && event.target.closest("floe-board"))) return;
  if (event.key === "ArrowLeft") look(now - 1);
  else if (event.key === "ArrowRight") look(now + 1);
  else if (event.key === "Home") look(0);
  else if (event.key === "End") look(plies.length - 1);
});
// A game with a fault opens where it happened: that is what people come for.
const fault = plies.findIndex((/** @type {any} */ ply) => ply.made?.fault);
look(fault >= 0 ? fault : 0);
times();
review.run();
