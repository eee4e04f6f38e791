// @ts-check
/**
 * Puzzles: a position, one move to find, and why it is the one.
 * @typedef {import("./board.js").Pick} Pick
 * @typedef {{moves: string[], lead: number, proven: boolean}} Line
 * @typedef {{position: string, turn: number, level: string, task: string, why: string, best: Line, other: Line, played?: string}} Puzzle
 */
import { FloeBoard } from "./board.js";
import { ask, byId, data, to } from "./common.js";
import { t, translated } from "./language.js";
import { moveText, showPicks } from "./panel.js";

const set = /** @type {{game: string, puzzles: Puzzle[]} | null} */ (data("data"));
/** The milliseconds of a day. */
const DAY = 24 * 60 * 60 * 1000;

/** @param {{game: string, puzzles: Puzzle[]}} set */
function pose({ game, puzzles }) {
  const board = /** @type {FloeBoard} */ (byId("board"));
  const picks = byId("picks");
  const key = `puzzles:${game}`;
  /** Positions that were solved, by a hash of their text: sets may be replaced. @type {Set<number>} */
  const solved = new Set(JSON.parse(localStorage.getItem(key) ?? "[]"));
  const day = Math.floor(Date.now() / DAY) % puzzles.length;
  const asked = Number(new URLSearchParams(location.search).get("number"));
  let now = asked >= 1 && asked <= puzzles.length ? asked - 1 : day;
  /** Whether the solution was shown, or a wrong move made. */
  let isHelped = false;
  /** The line that is looked at, and how many of its moves. @type {string[] | null} */
  let line = null;
  let at = 0;
  let asks = 0;

  /** @param {"" | "done" | "wrong"} state @param {string} head @param {string} text */
  function say(state, head, text) {
    byId("try").className = `try ${state}`;
    byId("try-head").textContent = head;
    byId("say").textContent = text;
  }

  /** The position after these moves. @param {string[]} moves @param {boolean} [isMoving] */
  async function show(moves, isMoving = false) {
    const mine = ++asks;
    const position = await ask("/api/v1/positions", { game, position: puzzles[now].position, moves });
    if (mine !== asks) return null;
    board.show(position.picture, position.last, isMoving);
    return position;
  }

  async function offer() {
    const position = await show([]);
    if (!position) return;
    // A letter stands on the board; longer names are those of a file.
    const letter = position.picture.seats[position.turn - 1]?.name ?? "";
    byId("who").textContent = t("{name} moves, with {scores} points so far.", {
      name: letter.length === 1 ? letter : t("Player {n}", { n: position.turn }),
      scores: position.scores.join(" : "),
    });
    board.offer(position.moves, attempt);
    showPicks(picks, board, position.moves, attempt, null);
  }

  /** @param {Pick} pick */
  function attempt(pick) {
    board.withdraw();
    picks.hidden = true;
    const puzzle = puzzles[now];
    if (pick.move === puzzle.best.moves[0]) {
      if (!isHelped) {
        solved.add(hash(puzzle.position));
        localStorage.setItem(key, JSON.stringify([...solved]));
      }
      say("done", isHelped ? t("Right") : t("Solved"), translated(puzzle.why));
      follow(puzzle.best.moves, 1);
      mark();
      byId("next").focus();
      return;
    }
    isHelped = true;
    say(
      "wrong",
      t("Not this one"),
      t("{move} is legal, but another move is far better. Try again, or see why.", {
        move: moveText(pick.move),
      }),
    );
    show([pick.move], true)
      .then((after) => {
        if (after)
          setTimeout(() => {
            if (line === null) offer().catch(trouble);
          }, 1200);
      })
      .catch(trouble);
  }

  /** Shows a line after some of its moves. @param {string[]} moves @param {number} from */
  function follow(moves, from) {
    line = moves;
    at = from;
    byId("stepper").hidden = false;
    step(true);
  }

  /** @param {boolean} isMoving */
  function step(isMoving) {
    if (!line) return;
    /** @type {HTMLButtonElement} */ (byId("line-back")).disabled = at === 0;
    /** @type {HTMLButtonElement} */ (byId("line-forward")).disabled = at === line.length;
    byId("line-at").textContent =
      at === 0
        ? t("The position")
        : t("{n} of {all}: {move}", { n: at, all: line.length, move: moveText(line[at - 1]) });
    show(line.slice(0, at), isMoving).catch(trouble);
  }

  /** @param {any} error */
  function trouble(error) {
    say("wrong", t("No answer"), `${error.message}. ${t("Reload the page.")}`);
  }

  function mark() {
    const count = puzzles.filter((puzzle) => solved.has(hash(puzzle.position))).length;
    byId("solved").textContent = t("{n} of {all} solved", { n: count, all: puzzles.length });
    [...byId("all").children].forEach((link, i) => {
      const isSolved = solved.has(hash(puzzles[i].position));
      link.classList.toggle("done", isSolved);
      link.setAttribute(
        "aria-label",
        [
          t("Puzzle {n}", { n: i + 1 }),
          translated(puzzles[i].level),
          ...(isSolved ? [t("solved")] : []),
          ...(i === day ? [t("today's")] : []),
        ].join(", "),
      );
      if (i === now) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  }

  function open() {
    const puzzle = puzzles[now];
    [isHelped, line] = [false, null];
    byId("stepper").hidden = true;
    byId("of-day").hidden = now !== day;
    byId("number").textContent = t("Puzzle {n} of {all}", { n: now + 1, all: puzzles.length });
    byId("level").textContent = translated(puzzle.level);
    byId("task").textContent = translated(puzzle.task);
    say("", t("Your move"), t("Make it on the board."));
    /** @type {HTMLAnchorElement} */ (byId("analyse")).href = to(
      `/analysis/${game}?${new URLSearchParams({ position: puzzle.position })}`,
    );
    mark();
    offer().catch(trouble);
  }

  /** @param {number} number */
  function go(number) {
    now = number;
    history.replaceState(null, "", `?number=${now + 1}`);
    open();
    byId("task").focus();
  }

  byId("why").onclick = () => {
    isHelped = true;
    board.withdraw();
    picks.hidden = true;
    say("", t("Why"), translated(puzzles[now].why));
    follow(puzzles[now].best.moves, 1);
  };
  byId("line-back").onclick = () => {
    at = Math.max(0, at - 1);
    step(false);
  };
  byId("line-forward").onclick = () => {
    at = Math.min(line?.length ?? 0, at + 1);
    step(true);
  };
  byId("next").onclick = (event) => {
    event.preventDefault();
    const rest = puzzles.map((_, i) => (now + 1 + i) % puzzles.length);
    go(rest.find((i) => !solved.has(hash(puzzles[i].position))) ?? rest[0]);
  };
  [...byId("all").children].forEach((link, i) => {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      go(i);
    });
  });
  open();
}

/** A number that is equal for equal texts. @param {string} text */
function hash(text) {
  let sum = 5381;
  for (const letter of text) sum = (sum * 33 + letter.charCodeAt(0)) >>> 0;
  return sum;
}

if (set?.puzzles.length) pose(set);
