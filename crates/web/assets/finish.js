// @ts-check
import { SIGNS, seatColour, svg } from "./drawing.js";

/** Where paper falls, how it is turned, and in which of the colours. */
const PAPER = [
  [84, 34, 40, "bright"],
  [112, 30, -15, "1"],
  [140, 42, 55, "3"],
  [66, 84, 0, "1"],
  [116, 82, 60, "bright"],
  [250, 44, -50, "3"],
  [266, 28, 20, "1"],
  [306, 36, -40, "bright"],
  [280, 80, 60, "bright"],
  [318, 80, 0, "1"],
];

/**
 * The winner on a floe, with a crown, under falling paper.
 * @param {import("./board.js").Emblem | null} emblem of the game's pieces; a player's sign where it has none @param {number} seat
 */
export function celebration(emblem, seat) {
  const box = svg("svg", { viewBox: "0 0 390 146", class: "celebration", "aria-hidden": "true" });
  const colour = `o${seatColour(seat)}`;
  for (const [x, y, turn, ink] of PAPER) {
    const piece = svg("rect", {
      class: ink === "bright" ? "paper ink-bright" : `paper o${ink} ink-owner`,
      width: 16,
      height: 5,
      rx: 2,
      transform: `translate(${x} ${y}) rotate(${turn})`,
    });
    box.append(piece);
  }
  for (const [x, y, size] of [
    [158, 24, 1],
    [234, 22, 0.75],
  ])
    box.append(
      svg("path", {
        class: "ink-bright paper",
        d: SIGNS[5],
        transform: `translate(${x} ${y}) scale(${1.7 * size})`,
      }),
    );
  box.append(svg("path", { class: "floe-top", d: "M120 146l36-24 44-8 46 6 34 26z" }));
  const hero = svg("g", { class: `hero-piece ${colour}`, transform: "translate(155 30) scale(3.5)" });
  for (const shape of emblem?.drawing ?? [])
    hero.append(svg("path", { d: shape.path, class: `ink-${shape.ink}` }));
  if (!emblem) {
    hero.append(svg("circle", { class: "ink-owner", cx: 12, cy: 13.5, r: 10.5 }));
    hero.append(
      svg("path", {
        class: "ink-light",
        d: SIGNS[(seat - 1) % SIGNS.length],
        transform: "translate(12 13.5)",
      }),
    );
  }
  const crown = svg("g", { transform: "translate(181 14)" });
  crown.append(svg("path", { class: "crown", d: "M1 22V6l7 6 6-11 6 11 7-6v16z" }));
  box.append(hero, crown);
  return box;
}
