// @ts-check
import { ask } from "./common.js";

/**
 * What an engine thinks. Pages ask through this alone, so that an engine in the browser can answer
 * one day instead of the server.
 * @typedef {{game: string, position: string, moves: string[]}} Line
 * @typedef {{move: string, scores: number[], shares: number[], lead: number, line: string[], depth: number, nodes: number, proven: boolean}} Thought
 * @param {Line} line @param {{ms?: number, top?: number}} [effort]
 * @returns {Promise<{turn?: number, lines: Thought[], is_over?: boolean, scores?: number[], shares?: number[]}>}
 */
export async function think(line, effort = {}) {
  for (let tries = 0; ; tries++) {
    try {
      return await ask("/api/v1/thoughts", { ...line, ...effort });
    } catch (error) {
      if (/** @type {any} */ (error).status !== 429 || tries > 20) throw error;
      await new Promise((done) => setTimeout(done, 300));
    }
  }
}

/** How a turn is written that somebody gave up. */
const GIVEN_UP = "-";

/**
 * How many of these turns are moves alone, from the first: an engine can be asked about the positions
 * up to there. A turn that was given up, or somebody who went out, cannot be told to it.
 * @param {{text: string, fault?: unknown}[]} turns
 */
export function askable(turns) {
  const gap = turns.findIndex((turn) => turn.fault || turn.text === GIVEN_UP);
  return gap < 0 ? turns.length : gap;
}

/** The seat that is ahead, and how far of the best of the others; not at all when two are level. @param {number[]} scores */
export function ahead(scores) {
  const [best, second] = [...scores].sort((a, b) => b - a);
  return { seat: scores.indexOf(best) + 1, by: best - (second ?? best) };
}
