// @ts-check
import { t, translated } from "./language.js";
/**
 * How a game ended, in words.
 * @typedef {{over: {places: number[], words: string}, scores: number[], last?: {seat: number, text: string, fault?: unknown}, own: number[], called: (seat: number) => string, unit?: string}} Ended
 */

/** Whether the holder of one seat has won alone. @param {{places: number[]}} over @param {number[]} own */
export function isWon({ places }, own) {
  return own.length === 1 && places[own[0] - 1] === 1 && places.filter((place) => place === 1).length === 1;
}

/** Why a player is out. @param {{text: string}} turn @param {boolean} isMine @param {string} name */
function outWords({ text }, isMine, name) {
  if (text === "resigned") return isMine ? t("you resigned") : t("{name} resigned", { name });
  if (text === "the clock ran out")
    return isMine ? t("you ran out of time") : t("{name} ran out of time", { name });
  const reason = translated(text);
  return isMine ? t("you are out: {reason}", { reason }) : t("{name} is out: {reason}", { name, reason });
}

/** A number of points in the game's unit, which is in the plural; the number alone without a unit. @param {number} n @param {string} [unit] */
function points(n, unit) {
  if (!unit) return String(n);
  const text = `${n} ${unit}`;
  const known = translated(text);
  return n === 1 && known === text ? text.replace(/s$/, "") : known;
}

/** @param {Ended} ended @param {boolean} [isWarm] with a word more, for the card of the end */
export function endWords({ over, scores, last, own, called, unit }, isWarm = false) {
  if (own.length !== 1) return `${translated(over.words)}.`;
  const [me] = own;
  const best = Math.max(...scores.filter((_, i) => i + 1 !== me));
  const by = scores[me - 1] - best;
  const out = last?.fault ? outWords(last, last.seat === me, called(last.seat)) : "";
  if (over.places[me - 1] === 1 && over.places.filter((place) => place === 1).length > 1)
    return isWarm ? t("A draw. Nobody is cross.") : t("A draw, {scores}.", { scores: scores.join(" : ") });
  if (over.places[me - 1] === 1)
    return out
      ? t("You won: {reason}.", { reason: out })
      : t("You won by {margin}!", { margin: points(by, unit) });
  if (out) return t("You lost: {reason}.", { reason: out });
  return (
    t("You lost by {margin}.", { margin: points(-by, unit) }) +
    (isWarm && -by * 12 <= best ? ` ${t("So close.")}` : "")
  );
}
