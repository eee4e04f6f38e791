// @ts-check
import { element } from "./common.js";

/** Tables that can be sorted by a click on a heading. */
const sortables = /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("table.sortable"));
for (const table of sortables) {
  for (const heading of table.querySelectorAll("thead th:not(.none)")) {
    const sorter = element("button", { type: "button" }, heading.textContent ?? "");
    sorter.onclick = () => {
      const isUp = heading.getAttribute("aria-sort") !== "ascending";
      for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      sortAsChosen(table);
    };
    heading.replaceChildren(sorter);
  }
}

/** Sorts a table by the heading that was chosen, if one was: its rows may be new ones. @param {HTMLTableElement} table */
export function sortAsChosen(table) {
  const headings = [...table.querySelectorAll("thead th")];
  const column = headings.findIndex((heading) => heading.hasAttribute("aria-sort"));
  const body = table.tBodies[0];
  if (column < 0 || !body) return;
  const isUp = headings[column].getAttribute("aria-sort") === "ascending";
  const value = (/** @type {HTMLTableRowElement} */ row) => row.cells[column]?.textContent?.trim() ?? "";
  const number = (/** @type {string} */ one) => Number.parseFloat(one.replace("−", "-"));
  body.append(
    ...[...body.rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      const [m, n] = [number(x), number(y)];
      const order = Number.isNaN(m) || Number.isNaN(n) ? x.localeCompare(y) : m - n;
      return isUp ? order : -order;
    }),
  );
}
