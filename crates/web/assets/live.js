// @ts-check
/**
 * One stream of events for the page. A page in the background gives its stream up, and gets what it
 * missed when it comes back.
 * @param {string} topics what the page shows, as the address wants it
 * @param {Record<string, (data: any) => void>} on what to do with each kind of event
 */
export function follow(topics, on) {
  /** @type {EventSource | null} */ let stream = null;
  const open = () => {
    if (stream || document.hidden) return;
    stream = new EventSource(`/live?${topics}`);
    for (const [kind, act] of Object.entries(on)) {
      stream.addEventListener(kind, (event) => act(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    }
  };
  const close = () => { stream?.close(); stream = null; };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}
