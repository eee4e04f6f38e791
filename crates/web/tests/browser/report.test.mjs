// The report in a browser: one file, no server, nobody is asked for anything.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { keep, launch, patience, run, sizes } from "./place.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** @type {string} */ let folder;
/** @type {import("playwright-core").Browser} */ let browser;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "floe-report-"));
  const entrants = '"</script><script>alert(1)</script>" = "greedy"\nlucky = "random"\n';
  writeFileSync(
    join(folder, "cup.toml"),
    `game = "penguins"\n[boards]\nsetup = "6x6"\nseed = 1\ncount = 500\n[entrants]\n${entrants}`,
  );
  await run(["tournament", "cup.toml", "-q"], folder);
  await run(["report", "cup.toml", "-o", "report.html"], folder);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.wrongs = [];
  page.requests = [];
  page.on("pageerror", (error) => page.wrongs.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") page.wrongs.push(message.text());
  });
  page.on("dialog", (dialog) => {
    page.wrongs.push(dialog.message());
    dialog.dismiss();
  });
  const address = pathToFileURL(join(folder, "report.html")).href;
  page.on("request", (request) => {
    if (request.url() !== address && !request.url().startsWith("data:")) page.requests.push(request.url());
  });
  await page.goto(address);
  return page;
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`a thousand games are one page that is stepped through without a server (${size})`, async () => {
    assert.ok(statSync(join(folder, "report.html")).size < 3_000_000);
    const page = await opened({ viewport });
    const replay = page.locator("details.replay").first();
    await replay.locator("floe-board .frame svg").first().waitFor();
    assert.equal(await replay.locator(".say").textContent(), "The start.");
    const first = await replay.locator("floe-board .frame").innerHTML();
    await replay.locator("[data-step=forward]").click();
    await page.waitForFunction(() =>
      / played /.test(document.querySelector("details.replay .say").textContent),
    );
    assert.notEqual(await replay.locator("floe-board .frame").innerHTML(), first);
    await replay.locator("[data-step=last]").click();
    await page.waitForFunction(() =>
      /The game ended/.test(document.querySelector("details.replay .say").textContent),
    );
    await replay.locator("[data-step=last]").press("Home");
    await page.waitForFunction(
      () => document.querySelector("details.replay .say").textContent === "The start.",
    );
    const other = page.locator("details.replay").nth(1);
    await other.locator("summary").first().click();
    await other.locator("floe-board .frame svg").first().waitFor();
    await keep(page, `report-${size}`);
    assert.deepEqual(page.requests, []);
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });
}

for (const colorScheme of ["light", "dark"]) {
  test(`a report can be read by everybody (${colorScheme})`, async () => {
    const page = await opened({ viewport: sizes.desktop, colorScheme, bypassCSP: true });
    await page.locator("details.replay floe-board .frame svg").first().waitFor();
    await page.evaluate(axe);
    const found = await page.evaluate(() => globalThis.axe.run());
    const bad = found.violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
    assert.deepEqual(
      bad.map((violation) => `${violation.id} at ${violation.nodes.map((node) => node.target).join("; ")}`),
      [],
    );
    await page.context().close();
  });
}

test("a report is read without a script", async () => {
  const page = await opened({ viewport: sizes.desktop, javaScriptEnabled: false });
  const text = await page.textContent("main");
  for (const part of [/lucky/, /1000 of 1000 games/, /Ratings over time/]) assert.match(text, part);
  await page.context().close();
});
