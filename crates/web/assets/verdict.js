// @ts-check
// Shows the events of a version as they happen, and the page with its verdict at the end.
import "./common.js";
import { lastingStream } from "./live.js";

const log = document.getElementById("log");
const status = document.getElementById("verdict");
const events = log?.dataset.events;
if (log && events) {
  /** Events shown: a new stream sends them again. */
  let shown = 0;
  const stream = lastingStream(events, (source) => {
    source.addEventListener("queue", (message) => {
      if (status) status.textContent = `${JSON.parse(message.data).text}.`;
    });
    source.onmessage = (message) => {
      const number = Number(message.lastEventId);
      if (number <= shown) return;
      shown = number;
      const { what, text } = JSON.parse(message.data);
      if (what === "verdict") {
        stream.close();
        location.reload();
      } else {
        if (status) status.textContent = "It is being judged; what happens appears below.";
        log.append(`${text}\n`);
      }
    };
  });
  stream.open();
}
