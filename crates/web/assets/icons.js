// @ts-check
import { svg } from "./drawing.js";

/** Signs on buttons, as strokes in a box of 24. */
const ICONS = /** @type {const} */ ({
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2.1h5c0-.9.4-1.6 1-2.1A6 6 0 0 0 12 3z",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
  flag: "M6 21V4M6 4h11l-2.5 4 2.5 4H6",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM9.2 12a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  share: "M12 15V4M8 8l4-4 4 4M5 13v6h14v-6",
  first: "M18 5l-7 7 7 7M7 5v14",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  last: "M6 5l7 7-7 7M17 5v14",
  refresh: "M20 11a8 8 0 0 0-14.5-3.5L4 9M4 4v5h5M4 13a8 8 0 0 0 14.5 3.5L20 15M20 20v-5h-5",
  plus: "M12 5v14M5 12h14",
  pencil: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  chart: "M4 19V5M4 19h16M7 15l4-5 3 3 5-7",
});

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  const box = svg("svg", { class: "ic", viewBox: "0 0 24 24", "aria-hidden": "true" });
  box.append(svg("path", { d: ICONS[name] }));
  return box;
}
