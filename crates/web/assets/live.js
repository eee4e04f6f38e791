// @ts-check
/** How long to wait before a stream that was refused is asked for again, at first and at most. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1000, 30000];

/**
 * One stream of events for the page. A page in the background gives its stream up, and gets what it
 * missed when it comes back: the newest state has all moves in it.
 * @param {string} topics what the page shows, as the address wants it
 * @param {Record<string, (data: any) => void>} on what to do with each kind of event
 */
export function follow(topics, on) {
  /** @type {EventSource | null} */ let stream = null;
  let pause = FIRST_PAUSE;
  /** @type {number | undefined} */ let retry;
  const open = () => {
    clearTimeout(retry);
    if (stream || document.hidden) return;
    stream = new EventSource(`/live?${topics}`);
    stream.onopen = () => { pause = FIRST_PAUSE; };
    stream.onerror = failed;
    for (const [kind, act] of Object.entries(on)) {
      stream.addEventListener(kind, (event) => act(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    }
  };
  const close = () => { clearTimeout(retry); stream?.close(); stream = null; };
  // A browser goes on by itself when a stream breaks, but gives up for good when it is refused, as
  // by a proxy whose server is started anew.
  const failed = () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    close();
    // Not everybody comes back at the same moment.
    retry = setTimeout(open, pause * (1 + Math.random() / 4));
    pause = Math.min(LONGEST_PAUSE, pause * 2);
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}
