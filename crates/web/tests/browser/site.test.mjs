// The pages without a server: a folder on a static host, and then neither host nor network.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { check } from "./axe.mjs";
import { host } from "./host.mjs";
import { choose, keep, launch, moveByMouse, patience, resign, run, said, sizes } from "./place.mjs";

const module = process.env.FLOE_MODULE ?? fileURLToPath(new URL("../../module", import.meta.url));
/** @type {string} */ let folder;
/** @type {string} */ let out;
/** @type {import("playwright-core").Browser} */ let browser;
/** @type {string[]} */ let games;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "floe-site-"));
  out = join(folder, "public");
  await run(["site", out, "--module", module], folder);
  games = JSON.parse(readFileSync(join(out, "sw.js"), "utf8").match(/FILES = (\[.*\]);/)[1]).flatMap(
    (path) => path.match(/^play\/(.+)\.html$/)?.[1] ?? [],
  );
  assert.ok(games.length >= 3);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page on which what goes wrong is kept. */
async function watched(context) {
  const page = await context.newPage();
  page.wrongs = [];
  page.on("pageerror", (error) => page.wrongs.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") page.wrongs.push(message.text());
  });
  return page;
}

/** A browser in which the first page was opened once; then there is no host and no network. */
async function offline(options = {}) {
  const { base, stop } = await host(out);
  const context = await browser.newContext({ viewport: sizes.desktop, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(patience);
  const page = await watched(context);
  await page.goto(base);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await stop();
  await context.setOffline(true);
  page.base = base;
  return page;
}

/** Browsers that several tests share, by whether a test's own checker may run in them: each stores all files once more. */
const shared = new Map();

/** A page of a shared browser. */
async function sharedPage(viewport = sizes.desktop, bypassCSP = false) {
  const first = shared.get(bypassCSP) ?? (await offline({ bypassCSP }));
  shared.set(bypassCSP, first);
  const page = await watched(first.context());
  page.base = first.base;
  await page.setViewportSize(viewport);
  return page;
}

/** Begins a game by the form. */
async function begin(page, game, words) {
  await page.goto(`${page.base}play/${game}.html`);
  for (const [name, value] of Object.entries(words)) await choose(page, name, value);
  await page.locator("form [type=submit]").first().click();
  await page.waitForURL(/game\.html\?id=/);
}

/** Plays until the game is over, with the first move there is. */
async function playOut(page) {
  for (let turn = 0; turn < 400; turn++) {
    await page.waitForFunction(
      () =>
        document.querySelector("floe-board")?.picks?.length > 0 ||
        /won|lost|draw|wins/i.test(document.getElementById("say")?.textContent ?? ""),
    );
    if (/won|lost|draw|wins/i.test(await page.locator("#say").textContent())) return;
    const before = await page.locator("#moves li").count();
    await page.evaluate(() => {
      const board = document.querySelector("floe-board");
      const pick = board.picks[0];
      const make = board.onpick;
      board.withdraw();
      make(pick);
    });
    await page.waitForFunction((count) => document.querySelectorAll("#moves li").length > count, before);
  }
  assert.fail("the game does not end");
}

test("a whole game of each kind without a network, looked back at and kept", async () => {
  const page = await offline();
  for (const game of games) {
    await begin(page, game, { size: "5x5", opponent: "floe:easy", name: "Ann" });
    await moveByMouse(page);
    await page.waitForFunction(() => document.querySelectorAll("#moves li").length > 1);
    // A page that is opened again goes on where it was.
    const moves = await page.locator("#moves li").count();
    await page.reload();
    await page.waitForFunction((count) => document.querySelectorAll("#moves li").length >= count, moves);
    await page.waitForFunction(() => document.querySelector("floe-board")?.picks?.length > 0);
    await page.getByRole("button", { name: "Hint" }).click();
    await said(page, /Hint: /);
    await playOut(page);
    await page.getByRole("button", { name: "Review" }).click();
    await page.locator("#review .say").waitFor();
    await keep(page, `site-${game}`);
  }
  await page.goto(`${page.base}my.html`);
  await page.waitForFunction((count) => document.querySelectorAll("#kept li").length === count, games.length);
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("every level plays, moves are taken back, a game is resigned and played again", async () => {
  const page = await sharedPage();
  await page.goto(`${page.base}play/${games[0]}.html`);
  const levels = await page
    .locator("[name=opponent]")
    .evaluateAll((fields) => fields.map((field) => field.value));
  assert.ok(levels.includes("here") && !levels.includes("link") && levels.length >= 6, levels.join());
  for (const level of levels.filter((level) => level !== "here")) {
    await begin(page, games[0], { size: "6x6", opponent: level });
    await moveByMouse(page);
    await page.waitForFunction(() => document.querySelectorAll("#moves li").length > 1);
  }
  await page.waitForFunction(() => document.querySelector("floe-board")?.picks?.length > 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 0);
  await resign(page);
  await said(page, /You lost/);
  await page.getByRole("button", { name: "Rematch" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
  assert.deepEqual(page.wrongs, []);
  await page.close();
});

test("puzzles of every game are solved without a network, and lessons are there", async () => {
  const page = await sharedPage(sizes.phone);
  for (const game of games) {
    await page.goto(`${page.base}puzzles/${game}.html`);
    const { puzzles } = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
    assert.ok(puzzles.length >= 24, game);
    for (const [which, head] of [
      ["other", "Not this one"],
      ["best", "Right"],
    ]) {
      const day = Math.floor(Date.now() / 86_400_000) % puzzles.length;
      const [move] = puzzles[day][which].moves;
      await page.waitForFunction(
        (move) => document.getElementById("board").picks?.some((pick) => pick.move === move),
        move,
      );
      await page.evaluate((move) => {
        const board = document.getElementById("board");
        board.onpick(board.picks.find((pick) => pick.move === move));
      }, move);
      await page.waitForFunction((head) => document.getElementById("try-head").textContent === head, head);
    }
    await page.goto(`${page.base}learn/${game}.html`);
    await page.locator("floe-board .frame svg").first().waitFor();
  }
  assert.deepEqual(page.wrongs, []);
  await page.close();
});

test("two at one screen", async () => {
  const page = await sharedPage(sizes.phone);
  await begin(page, games.at(-1), { size: "5x5", opponent: "here" });
  await playOut(page);
  assert.deepEqual(page.wrongs, []);
  await page.close();
});

test("a pasted board is analysed, a broken one has all its errors, and a link shares it", async () => {
  const page = await sharedPage(sizes.phone);
  for (const game of games) {
    await page.goto(`${page.base}analysis/${game}.html`);
    await page.locator("#lines li").first().waitFor();
    const board = await page.locator("#text").inputValue();
    const broken = board
      .split("\n")
      .map((line, i) => (i % 2 ? `${line}?` : line))
      .join("\n");
    await page.locator("#text").fill(broken);
    await page.locator("#load").click();
    await page.waitForFunction(() =>
      /line \d+, column \d+: /.test(document.getElementById("problem")?.textContent ?? ""),
    );
    await page.locator("#text").fill(board);
    await page.locator("#load").click();
    await page.locator("#problem").waitFor({ state: "hidden" });
    await page.locator("#lines button").first().click();
    await page.waitForFunction(
      () => document.querySelectorAll("#moves button").length > 0 && /moves=[^&]/.test(location.search),
    );
    const position = await page.locator("#text").inputValue();
    assert.notEqual(position, board);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator("#lines li").first().waitFor();
    assert.equal(await other.locator("#text").inputValue(), position);
    await other.close();
    await page.locator("#editor summary").click();
    await page.locator("#brushes button").first().waitFor();
  }
  await keep(page, "site-analysis-phone");
  assert.deepEqual(page.wrongs, []);
  await page.close();
});

test("records and reports are looked at where they are dropped", async () => {
  const toml = `game = "${games[0]}"\n[boards]\nsetup = "5x5"\nseed = 1\ncount = 2\n[entrants]\nsteady = "greedy"\nlucky = "random"\n`;
  writeFileSync(join(folder, "cup.toml"), toml);
  await run(["tournament", "cup.toml", "-q", "--records", "cup.jsonl"], folder).catch(() =>
    run(["tournament", "cup.toml", "-q"], folder),
  );
  await run(
    ["match", games[0], "greedy", "random", "--setup", "5x5", "--pairs", "2", "--records", "games.jsonl"],
    folder,
  );
  await run(["report", "cup.toml", "-o", "report.html"], folder);
  const page = await offline();
  await page.goto(`${page.base}records.html`);
  await page.setInputFiles("#file", join(folder, "games.jsonl"));
  await page.waitForFunction(() => document.querySelectorAll("#games button").length === 4);
  await page.locator("#games button").first().click();
  await page.locator("#shown floe-board .frame svg").first().waitFor();
  await page.locator("[data-step=last]").first().click();
  await page.waitForFunction(() =>
    /The game ended/.test(document.querySelector("#shown .say")?.textContent ?? ""),
  );
  await page.setInputFiles("#file", join(folder, "report.html"));
  await page.locator("#report details.replay floe-board .frame svg").first().waitFor();
  await page.setInputFiles("#file", join(folder, "cup.toml"));
  await page.locator("#problem").waitFor();
  assert.deepEqual(
    page.wrongs.filter((text) => !/Content Security Policy/.test(text)),
    [],
  );
  await page.context().close();
});

for (const [size, viewport] of Object.entries(sizes)) {
  test(`every page can be read by everybody (${size})`, async () => {
    const page = await sharedPage(viewport, true);
    const pages = [
      "index.html",
      "my.html",
      "records.html",
      "learn.html",
      ...games.flatMap((game) => [
        `play/${game}.html`,
        `analysis/${game}.html`,
        `learn/${game}.html`,
        `learn/${game}/first.html`,
        `learn/${game}/program.html`,
        `puzzles/${game}.html`,
      ]),
    ];
    for (const path of pages) {
      await page.goto(page.base + path);
      await page.waitForLoadState("load");
      // What axe looks at is that of a server's pages, which readable.test.mjs checks at every size.
      if (size === "phone") await check(page, path);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= viewport.width, `${path} is ${width} wide`);
    }
    assert.deepEqual(page.wrongs, []);
    await page.close();
  });
}

test("a newer version is offered and taken", async () => {
  const { base, stop } = await host(out);
  const context = await browser.newContext({ viewport: sizes.desktop });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(base);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  appendFileSync(join(out, "sw.js"), "// newer\n");
  await page.reload();
  await page.locator("#update button").waitFor();
  const again = page.waitForEvent("load");
  await page.locator("#update button").click();
  await again;
  await page.locator("#update").waitFor({ state: "detached" });
  await context.close();
  await stop();
});

test("the folder is written again, and nobody's files are overwritten", async () => {
  await run(["site", out, "--module", module], folder);
  const other = mkdtempSync(join(folder, "other-"));
  writeFileSync(join(other, "mine.txt"), "mine");
  await assert.rejects(run(["site", other, "--module", module], folder), /other files/);
});
