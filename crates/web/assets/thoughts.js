// @ts-check
import { ask, browserModule } from "./common.js";
import { t } from "./language.js";

/**
 * What an engine thinks. Pages ask through this alone: an engine in this browser answers where there
 * is one, otherwise the server.
 * @typedef {{game: string, position: string, moves: string[]}} Line
 * @typedef {{move: string, scores: number[], shares: number[], lead: number, line: string[], depth: number, nodes: number, proven: boolean}} Thought
 * @param {Line} line @param {{ms?: number, top?: number}} [effort] @param {AbortSignal} [signal] stops the thought
 * @returns {Promise<{turn?: number, lines: Thought[], is_over?: boolean, scores?: number[], shares?: number[]}>}
 */
export function think(line, effort = {}, signal) {
  return patiently(() => ask("/api/v1/thoughts", { ...line, ...effort }, signal));
}

/**
 * Does something for each of these: one after the other where a server thinks, and as many at once as
 * this browser has engines.
 * @template T @param {T[]} items @param {(item: T) => Promise<boolean>} act whether to continue
 */
export async function forEach(items, act) {
  const width = (await (await browserModule())?.width()) ?? 1;
  const left = [...items];
  const one = async () => {
    while (left.length) if (!(await act(/** @type {T} */ (left.shift())))) left.length = 0;
  };
  await Promise.all(Array.from({ length: width }, one));
}

/**
 * Asks again for a while as long as too much is asked for.
 * @template T @param {() => Promise<T>} act @param {{tries?: number, pause?: number, waiting?: () => void}} [patience] with the time between in milliseconds
 * @returns {Promise<T>}
 */
export async function patiently(act, { tries = 20, pause = 300, waiting = () => {} } = {}) {
  for (let left = tries; ; left--) {
    try {
      return await act();
    } catch (error) {
      if (/** @type {any} */ (error).status !== 429 || left === 0) throw error;
      waiting();
      await new Promise((done) => setTimeout(done, pause));
    }
  }
}

/**
 * How many of these turns are moves, or given up, from the first: an engine can be asked about the
 * positions up to there. It cannot know about disqualified players.
 * @param {{fault?: unknown}[]} turns
 */
export function askable(turns) {
  const gap = turns.findIndex((turn) => turn.fault);
  return gap < 0 ? turns.length : gap;
}

/** The seat that is ahead, and how far of the best of the others; not at all when two are level. @param {number[]} scores */
export function ahead(scores) {
  const [best, second] = [...scores].sort((a, b) => b - a);
  return { seat: scores.indexOf(best) + 1, by: best - (second ?? best) };
}

/** The same in words. @param {{scores: number[], proven?: boolean}} worth @param {string[]} names of the seats */
export function aheadWords({ scores, proven }, names) {
  const { seat, by } = ahead(scores);
  const name = names[seat - 1] || t("player {n}", { n: seat });
  return (by === 0 ? t("even") : `${name} +${by}`) + (proven ? `, ${t("proven")}` : "");
}
