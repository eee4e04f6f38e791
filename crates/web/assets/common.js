// @ts-check
import { untilAnswered } from "./connection.js";
import { t, translated } from "./language.js";

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
  const made = /** @type {HTMLButtonElement} */ (
    element("button", { type: "button", ...(kind ? { class: kind } : {}) }, text)
  );
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
    : import("./module.js")
        .then(async (module) => {
          await module.floe();
          return module;
        })
        .catch((error) => {
          if (isSite) throw error;
          return null;
        });
  return inBrowser;
}

/** Asks this browser's module or the server; gives the answer, or throws what is wrong, in its words. A request that is lost is sent again. @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] that no answer is wanted any more @returns {Promise<any>} */
export async function ask(path, body, signal) {
  const here = await browserModule();
  if (here?.knows(path))
    return here.answer(path, body, signal).catch((/** @type {any} */ error) => {
      if (error instanceof Error && !(error instanceof DOMException))
        error.message = translated(error.message);
      throw error;
    });
  // Engines that are busy say so: callers decide how long to wait.
  const waits = !/thoughts|evaluation/.test(path);
  return untilAnswered((attempt) => request(path, body, attempt), { signal, waits });
}

/** One request to the server. @param {string} path @param {unknown} body @param {AbortSignal} signal */
async function request(path, body, signal) {
  const response = await fetch(
    path,
    body === undefined
      ? { signal }
      : {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
          signal,
        },
  );
  const answer = await response.json().catch((error) => {
    // An answer that breaks off is lost, too.
    if (response.ok) throw error instanceof SyntaxError ? new TypeError("the answer broke off") : error;
    return { error: t("the server gave no answer that can be read") };
  });
  if (!response.ok)
    throw Object.assign(new Error(answer.error ? translated(answer.error) : t("something went wrong")), {
      status: response.status,
      place: answer.place,
    });
  return answer;
}

/** Puts a text on the clipboard; whether that went well. Without HTTPS, browsers offer the old way alone. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = /** @type {HTMLTextAreaElement} */ (element("textarea", { readonly: "", class: "hidden" }));
    area.value = text;
    // Inside an open dialog, nothing outside it can be selected.
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    const before = document.activeElement;
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return isCopied;
  }
}

/** Copies when a button is pressed, and shows the result on it. @param {HTMLElement} by @param {() => string | Promise<string>} text @param {HTMLInputElement} [field] that is selected where nothing can be copied */
export function copyBy(by, text, field) {
  const words = by.textContent ?? "";
  by.onclick = async () => {
    const isCopied = await copyText(await text());
    if (!isCopied) field?.select();
    by.textContent = isCopied ? t("Copied") : field ? t("Press Ctrl+C to copy") : t("Could not copy");
    setTimeout(() => {
      by.textContent = words;
    }, 4000);
  };
}

/** A time as m:ss. @param {number} ms @param {boolean} [isLeft] whether it runs out */
export function clockText(ms, isLeft = false) {
  // The last ten seconds are counted in tenths.
  if (ms > 0 && ms < 10000 && isLeft) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The reader's choice of colours, kept in this browser. */
function palette() {
  const root = document.documentElement;
  const chosen = localStorage.getItem("palette") ?? "usual";
  root.dataset.palette = chosen;
  const select = paletteChoice();
  select.value = chosen;
  select.onchange = () => choosePalette(select.value);
}

/** The choice in the page's foot. A report has none. @returns {HTMLSelectElement} */
function paletteChoice() {
  const known = /** @type {HTMLSelectElement | null} */ (document.querySelector(".foot select"));
  if (known) return known;
  const select = /** @type {HTMLSelectElement} */ (
    element(
      "select",
      {},
      element("option", { value: "usual" }, t("default")),
      element("option", { value: "clear" }, t("for the colour-blind")),
    )
  );
  document.querySelector(".foot")?.append(element("label", {}, `${t("Colours")} `, select));
  return select;
}

/** @param {string} chosen */
export function choosePalette(chosen) {
  localStorage.setItem("palette", chosen);
  document.documentElement.dataset.palette = chosen;
  const select = /** @type {HTMLSelectElement | null} */ (document.querySelector(".foot select"));
  if (select) select.value = chosen;
}

/** The way to the settings, in the bar on top; a report has none. */
function openSettings() {
  const gear = document.getElementById("settings");
  if (gear) gear.onclick = () => import("./settings.js").then((settings) => settings.showSettings());
}

/** Marks the page one is on, in the bars. */
function markPage() {
  const first = siteRoot === undefined ? 0 : new URL(`${siteRoot}.`, location.href).pathname.length - 1;
  const pageOf = (/** @type {string} */ path) => path.slice(first).replace(/(index)?\.html$/, "");
  const here = pageOf(location.pathname);
  /** What belongs to the page that a link leads to. @type {Record<string, RegExp>} */ const pages = {
    "/": /^\/($|play|game)/,
    "/learn": /^\/learn/,
    "/analysis": /^\/analysis/,
    "/leagues": /^\/(league|versions|submit|desk)/,
    "/records": /^\/records/,
    "/my": /^\/my/,
  };
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (
    document.querySelectorAll(".top nav a, .tabbar a")
  )) {
    if (pages[pageOf(link.pathname)]?.test(here)) link.setAttribute("aria-current", "page");
  }
}

/** Lets keys scroll what is too wide for a page. */
function reachScrolled() {
  for (const box of document.querySelectorAll(".scroll:not([tabindex])")) {
    if (box.scrollWidth <= box.clientWidth) continue;
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "group");
    if (!box.hasAttribute("aria-label"))
      box.setAttribute("aria-label", box.querySelector("caption")?.textContent ?? t("Table"));
  }
}

/** Commands name the address by which the reader came, and can be copied. */
function dressCommands() {
  for (const place of document.querySelectorAll("[data-origin]")) place.textContent = location.origin;
  for (const command of document.querySelectorAll(".copy > pre")) {
    const copy = button(t("Copy"), () => {});
    copyBy(copy, () => command.textContent ?? "");
    command.after(copy);
  }
}

markPage();
dressCommands();
palette();
openSettings();
reachScrolled();
addEventListener("resize", reachScrolled);
