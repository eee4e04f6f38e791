// @ts-check
import { button, byId, element } from "./common.js";
import { seatColour } from "./drawing.js";
import { drawnGraph } from "./graph.js";
import { t } from "./language.js";
import { aheadWords, think } from "./thoughts.js";

/**
 * Shows who is ahead on request: once asked for, it follows moves, looking back and the end.
 * @typedef {import("./graph.js").Worth} Worth
 * @typedef {{line: () => Promise<import("./thoughts.js").Line>, length: number, isAskable: boolean, result: Worth | null}} Shown
 *   the position that is shown: the moves that lead there, how many, whether an engine can be asked about it, and what the game came to if it is over
 */

/** How long an engine thinks about one position, in milliseconds. */
const EFFORT = 250;

export class Lead {
  /** @param {() => string[]} names of the seats */
  constructor(names) {
    this.names = names;
    this.isOn = localStorage.getItem("lead") === "on";
    /** What is known, by the moves that lead there. @type {Map<string, Worth>} */ this.known = new Map();
    /** By how many moves lead there: the line the game is on. @type {(Worth | null)[]} */ this.line = [];
    /** @type {AbortController | null} */ this.thought = null;
    /** @type {Shown | null} */ this.shown = null;
    this.text = element("output", { class: "soft" });
    this.bar = element("div", { class: "leadbar", "aria-hidden": "true" });
    this.figure = element("div");
    this.toggle = button("", () => this.set(!this.isOn), "two");
    this.root = byId("lead");
    this.root.replaceChildren(
      element("div", { class: "lead-head" }, element("span", {}, t("Who is ahead?")), this.text, this.toggle),
      this.bar,
      this.figure,
    );
    this.root.hidden = false;
    this.label();
  }

  label() {
    this.toggle.textContent = this.isOn ? t("Hide") : t("Show");
    this.toggle.setAttribute("aria-label", this.isOn ? t("Hide who is ahead") : t("Show who is ahead"));
    this.bar.hidden = this.figure.hidden = !this.isOn;
  }

  /** @param {boolean} isOn */
  set(isOn) {
    this.isOn = isOn;
    localStorage.setItem("lead", isOn ? "on" : "off");
    // What was asked for is announced; what follows from then on is only shown.
    this.text.setAttribute("aria-live", isOn ? "polite" : "off");
    this.label();
    if (isOn) this.draw();
    else {
      this.thought?.abort();
      this.text.textContent = "";
    }
  }

  /** Follows the game. @param {Shown} shown */
  follow(shown) {
    this.shown = shown;
    if (this.isOn) this.draw();
  }

  async draw() {
    const shown = this.shown;
    if (!shown) return;
    this.thought?.abort();
    const thought = new AbortController();
    this.thought = thought;
    if (shown.result) {
      this.show(shown.length, shown.result);
      return;
    }
    if (!shown.isAskable) {
      this.show(shown.length, null, t("not judged after a player is out"));
      return;
    }
    try {
      const line = await shown.line();
      const key = line.moves.join(" ");
      let worth = this.known.get(key);
      if (!worth) {
        this.text.textContent = t("thinking…");
        const answer = await think(line, { ms: EFFORT }, thought.signal);
        worth = answer.is_over
          ? { scores: answer.scores ?? [], shares: answer.shares ?? [] }
          : answer.lines[0];
        this.known.set(key, worth);
      }
      if (!thought.signal.aborted) this.show(shown.length, worth);
    } catch (error) {
      if (!thought.signal.aborted) this.show(shown.length, null, /** @type {Error} */ (error).message);
    }
  }

  /** @param {number} length @param {Worth | null} worth @param {string} [words] */
  show(length, worth, words) {
    this.text.textContent = worth ? aheadWords(worth, this.names()) : (words ?? "");
    this.bar.replaceChildren(
      ...(worth?.shares ?? []).map((share, i) => {
        const part = element("i", { class: `o${seatColour(i + 1)}` });
        part.style.flexGrow = share.toFixed(3);
        return part;
      }),
    );
    this.root.dataset.length = String(length);
    this.line[length] = worth;
    const known = Array.from(this.line, (one) => one ?? null);
    this.figure.replaceChildren(
      ...(known.filter(Boolean).length > 1
        ? [
            drawnGraph(
              known.map((one) => ({ move: "", worth: one })),
              length,
            ),
          ]
        : []),
    );
  }

  /** The game continues from here: what was known of later positions is of another line. @param {number} length */
  cut(length) {
    this.line.length = Math.min(this.line.length, length + 1);
  }
}
