// @ts-check
import { button, element } from "./common.js";
import { t } from "./language.js";
import { moveText } from "./panel.js";

/**
 * Moves that were tried, as a list: the main line, and below a move those that were tried instead.
 * @typedef {import("./tree.js").MoveNode} MoveNode
 * @param {HTMLElement} into @param {import("./tree.js").MoveTree} tree @param {(node: MoveNode) => string} sign what stands behind a move @param {(node: MoveNode) => void} look
 */
export function showTree(into, tree, sign, look) {
  const hadFocus = into.contains(document.activeElement) && document.activeElement !== into;
  /** @type {HTMLElement | null} */ let current = null;
  const one = (/** @type {MoveNode} */ node, /** @type {number} */ ply) => {
    const made = button(moveText(node.move) + sign(node), () => look(node), sign(node) ? "slip" : "");
    if (node === tree.at) {
      made.setAttribute("aria-current", "true");
      current = made;
    }
    return element("li", {}, element("span", { class: "ply" }, String(ply)), made);
  };
  /** A line that begins with this one. @type {(first: MoveNode | undefined, ply: number) => HTMLElement[]} */
  const line = (first, ply) => {
    const items = [];
    for (let node = first; node; node = node.children[0], ply++) {
      const item = one(node, ply);
      const from = /** @type {MoveNode} */ (node.parent);
      // Alternatives stand below the move of the main line.
      if (node === from.children[0])
        item.append(
          ...from.children
            .slice(1)
            .map((other) =>
              element(
                "ol",
                { class: "branch", "aria-label": t("Instead of {move}", { move: node.move }) },
                ...line(other, ply),
              ),
            ),
        );
      items.push(item);
    }
    return items;
  };
  into.replaceChildren(...line(tree.start.children[0], 1));
  const shown = /** @type {HTMLElement | null} */ (current);
  if (!shown) {
    into.scrollTop = 0;
    return;
  }
  if (hadFocus) shown.focus({ preventScroll: true });
  const [box, place] = [into.getBoundingClientRect(), shown.getBoundingClientRect()];
  if (place.top < box.top || place.bottom > box.bottom)
    into.scrollTop += place.top - box.top - into.clientHeight / 2;
}
