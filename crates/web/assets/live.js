// @ts-check
import { updated } from "./changes.js";
import { isSite } from "./common.js";
import { setLost, streamRests } from "./connection.js";

/** A stream that shows every 20 s that it is alive is lost when it is silent for so long, in milliseconds. */
const SILENT = 50000;
/** A stream that is not answered for so long is lost, in milliseconds: a browser would wait for ever. */
const UNANSWERED = 15000;

/**
 * A stream of events that lasts. A browser does that by itself when a stream breaks, but gives up
 * for good when it is refused, as by a proxy whose server is started again, and waits for minutes on a
 * network that is gone: then a new stream is asked for.
 * @param {() => string} address @param {(stream: EventSource, alive: () => void) => void} listen what is done with each stream; `alive` is called with everything that comes
 */
export function lastingStream(address, listen) {
  /** @type {EventSource | null} */ let stream = null;
  const rests = streamRests();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let retry;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let watch;
  let beats = false;
  const reopen = () => {
    drop();
    open();
  };
  const alive = () => {
    clearTimeout(watch);
    if (beats) watch = setTimeout(reopen, SILENT);
  };
  const open = () => {
    clearTimeout(retry);
    if (stream) return;
    const opened = new EventSource(address());
    stream = opened;
    watch = setTimeout(() => {
      setLost(rests, true);
      reopen();
    }, UNANSWERED);
    stream.onopen = () => {
      rests.begin();
      setLost(rests, false);
      alive();
    };
    stream.onerror = () => {
      if (stream !== opened) return;
      setLost(rests, true);
      if (opened.readyState !== EventSource.CLOSED) return;
      drop();
      retry = setTimeout(open, rests.next());
    };
    stream.addEventListener("beat", () => {
      beats = true;
      alive();
    });
    listen(stream, alive);
  };
  const drop = () => {
    clearTimeout(retry);
    retry = undefined;
    clearTimeout(watch);
    stream?.close();
    stream = null;
  };
  const close = () => {
    drop();
    setLost(rests, false);
  };
  // A network that is back is no reason to wait for.
  addEventListener("online", () => {
    if (stream ? stream.readyState !== EventSource.OPEN : retry !== undefined) reopen();
  });
  return { open, close, reopen };
}

/**
 * One stream of events for the page. A page in the background gives its stream up, and gets what it
 * missed when it comes back.
 * @param {() => string} topics what the page shows and how far it is, as the address wants it
 * @param {Record<string, (data: any) => void>} on what to do with each kind of event
 * @returns {() => void} asks for a new stream
 */
export function follow(topics, on) {
  if (isSite) {
    void import("./local.js").then((local) => local.follow(on));
    return () => {};
  }
  const stream = lastingStream(
    () => `/live?${topics()}`,
    (source, alive) => {
      for (const [kind, act] of Object.entries(on)) {
        source.addEventListener(kind, (event) => {
          alive();
          act(JSON.parse(/** @type {MessageEvent} */ (event).data));
        });
      }
    },
  );
  const look = () => (document.hidden ? stream.close() : stream.open());
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", stream.close);
  addEventListener("pageshow", look);
  look();
  return stream.reopen;
}

/**
 * The same for pages that show games as they are now: changes are put together here.
 * @param {string} topics @param {Record<string, (data: any) => void>} on `state` gets every new state, whole, with its `game`
 * @param {[string, import("./game.js").State][]} [known] states that the page has, by game
 */
export function followStates(topics, on, known = []) {
  const states = new Map(known);
  const take = (/** @type {{game: string} & import("./changes.js").Sent} */ sent) => {
    const { game } = sent;
    const state = updated(states.get(game), sent);
    if (state) {
      states.set(game, state);
      on.state({ game, state });
    } else {
      // Something is missing: the game is joined again.
      states.delete(game);
      reopen();
    }
  };
  const seen = () => [...states].map(([game, { version }]) => `${game}-${version}`).join(".");
  const reopen = follow(() => (states.size ? `${topics}&seen=${seen()}` : topics), {
    ...on,
    state: take,
    change: take,
    tables: (event) => {
      const ids = new Set(event.tables.map((/** @type {{id: string}} */ table) => table.id));
      for (const game of states.keys()) if (!ids.has(game)) states.delete(game);
      on.tables?.(event);
    },
  });
}
