// @ts-check
import "./sort.js";
import { Stepper } from "./stepper.js";

/** The games of a report that can be stepped through: unpacked when opened. */

/** What was packed. @param {string} text @returns {Promise<any>} */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** A part of a picture with these fields changed. @param {any} before @param {any} change */
function withFields(before, change) {
  if (change === null || typeof change !== "object" || !Object.hasOwn(change, "at"))
    return change ?? undefined;
  const fields = [...before];
  const to = [...change.to];
  change.at.forEach((/** @type {number} */ place, /** @type {number} */ i) => {
    fields[place] = to[i];
  });
  return typeof before === "string" ? fields.join("") : fields;
}

/** Every picture whole: in a report each is what is different from the one before. @param {any} reel @returns {import("./stepper.js").Recorded} */
function spelt(reel) {
  /** @type {any} */ let picture = null;
  const plies = reel.plies.map((/** @type {any} */ ply) => {
    if (picture === null) picture = ply.picture;
    else {
      const next = { ...picture };
      for (const [name, change] of Object.entries(ply.picture))
        next[name] = withFields(picture[name], change);
      picture = next;
    }
    return { ...ply, picture };
  });
  return { ...reel, plies };
}

/** Makes the games of a report ready to be opened. @param {ParentNode} report */
export function openReplays(report) {
  for (const game of /** @type {NodeListOf<HTMLDetailsElement>} */ (
    report.querySelectorAll("details.replay")
  ))
    openReplay(game);
}

/** @param {HTMLDetailsElement} game */
function openReplay(game) {
  let isOpened = false;
  const open = async () => {
    if (isOpened || !game.open) return;
    isOpened = true;
    const stepper = new Stepper(
      game,
      spelt(await unpacked(game.querySelector("script.reel")?.textContent ?? "")),
    );
    game.addEventListener("keydown", (event) => stepper.key(event));
    stepper.look(0);
  };
  game.addEventListener("toggle", open);
  open();
}

openReplays(document);
