// @ts-check
import { t } from "./language.js";
/** What a page does while the server cannot be reached: it tries again, and says so. */

/** The pause before a request is tried again, in milliseconds: at first, and at most. */
const [SHORTEST_REST, LONGEST_REST] = [400, 8000];
/** How long something must be lost before the page says so. */
const UNNOTICED = 700;
/** After so long without an answer a request counts as lost; a server takes 30 s at most. */
const LOST_AFTER = 40000;
/** How long a passing message stays. */
const TOAST = 4000;

/** What is lost at the moment. @type {Set<object>} */
const lost = new Set();
/** @type {HTMLElement | null} */
let hintsBox = null;
/** @type {HTMLElement | null} */
let lostBanner = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let lostTimer;
/** What is said when the server answers again. @type {() => string} */
let backWords = () => t("Back again.");

/** Chooses what is said when the server answers again. @param {() => string} words */
export function sayWhenBack(words) {
  backWords = words;
}

/** Where banners and passing messages are. */
function hints() {
  if (!hintsBox) {
    hintsBox = document.createElement("div");
    hintsBox.className = "hints";
    hintsBox.setAttribute("role", "status");
    document.body.append(hintsBox);
  }
  return hintsBox;
}

/** Shows a message that goes away by itself. @param {string} text */
export function toast(text) {
  const made = Object.assign(document.createElement("p"), { className: "toast", textContent: text });
  hints().append(made);
  setTimeout(() => made.remove(), TOAST);
}

/** Says that something is lost, or that it is back. @param {object} what @param {boolean} isLost */
export function setLost(what, isLost) {
  if (isLost) lost.add(what);
  else lost.delete(what);
  if (lost.size > 0) {
    lostTimer ??= setTimeout(showLost, UNNOTICED);
    return;
  }
  clearTimeout(lostTimer);
  lostTimer = undefined;
  if (!lostBanner) return;
  lostBanner.remove();
  lostBanner = null;
  toast(backWords());
}

function showLost() {
  if (!lostBanner) {
    lostBanner = Object.assign(document.createElement("p"), { className: "banner look" });
    lostBanner.id = "reconnecting";
    hints().append(lostBanner);
  }
  lostBanner.textContent = navigator.onLine ? t("Reconnecting…") : t("Offline. Reconnecting…");
}

/** Waits; less long if the network comes back or the page is shown again. @param {number} ms @param {AbortSignal} [signal] */
function restFor(ms, signal) {
  return new Promise((done, fail) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      document.removeEventListener("visibilitychange", look);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) fail(signal.reason);
      else done(undefined);
    };
    const look = () => {
      if (!document.hidden) end();
    };
    // Not every page comes back at the same moment.
    const timer = setTimeout(end, ms * (1 + Math.random() / 4));
    addEventListener("online", end);
    document.addEventListener("visibilitychange", look);
    signal?.addEventListener("abort", end);
  });
}

/** Whether a request did not reach the server, or its answer did not come back. @param {any} error */
function isLostRequest(error) {
  return (
    error instanceof TypeError || error?.name === "TimeoutError" || [502, 503, 504].includes(error?.status)
  );
}

/**
 * Does something until the server answers, with growing pauses. What is asked for must be the same
 * asked twice: questions, and acts that say which ply they are meant for.
 * @template T @param {(attempt: AbortSignal) => Promise<T>} act @param {{signal?: AbortSignal, waits?: boolean}} [terms] `waits`: whether too many requests are waited for, too
 * @returns {Promise<T>}
 */
export async function untilAnswered(act, { signal, waits = true } = {}) {
  const request = {};
  try {
    for (let rest = SHORTEST_REST; ; rest = Math.min(LONGEST_REST, rest * 2)) {
      try {
        const limit = AbortSignal.timeout(LOST_AFTER);
        return await act(signal ? AbortSignal.any([signal, limit]) : limit);
      } catch (error) {
        const isTooMany = waits && /** @type {any} */ (error)?.status === 429;
        if (signal?.aborted || !(isTooMany || isLostRequest(error))) throw error;
        if (!isTooMany) setLost(request, true);
        await restFor(rest, signal);
      }
    }
  } finally {
    setLost(request, false);
  }
}

/** The pauses between attempts to reconnect. */
export function streamRests() {
  let rest = SHORTEST_REST;
  return {
    next: () => {
      const now = rest;
      rest = Math.min(LONGEST_REST, rest * 2);
      return now * (1 + Math.random() / 4);
    },
    begin: () => {
      rest = SHORTEST_REST;
    },
  };
}
