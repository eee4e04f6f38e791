// @ts-check
import { isSite } from "./common.js";

/** How long to wait before a stream that was refused is asked for again, at first and at most. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1000, 30000];

/**
 * A stream of events that goes on. A browser does that by itself when a stream breaks, but gives up
 * for good when it is refused, as by a proxy whose server is started anew: then a new stream is asked
 * for, which does not know what the old one told.
 * @param {string} address @param {(stream: EventSource) => void} listen what is done with each stream
 */
export function lastingStream(address, listen) {
  /** @type {EventSource | null} */ let stream = null;
  let pause = FIRST_PAUSE;
  /** @type {number | undefined} */ let retry;
  const open = () => {
    clearTimeout(retry);
    if (stream) return;
    stream = new EventSource(address);
    stream.onopen = () => { pause = FIRST_PAUSE; };
    stream.onerror = failed;
    listen(stream);
  };
  const close = () => { clearTimeout(retry); stream?.close(); stream = null; };
  const failed = () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    close();
    // Not everybody comes back at the same moment.
    retry = setTimeout(open, pause * (1 + Math.random() / 4));
    pause = Math.min(LONGEST_PAUSE, pause * 2);
  };
  return { open, close };
}

/**
 * One stream of events for the page. A page in the background gives its stream up, and gets what it
 * missed when it comes back: the newest state has all moves in it.
 * @param {string} topics what the page shows, as the address wants it
 * @param {Record<string, (data: any) => void>} on what to do with each kind of event
 */
export function follow(topics, on) {
  if (isSite) { void import("./local.js").then((local) => local.follow(on)); return; }
  const stream = lastingStream(`/live?${topics}`, (source) => {
    for (const [kind, act] of Object.entries(on)) {
      source.addEventListener(kind, (event) => act(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    }
  });
  const look = () => (document.hidden ? stream.close() : stream.open());
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", stream.close);
  addEventListener("pageshow", look);
  look();
}
