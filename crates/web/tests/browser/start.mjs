// How soon a thought starts on a page that comes from the cache, in a real browser, and in which parts:
//
//     FLOE=target/release/floe node crates/web/tests/browser/start.mjs [FOLDER OF THE MODULE]
//
// after `npm --prefix crates/web/tests/browser ci` and `crates/browser/build`. All files come from the service
// worker's cache. Each page is opened anew each time, and times count from its load event.
//
// First the analysis page, which has an engine think about its position: when its script asks, which is when
// the thought starts if a worker is ready, and when the answer is there, which the page lets think for 150 ms.
// Then a page without a script that loads the module itself, step by step from the load event on.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { host } from "./host.mjs";
import { run } from "./place.mjs";

const TIMES = Number(process.env.TIMES ?? 15);
const module = process.argv[2] ?? fileURLToPath(new URL("../../module", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "floe-start-"));
const out = join(folder, "public");

/** A line with the median and the worst of some times, in milliseconds. */
function row(what, times, wanted = "") {
  const sorted = times.toSorted((a, b) => a - b);
  const [median, worst] = [sorted[sorted.length >> 1], sorted[sorted.length - 1]];
  console.log(`${what}: median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms${wanted}`);
}

/** Notes when the page asks for its first thought and when it is answered. */
function watchThoughts() {
  const window = globalThis;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...more) {
    if (message.question?.ask === "thoughts" && window.asked === undefined) {
      window.asked = performance.now();
      this.addEventListener("message", () => {
        window.answered ??= performance.now();
      });
    }
    return post.call(this, message, ...more);
  };
}

/** Loads the module from the load event on, and has it think about one position of the game in the address. */
function loadModule(base) {
  const window = globalThis;
  const steps = async () => {
    const at = [performance.now()];
    const game = location.hash.slice(1);
    const { Floe } = await import(`${base}assets/floe.js`);
    at.push(performance.now());
    const floe = await Floe.load();
    at.push(performance.now());
    for (let time = 0; time < 2; time++) {
      await floe.think({ game }, { engine: "floe:nodes=1" });
      at.push(performance.now());
    }
    floe.close();
    return at;
  };
  addEventListener("load", () => {
    window.steps = steps();
  });
}

await run(["site", out, "--module", module], folder);
const { base, stop } = await host(out);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox"],
});
try {
  const context = await browser.newContext();
  const first = await context.newPage();
  await first.goto(base);
  await first.evaluate(() => navigator.serviceWorker.ready);
  await first.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const games = await first.evaluate(async (base) => {
    const { Floe } = await import(`${base}assets/floe.js`);
    const floe = await Floe.load();
    const games = await floe.games();
    floe.close();
    return games.map((game) => game.name);
  }, base);
  await first.close();

  for (const game of games) {
    const page = await context.newPage();
    await page.addInitScript(watchThoughts);
    const times = [];
    for (let time = 0; time < TIMES; time++) {
      await page.goto(`${base}analysis/${game}.html`);
      await page.waitForFunction(() => window.answered !== undefined);
      times.push(
        await page.evaluate(() => {
          const loaded = performance.getEntriesByType("navigation")[0].loadEventStart;
          return [window.asked - loaded, window.answered - loaded];
        }),
      );
    }
    await page.close();
    const [asked, answered] = [0, 1].map((part) => times.map((time) => time[part]));
    row(`${game}, analysis: from load to the first thought`, asked, "; at most 100 ms are wanted");
    row("  to its answer, after 150 ms of thinking", answered);
  }
  for (const game of games) {
    const page = await context.newPage();
    await page.addInitScript(loadModule, base);
    const times = [];
    for (let time = 0; time < TIMES; time++) {
      await page.goto(`${base}records.html?${time}#${game}`);
      times.push(await page.evaluate(() => window.steps));
    }
    await page.close();
    const part = (from, to) => times.map((at) => at[to] - at[from]);
    row(`${game}, the module alone: from load to the answer of a thought of one position`, part(0, 3));
    row("  the script", part(0, 1));
    row("  the module, fetched and compiled", part(1, 2));
    row("  a worker's start and its first thought", part(2, 3));
    row("  of that the second thought takes", part(3, 4));
  }
} finally {
  await browser.close();
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
