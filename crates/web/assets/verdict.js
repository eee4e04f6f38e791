// @ts-check
// Shows what comes of a version as it happens, and the page with its verdict at the end.
import "./common.js";

const log = document.getElementById("log");
const events = log?.dataset.events;
if (log && events) {
  const source = new EventSource(events);
  source.onmessage = (message) => {
    const { what, text } = JSON.parse(message.data);
    if (what === "verdict") {
      source.close();
      location.reload();
    } else {
      log.append(`${text}\n`);
    }
  };
}
