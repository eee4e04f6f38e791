// @ts-check
// Shows what comes of a version as it happens, and the page with its verdict at the end.
import "./common.js";
import { lastingStream } from "./live.js";

const log = document.getElementById("log");
const events = log?.dataset.events;
if (log && events) {
  /** How much is shown: a stream that begins anew tells it again. */
  let shown = 0;
  const stream = lastingStream(events, (source) => {
    source.onmessage = (message) => {
      const number = Number(message.lastEventId);
      if (number <= shown) return;
      shown = number;
      const { what, text } = JSON.parse(message.data);
      if (what === "verdict") {
        stream.close();
        location.reload();
      } else {
        log.append(`${text}\n`);
      }
    };
  });
  stream.open();
}
