// @ts-check
import { seatColour, seatSign } from "./drawing.js";
import { button, clockText, element } from "./common.js";

/**
 * The parts beside a board that several pages have.
 * @typedef {import("./board.js").Picture} Picture
 * @typedef {import("./board.js").Pick} Pick
 * @typedef {import("./board.js").FloeBoard} FloeBoard
 */

/**
 * Who plays, with scores and clocks.
 * @param {HTMLElement} into @param {{name: string, isOn: boolean, score: number, note: string, clock?: number | null, seat: number}[]} seats
 */
export function showSeats(into, seats) {
  into.replaceChildren(...seats.map((seat) => {
    const clock = element("span", { class: "clock" }, seat.clock === undefined || seat.clock === null ? "" : clockText(seat.clock));
    const line = element("li", { class: `seat${seat.isOn ? " on" : ""}` }, seatSign(seat.seat), element("span", { class: "name" }, element("b", {}, seat.name), " ", element("span", { class: "note" }, seat.note)), element("span", { class: "score" }, String(seat.score)), clock);
    if (seat.isOn) line.setAttribute("aria-current", "true");
    return line;
  }));
}

/**
 * The moves, each of which can be looked at.
 * @param {HTMLElement} into @param {{text: string, fault?: unknown, seat: number, slip?: string}[]} moves @param {number} shown how many are made on the board @param {(ply: number) => void} look
 */
export function showMoves(into, moves, shown, look) {
  into.replaceChildren(...moves.map((move, i) => {
    const made = button(move.text + (move.slip ?? ""), () => look(i + 1), move.fault ? "fault" : move.slip ? "slip" : "");
    if (i + 1 === shown) made.setAttribute("aria-current", "true");
    return element("li", {}, made);
  }));
  const current = into.querySelector("[aria-current]");
  if (current) {
    const [box, line] = [into.getBoundingClientRect(), current.getBoundingClientRect()];
    if (line.top < box.top || line.bottom > box.bottom) into.scrollTop += line.top - box.top - into.clientHeight / 2;
  }
}

/** A move as it is read: a dot alone would look like the end of a sentence. @param {string} move */
export function moveText(move) {
  return move === "." ? "·" : move;
}

/**
 * What somebody did, in a sentence.
 * @param {{text: string, fault?: unknown}} turn @param {string} who @param {Pick | null} [last] what it did to the board, if that is known
 */
export function turnWords(turn, who, last = null) {
  const name = who === "you" ? "You" : who;
  if (turn.fault && turn.text === "resigned") return `${name} resigned.`;
  if (turn.fault) return `${name} ${who === "you" ? "are" : "is"} out: ${turn.text}.`;
  if (turn.text === "-") return `${name} gave up the turn.`;
  const taken = last?.takes?.length ?? 0;
  return `${name} played ${moveText(turn.text)}${taken > 1 ? ` and took ${taken} fields` : ""}.`;
}

/**
 * A line below another in which what happened is said, to screen readers too.
 * @param {HTMLElement} say @returns {(text: string) => void}
 */
export function addNews(say) {
  const news = element("p", { class: "news", role: "status" });
  say.after(news);
  return (text) => { if (news.textContent !== text) news.textContent = text; };
}

/**
 * Buttons for moves that are not made by pointing at one field, and for special kinds of moves.
 * @param {HTMLElement} into @param {FloeBoard} board @param {Pick[]} picks @param {(pick: Pick) => void} make @param {(() => void) | null} giveUp
 */
export function showPicks(into, board, picks, make, giveUp) {
  const keyed = picks.filter((pick) => pick.to === undefined && !pick.special);
  const specials = [...new Set(picks.flatMap((pick) => (pick.special ? [pick.special] : [])))];
  /** @type {HTMLElement[]} */ const made = keyed.map((pick) => {
    const shade = board.picture && pick.takes?.length ? board.picture.shades[pick.takes[0]] : "";
    const one = button(`${moveText(pick.move)} +${pick.gain}`, () => make(pick), shade >= "A" ? `hue h${shade}` : "");
    one.setAttribute("aria-label", `${pick.move}, gains ${pick.gain}`);
    const show = () => board.preview(pick.takes ?? []);
    const hide = () => board.preview([]);
    one.onpointerenter = show;
    one.onfocus = show;
    one.onpointerleave = hide;
    one.onblur = hide;
    return one;
  });
  for (const special of specials) {
    const one = button(special, () => {
      const isOn = board.special === special;
      board.choose(isOn ? null : special);
      one.setAttribute("aria-pressed", String(!isOn));
    }, "quiet");
    one.setAttribute("aria-pressed", "false");
    made.push(one);
  }
  if (giveUp) made.push(button("Give up the turn", () => { if (confirm("Give up this turn?")) giveUp(); }, "quiet"));
  into.replaceChildren(...made);
  into.hidden = made.length === 0;
}

/** The bar of who is ahead. @param {HTMLElement} bar @param {number[]} shares of every seat @param {string} text */
export function showBar(bar, shares, text) {
  const parts = shares.map((share, i) => {
    const part = element("i", { class: `o${seatColour(i + 1)}` });
    part.style.flexGrow = share.toFixed(3);
    return part;
  });
  bar.replaceChildren(...parts, element("span", {}, text));
  bar.hidden = false;
}
