// @ts-check
/**
 * A lesson: a small board for each rule, and something to try on it.
 * @typedef {import("./board.js").Picture} Picture
 * @typedef {import("./board.js").Pick} Pick
 * @typedef {{name: string, title: string, text: string, task: string, done: string, position: string, solutions: string[], picture: Picture, moves: Pick[]}} Step
 */
import { FloeBoard } from "./board.js";
import { ask, byId, data } from "./common.js";
import { t, translated } from "./language.js";
import { showPicks } from "./panel.js";

const lesson = /** @type {{game: string, steps: Step[]} | null} */ (data("data"));
/** How long a move that was not asked for stays, in milliseconds. */
const STAY = 1600;

/** @param {{game: string, steps: Step[]}} lesson */
function teach({ game, steps }) {
  const board = /** @type {FloeBoard} */ (byId("board"));
  const picks = byId("picks");
  const key = `learnt:${game}`;
  /** @type {Set<number>} */ const done = new Set(JSON.parse(localStorage.getItem(key) ?? "[]"));
  const asked = Number(new URLSearchParams(location.search).get("step"));
  let now =
    asked >= 1 && asked <= steps.length
      ? asked - 1
      : Math.max(
          0,
          steps.findIndex((_, i) => !done.has(i)),
        );
  /** Counts what was begun, so that an answer to an earlier try changes nothing. */
  let tries = 0;

  for (const mini of /** @type {NodeListOf<FloeBoard>} */ (byId("minis").querySelectorAll("floe-board")))
    mini.show(steps[Number(mini.dataset.step)].picture);

  /** @param {"" | "done" | "wrong"} state @param {string} head @param {string} text */
  function say(state, head, text) {
    byId("try").className = `try ${state}`;
    byId("try-head").textContent = head;
    byId("say").textContent = text;
  }

  /** The board of the step, to be tried. */
  function offer() {
    const step = steps[now];
    tries++;
    board.show(step.picture);
    board.offer(step.moves, attempt);
    showPicks(picks, board, step.moves, attempt, null);
  }

  /** @param {Pick} pick */
  async function attempt(pick) {
    const step = steps[now];
    const mine = ++tries;
    board.withdraw();
    picks.hidden = true;
    const isRight = step.solutions.includes(pick.move);
    try {
      const after = await ask("/api/v1/positions", { game, position: step.position, moves: [pick.move] });
      if (mine !== tries) return;
      board.show(after.picture, after.last, true);
    } catch (error) {
      if (mine !== tries) return;
      say("wrong", t("Not now"), `${/** @type {Error} */ (error).message}. ${t("Try again.")}`);
      return offer();
    }
    if (isRight) {
      done.add(now);
      localStorage.setItem(key, JSON.stringify([...done]));
      say("done", t("Well done"), translated(step.done));
      mark();
      byId("next").focus();
      return;
    }
    say("wrong", t("Legal, but not this time"), translated(step.task));
    setTimeout(() => {
      if (mine === tries) offer();
    }, STAY);
  }

  /** Which steps are done, and which is open. */
  function mark() {
    byId("progress").setAttribute(
      "aria-label",
      t("Step {n} of {all}, {done} done", { n: now + 1, all: steps.length, done: done.size }),
    );
    [...byId("progress").children].forEach((part, i) => {
      part.className = done.has(i) ? "done" : "";
      part.classList.toggle("current", i === now);
    });
    [...byId("minis").children].forEach((mini, i) => {
      mini.classList.toggle("done", done.has(i));
      const number = /** @type {HTMLElement} */ (mini.querySelector(".mini-name i"));
      number.textContent = done.has(i) ? "✓" : String(i + 1);
      if (i === now) mini.setAttribute("aria-current", "step");
      else mini.removeAttribute("aria-current");
    });
  }

  function open() {
    const step = steps[now];
    byId("step-number").textContent = t("Step {n} of {all}", { n: now + 1, all: steps.length });
    byId("step-title").textContent = translated(step.title);
    byId("step-text").textContent = translated(step.text);
    say("", t("Try it"), translated(step.task));
    byId("back").hidden = now === 0;
    const next = /** @type {HTMLAnchorElement} */ (byId("next"));
    next.textContent = now + 1 < steps.length ? t("Next") : t("Play your first game");
    mark();
    offer();
  }

  /** @param {number} step */
  function go(step) {
    now = step;
    history.replaceState(null, "", `?step=${now + 1}`);
    open();
    byId("step-title").focus();
  }

  byId("show").onclick = () => {
    const pick = steps[now].moves.find((move) => move.move === steps[now].solutions[0]);
    if (!pick) return;
    offer();
    if (pick.special) board.choose(pick.special);
    board.hint(pick);
    say("", t("Try it"), `${translated(steps[now].task)} ${t("The move is {move}.", { move: pick.move })}`);
  };
  byId("back").onclick = (event) => {
    event.preventDefault();
    if (now > 0) go(now - 1);
  };
  byId("next").onclick = (event) => {
    event.preventDefault();
    const invitation = /** @type {HTMLAnchorElement} */ (document.querySelector(".invite-card a"));
    if (now + 1 < steps.length) go(now + 1);
    else invitation.click();
  };
  [...byId("minis").children].forEach((mini, i) => {
    mini.addEventListener("click", (event) => {
      event.preventDefault();
      go(i);
    });
  });
  open();
}

if (lesson?.steps.length) teach(lesson);
