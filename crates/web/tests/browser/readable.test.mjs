// Nothing serious or critical for axe-core, on any page, in either colour scheme.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { Place, moveByMouse, said, sizes } from "./place.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** @type {Place} */
let place;
before(async () => { place = await Place.open(); });
after(async () => { await place?.close(); });

async function check(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run());
  const bad = found.violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
  assert.deepEqual(bad.map((violation) => `${name}: ${violation.id} at ${violation.nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).join("; ")}`), []);
}

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
