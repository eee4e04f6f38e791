// How soon a thought starts on a page that comes from the cache, in a real browser:
//
//     FLOE=target/release/floe node crates/web/tests/browser/start.mjs [FOLDER OF THE MODULE]
//
// after `npm --prefix crates/web/tests/browser ci` and `crates/browser/build`. A page is opened anew each
// time; from its load event on, the module is fetched from the service worker's cache, compiled, given to
// workers, asked for its games and then for a thought of one position, whose answer ends the time.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { host } from "./host.mjs";
import { run } from "./place.mjs";

const TIMES = 15;
const module = process.argv[2] ?? fileURLToPath(new URL("../../module", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "floe-start-"));
const out = join(folder, "public");
const median = (/** @type {number[]} */ times) => times.sort((a, b) => a - b)[times.length >> 1];

await run(["site", out, "--module", module], folder);
const { base, stop } = await host(out);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox"],
});
try {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    addEventListener("load", () => {
      window.loaded = performance.now();
    });
  });
  await page.goto(base);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const times = [];
  for (let time = 0; time < TIMES; time++) {
    // A page without a script that loads the module itself.
    await page.goto(`${base}records.html`);
    times.push(
      await page.evaluate(async (base) => {
        const { Floe } = await import(`${base}assets/floe.js`);
        const floe = await Floe.load();
        const [{ name: game }] = await floe.games();
        await floe.think({ game }, { engine: "floe:nodes=1" });
        const took = performance.now() - window.loaded;
        floe.close();
        return took;
      }, base),
    );
  }
  console.log(
    `from a page's load to the answer of a thought of one position: median ${median(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms; at most 100 ms are wanted`,
  );
} finally {
  await browser.close();
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
