// @ts-check
import { FloeBoard } from "./board.js";
import { call, play, setTitle } from "./calls.js";
import { changedPicture, lastOf, picksOf, updated } from "./changes.js";
import { ask, button, byId, clockText, copyBy, data, element, isSite, to } from "./common.js";
import { sayWhenBack, untilAnswered } from "./connection.js";
import { seatColour } from "./drawing.js";
import { icon } from "./icons.js";
import { count, t, translated } from "./language.js";
import { Lead } from "./lead.js";
import { stopThinking, thinkFor, thinks } from "./lent.js";
import { follow } from "./live.js";
import { madeBy } from "./marks.js";
import { endWords, isWon } from "./outcome.js";
import {
  addNews,
  confirmed,
  moveText,
  nameWords,
  showMoves,
  showPicks,
  showSeats,
  turnWords,
} from "./panel.js";
import { askable, think } from "./thoughts.js";

/**
 * A game of people: the board, whose turn it is, and what one can do.
 * @typedef {import("./board.js").Pick} Pick
 * @typedef {{version: number, ply: number, turn: number | null, picture: import("./board.js").Picture,
 *   moves: {seat: number, text: string, fault?: boolean, ms: number}[], last: Pick | null, scores: number[],
 *   turn_ms?: number, clocks: {used_ms: number, left_ms?: number}[], can_give_up: boolean, over: {places: number[], words: string} | null}} State
 * @typedef {{id: string, game: string, title: string, unit?: string, seats: {name: string, kind: string, is_yours: boolean}[],
 *   clock: string, can_take_back: boolean, rematch: string | null, lent: import("./lent.js").Lent | null, state: State}} Game
 * @typedef {{ply: number, turn: number | null, scores: number[], picture: import("./board.js").Picture, last: Pick | null}} Earlier
 */
const game = /** @type {Game} */ (isSite ? await (await import("./local.js")).opened() : data("data"));
const board = /** @type {FloeBoard} */ (byId("board"));
const say = byId("say");
const tellNews = addNews(say);
const picks = byId("picks");
/** How often a page in the background asks whose turn it is, in milliseconds. */
const GLANCE = 4000;
/** When the turn began, by this page's clock. */
let began = beganOf(game.state);
let state = timeless(game.state);
/** The ply that is looked back at; null for the game as it is. @type {number | null} */
let looking = null;
/** The ply that was asked for last. */
let wanted = 0;
/** The position that is looked back at. @type {Earlier | null} */
let earlier = null;
/** Positions that were looked back at, by ply: a few of them. @type {Map<number, Earlier>} */
let seenPlies = new Map();
/** How many of these are kept. */
const SEEN_PLIES = 24;
/** The first position as text, once it was asked for. @type {string | null} */
let start = null;
/** @type {import("./review.js").Review | null} */
let review = null;
/** @type {import("./lookback.js").LookBack | null} */
let lookBack = null;
let isHinting = false;
/** A move that is on its way to the server. @type {string | null} */
let sending = null;
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
  if (!is_yours) return nameWords(name);
  return mine().length === 1 ? t("you") : t("Player {n}", { n: seat });
};
const names = () => game.seats.map((_, i) => called(i + 1));
const lead = new Lead(names);

/** A seat's name in a sentence: a player of several seats sees which one. @param {number} seat */
function called(seat) {
  const isOneOfMine = game.seats[seat - 1].is_yours && mine().length > 1;
  // A letter that stands on the board helps to find one's own.
  const letter = state.picture.seats[seat - 1]?.name ?? "";
  return isOneOfMine && letter.length === 1 ? `${name(seat)} (${letter})` : name(seat);
}

/** When the turn of a state that comes now began. @param {State} now */
function beganOf(now) {
  return performance.now() - (now.turn_ms ?? 0);
}

/** A state without what holds for a moment only. @param {State} state @returns {State} */
function timeless({ turn_ms: _, ...rest }) {
  return rest;
}

/** @param {string} text */
function showMessage(text) {
  if (say.textContent !== text) say.textContent = text;
}

/** Does something in the game: sent until it is answered, and counted once, since it says which ply it is meant for. @param {string} act @param {Record<string, unknown>} [said] */
async function act(act, said = {}) {
  const ply = state.ply;
  stopThinking();
  try {
    const terms = { ply, version: state.version, thinks: await thinks() };
    const answer = await ask(`${path}/${act}`, { ...terms, ...said });
    sending = null;
    if (answer.rematch && act === "rematch") location.assign(to(`/game/${answer.rematch}`));
    else {
      await receive(answer, answer.seats);
      void lend(answer.lent);
    }
  } catch (error) {
    sending = null;
    await settle(act, ply, said, /** @type {Error} */ (error));
  }
}

/** Thinks for the engine whose turn it is, as long as the server leaves that to this browser. @param {Game["lent"]} [lent] */
async function lend(lent) {
  while (lent) {
    const answer = await thinkFor(path, game.game, lent, () => state.version);
    if (answer) await receive(answer, answer.seats);
    lent = answer?.lent;
  }
}

/** Finds out the result of something that was refused: it may have been done, and its answer lost. @param {string} act @param {number} ply @param {Record<string, unknown>} said @param {Error} error */
async function settle(act, ply, said, error) {
  const now = isSite ? null : await ask(`${path}?version=${state.version}`).catch(() => null);
  if (now) await receive(now, now.seats);
  const isDone =
    act === "move" && state.moves[ply]?.text === said.move && game.seats[state.moves[ply].seat - 1].is_yours;
  if (isDone) return;
  show();
  showMessage(
    act === "move"
      ? t("Your move {move} was not made: {reason}.", {
          move: moveText(String(said.move)),
          reason: error.message,
        })
      : `${error.message[0].toUpperCase()}${error.message.slice(1)}.`,
  );
}

/** Who sits where: the game begins when every seat is taken. @param {Game["seats"]} seats */
function takeSeats(seats) {
  const wasWaiting = isWaiting();
  game.seats = seats;
  if (!wasWaiting || isWaiting()) return;
  began = performance.now();
  show();
}

/** Takes in what the server sends: the whole state, or what has changed. @param {import("./changes.js").Sent} sent @param {Game["seats"]} [seats] */
async function receive(sent, seats) {
  const next = updated(state, sent);
  if (next) {
    take(next, seats);
    return;
  }
  // Something is missing between what is known and what is sent.
  const whole = await ask(path).catch(() => null);
  if (whole) take(whole.state, whole.seats);
}

/** @param {State} next @param {Game["seats"]} [seats] */
function take(next, seats) {
  if (seats) takeSeats(seats);
  if (next.version < state.version) return;
  // A state that is known already may come again at any time.
  if (next.version > state.version || next.turn_ms !== undefined) began = beganOf(next);
  // What is known already must not disturb a player who has a piece in hand.
  if (next.version === state.version) {
    if (!isDue) showSide();
    return;
  }
  // States that are drawn together are news together.
  if (!isDue) known = state.moves.length;
  const before = state;
  state = timeless(next);
  // A move that is still on its way was made, or is refused: the game has gone on.
  if (next.ply !== before.ply) sending = null;
  if (!isLonger(next.moves, before.moves)) {
    seenPlies = new Map();
    looking = null;
    wanted = -1;
    lead.cut(next.moves.length);
  }
  announce(before);
  drawSoon();
}

/** Whether turns only came to those that were there. @param {State["moves"]} now @param {State["moves"]} before */
function isLonger(now, before) {
  return (
    now.length > before.length &&
    before.every((turn, i) => turn.text === now[i].text && turn.seat === now[i].seat)
  );
}

/** Reports a change by sound, and by a notification if the page is in the background. @param {State} before */
function announce(before) {
  const isNews = isMyTurn() && (before.turn !== state.turn || before.ply !== state.ply);
  if (state.over && !before.over) play("end");
  else play(isNews ? "turn" : "move");
  const other = game.seats
    .filter((seat) => !seat.is_yours)
    .map((seat) => nameWords(seat.name))
    .join(", ");
  if (state.over && !before.over) call(sentence(), translated(game.title), game.id);
  else if (isNews) {
    const title = translated(game.title);
    const about = other ? t("{game} against {name}", { game: title, name: other }) : title;
    call(t("Your turn"), about, game.id);
  }
}

/** Draws what is newest once a frame: an opponent may answer, or play on alone, faster than eyes can see. */
function drawSoon() {
  if (isDue) return;
  isDue = true;
  const draw = () => {
    isDue = false;
    if (looking === null) show(true);
    else showSide();
  };
  // Frames of a page in the background are not drawn, but its title and its words are updated.
  if (document.hidden) draw();
  else requestAnimationFrame(draw);
}

/** Draws everything as it is. @param {boolean} [moves] */
function show(moves = false) {
  board.names = names();
  board.show(state.picture, madeBy(state.last, state.moves.at(-1)?.seat), moves);
  picks.hidden = true;
  showSide();
  if (isMyTurn() && !isWaiting() && looking === null) offer();
}

async function offer() {
  const ply = state.ply;
  const answer = await ask(`${path}/choices?ply=${ply}`).catch((error) => {
    showMessage(t("No moves came: {reason}. Load the page again.", { reason: error.message }));
    return null;
  });
  if (!(answer?.groups || answer?.moves) || state.ply !== ply || looking !== null || sending) return;
  const own = /** @type {Pick[]} */ (answer.moves ?? picksOf(answer.groups, state.picture));
  for (const pick of own) pick.seat = state.turn ?? undefined;
  const make = (/** @type {Pick} */ pick) => {
    board.withdraw();
    picks.hidden = true;
    sending = pick.move;
    void act("move", { move: pick.move });
  };
  board.offer(own, make);
  showPicks(picks, board, own, make, state.can_give_up ? () => act("give-up") : null);
}

function showSide() {
  const shown = looking === null ? null : earlier;
  const turn = shown ? shown.turn : state.turn;
  const last = (shown ? looking : state.moves.length) ?? 0;
  const winners = (looking === null && state.over?.places.filter((place) => place === 1).length) || 0;
  showSeats(
    byId("seats"),
    game.seats.map((_, i) => {
      const move = state.moves.slice(0, last).findLast((made) => made.seat === i + 1);
      const note = (shown?.picture ?? state.picture).seats[i]?.note ?? "";
      const isOpen = game.seats[i].kind === "open";
      const isWinner = winners === 1 && state.over?.places[i] === 1;
      return {
        seat: i + 1,
        name: game.seats[i].is_yours ? name(i + 1) : game.seats[i].name,
        isOn: turn === i + 1,
        score: (shown?.scores ?? state.scores)[i],
        note: isOpen
          ? t("not here yet")
          : translated(note) ||
            (move && !move.fault ? t("played {move}", { move: moveText(move.text) }) : ""),
        clock: clockWords(i + 1),
        isOpen,
        isWinner,
        tag: isWinner
          ? t("Winner")
          : looking === null && turn === i + 1 && !isWaiting()
            ? game.seats[i].is_yours && mine().length === 1
              ? t("Your turn")
              : t("To move")
            : undefined,
      };
    }),
  );
  showMoves(
    byId("moves"),
    state.moves.map((move, i) => ({ ...move, text: moveText(move.text), slip: review?.mark(i) })),
    looking ?? state.moves.length,
    look,
  );
  // At the end the card below says it to eyes; screen readers hear it from here.
  const isSaidBelow = state.over !== null && looking === null;
  byId("ask").className = `ask${turn ? ` o${seatColour(turn)}` : ""}${isSaidBelow ? " hidden" : ""}`;
  showMessage(sentence());
  tellNews(news());
  setTitle(state.over ? sentence() : isMyTurn() && !isWaiting() && mine().length === 1 ? t("Your turn") : "");
  byId("bar-note").textContent = state.over
    ? count("finished after {n} move", "finished after {n} moves", state.moves.length)
    : [t("move {n}", { n: state.moves.length + 1 }), clockName()].filter(Boolean).join(" · ");
  showTools();
  showOver();
  showInvitation();
  const turns = shownTurns();
  const isEnd = state.over !== null && turns.length === state.moves.length;
  lead.follow({
    line: () => line(turns),
    length: turns.length,
    isAskable: askable(turns) === turns.length,
    result: isEnd ? resultWorth() : null,
  });
}

/** The game's clock as people write it. */
function clockName() {
  if (game.clock === "none") return "";
  return game.clock.replace(/m\b/g, " min").replace(/s\b/g, " s").replace("+", " + ");
}

/** How the game ended. @param {boolean} [isWarm] */
function endSentence(isWarm) {
  const over = /** @type {{places: number[], words: string}} */ (state.over);
  const last = state.moves.at(-1);
  return endWords({ over, scores: state.scores, last, own: mine(), called, unit: game.unit }, isWarm);
}

/** What the game came to, as the bar of who is ahead shows it. */
function resultWorth() {
  const sum = state.scores.reduce((all, score) => all + Math.max(0, score), 0);
  const places = state.over?.places ?? [];
  // A disqualified player may have the highest score.
  const isFair = state.scores.every((score, i) =>
    state.scores.every((other, j) => (places[i] < places[j] ? score >= other : true)),
  );
  return {
    scores: isFair ? state.scores : places.map((place) => -place),
    shares: state.scores.map((score) => (sum ? Math.max(0, score) / sum : 1 / state.scores.length)),
  };
}

/** What is to be said now. */
function sentence() {
  if (looking !== null)
    return t("Position after {n} of {all} turns.", { n: looking, all: state.moves.length });
  if (state.over) return endSentence();
  if (isWaiting()) return mine().length ? t("Waiting for your friend.") : t("A seat is free.");
  if (isMyTurn()) {
    const who = mine().length > 1 ? called(/** @type {number} */ (state.turn)) : t("Your turn");
    if (sending) return t("{who}: sending {move}…", { who, move: moveText(sending) });
    return board.special
      ? t("{who}, {kind}: choose a field it can take.", { who, kind: translated(board.special) })
      : `${who}: ${translated(state.picture.task)}.`;
  }
  return t("{name} is thinking…", { name: name(/** @type {number} */ (state.turn)) });
}

/** What happened last, or led to the position that is looked at. */
function news() {
  const words = (/** @type {State["moves"][0]} */ turn, /** @type {Pick | null} */ last) =>
    turnWords(turn, called(turn.seat), last);
  if (looking !== null) return looking > 0 ? words(state.moves[looking - 1], earlier?.last ?? null) : "";
  if (state.moves.length < known) return t("The last move was undone.");
  const turns = state.moves.slice(known).slice(-game.seats.length);
  // Who has an answer already knows what they played.
  if (turns.length > 1 && name(turns[0].seat) === t("you")) turns.shift();
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

/** The same in words; nothing where no clock runs. @param {number} seat */
function clockWords(seat) {
  const isLeft = state.clocks[seat - 1].left_ms !== undefined;
  return isLeft || game.clock !== "none" ? clockText(clockOf(seat), isLeft) : "";
}

/** The tools, made once: who has the focus on one keeps it. */
const tools = (() => {
  const tool = (
    /** @type {Parameters<typeof icon>[0]} */ sign,
    /** @type {string} */ text,
    /** @type {() => void} */ act,
  ) => {
    const made = button("", act, "two");
    made.append(icon(sign), element("span", {}, text));
    return made;
  };
  const slim = (/** @type {HTMLButtonElement} */ made) => {
    made.classList.add("slim");
    return made;
  };
  const made = {
    back: tool("next", t("Back to the game"), () => {
      looking = null;
      wanted = -1;
      show();
    }),
    hint: tool("bulb", t("Hint"), hint),
    undo: tool("undo", t("Undo"), () => act("take-back")),
    resign: slim(tool("flag", t("Resign"), resign)),
    playOn: tool("next", t("Play on from here"), playOn),
    analyse: tool("chart", t("Analyse"), analyse),
    edit: slim(tool("pencil", t("Edit"), edit)),
    again: tool("plus", t("New game"), () => location.assign(to(`/play/${game.game}`))),
    more: slim(
      tool("more", t("More"), () =>
        import("./more.js").then((more) =>
          more.showMore({ game, position: async () => line(), address: () => location.href }),
        ),
      ),
    ),
  };
  byId("acts").replaceChildren(...Object.values(made));
  return made;
})();

function showTools() {
  const isPlaying = !state.over && mine().length > 0 && looking === null;
  const isLookedAt = looking !== null || state.over !== null;
  const set = (/** @type {HTMLButtonElement} */ tool, /** @type {boolean} */ isThere, isUsable = true) => {
    tool.hidden = !isThere;
    tool.disabled = !isUsable;
  };
  set(tools.back, looking !== null && !state.over);
  set(tools.hint, isPlaying && isAskable(), isMyTurn() && !isWaiting());
  set(
    tools.undo,
    isPlaying && game.can_take_back,
    state.moves.some((move) => game.seats[move.seat - 1].is_yours),
  );
  set(tools.resign, isPlaying && !isWaiting());
  set(tools.playOn, isLookedAt && isAskable());
  set(tools.analyse, isLookedAt && isAskable());
  set(tools.edit, isLookedAt && isAskable());
  set(tools.again, state.over !== null);
  // Visitors who only watch a game in progress cannot act in it.
  set(tools.more, mine().length > 0 || isLookedAt);
}

async function resign() {
  const own = mine()[0];
  const best = Math.max(...state.scores.filter((_, i) => i + 1 !== own));
  const behind = best - state.scores[own - 1];
  const about =
    behind > 0
      ? t("You are {n} behind.", { n: behind })
      : behind < 0
        ? t("You are {n} ahead.", { n: -behind })
        : t("The scores are level.");
  if (await confirmed(t("Resign this game?"), about, t("Play on"), t("Resign"))) act("resign");
}

/** The end: who won, and what can be done now. Made once, so that the focus stays. */
function showOver() {
  const card = byId("over");
  const isShown = state.over !== null;
  card.hidden = !isShown;
  if (!isShown || !state.over) return;
  if (card.dataset.shown !== String(state.version)) {
    card.dataset.shown = String(state.version);
    const result = element(
      "p",
      { class: "soft" },
      game.seats.map((_, i) => `${called(i + 1)} ${state.scores[i]}`).join(" · "),
    );
    const facts = element("ul", { class: "end-facts" });
    /** @type {Element[]} */ const parts = [element("h2", {}, endSentence(true)), result, facts];
    if (isWon(state.over, mine())) {
      const { piece } = state.picture;
      void import("./finish.js").then(({ celebration }) => card.prepend(celebration(piece, mine()[0])));
      const harder = nextLevel();
      if (harder) parts.push(harder);
    }
    if (mine().length === 1) void tellStory(result, facts).catch(() => {});
    const rematch = button("", () =>
      game.rematch ? location.assign(to(`/game/${game.rematch}`)) : act("rematch"),
    );
    const look = button("", startReview, "two");
    rematch.append(icon("refresh"), element("span"));
    look.append(icon("chart"), element("span", {}, t("Review")));
    rematch.id = "rematch";
    look.id = "look-back";
    card.replaceChildren(...parts, element("div", { class: "acts" }, rematch, look));
  }
  const again = byId("rematch");
  again.hidden = !game.rematch && mine().length === 0;
  again.lastElementChild?.replaceChildren(game.rematch ? t("To the rematch") : t("Rematch"));
  byId("look-back").hidden = review !== null;
}

/** Adds what figures say about the game to its end. @param {HTMLElement} result @param {HTMLElement} facts */
async function tellStory(result, facts) {
  const { showStory, winsAgainst } = await import("./ending.js");
  if (isWon(/** @type {{places: number[]}} */ (state.over), mine()) && game.seats.length === 2) {
    const wins = await winsAgainst(game.seats[2 - mine()[0]].name);
    if (wins) result.append(` · ${wins}`);
  }
  if (!review) await showStory(facts, await course(), mine()[0], look);
}

/** A way to the next level, for a player who has beaten one. */
function nextLevel() {
  const levels = ["beginner", "easy", "medium", "hard", "max"];
  const beaten = game.seats.flatMap((seat) => seat.name.match(/^floe · (\w+)$/)?.[1] ?? []);
  const next = beaten.length === 1 ? levels[levels.indexOf(beaten[0]) + 1] : undefined;
  if (!next) return null;
  const link = element(
    "a",
    { href: to(`/play/${game.game}?opponent=floe:${next}`) },
    t("Try {level}", { level: translated(next[0].toUpperCase() + next.slice(1)) }),
  );
  return element("p", {}, `${t("Ready for more?")} `, link);
}

function showInvitation() {
  const isHost = isWaiting() && mine().length > 0;
  byId("invite").hidden = !isHost;
  byId("sit").hidden = !(isWaiting() && mine().length === 0);
  const other = /** @type {HTMLAnchorElement} */ (byId("other-game"));
  other.href = to(`/play/${game.game}?opponent=floe:easy`);
  const link = /** @type {HTMLInputElement} */ (byId("link"));
  if (link.value !== location.href) link.value = location.href;
  if (isHost && !document.getElementById("qr"))
    byId("qr-room").append(
      element("img", {
        id: "qr",
        class: "qr",
        src: `/game/${game.id}/qr.svg`,
        alt: t("The link as a QR code"),
        width: "180",
        height: "180",
      }),
    );
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
  start ??= String((await ask(`${path}/start`)).position);
  return { game: game.game, position: start, moves: turns.slice(0, askable(turns)).map((turn) => turn.text) };
}

/** @param {number} ply */
async function look(ply) {
  const to = Math.max(0, Math.min(state.moves.length, ply));
  wanted = to;
  if (to >= state.moves.length && !state.over) {
    looking = null;
    show();
    return;
  }
  const shown = await positionAt(to);
  // Of several steps in a row the last one counts.
  if (wanted !== to) return;
  earlier = shown;
  looking = to;
  board.withdraw();
  picks.hidden = true;
  board.show(shown.picture, madeBy(shown.last, state.moves[to - 1]?.seat));
  review?.lookAt(looking);
  lookBack?.lookAt(() => line());
  showSide();
}

/** The position after this many turns: what is different in it is asked for. @param {number} ply @returns {Promise<Earlier>} */
async function positionAt(ply) {
  const plies = seenPlies;
  const known = plies.get(ply);
  if (known) return known;
  const near = [...plies.values()].reduce(
    (/** @type {{ply: number, picture: Earlier["picture"]}} */ best, one) =>
      Math.abs(one.ply - ply) < Math.abs(best.ply - ply) ? one : best,
    state,
  );
  const answer = await ask(`${path}/ply?ply=${ply}&from=${near.ply}&version=${state.version}`);
  const picture = answer.picture ?? changedPicture(near.picture, answer.change);
  const found = { ...answer, picture, last: answer.picked ?? lastOf(answer.last, picture) };
  plies.set(ply, found);
  for (const first of plies.keys()) {
    if (plies.size <= SEEN_PLIES) break;
    plies.delete(first);
  }
  return found;
}

async function hint() {
  if (isHinting) return;
  isHinting = true;
  const ply = state.ply;
  showMessage(t("Thinking of a hint…"));
  try {
    const { lines } = await think(await line(), { ms: 400 });
    const pick = board.picks.find((pick) => pick.move === lines[0].move) ?? null;
    if (state.ply === ply) {
      if (pick?.special) board.choose(pick.special);
      board.hint(pick);
      const move = moveText(lines[0].move);
      showMessage(lines[0].proven ? t("Hint: {move}, proven best.", { move }) : t("Hint: {move}.", { move }));
    }
  } catch (error) {
    showMessage(/** @type {Error} */ (error).message);
  }
  isHinting = false;
}

/** The game's turns as a review takes them. */
async function course() {
  const { position, moves } = await line(state.moves);
  return {
    game: game.game,
    start: position,
    moves,
    movers: state.moves.map((turn) => turn.seat),
    names: game.seats.map((_, i) => name(i + 1)),
    scores: state.scores,
    fault: state.moves.find((turn) => turn.fault),
  };
}

async function startReview() {
  const parts = () => Promise.all([import("./review.js"), import("./lookback.js")]);
  const [{ Review }, { LookBack }] = await untilAnswered(parts);
  const turns = await course();
  if (review) return;
  const others = game.seats.filter((seat) => !seat.is_yours).map((seat) => nameWords(seat.name));
  const title = translated(game.title);
  lookBack = new LookBack({
    headline: endSentence(),
    scores: state.scores,
    about: others.length ? t("{game} against {name}", { game: title, name: others.join(", ") }) : title,
    acts: byId("rematch").hidden
      ? [tools.playOn]
      : [button(t("Rematch"), () => byId("rematch").click(), "two"), tools.playOn],
    tryOut: (from, move) => openAnalysis({ ...from, moves: [...from.moves, move] }),
  });
  review = new Review(byId("review"), turns, look, () => {
    if (review) lookBack?.finish(review);
    showSide();
  });
  lookBack.explain(review);
  review.show();
  showOver();
  lookBack.lookAt(() => line());
  await review.run();
}

async function playOn() {
  const answer = await ask("/api/v1/positions", await line());
  location.assign(to(`/play/${game.game}?position=${encodeURIComponent(answer.text)}`));
}

async function analyse() {
  const whole = await line(state.moves);
  openAnalysis(whole, Math.min(shownTurns().length, whole.moves.length));
}

/** @param {import("./thoughts.js").Line} line @param {number} [at] the move one stands at */
function openAnalysis({ position, moves }, at = moves.length) {
  location.assign(
    to(
      `/analysis/${game.game}?position=${encodeURIComponent(position)}&moves=${encodeURIComponent(moves.join(" "))}&at=${at}`,
    ),
  );
}

/** Opens the editor with the position that is shown. */
async function edit() {
  const { text } = await ask("/api/v1/positions", await line());
  location.assign(to(`/analysis/${game.game}?position=${encodeURIComponent(text)}&edit=on`));
}

/** A page in the background has no stream: it glances at the game, so that its title says whose turn it is. */
async function glance() {
  const isAnybodys = state.over === null && mine().length > 0 && !isMyTurn();
  if (!document.hidden || isSite || !(isAnybodys || isWaiting())) return;
  const now = await fetch(`${path}/turn`)
    .then((answer) => answer.json())
    .catch(() => null);
  if (!now || (now.version <= state.version && now.is_waiting === isWaiting())) return;
  const news = await fetch(`${path}?version=${state.version}`)
    .then((answer) => answer.json())
    .catch(() => null);
  if (news?.seats && document.hidden) await receive(news, news.seats);
}

byId("sit").onclick = () =>
  act("sit", { name: JSON.parse(localStorage.getItem(`play-${game.game}`) ?? "{}").name ?? "" });
const link = /** @type {HTMLInputElement} */ (byId("link"));
copyBy(byId("copy"), () => link.value, link);
const ownName = /** @type {HTMLInputElement} */ (byId("own-name"));
ownName.value = game.seats.find((seat) => seat.is_yours && seat.name !== "guest")?.name ?? "";
ownName.onchange = () => {
  const key = `play-${game.game}`;
  const known = JSON.parse(localStorage.getItem(key) ?? "{}");
  localStorage.setItem(key, JSON.stringify({ ...known, name: ownName.value }));
  void act("name", { name: ownName.value });
};
const barTitle = document.querySelector(".bar-title b");
if (barTitle) barTitle.textContent = translated(game.title);
board.addEventListener("refused", (event) =>
  showMessage(
    t("{field} cannot be chosen: {task}.", {
      field: /** @type {CustomEvent} */ (event).detail,
      task: translated(state.picture.task),
    }),
  ),
);
board.addEventListener("chosen", () => showMessage(sentence()));
const steps = /** @type {Record<string, () => number>} */ ({
  first: () => 0,
  back: () => (looking ?? state.moves.length) - 1,
  next: () => (looking ?? state.moves.length) + 1,
  last: () => state.moves.length,
});
for (const [step, to] of Object.entries(steps)) byId(`step-${step}`).onclick = () => look(to());
addEventListener("keydown", (event) => {
  if (
    event.target instanceof HTMLInputElement ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    document.querySelector("dialog[open]")
  )
    return;
  const isOnBoard = event.target instanceof Element && event.target.closest("floe-board");
  if (event.key >= "1" && event.key <= "9" && !picks.hidden) {
    /** @type {HTMLButtonElement | undefined} */ (
      picks.querySelectorAll("button")[Number(event.key) - 1]
    )?.click();
  } else if (!isOnBoard && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    event.preventDefault();
    look(steps[event.key === "ArrowLeft" ? "back" : "next"]());
  }
});
setInterval(() => {
  if (state.turn === null || looking !== null || isWaiting()) return;
  const clock = byId("seats").children[state.turn - 1]?.querySelector(".clock");
  if (!clock) return;
  const text = clockWords(state.turn);
  const isLow = state.clocks[state.turn - 1].left_ms !== undefined && clockOf(state.turn) < 10000;
  if (clock.textContent !== text) clock.textContent = text;
  if (isLow && !clock.classList.contains("low") && isMyTurn()) play("hurry");
  clock.classList.toggle("low", isLow);
}, 100);
setInterval(glance, GLANCE);
sayWhenBack(() => (isMyTurn() && !state.over ? t("Back again. Your turn.") : t("Back again.")));
follow(() => `game=${game.id}&seen=${game.id}-${state.version}`, {
  state: receive,
  change: receive,
  seats: (event) => {
    game.rematch = event.rematch;
    takeSeats(event.seats);
    showSide();
  },
});
show();
// A list of games leads straight to the review of one.
if (location.hash === "#review" && state.over && !review) void startReview();
void lend(game.lent);
