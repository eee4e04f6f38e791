// @ts-check
import { byId, copyBy, data, element } from "./common.js";
import { t } from "./language.js";
import { Review } from "./review.js";
import { Stepper } from "./stepper.js";

/** A game of a league, step by step. */
const { replay, league, number } = /** @type {any} */ (data("data"));
const plies = replay.course.plies;
const names = replay.seats.map((/** @type {any} */ seat) => seat.name);
const stepper = new Stepper(byId("main"), { plies, names, end: replay.end });
const moves = stepper.turns.map((turn) => turn.text);
const look = (/** @type {number} */ ply) => stepper.look(ply);
const out = stepper.turns.find((turn) => turn.fault);
/** The place of the graph, above the other figures, with its name. */
function graphPlace() {
  const drawn = element("div");
  byId("graph").replaceChildren(element("h3", {}, t("Lead")), drawn);
  return drawn;
}
const review = new Review(
  byId("points"),
  {
    game: replay.course.game,
    start: replay.course.start,
    moves,
    movers: stepper.turns.map((turn) => turn.seat),
    names,
    scores: replay.end?.scores,
    fault: out && { seat: out.seat, text: out.fault ?? "" },
  },
  look,
  () => look(stepper.now),
  graphPlace(),
);
stepper.mark = (turn) => review.mark(turn);
stepper.onlook = () => {
  review.lookAt(stepper.now);
  // Links and commands that are about a position are about the one that is shown.
  const made = String(stepper.moves());
  for (const id of ["position", "asked"]) {
    const link = /** @type {HTMLAnchorElement} */ (byId(id));
    link.href = link.href.replace(/\d+$/, made);
  }
  const at = document.querySelector(".at");
  if (at) at.textContent = made;
};
addEventListener("keydown", (event) => stepper.key(event));
const share = /** @type {HTMLButtonElement} */ (byId("share"));
copyBy(share, () => `${location.href.split("#")[0]}#${stepper.now}`);
/** The turn that the address names; otherwise the fault, which is what people come for. */
function first() {
  const named = Number.parseInt(location.hash.slice(1), 10);
  return named >= 0 ? named : plies.findIndex((/** @type {any} */ ply) => ply.made?.fault);
}
look(Math.max(first(), 0));
addEventListener("hashchange", () => look(Math.max(first(), 0)));
review.follow(`/api/v1/leagues/${encodeURIComponent(league)}/games/${number}/evaluation`);
