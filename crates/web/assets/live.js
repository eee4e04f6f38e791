// @ts-check
import { isSite } from "./common.js";
import { setLost, streamRests } from "./connection.js";

/** A stream that shows every 20 s that it is alive is lost when it is silent for so long, in milliseconds. */
const SILENT = 50000;

/**
 * A stream of events that goes on. A browser does that by itself when a stream breaks, but gives up
 * for good when it is refused, as by a proxy whose server is started anew, and waits for minutes on a
 * network that is gone: then a new stream is asked for, which does not know what the old one told.
 * @param {string} address @param {(stream: EventSource, alive: () => void) => void} listen what is done with each stream; `alive` is called with everything that comes
 */
export function lastingStream(address, listen) {
  /** @type {EventSource | null} */ let stream = null;
  const rests = streamRests();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let retry;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let watch;
  let beats = false;
  const anew = () => { drop(); open(); };
  const alive = () => {
    clearTimeout(watch);
    if (beats) watch = setTimeout(anew, SILENT);
  };
  const open = () => {
    clearTimeout(retry);
    if (stream) return;
    const opened = new EventSource(address);
    stream = opened;
    stream.onopen = () => { rests.begin(); setLost(rests, false); alive(); };
    stream.onerror = () => {
      if (stream !== opened) return;
      setLost(rests, true);
      if (opened.readyState !== EventSource.CLOSED) return;
      drop();
      retry = setTimeout(open, rests.next());
    };
    stream.addEventListener("beat", () => { beats = true; alive(); });
    listen(stream, alive);
  };
  const drop = () => { clearTimeout(retry); retry = undefined; clearTimeout(watch); stream?.close(); stream = null; };
  const close = () => { drop(); setLost(rests, false); };
  // A network that is back is no reason to wait for.
  addEventListener("online", () => { if (stream ? stream.readyState !== EventSource.OPEN : retry !== undefined) anew(); });
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
  const stream = lastingStream(`/live?${topics}`, (source, alive) => {
    for (const [kind, act] of Object.entries(on)) {
      source.addEventListener(kind, (event) => { alive(); act(JSON.parse(/** @type {MessageEvent} */ (event).data)); });
    }
  });
  const look = () => (document.hidden ? stream.close() : stream.open());
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", stream.close);
  addEventListener("pageshow", look);
  look();
}
