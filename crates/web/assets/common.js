// @ts-check
/** What every page with a script shares. */

/** @template T @param {string} id @returns {T} */
export function data(id) {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null");
}

/** The element of an id, which the page has. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/** @param {string} name @param {Record<string, string>} [attributes] @param {(Node | string)[]} children @returns {HTMLElement} */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** @param {string} text @param {() => void} act @param {string} [kind] @returns {HTMLButtonElement} */
export function button(text, act, kind = "") {
  const made = /** @type {HTMLButtonElement} */ (element("button", { type: "button", ...(kind ? { class: kind } : {}) }, text));
  made.onclick = act;
  return made;
}

/** What the way to the first page is on pages without a server (`floe site`); nothing on a server's. */
const siteRoot = document.documentElement.dataset.root;
export const isSite = siteRoot !== undefined;

/** The address of a page, given as a server's. @param {string} path */
export function to(path) {
  if (siteRoot === undefined) return path;
  const [, page, rest] = /** @type {RegExpMatchArray} */ (path.match(/^\/([^?#]*)(.*)$/));
  const game = page.match(/^game\/(.+)$/);
  if (game) return `${siteRoot}game.html?id=${game[1]}`;
  return `${siteRoot}${page || "index"}.html${rest}`;
}

/** What answers in this browser, if the page has it. @type {Promise<typeof import("./module.js") | null> | undefined} */
let inBrowser;

/** Rules and engines in this browser; nothing where only the server has them. */
export function browserModule() {
  inBrowser ??= !("module" in document.documentElement.dataset)
    ? Promise.resolve(null)
    : import("./module.js").then(async (module) => { await module.floe(); return module; }).catch((error) => {
        if (isSite) throw error;
        return null;
      });
  return inBrowser;
}

/** Asks this browser's module or the server; gives the answer, or throws what is wrong, in its words. @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] that nobody wants the answer any more @returns {Promise<any>} */
export async function ask(path, body, signal) {
  const here = await browserModule();
  if (here?.knows(path)) return here.answer(path, body, signal);
  const response = await fetch(path, body === undefined ? { signal } : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });
  const answer = await response.json().catch(() => ({ error: "the server gave no answer that can be read" }));
  if (!response.ok) throw Object.assign(new Error(answer.error ?? "something went wrong"), { status: response.status, place: answer.place });
  return answer;
}

/** A time as m:ss. @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The reader's choice of colours, kept in this browser. */
function palette() {
  const root = document.documentElement;
  const chosen = localStorage.getItem("palette") ?? "usual";
  root.dataset.palette = chosen;
  const select = /** @type {HTMLSelectElement} */ (element("select", {}, element("option", { value: "usual" }, "usual"), element("option", { value: "clear" }, "for the colour-blind")));
  select.value = chosen;
  select.onchange = () => { localStorage.setItem("palette", select.value); root.dataset.palette = select.value; };
  document.querySelector(".foot")?.append(element("label", {}, "Colours ", select));
}

palette();
