// @ts-check
import { button, byId, copyBy, element } from "./common.js";
import { seatSign } from "./drawing.js";
import { count, t } from "./language.js";
import { lineItems } from "./lines.js";
import { wasClose } from "./story.js";
import { think } from "./thoughts.js";

/**
 * What is around a game that is looked back at: a headline, and the best moves of the position shown.
 * @typedef {import("./thoughts.js").Line} Line
 */

/** How long one must stay at a position before an engine thinks about it, and how long it thinks, in milliseconds. */
const [PAUSE, EFFORT] = [250, 400];
/** How many lines are shown. */
const LINES = 3;

export class LookBack {
  /** @param {{headline: string, scores: number[], about: string, acts: HTMLElement[], tryOut: (line: Line, move: string) => void}} terms */
  constructor({ headline, scores, about, acts, tryOut }) {
    this.headline = headline;
    this.tryOut = tryOut;
    /** @type {Map<string, import("./thoughts.js").Thought[]>} */ this.known = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = undefined;
    /** @type {AbortController | null} */ this.thought = null;
    this.title = element("h2", {}, headline);
    const share = button(t("Share"), () => {});
    copyBy(share, () => `${location.href.split("#")[0]}#review`);
    const head = byId("review-head");
    head.replaceChildren(
      this.title,
      element("span", { class: "pill good" }, scores.join(" : ")),
      element("span", { class: "soft" }, about),
      element("div", { class: "acts" }, ...acts, share),
    );
    head.hidden = false;
    byId("course").hidden = true;
    byId("best").hidden = false;
  }

  /** What a review says when it is done. @param {import("./review.js").Review} review */
  finish(review) {
    if (wasClose(review)) this.title.textContent = `${this.headline} ${t("It was close.")}`;
  }

  /** Says whose the two sides of the graph are. @param {import("./review.js").Review} review */
  explain({ graph, course }) {
    if (course.names.length !== 2) return;
    const sides = [
      t("above: {name}", { name: course.names[0] }),
      t("below: {name}", { name: course.names[1] }),
    ];
    graph.root.prepend(
      element(
        "figcaption",
        { class: "graph-head" },
        element("b", {}, t("How the lead changed")),
        ...sides.map((side, i) => element("span", { class: "soft note" }, seatSign(i + 1), ` ${side}`)),
      ),
    );
  }

  /** Shows the best moves of a position, if one stays there. @param {() => Promise<Line>} line */
  lookAt(line) {
    clearTimeout(this.timer);
    this.thought?.abort();
    this.timer = setTimeout(() => void this.think(line), PAUSE);
  }

  /** @param {() => Promise<Line>} of */
  async think(of) {
    const thought = new AbortController();
    this.thought = thought;
    try {
      const line = await of();
      const key = line.moves.join(" ");
      const known =
        this.known.get(key) ?? (await think(line, { ms: EFFORT, top: LINES }, thought.signal)).lines ?? [];
      this.known.set(key, known);
      if (!thought.signal.aborted) this.show(line, known);
    } catch {
      // What could not be asked is asked at the next position.
    }
  }

  /** @param {Line} line @param {import("./thoughts.js").Thought[]} lines */
  show(line, lines) {
    byId("best").hidden = lines.length === 0;
    byId("best-lines").replaceChildren(...lineItems(lines, (move) => this.tryOut(line, move)));
    const depth = byId("best-depth");
    depth.hidden = !lines.length;
    depth.textContent = count("{n} move deep", "{n} moves deep", lines[0]?.depth ?? 0);
  }
}
