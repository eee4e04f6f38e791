// @ts-check
/**
 * How a game ended, in words.
 * @typedef {{over: {places: number[], words: string}, scores: number[], last?: {seat: number, text: string, fault?: unknown}, own: number[], called: (seat: number) => string}} Ended
 */

/** Whether somebody who holds one seat has won alone. @param {{places: number[]}} over @param {number[]} own */
export function isWon({ places }, own) {
  return own.length === 1 && places[own[0] - 1] === 1 && places.filter((place) => place === 1).length === 1;
}

/** @param {Ended} ended @param {boolean} [isWarm] with a word more, for the card of the end */
export function endWords({ over, scores, last, own, called }, isWarm = false) {
  if (own.length !== 1) return `${over.words}.`;
  const [me] = own;
  const best = Math.max(...scores.filter((_, i) => i + 1 !== me));
  const by = scores[me - 1] - best;
  const out = last?.fault
    ? `${last.seat === me ? "you" : called(last.seat)} ${last.text === "resigned" ? "resigned" : last.text === "the clock ran out" ? "ran out of time" : `${last.seat === me ? "are" : "is"} out: ${last.text}`}`
    : "";
  if (over.places[me - 1] === 1 && over.places.filter((place) => place === 1).length > 1)
    return isWarm ? "A draw. Nobody is cross." : `A draw, ${scores.join(" : ")}.`;
  if (over.places[me - 1] === 1) return out ? `You won: ${out}.` : `You won by ${by}!`;
  if (out) return `You lost: ${out}.`;
  return `You lost by ${-by}.${isWarm && -by * 12 <= best ? " So close." : ""}`;
}
