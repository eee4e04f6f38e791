// @ts-check
/**
 * Moves that were tried from a position: a main line, and branches wherever another move was tried.
 *
 * As text, moves stand one after the other; behind a move, what was tried instead of it stands in
 * brackets: `a1 b2 ( c3 d4 ) e5` is the line a1 b2 e5, and c3 d4 instead of b2. A move that looks like
 * a bracket has a backslash before it.
 */

/** How deep branches may be in branches of a text that is read: one that goes deeper was made to do harm. */
const DEEPEST = 40;
/** How many moves of a text are read. */
const MOST = 4000;

/** A position: the move that led to it, and those that were tried from it. */
export class MoveNode {
  /** @param {string} move empty for the start @param {MoveNode | null} parent */
  constructor(move, parent) {
    this.move = move;
    this.parent = parent;
    /** The first continues this node's line. @type {MoveNode[]} */ this.children = [];
    /** The one that was looked at last. @type {MoveNode | null} */ this.chosen = null;
  }

  /** Whether it continues its parent's line. */
  get isFirst() {
    return this.parent === null || this.parent.children[0] === this;
  }

  /** This one and those that led to it, without the start. @returns {MoveNode[]} */
  get path() {
    /** @type {MoveNode[]} */ const path = [];
    for (let node = /** @type {MoveNode} */ (this); node.parent; node = node.parent) path.push(node);
    return path.reverse();
  }
}

/** All that was tried, and where one stands. */
export class MoveTree {
  constructor() {
    this.start = new MoveNode("", null);
    this.at = this.start;
  }

  /** Goes to a position. @param {MoveNode} node */
  go(node) {
    for (const one of node.path) /** @type {MoveNode} */ (one.parent).chosen = one;
    this.at = node;
  }

  /** Makes a move: goes where it led before, or makes a branch. @param {string} move */
  play(move) {
    let next = this.at.children.find((child) => child.move === move);
    if (!next) {
      next = new MoveNode(move, this.at);
      this.at.children.push(next);
    }
    this.go(next);
  }

  /** The moves to where one stands. */
  moves() {
    return this.at.path.map((node) => node.move);
  }

  /** The positions of the line one is on: from the start to where one stands, and on as one looked last. */
  line() {
    const line = [this.start, ...this.at.path];
    for (let node = next(this.at); node; node = next(node)) line.push(node);
    return line;
  }

  /** Goes to the one before, if there is one. */
  back() {
    if (this.at.parent) this.at = this.at.parent;
  }

  /** Moves forward along the line. */
  forward() {
    const node = next(this.at);
    if (node) this.go(node);
  }

  /** Goes to another move that was tried instead of the last one: `step` further in their order. @param {number} step */
  aside(step) {
    const others = this.at.parent?.children ?? [];
    const node = others[others.indexOf(this.at) + step];
    if (node) this.go(node);
  }

  /** Whether where one stands is on the main line. */
  get isMain() {
    return this.at.path.every((node) => node.isFirst);
  }

  /** Makes the line one is on the main line. */
  promote() {
    for (const node of this.at.path) {
      const others = /** @type {MoveNode} */ (node.parent).children;
      others.splice(others.indexOf(node), 1);
      others.unshift(node);
    }
  }

  /** Takes out where one stands, with everything that was tried from there. */
  remove() {
    const { parent } = this.at;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(this.at), 1);
    parent.chosen = null;
    this.at = parent;
  }

  /** The tree as text. */
  write() {
    return written(this.start).join(" ");
  }

  /** Every position in the order in which the text has them; the start is the first. */
  nodes() {
    return [this.start, ...after(this.start)];
  }

  /**
   * The tree of a text, as far as it can be read.
   * @param {string} text @param {number | null} [at] which of its positions to stand at; otherwise at the end of the main line
   */
  static read(text, at = null) {
    const tree = new MoveTree();
    let here = tree.start;
    /** @type {MoveNode[]} */ const outer = [];
    const words = text
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, 3 * MOST);
    let count = 0;
    for (const word of words) {
      if (word === "(") {
        if (!here.parent || outer.length === DEEPEST) break;
        outer.push(here);
        here = here.parent;
      } else if (word === ")") {
        const back = outer.pop();
        if (!back) break;
        here = back;
      } else {
        if (++count > MOST) break;
        tree.at = here;
        tree.play(word.startsWith("\\") ? word.slice(1) : word);
        here = tree.at;
      }
    }
    for (const node of tree.nodes()) node.chosen = null;
    tree.at = tree.start;
    const end = /** @type {MoveNode} */ (tree.line().at(-1));
    tree.go(at === null ? end : (tree.nodes()[at] ?? end));
    return tree;
  }
}

/** The next node of the line. @param {MoveNode} node @returns {MoveNode | undefined} */
function next(node) {
  return node.chosen ?? node.children[0];
}

/** @param {string} move */
function word(move) {
  return /^[()\\]/.test(move) ? `\\${move}` : move;
}

/** What was tried from a position, as words. @param {MoveNode} from @returns {string[]} */
function written(from) {
  /** @type {string[]} */ const words = [];
  for (let node = from; node.children.length; node = node.children[0]) {
    words.push(word(node.children[0].move));
    for (const other of node.children.slice(1)) words.push("(", word(other.move), ...written(other), ")");
  }
  return words;
}

/** Every position after one, in the same order. @param {MoveNode} from @returns {MoveNode[]} */
function after(from) {
  /** @type {MoveNode[]} */ const nodes = [];
  for (let node = from; node.children.length; node = node.children[0]) {
    nodes.push(node.children[0]);
    for (const other of node.children.slice(1)) nodes.push(other, ...after(other));
  }
  return nodes;
}
