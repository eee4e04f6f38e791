// @ts-check
import { button, element } from "./common.js";
import { t } from "./language.js";
import { moveText } from "./panel.js";

/** How many moves of a line are shown. */
const SHOWN = 6;

/**
 * The best lines of a position as a list's items: what each leads by, and its moves.
 * @param {import("./thoughts.js").Thought[]} lines @param {(move: string) => void} make
 */
export function lineItems(lines, make) {
  return lines.map((thought) => {
    const one = button("", () => make(thought.move));
    const moves = thought.line.length ? thought.line.slice(0, SHOWN) : [thought.move];
    one.append(
      element("b", {}, `${thought.lead >= 0 ? "+" : "−"}${Math.abs(thought.lead)}`),
      element("span", {}, moves.map(moveText).join(" ")),
      ...(thought.proven ? [element("span", { class: "proven" }, t("proven"))] : []),
    );
    one.title = t("depth {depth}, {n} positions", { depth: thought.depth, n: thought.nodes });
    return element("li", {}, one);
  });
}
