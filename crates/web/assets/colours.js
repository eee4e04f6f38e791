// @ts-check
/** The colours of boards: the tokens of the style sheet, as the palette of now has them. */

const LETTERS = "ABCDEFGHIJ";

/** @typedef {ReturnType<typeof readColours>} Colours */
/** @type {Colours | null} */
let known = null;
/** Redrawn when colours change. @type {Set<() => void>} */
const painted = new Set();

/** The parts of `#rrggbb`. @param {string} colour @returns {number[]} */
function partsOf(colour) {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** As `color-mix(in srgb, …)` mixes. @param {string} one @param {string} other @param {number} share of the first */
function mixed(one, other, share) {
  const [a, b] = [partsOf(one), partsOf(other)];
  return `#${a
    .map((part, i) =>
      Math.round(part * share + b[i] * (1 - share))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

/** Reads all tokens boards are drawn with. */
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const token = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const hues = [...LETTERS].map((_, i) => token(`h${i + 1}`));
  const owners = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((seat) => token(`p${seat}`));
  const share = Number.parseFloat(token("free-hue")) / 100;
  // A short form has three digits.
  const card = token("card").replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
  return {
    sea: token("sea"),
    ripple: token("ripple"),
    ice: [token("ice1"), token("ice2"), token("ice3")],
    side: token("side"),
    ground: token("ground"),
    free: token("free"),
    freeLine: token("free-line"),
    glyph: token("glyph"),
    sign: token("sign"),
    soft: token("soft"),
    ink: token("ink"),
    card,
    cursor: token("cursor"),
    inks: /** @type {Record<string, string>} */ ({
      thing: token("thing"),
      light: token("light"),
      dark: token("dark"),
      bright: token("bright"),
    }),
    hues,
    owners,
    freeHues: hues.map((hue) => mixed(hue, token("free-base"), share)),
    areas: owners.map((owner) => mixed(owner, card, 0.8)),
  };
}

/** The colours of now. */
export function colours() {
  known ??= readColours();
  return known;
}

/** Which of the hues a shade is; -1 for none. @param {string} shade */
export function hueOf(shade) {
  return LETTERS.indexOf(shade);
}

/** Draws again whenever colours change. @param {() => void} draw */
export function repaintOnChange(draw) {
  painted.add(draw);
}

/** Draws no more. @param {() => void} draw */
export function stopRepainting(draw) {
  painted.delete(draw);
}

function recolour() {
  known = null;
  for (const draw of painted) draw();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
new MutationObserver(recolour).observe(document.documentElement, {
  attributes: true,
  attributeFilter: ["data-palette", "data-look"],
});
