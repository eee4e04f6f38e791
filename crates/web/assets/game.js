// @ts-check
import { FloeBoard } from "./board.js";
import { ask, button, byId, clockText, data, element, isSite, to } from "./common.js";
import { follow } from "./live.js";
import { madeBy } from "./marks.js";
import { addNews, moveText, showBar, showMoves, showPicks, showSeats, turnWords } from "./panel.js";
import { Review } from "./review.js";
import { aheadWords, askable, think } from "./thoughts.js";

/**
 * A game of people: the board, whose turn it is, and what one can do.
 * @typedef {import("./board.js").Pick} Pick
 * @typedef {{version: number, ply: number, turn: number | null, picture: import("./board.js").Picture,
 *   moves: {seat: number, text: string, fault?: boolean, ms: number}[], last: Pick | null, scores: number[],
 *   turn_ms?: number, clocks: {used_ms: number, left_ms?: number}[], can_give_up: boolean, over: {places: number[], words: string} | null}} State
 * @typedef {{id: string, game: string, title: string, seats: {name: string, kind: string, is_yours: boolean}[],
 *   clock: string, can_take_back: boolean, rematch: string | null, state: State}} Game
 */
const game = /** @type {Game} */ (isSite ? await (await import("./local.js")).opened() : data("data"));
const board = /** @type {FloeBoard} */ (byId("board"));
const say = byId("say");
const tellNews = addNews(say);
const picks = byId("picks");
let state = game.state;
/** When the turn began, by this page's clock. */
let began = beganOf(state);
/** The ply somebody looks back at; null for the game as it is. @type {number | null} */
let looking = null;
/** Every position so far, once somebody looks back. @type {any} */
let course = null;
/** @type {Review | null} */
let review = null;
let isAsking = false;
/** How many turns were on the board before what is drawn now: what came since is news. */
let known = Math.max(0, state.moves.length - 1);
/** Whether the newest state is drawn with the next frame. */
let isDue = false;

const path = `/api/v1/games/${game.id}`;
const mine = () => game.seats.flatMap((seat, i) => (seat.is_yours ? [i + 1] : []));
const isMyTurn = () => state.turn !== null && game.seats[state.turn - 1].is_yours;
const isWaiting = () => game.seats.some((seat) => seat.kind === "open");
const name = (/** @type {number} */ seat) => {
  const { name, is_yours } = game.seats[seat - 1];
  return is_yours && mine().length === 1 ? "you" : name;
};

/** What a seat is called in a sentence: whoever plays several is told which. @param {number} seat */
function called(seat) {
  const isOneOfMine = game.seats[seat - 1].is_yours && mine().length > 1;
  return isOneOfMine ? state.picture.seats[seat - 1]?.name || `Player ${seat}` : name(seat);
}

/** When the turn of a state that is told now began. @param {State} told */
function beganOf(told) {
  return performance.now() - (told.turn_ms ?? 0);
}

/** @param {string} text */
function tell(text) {
  if (say.textContent !== text) say.textContent = text;
}

/** @param {string} act @param {Record<string, unknown>} [said] */
async function act(act, said = {}) {
  try {
    const answer = await ask(`${path}/${act}`, { ply: state.ply, ...said });
    if (answer.rematch && act === "rematch") location.assign(to(`/game/${answer.rematch}`));
    if (answer.state) take(answer.state, answer.seats);
  } catch (error) {
    show();
    tell(/** @type {Error} */ (error).message);
  }
}

/** Who sits where: the game begins when everybody is there. @param {Game["seats"]} seats */
function takeSeats(seats) {
  const wasWaiting = isWaiting();
  game.seats = seats;
  if (!wasWaiting || isWaiting()) return;
  began = performance.now();
  show();
}

/** @param {State} next @param {Game["seats"]} [seats] */
function take(next, seats) {
  if (seats) takeSeats(seats);
  if (next.version < state.version) return;
  // A state that is known already may come again at any time.
  if (next.version > state.version || next.turn_ms !== undefined) began = beganOf(next);
  // What is known already must not disturb somebody who has a piece in hand.
  if (next.version === state.version) { if (!isDue) showSide(); return; }
  // States that are drawn together are news together.
  if (!isDue) known = state.moves.length;
  state = next;
  course = null;
  drawSoon();
}

/** Draws what is newest once a frame: an opponent may answer, or play on alone, faster than anybody can see. */
function drawSoon() {
  if (isDue) return;
  isDue = true;
  const draw = () => {
    isDue = false;
    if (looking === null) show(true);
    else showSide();
  };
  // Nobody sees frames of a page in the background, but its title and its words go on.
  if (document.hidden) draw();
  else requestAnimationFrame(draw);
}

/** Draws everything as it is. @param {boolean} [moves] */
function show(moves = false) {
  board.show(state.picture, madeBy(state.last, state.moves.at(-1)?.seat), moves);
  picks.hidden = true;
  showSide();
  if (isMyTurn() && !isWaiting() && looking === null) offer();
}

async function offer() {
  const ply = state.ply;
  const answer = await ask(`${path}/moves?ply=${ply}`).catch(() => null);
  if (!answer?.moves || state.ply !== ply || looking !== null) return;
  const make = (/** @type {Pick} */ pick) => { board.withdraw(); picks.hidden = true; act("move", { move: pick.move }); };
  board.offer(answer.moves, make);
  showPicks(picks, board, answer.moves, make, state.can_give_up ? () => act("give-up") : null);
}

function showSide() {
  const shown = looking === null ? null : course?.plies[looking];
  const turn = shown ? shown.turn : state.turn;
  showSeats(byId("seats"), game.seats.map((_, i) => ({
    seat: i + 1,
    name: name(i + 1),
    isOn: turn === i + 1,
    score: (shown?.scores ?? state.scores)[i],
    note: (shown?.picture ?? state.picture).seats[i]?.note ?? "",
    clock: clockOf(i + 1),
  })));
  showMoves(byId("moves"), state.moves.map((move, i) => ({ ...move, slip: review?.mark(i) })), looking ?? state.moves.length, look);
  tell(sentence());
  tellNews(news());
  showActs();
  showInvitation();
}

/** What is to be said now. */
function sentence() {
  if (looking !== null) return `Position after ${looking} of ${state.moves.length} turns.`;
  if (state.over) {
    const own = mine();
    if (own.length === 1) {
      const place = state.over.places[own[0] - 1];
      const firsts = state.over.places.filter((other) => other === 1).length;
      const words = place > 1 ? "You lost" : firsts > 1 ? "A draw" : "You won";
      return `${words}, ${state.scores.join(" : ")}.`;
    }
    return `${state.over.words}.`;
  }
  if (isWaiting()) return mine().length ? "Waiting for somebody to come by the link." : "A seat is free.";
  if (isMyTurn()) {
    const who = mine().length > 1 ? called(/** @type {number} */ (state.turn)) : "Your turn";
    return `${who}: ${state.picture.task}.`;
  }
  return `${name(/** @type {number} */ (state.turn))} is thinking…`;
}

/** What happened last, or led to the position that is looked at. */
function news() {
  const words = (/** @type {State["moves"][0]} */ turn, /** @type {Pick | null} */ last) => turnWords(turn, called(turn.seat), last);
  if (looking !== null) return looking > 0 ? words(state.moves[looking - 1], course?.plies[looking]?.made?.last ?? null) : "";
  if (state.moves.length < known) return "That was taken back.";
  const turns = state.moves.slice(known).slice(-game.seats.length);
  // Who has an answer already knows what they played.
  if (turns.length > 1 && name(turns[0].seat) === "you") turns.shift();
  return turns.map((turn, i) => words(turn, i + 1 === turns.length ? state.last : null)).join(" ");
}

/** What is left on a seat's clock, or was used. @param {number} seat */
function clockOf(seat) {
  const clock = state.clocks[seat - 1];
  const isRunning = state.turn === seat && !isWaiting();
  const passed = isRunning ? performance.now() - began : 0;
  if (clock.left_ms !== undefined) return Math.max(0, clock.left_ms - passed);
  return clock.used_ms + passed;
}

function showActs() {
  /** @type {HTMLElement[]} */ const acts = [];
  if (looking !== null) {
    acts.push(button("Back to the game", () => { looking = null; show(); }));
  }
  if (state.over) {
    if (game.rematch) acts.push(button("To the rematch", () => location.assign(to(`/game/${game.rematch}`))));
    else if (mine().length) acts.push(button("Rematch", () => act("rematch")));
    if (!review) acts.push(button("Look back", startReview, "quiet"));
    acts.push(...goOn());
  } else if (mine().length && looking === null) {
    if (isMyTurn() && !isWaiting()) acts.push(...(isAskable() ? [button("Hint", hint), button("Who is ahead?", evaluate, "quiet")] : [apology()]));
    if (game.can_take_back && state.moves.some((move) => game.seats[move.seat - 1].is_yours)) acts.push(button("Take back", () => act("take-back"), "quiet"));
    if (!isWaiting()) acts.push(button("Resign", () => { if (confirm("Resign this game?")) act("resign"); }, "quiet"));
  } else if (looking !== null) {
    acts.push(...goOn());
  }
  byId("acts").replaceChildren(...acts);
}

/** What can be done with the position that is shown. @returns {HTMLElement[]} */
function goOn() {
  return isAskable() ? [button("Play on from here", playOn, "quiet"), button("Analyse", analyse, "quiet")] : [apology()];
}

/** Why an engine is not asked here. */
function apology() {
  return element("span", { class: "soft" }, "Engines judge positions until somebody is out.");
}

function showInvitation() {
  const isHost = isWaiting() && mine().length > 0;
  byId("invite").hidden = !isHost;
  byId("sit").hidden = !(isWaiting() && mine().length === 0);
  /** @type {HTMLInputElement} */ (byId("link")).value = location.href;
}

/** The turns up to where the board is shown. */
function shownTurns() {
  return state.moves.slice(0, looking ?? state.moves.length);
}

/** Whether an engine can be asked about the board that is shown. */
function isAskable() {
  const turns = shownTurns();
  // A fault that ends the game leaves the board as it was.
  const isEnd = state.over !== null && turns.length === state.moves.length && turns.at(-1)?.fault;
  return askable(turns) >= turns.length - (isEnd ? 1 : 0);
}

/** The moves of these turns, as far as an engine can be asked about them. @param {State["moves"]} turns */
async function line(turns = shownTurns()) {
  if (!course) course = await ask(`${path}/course`);
  return { game: game.game, position: course.start, moves: turns.slice(0, askable(turns)).map((turn) => turn.text) };
}

/** @param {number} ply */
async function look(ply) {
  if (!course) course = await ask(`${path}/course`);
  looking = ply >= state.moves.length && !state.over ? null : ply;
  if (looking === null) { show(); return; }
  const shown = course.plies[Math.min(looking, course.plies.length - 1)];
  board.withdraw();
  picks.hidden = true;
  board.show(shown.picture, madeBy(shown.made?.last, shown.made?.seat));
  review?.lookAt(looking);
  showSide();
}

async function hint() {
  if (isAsking) return;
  isAsking = true;
  const ply = state.ply;
  tell("Thinking of a hint…");
  try {
    const { lines } = await think(await line(), { ms: 400 });
    const pick = board.picks.find((pick) => pick.move === lines[0].move) ?? null;
    if (state.ply === ply) {
      if (pick?.special) board.choose(pick.special);
      board.hint(pick);
      tell(`Hint: ${moveText(lines[0].move)}${lines[0].proven ? ", proven best" : ""}.`);
    }
  } catch (error) {
    tell(/** @type {Error} */ (error).message);
  }
  isAsking = false;
}

async function evaluate() {
  const ply = state.ply;
  try {
    const { lines } = await think(await line(), { ms: 400 });
    if (state.ply !== ply) return;
    showBar(byId("bar"), lines[0].shares, aheadWords(lines[0], game.seats.map((_, i) => called(i + 1))));
  } catch (error) {
    tell(/** @type {Error} */ (error).message);
  }
}

async function startReview() {
  const { position, moves } = await line(state.moves);
  review = new Review(byId("review"), { game: game.game, start: position, moves, movers: state.moves.map((turn) => turn.seat), names: game.seats.map((_, i) => name(i + 1)) }, look, showSide);
  review.show();
  showActs();
  await review.run();
}

async function playOn() {
  const answer = await ask("/api/v1/positions", await line());
  location.assign(to(`/play/${game.game}?position=${encodeURIComponent(answer.text)}`));
}

async function analyse() {
  const { position, moves } = await line(state.moves);
  location.assign(to(`/analysis/${game.game}?position=${encodeURIComponent(position)}&moves=${encodeURIComponent(moves.join(" "))}&at=${Math.min(shownTurns().length, moves.length)}`));
}

byId("sit").onclick = () => act("sit", { name: JSON.parse(localStorage.getItem(`play-${game.game}`) ?? "{}").name ?? "" });
byId("copy").onclick = async () => {
  const link = /** @type {HTMLInputElement} */ (byId("link"));
  link.select();
  await navigator.clipboard?.writeText(link.value).catch(() => {});
  byId("copy").textContent = "Copied";
};
board.addEventListener("refused", (event) => tell(`${/** @type {CustomEvent} */ (event).detail} cannot be chosen: ${state.picture.task}.`));
addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key >= "1" && event.key <= "9" && !picks.hidden) {
    /** @type {HTMLButtonElement | undefined} */ (picks.querySelectorAll("button")[Number(event.key) - 1])?.click();
  }
});
setInterval(() => {
  if (state.turn === null || looking !== null || isWaiting()) return;
  const clock = byId("seats").children[state.turn - 1]?.querySelector(".clock");
  if (!clock) return;
  const ms = clockOf(state.turn);
  const text = clockText(ms);
  if (clock.textContent !== text) clock.textContent = text;
  clock.classList.toggle("low", state.clocks[state.turn - 1].left_ms !== undefined && ms < 10000);
}, 250);
follow(`game=${game.id}`, {
  state: (event) => take(event.state),
  seats: (event) => {
    game.rematch = event.rematch;
    takeSeats(event.seats);
    showSide();
  },
});
show();
