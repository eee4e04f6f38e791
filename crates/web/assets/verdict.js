// @ts-check
// Shows the build and the checks of a version as they run, then its verdict; draws the boards of
// faults.
import { FloeBoard } from "./board.js";
import "./common.js";
import { lastingStream } from "./live.js";

for (const board of /** @type {NodeListOf<FloeBoard>} */ (document.querySelectorAll(".cause-board"))) {
  const { picture, marked } = JSON.parse(board.nextElementSibling?.textContent ?? "{}");
  if (!picture) continue;
  board.show(picture);
  board.preview(marked);
}

/** How near to its end a log is followed, in pixels. */
const NEAR = 30;
const log = document.getElementById("log");
const status = document.getElementById("verdict");
const events = log?.dataset.events;
if (log && events) {
  /** Number of events shown: a stream that starts again repeats them. */
  let shown = 0;
  const sign = document.querySelector(".run-step .ico");
  const stream = lastingStream(
    () => events,
    (source) => {
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
          if (sign) {
            sign.className = "ico turning";
            sign.textContent = "";
          }
          const isAtEnd = log.scrollTop + log.clientHeight + NEAR >= log.scrollHeight;
          log.append(`${text}\n`);
          // A reader who has scrolled back stays there.
          if (isAtEnd) log.scrollTop = log.scrollHeight;
        }
      };
    },
  );
  stream.open();
}
