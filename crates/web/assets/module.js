// @ts-check
/**
 * Rules and engines in this browser. They answer what a server would be asked, under the same
 * addresses; games that this browser keeps are in `local.js`.
 * @typedef {import("../../browser/floe.d.ts").Floe} Floe
 */
import { isSite } from "./common.js";

const API = "/api/v1/";
const KNOWN = new Set(["positions", "forms", "checks", "refusals", "paint", "thoughts", "reviews"]);

/** The module, once it is there. @returns {Promise<Floe>} */
export async function floe() {
  return (await import("./early.js")).loaded;
}

/** Whether this is answered here. @param {string} path */
export function knows(path) {
  return isSite || KNOWN.has(path.slice(API.length));
}

/** How many thoughts there can be at once. */
export async function width() {
  return (await floe()).thinkers;
}

/** @param {string} path @param {any} body @param {AbortSignal} [signal] */
export async function answer(path, body, signal) {
  const name = path.slice(API.length);
  const module = await floe();
  if (name === "thoughts") {
    const { ms, top, engine, ...at } = body;
    return module.think(at, { ms, top, engine, signal });
  }
  if (KNOWN.has(name)) return module.ask(name, body);
  return (await import("./local.js")).answer(name, body);
}
