// @ts-check
/**
 * Starts to load rules and engines. Pages that ask them at once have this as a script of its own, so that they
 * are loaded while the page's other scripts are.
 * @typedef {import("../../browser/floe.d.ts").Floe} Floe
 */
const script = "./floe.js";

/** @type {Promise<Floe>} */
export const loaded = import(script).then(({ Floe }) => Floe.load());
// A page that asks gets the error.
loaded.catch(() => {});
