// @ts-check
import { element } from "./common.js";

/** Tables that can be sorted by a click on a heading. */
for (const table of document.querySelectorAll("table.sortable")) {
  const body = /** @type {HTMLTableSectionElement} */ (table.querySelector("tbody"));
  [...table.querySelectorAll("thead th")].forEach((heading, column) => {
    const text = heading.textContent ?? "";
    const sorter = element("button", { type: "button" }, text);
    let isUp = false;
    sorter.onclick = () => {
      isUp = !isUp;
      const value = (/** @type {HTMLTableRowElement} */ row) => row.cells[column].textContent?.trim() ?? "";
      const number = (/** @type {string} */ one) => Number.parseFloat(one.replace("−", "-"));
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        const [m, n] = [number(x), number(y)];
        const order = Number.isNaN(m) || Number.isNaN(n) ? x.localeCompare(y) : m - n;
        return isUp ? order : -order;
      });
      body.append(...rows);
      for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", isUp ? "ascending" : "descending");
    };
    heading.replaceChildren(sorter);
  });
}
