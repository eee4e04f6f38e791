// Nothing serious or critical for axe-core, on any page, in either colour scheme.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { check } from "./axe.mjs";
import { Place, moveByMouse, said, sizes } from "./place.mjs";

/** @type {Place} */
let place;
before(async () => { place = await Place.open(); });
after(async () => { await place?.close(); });

for (const colorScheme of ["light", "dark"]) {
  test(`every page can be read by everybody (${colorScheme})`, async () => {
    // The policy of the pages refuses scripts from elsewhere, such as this checker.
    const page = await place.visitor(sizes.desktop, { colorScheme, bypassCSP: true });
    const paths = ["/", "/play/penguins", "/analysis/gamma", "/leagues", "/league/cup", "/league/cup/games", "/league/cup/game/1", "/league/cup/entrant/mute", "/league/cup/projector", "/projector", "/learn", "/learn/flood", "/about", "/my", "/nothing"];
    for (const path of paths) {
      await page.goto(path);
      if (path.startsWith("/analysis")) await page.locator("#lines li").first().waitFor();
      await check(page, path);
    }
    for (const game of ["penguins", "gamma", "flood"]) {
      await page.goto(`/play/${game}`);
      await page.getByRole("button", { name: "Play" }).click();
      await said(page, /^Your turn/);
      await moveByMouse(page);
      await said(page, /^Your turn/);
      await check(page, `game of ${game}`);
    }
    await page.context().close();
  });
}

/** How well every mark of the board that is shown is seen on every kind of field. */
function markContrasts() {
  const board = document.querySelector("floe-board");
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const luminance = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const drawn = (kind) => {
    const field = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    field.setAttribute("class", kind);
    board.root.append(field);
    const colour = getComputedStyle(field).fill;
    field.remove();
    return luminance(colour);
  };
  const hues = [..."ABCDEFGHIJ"];
  const seats = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const fields = ["sea", "paper", "free", "edge", "level l1", "level l2", "level l3", ...hues.flatMap((hue) => [`hue h${hue}`, `area filled o1 h${hue}`]), ...seats.map((seat) => `area o${seat}`)];
  const marks = new Map([...board.marks.querySelectorAll(".mark")].map((mark) => {
    const shown = [...mark.children].map((shape) => getComputedStyle(shape)).flatMap((style) => [style.fill, style.stroke]).filter((colour) => colour !== "none");
    return [`${mark.getAttribute("class")} ${mark.lastElementChild.getAttribute("class")}`, shown.map(luminance)];
  }));
  const bad = [];
  for (const [mark, tones] of marks) {
    for (const field of fields) {
      const best = Math.max(...tones.map((tone) => contrast(tone, drawn(field))));
      if (best < 3) bad.push(`${mark} on ${field}: ${best.toFixed(2)}`);
    }
  }
  return { marks: [...marks.keys()].sort(), bad };
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
      const { marks, bad } = await page.evaluate(markContrasts);
      assert.deepEqual(marks, ["mark mark-cursor tone", "mark mark-gain tone", "mark mark-held tone", "mark mark-hint dot", "mark mark-hint tone", "mark mark-last dot", "mark mark-last tone", "mark mark-target dot"]);
      assert.deepEqual(bad, [], palette);
    }
    await page.context().close();
  });
}
