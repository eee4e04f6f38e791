// @ts-check
import { ask, browserModule, isSite } from "./common.js";

/**
 * Engines' moves that the server leaves to the browser of their only opponent.
 * @typedef {{ply: number, engine: string, position: string, ms: number}} Lent
 */

/** The thought under way. @type {AbortController | null} */
let thought = null;

/** Whether this browser thinks for the engines of a server's game. */
export async function thinks() {
  return !isSite && (await browserModule()) !== null;
}

/** Ends the thought under way: the game has changed. */
export function stopThinking() {
  thought?.abort();
  thought = null;
}

/**
 * Thinks for an engine and sends its move; gives the server's answer, or nothing if there is none to
 * wait for. The server thinks itself if none comes.
 * @param {string} path of the game @param {string} game @param {Lent} lent @param {() => number} version that the page has
 */
export async function thinkFor(path, game, lent, version) {
  stopThinking();
  const mine = new AbortController();
  thought = mine;
  try {
    if (!(await thinks())) return null;
    const { position, engine, ms } = lent;
    const { lines } = await ask("/api/v1/thoughts", { game, position, engine, ms }, mine.signal);
    const answer = { ply: lent.ply, version: version(), move: lines[0].move, thinks: true };
    return await ask(`${path}/answer`, answer, mine.signal);
  } catch {
    return null;
  } finally {
    if (thought === mine) thought = null;
  }
}
