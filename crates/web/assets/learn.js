// @ts-check
import { FloeBoard } from "./board.js";
import { button, byId, data } from "./common.js";

/** A few moves of a game, again and again; still for those who want nothing to move. */
const plies = /** @type {{picture: import("./board.js").Picture, last: import("./board.js").Pick | null}[]} */ (data("course"));
const board = /** @type {FloeBoard} */ (byId("board"));
/** How long a position stays, and the last one. */
const [STEP, REST] = [1400, 3500];
let at = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

function step() {
  at = (at + 1) % plies.length;
  board.show(plies[at].picture, plies[at].last, at > 0);
  timer = setTimeout(step, at === plies.length - 1 ? REST : STEP);
}

const toggle = button("Pause", () => {
  if (timer === undefined) { step(); } else { clearTimeout(timer); timer = undefined; }
  toggle.textContent = timer === undefined ? "Show moves" : "Pause";
}, "quiet");

if (plies.length > 1) {
  byId("motion").append(toggle);
  board.show(plies[0].picture, null);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) toggle.textContent = "Show moves";
  else timer = setTimeout(step, STEP);
}
