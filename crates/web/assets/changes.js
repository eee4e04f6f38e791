// @ts-check
import { columnName } from "./drawing.js";

/**
 * Games as they are sent: whole to a page that joins, and then what changes.
 * @typedef {import("./board.js").Picture} Picture
 * @typedef {import("./board.js").Pick} Pick
 * @typedef {import("./game.js").State} State
 * @typedef {number[] | string} FieldSet how many fields to skip, to take, to skip…; or a bit for each, in base 64
 * @typedef {[string, string, number, number]} Look glyph, shade, owner, and the only player who may still get it
 * @typedef {Partial<Picture> & {turned?: [Look, Look][], fields?: [Look, FieldSet][]}} PictureChange
 * @typedef {{move?: string, pattern?: string, from?: number, to?: FieldSet, special?: string, takes?: FieldSet, also?: FieldSet, gain: number}} PickGroup
 * @typedef {Omit<State, "picture" | "moves" | "last"> & {from: number, kept: number, made: State["moves"], picture: PictureChange, last: PickGroup | null}} Change
 * @typedef {{state?: State, change?: Change, changes?: Change[], turn_ms?: number | null}} Sent an answer or an event
 * @typedef {{at: number, length: number, look: Look}} Run fields in a row that got the same look
 */

/** The change from the picture before, for boards that redraw only that. @type {WeakMap<Picture, {before: Picture, runs: Run[]}>} */
const made = new WeakMap();

/** The fields of a set as runs. @param {FieldSet} set @param {(at: number, length: number) => void} each */
function eachRun(set, each) {
  if (typeof set !== "string") {
    for (let i = 0, at = 0; i < set.length; i += 2) {
      at += set[i];
      each(at, set[i + 1]);
      at += set[i + 1];
    }
    return;
  }
  const bits = atob(set);
  let first = -1;
  for (let place = 0; place <= bits.length * 8; place++) {
    const isIn = (bits.charCodeAt(place >> 3) & (128 >> (place & 7))) !== 0;
    if (isIn && first < 0) first = place;
    if (!isIn && first >= 0) {
      each(first, place - first);
      first = -1;
    }
  }
}

/** @param {FieldSet} set @returns {number[]} */
export function fieldsOf(set) {
  /** @type {number[]} */ const places = [];
  eachRun(set, (at, length) => {
    for (let place = at; place < at + length; place++) places.push(place);
  });
  return places;
}

/** The runs of fields that a change touches, in order. @param {Picture} before @param {PictureChange} change */
function runsOf(before, { turned = [], fields = [] }) {
  /** @type {Run[]} */ const runs = [];
  for (const [look, set] of fields)
    eachRun(set, (at, length) => {
      runs.push({ at, length, look });
    });
  if (turned.length) {
    const { glyphs, shades, owners, promised } = before;
    for (let place = 0; place < owners.length; place++) {
      const to = turned.find(
        ([[glyph, shade, owner, only]]) =>
          owners[place] === owner &&
          shades[place] === shade &&
          glyphs[place] === glyph &&
          (promised?.[place] ?? 0) === only,
      );
      if (!to) continue;
      const last = runs.at(-1);
      if (last && last.look === to[1] && last.at + last.length === place) last.length++;
      else runs.push({ at: place, length: 1, look: to[1] });
    }
  }
  return runs.sort((a, b) => a.at - b.at);
}

/** A text with runs of letters replaced. @param {string} text @param {Run[]} runs @param {0 | 1} part of the look */
function spliced(text, runs, part) {
  const parts = [];
  let next = 0;
  for (const { at, length, look } of runs) {
    parts.push(text.slice(next, at), look[part].repeat(length));
    next = at + length;
  }
  return parts.join("") + text.slice(next);
}

/** A list with runs of numbers replaced. @param {number[]} list @param {Run[]} runs @param {2 | 3} part of the look */
function refilled(list, runs, part) {
  const filled = list.slice();
  for (const { at, length, look } of runs) filled.fill(look[part], at, at + length);
  return filled;
}

/** The picture after a change; the one before stays as it is. @param {Picture} before @param {PictureChange} change @returns {Picture} */
export function changedPicture(before, change) {
  const { turned: _, fields: __, ...words } = change;
  const runs = runsOf(before, change);
  const isPromised = before.promised || runs.some(({ look }) => look[3] > 0);
  const after = {
    ...before,
    ...words,
    glyphs: spliced(before.glyphs, runs, 0),
    shades: spliced(before.shades, runs, 1),
    owners: refilled(before.owners, runs, 2),
    ...(isPromised ? { promised: refilled(before.promised ?? before.owners.map(() => 0), runs, 3) } : {}),
  };
  made.set(after, { before, runs });
  return after;
}

/** Which fields are different from those of another picture; null where that is not known. @param {Picture} picture @param {Picture | null} before @returns {Run[] | null} */
export function changedSince(picture, before) {
  const known = made.get(picture);
  return known && known.before === before ? known.runs : null;
}

/** A move of a group, whose notation is spelt when it is asked for. @implements {Pick} */
class GroupedPick {
  /** @param {PickGroup} group @param {number | undefined} to @param {number[] | undefined} takes @param {Picture} picture */
  constructor(group, to, takes, picture) {
    this.group = group;
    this.from = group.from;
    this.to = to;
    this.special = group.special;
    this.takes = takes;
    this.also = group.also === undefined ? undefined : fieldsOf(group.also);
    this.gain = group.gain;
    this.picture = picture;
    /** @type {number | undefined} */ this.seat = undefined;
  }

  get move() {
    const { width, height } = this.picture;
    const square = (/** @type {number | undefined} */ place = 0) =>
      columnName(place % width) + String(height - Math.floor(place / width));
    return (
      this.group.move ??
      (this.group.pattern ?? "").replace("<", () => square(this.from)).replace(">", () => square(this.to))
    );
  }
}

/** The moves of groups. @param {PickGroup[]} groups @param {Picture} picture @returns {Pick[]} */
export function picksOf(groups, picture) {
  /** @type {Pick[]} */ const picks = [];
  for (const group of groups) {
    const takes = group.takes === undefined ? undefined : fieldsOf(group.takes);
    if (group.to === undefined) picks.push(new GroupedPick(group, undefined, takes, picture));
    else
      eachRun(group.to, (at, length) => {
        for (let place = at; place < at + length; place++)
          picks.push(new GroupedPick(group, place, takes, picture));
      });
  }
  return picks;
}

/** The move that was made last. @param {PickGroup | null} group @param {Picture} picture @returns {Pick | null} */
export function lastOf(group, picture) {
  if (!group) return null;
  const { move, from, to, special, takes, gain } = picksOf([group], picture)[0];
  return { move, from, to, special, takes, gain };
}

/** @param {State} before @param {Change} change @returns {State} */
function changedState(before, change) {
  const { from: _, kept, made: turns, picture, last, ...rest } = change;
  const drawn = changedPicture(before.picture, picture);
  return {
    ...before,
    ...rest,
    picture: drawn,
    moves: [...before.moves.slice(0, kept), ...turns],
    last: lastOf(last, drawn),
    turn_ms: undefined,
  };
}

/** The newest state, by what was sent; null if something between is missing. @param {State | null | undefined} before @param {Sent} sent @returns {State | null} */
export function updated(before, sent) {
  if (sent.state) return sent.state;
  let now = before ?? null;
  for (const change of sent.changes ?? (sent.change ? [sent.change] : [])) {
    if (!now || change.from > now.version) return null;
    if (change.from === now.version) now = changedState(now, change);
  }
  return now && typeof sent.turn_ms === "number" ? { ...now, turn_ms: sent.turn_ms } : now;
}
