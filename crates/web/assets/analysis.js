// @ts-check
import { FloeBoard } from "./board.js";
import { ask, button, byId, copyBy, data, isSite, to } from "./common.js";
import { seatSign } from "./drawing.js";
import { Graph } from "./graph.js";
import { t, translated } from "./language.js";
import { lineItems } from "./lines.js";
import { showBar, showPicks } from "./panel.js";
import { aheadWords, forEach, think } from "./thoughts.js";
import { MoveTree } from "./tree.js";
import { showTree } from "./tree-list.js";

/**
 * A board to try things on. The address carries the position, the moves that were tried and where one
 * stands, so that a link shares it.
 * @typedef {import("./tree.js").MoveNode} MoveNode
 */
const shared = /** @type {{game: string, position: string, moves: string, at: number | null}} */ (
  data("data")
);
if (isSite) readAddress();
const board = /** @type {FloeBoard} */ (byId("board"));
const text = /** @type {HTMLTextAreaElement} */ (byId("text"));
/** An address that would be longer has no branches. */
const LONGEST = 8000;
let start = shared.position;
let tree = MoveTree.read(shared.moves, shared.at);
/** What engines think of positions, the best line first; whether they had the time they have for one that is looked at. @type {WeakMap<MoveNode, {worth: import("./graph.js").Worth, lines: import("./thoughts.js").Thought[], isDeep: boolean}>} */
let known = new WeakMap();
/** What stands behind a move that lost something. @type {WeakMap<MoveNode, {sign: string, about: string}>} */
let slips = new WeakMap();
/** The names of the seats. @type {string[]} */
let names = [];
/** @type {Graph | null} */
let graph = null;
/** Counts what was shown, so that an answer that comes too late is not. */
let version = 0;
/** Stops what engines think of what is no longer shown. */
let thinking = new AbortController();
/** The brush in hand. @type {string | null} */
let brush = null;

/**
 * What can be painted here. While the editor is open, fields are painted instead of moves made.
 * @typedef {{word: string, label: string, is_on_field: boolean, owner: number | null, shade: {hue?: number} | string | null}} Brush
 * @param {Brush[]} brushes
 */
function showBrushes(brushes) {
  byId("brushes").replaceChildren(
    ...brushes.map((one) => {
      const hue =
        typeof one.shade === "object" && one.shade?.hue !== undefined
          ? ` hue h${"ABCDEFGH"[one.shade.hue]}`
          : "";
      const made = button(
        translated(one.label),
        () => {
          if (!one.is_on_field) {
            paint(one.word, null);
            return;
          }
          brush = brush === one.word ? null : one.word;
          showBrushes(brushes);
          // At once: a field must not be taken for a move while the position is asked for.
          if (brush !== null && board.picture) offerFields(board.picture);
          show();
        },
        `two${hue}`,
      );
      if (one.is_on_field) made.setAttribute("aria-pressed", String(brush === one.word));
      if (one.owner) made.prepend(seatSign(one.owner));
      return made;
    }),
  );
}

/** @param {string} word @param {number | null} place */
async function paint(word, place) {
  try {
    const answer = await ask("/api/v1/paint", {
      game: shared.game,
      position: text.value,
      brush: word,
      square: place === null ? null : board.square(place),
    });
    text.value = answer.text;
    begin(answer.text);
    showBrushes(answer.brushes);
    await show();
  } catch (error) {
    complain(error);
  }
}

/** Every field can be painted. @param {import("./board.js").Picture} picture */
function offerFields(picture) {
  const word = /** @type {string} */ (brush);
  board.offer(
    picture.owners.map((_, place) => ({ move: word, to: place, gain: 0 })),
    (pick) => paint(word, /** @type {number} */ (pick.to)),
  );
}

/** What the address carries, where no server has read it. */
function readAddress() {
  const words = new URLSearchParams(location.search);
  shared.position = words.get("position") || shared.position;
  shared.moves = words.get("moves") ?? "";
  shared.at = words.has("at") ? Number(words.get("at")) : null;
}

/** Something wrong in a text, with its place. @param {{line: number, column: number, cause: string, help?: string}} error */
function placed({ line, column, cause, help }) {
  const place = t("line {line}, column {column}: {cause}", { line, column, cause: translated(cause) });
  return place + (help ? `\n${translated(help)}` : "");
}

/** Says what is wrong: with a text, all of it. @param {any} error */
async function complain(error) {
  const problem = byId("problem");
  const said = error.place?.line ? placed({ ...error.place, cause: error.message }) : error.message;
  const own = version;
  const report = error.place?.line
    ? await ask("/api/v1/checks", { game: shared.game, position: text.value }).catch(() => null)
    : null;
  if (own !== version) return;
  problem.textContent = report?.errors.length > 1 ? report.errors.map(placed).join("\n") : said;
  problem.hidden = false;
  if (error.place?.line) {
    const before = text.value
      .split("\n")
      .slice(0, error.place.line - 1)
      .reduce((sum, row) => sum + row.length + 1, 0);
    text.setSelectionRange(before + error.place.column - 1, before + error.place.column);
  }
}

/** Forgets what was tried, and begins at another position. @param {string} position */
function begin(position) {
  start = position;
  tree = new MoveTree();
  known = new WeakMap();
  slips = new WeakMap();
}

/** Goes somewhere in what was tried. @param {() => void} step @param {boolean} [isStep] whether a move is made by that */
function go(step, isStep = false) {
  const before = tree.at;
  step();
  if (tree.at !== before) show(isStep);
}

/** @param {string} move */
function make(move) {
  go(() => tree.play(move), true);
}

/** The moves that lead to a position. @param {MoveNode} node */
function lineTo(node) {
  return { game: shared.game, position: start, moves: node.path.map((one) => one.move) };
}

async function show(isStep = false) {
  const own = ++version;
  thinking.abort();
  thinking = new AbortController();
  let answer;
  showSide();
  const asked = ask("/api/v1/positions", lineTo(tree.at));
  evaluate(
    own,
    asked.then(
      () => true,
      () => false,
    ),
  );
  try {
    answer = await asked;
  } catch (error) {
    complain(error);
    // Painting continues after each field.
    if (brush !== null && board.picture) offerFields(board.picture);
    return;
  }
  if (own !== version) return;
  byId("problem").hidden = true;
  names = answer.picture.seats.map(
    (/** @type {{name: string}} */ seat, /** @type {number} */ i) =>
      seat.name || t("player {n}", { n: i + 1 }),
  );
  showBrushes(answer.brushes);
  board.show(answer.picture, answer.last, isStep);
  const picked = (/** @type {import("./board.js").Pick} */ pick) => make(pick.move);
  if (brush !== null) offerFields(answer.picture);
  else if (answer.is_over) board.withdraw();
  else board.offer(answer.moves, picked);
  showPicks(
    byId("picks"),
    board,
    answer.is_over || brush !== null ? [] : answer.moves,
    picked,
    answer.can_give_up && brush === null ? () => make("-") : null,
  );
  text.value = answer.text;
  byId("say").textContent = answer.is_over
    ? t("Over, {scores}.", { scores: answer.scores.join(" : ") })
    : `${answer.picture.seats[answer.turn - 1]?.name || t("Player {n}", { n: answer.turn })}: ${translated(answer.picture.task)}.`;
  /** @type {HTMLAnchorElement} */ (byId("play-on")).href = to(
    `/play/${shared.game}?position=${encodeURIComponent(answer.text)}`,
  );
  history.replaceState(null, "", address());
  showThoughts();
}

/** The moves that were tried, and what can be done with them. */
function showSide() {
  const set = (/** @type {string} */ id, /** @type {Partial<HTMLButtonElement>} */ now) =>
    Object.assign(byId(id), now);
  showTree(
    byId("moves"),
    tree,
    (node) => slips.get(node)?.sign ?? "",
    (node) => go(() => tree.go(node)),
  );
  set("back", { disabled: tree.at === tree.start });
  set("forward", { disabled: tree.at.children.length === 0 });
  set("promote", { hidden: tree.isMain });
  set("remove", { hidden: tree.at === tree.start });
}

/** What is known of the position, and of the line it is on. */
function showThoughts() {
  const found = known.get(tree.at);
  if (found) showBar(byId("bar"), found.worth.shares, aheadWords(found.worth, names));
  byId("lines").replaceChildren(...lineItems(found?.lines ?? [], make));
  showGraph();
}

function showGraph() {
  const line = tree.line();
  const isNeeded = line.length > 1 && line.some((node) => known.has(node));
  byId("graph").hidden = !isNeeded;
  if (!isNeeded) return;
  if (!graph || graph.names.join() !== names.join()) {
    graph = new Graph(names, (ply) =>
      go(() => {
        const node = tree.line()[ply];
        if (node) tree.go(node);
      }),
    );
    byId("graph").replaceChildren(graph.root);
  }
  graph.show(
    line.map((node) => ({ move: node.move, worth: known.get(node)?.worth ?? null, ...slips.get(node) })),
    tree.at.path.length,
  );
}

/** Where this can be seen again. */
function address() {
  const base = to(`/analysis/${shared.game}?position=${encodeURIComponent(start)}`);
  const moves = (/** @type {MoveTree} */ shown, /** @type {number} */ at) =>
    `&moves=${encodeURIComponent(shown.write())}&at=${at}`;
  const whole = base + moves(tree, tree.nodes().indexOf(tree.at));
  if (whole.length <= LONGEST) return whole;
  const alone = new MoveTree();
  for (const node of tree.line().slice(1)) alone.play(node.move);
  return base + moves(alone, tree.at.path.length);
}

/** Has engines think about where one stands, also before it is shown, and then about the rest of the line. @param {number} own @param {Promise<boolean>} isShown */
async function evaluate(own, isShown) {
  const here = tree.at;
  for (const ms of [150, 1200]) {
    if (known.get(here)?.isDeep) break;
    if (!(await thinkAbout(own, here, { ms, top: 3 }, ms === 1200))) return;
    if (!(await isShown) || own !== version) return;
    showThoughts();
  }
  const line = tree.line();
  await forEach(
    line.filter((node) => !known.has(node)),
    async (node) => {
      const isWanted = await thinkAbout(own, node, { ms: 120 }, false);
      if (isWanted) showGraph();
      return isWanted;
    },
  );
  if (own === version) await judge(own, line);
}

/** Has an engine think about a position; whether that is still wanted then. @param {number} own @param {MoveNode} node @param {{ms: number, top?: number}} effort @param {boolean} isLast */
async function thinkAbout(own, node, effort, isLast) {
  const answer = await think(lineTo(node), effort, thinking.signal).catch(() => null);
  if (own !== version || !answer) return false;
  const { scores = [], shares = [] } = answer;
  const worth = answer.is_over ? { scores, shares } : { ...answer.lines[0], best: answer.lines[0].move };
  known.set(node, { worth, lines: answer.lines, isDeep: isLast || !!answer.is_over });
  return true;
}

/** Has the server say which moves of the line were slips. @param {number} own @param {MoveNode[]} line */
async function judge(own, line) {
  if (line.length < 2) return;
  const worths = line.map((node) => {
    const worth = known.get(node)?.worth;
    return worth ? { scores: worth.scores, best: worth.best ?? null } : null;
  });
  const verdict = await ask("/api/v1/reviews", { ...lineTo(line[line.length - 1]), worths }).catch(
    () => null,
  );
  if (own !== version || !verdict) return;
  line.slice(1).forEach((node, turn) => {
    const { sign = "", loss = 0 } = verdict.turns[turn] ?? {};
    slips.set(node, { sign, about: sign ? t("{move} lost {n}", { move: node.move, n: loss }) : "" });
  });
  showSide();
  showGraph();
}

if (new URLSearchParams(location.search).has("edit"))
  /** @type {HTMLDetailsElement} */ (byId("editor")).open = true;
byId("editor").addEventListener("toggle", () => {
  if (!(/** @type {HTMLDetailsElement} */ (byId("editor")).open) && brush !== null) {
    brush = null;
    show();
  }
});
byId("back").onclick = () => go(() => tree.back());
byId("forward").onclick = () => go(() => tree.forward(), true);
byId("promote").onclick = () => {
  tree.promote();
  show();
};
byId("remove").onclick = () => {
  if (
    tree.at.children.length &&
    !confirm(t("Delete {move} and everything that was tried after it?", { move: tree.at.move }))
  )
    return;
  go(() => tree.remove());
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (
    event.target instanceof Element &&
    event.target.closest("input, select, textarea, floe-board, summary, .scroll")
  )
    return;
  const steps = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: () => tree.back(),
    ArrowRight: () => tree.forward(),
    ArrowUp: () => tree.aside(-1),
    ArrowDown: () => tree.aside(1),
    Home: () => tree.go(tree.start),
    End: () => tree.go(/** @type {MoveNode} */ (tree.line().at(-1))),
  });
  const step = steps[event.key];
  // Up and down scroll the page where there is no branch to go to.
  const isAside = event.key === "ArrowUp" || event.key === "ArrowDown";
  if (!step || (isAside && (tree.at.parent?.children.length ?? 0) < 2)) return;
  event.preventDefault();
  go(step, event.key === "ArrowRight");
});
copyBy(byId("share"), () => new URL(address(), location.href).href);
byId("load").onclick = () => {
  begin(text.value);
  show();
};
byId("file").addEventListener("change", async (event) => {
  const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
  if (!file) return;
  if (file.size > 200000) {
    complain(new Error(t("this file is too large to be a position")));
    return;
  }
  text.value = await file.text();
  byId("load").click();
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file && file.size <= 200000) {
    text.value = await file.text();
    byId("load").click();
  }
});
show();
