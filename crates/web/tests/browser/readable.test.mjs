// No findings of axe-core on any page, in any palette and size, with dialogs and reviews open; nothing is wider
// than its window, and nothing moves while a page loads.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { findings } from "./axe.mjs";
import { Place, begin, moveByMouse, said, sizes, tablet } from "./place.mjs";

/** @type {Place} */
let place;
before(async () => {
  place = await Place.open();
});
after(async () => {
  await place?.close();
});

/** The palettes, each at another size; each at every size with EVERY=1. */
const looks = [
  ["light", "usual", "desktop"],
  ["dark", "usual", "phone"],
  ["light", "clear", "tablet"],
  ...(process.env.EVERY
    ? [
        ["light", "usual", "tablet"],
        ["light", "usual", "phone"],
        ["dark", "usual", "desktop"],
        ["dark", "usual", "tablet"],
        ["light", "clear", "desktop"],
        ["light", "clear", "phone"],
        ["dark", "clear", "desktop"],
        ["dark", "clear", "tablet"],
        ["dark", "clear", "phone"],
      ]
    : []),
];
const paths = [
  "/",
  "/play/penguins",
  "/analysis/gamma",
  "/leagues",
  "/league/cup",
  "/league/cup/games",
  "/league/cup/game/1",
  "/league/cup/entrant/mute",
  "/league/cup/projector",
  "/projector",
  "/learn",
  "/learn/penguins",
  "/learn/gamma?step=5",
  "/learn/flood",
  "/learn/flood/first",
  "/learn/gamma/program",
  "/puzzles/penguins",
  "/puzzles/flood",
  "/records",
  "/about",
  "/my",
  "/nothing",
];

for (const [colorScheme, palette, size] of looks) {
  test(`every page can be read by all (${colorScheme}, ${palette}, ${size})`, async () => {
    // The policy of the pages refuses scripts from elsewhere, such as this checker.
    const page = await place.visitor({ ...sizes, tablet }[size], { colorScheme, bypassCSP: true });
    await page.addInitScript((palette) => localStorage.setItem("palette", palette), palette);
    await page.addInitScript(() => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    const found = [];
    const check = async (name) => found.push(...(await findings(page, name)));
    for (const path of paths) {
      await page.goto(path);
      if (path.startsWith("/analysis")) await page.locator("#lines li").first().waitFor();
      if (/^\/(learn|puzzles)\/(?!.*program)/.test(path))
        await page.waitForFunction(() => document.querySelector("#board")?.picks?.length > 0);
      const shift = await page.evaluate(() => window.shift);
      if (shift > 0.02) found.push(`${path}: what is seen moves by ${shift.toFixed(3)} while it loads`);
      await check(path);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) found.push(`${path} is ${over} px wider than the window`);
    }
    for (const game of ["penguins", "gamma", "flood"]) {
      await begin(page, game, { size: "6x6" });
      await said(page, /^Your turn/);
      await moveByMouse(page);
      await said(page, /^Your turn/);
      await check(`game of ${game}`);
    }
    await page.locator("#acts").getByRole("button", { name: "More" }).click();
    await page.locator("dialog[open]").getByRole("heading", { name: "Copy the position as" }).waitFor();
    await check("More");
    await page.keyboard.press("Escape");
    await page.locator("#acts").getByRole("button", { name: "Resign" }).click();
    await page.locator("dialog[open] button.danger").waitFor();
    await check("a question");
    await page.locator("dialog[open] button.danger").click();
    await page.locator("#look-back").click();
    await page.locator("#review .graph, #review svg").first().waitFor();
    await check("a review");
    assert.deepEqual(found, []);
    await page.context().close();
  });
}

/** How well every mark of the board that is shown is seen on every kind of field. */
async function markContrasts() {
  const { colours } = await import("/assets/colours.js");
  const board = document.querySelector("floe-board");
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const luminance = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const { sea, ground, free, side, ice, hues, freeHues, areas } = colours();
  const fields = Object.entries({ sea, ground, free, side, ice, hues, freeHues, areas }).flatMap(
    ([name, tones]) => [tones].flat().map((tone, i) => [`${name} ${i}`, tone]),
  );
  const marks = new Map(
    [...board.marks.querySelectorAll(".mark")].map((mark) => {
      const shown = [...mark.children]
        .map((shape) => getComputedStyle(shape))
        .flatMap((style) => [style.fill, style.stroke])
        .filter((colour) => colour !== "none");
      return [
        `${mark.getAttribute("class")} ${mark.lastElementChild.getAttribute("class")}`,
        shown.map(luminance),
      ];
    }),
  );
  const bad = [];
  for (const [mark, tones] of marks) {
    for (const [field, tone] of fields) {
      const best = Math.max(...tones.map((one) => contrast(one, luminance(tone))));
      if (best < 3) bad.push(`${mark} on ${field}: ${best.toFixed(2)}`);
    }
  }
  return { marks: [...marks.keys()].sort(), bad, count: fields.length };
}

for (const colorScheme of ["light", "dark"]) {
  test(`every mark is seen on every field (${colorScheme})`, async () => {
    const page = await place.visitor(sizes.desktop, { colorScheme });
    await page.goto("/analysis/penguins");
    await page.locator("#lines li").first().waitFor();
    for (const palette of ["usual", "clear"]) {
      await page.selectOption(".foot select", palette);
      await page.locator("floe-board [tabindex]").focus();
      // All marks at once, as no game has them.
      await page.evaluate(() => {
        const board = document.querySelector("floe-board");
        board.last = { move: "", from: 0, to: 2, gain: 0 };
        board.picks = [{ move: "", from: 5, to: 6, gain: 0 }];
        board.held = 5;
        board.gains = [7];
        board.hint({ move: "", from: 8, to: 9, gain: 0 });
      });
      const { marks, bad, count } = await page.evaluate(markContrasts);
      assert.ok(count > 30);
      assert.deepEqual(marks, [
        "mark mark-cursor tone",
        "mark mark-gain tone",
        "mark mark-held tone",
        "mark mark-hint dot",
        "mark mark-hint tone",
        "mark mark-last dot",
        "mark mark-last tone",
        "mark mark-target dot",
      ]);
      assert.deepEqual(bad, [], palette);
    }
    await page.context().close();
  });
}
