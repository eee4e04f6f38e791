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

/** How far the first seat is ahead of the best other. @param {number[]} scores */
export function lead(scores) {
  return scores[0] - Math.max(...scores.slice(1), Number.NEGATIVE_INFINITY);
}
