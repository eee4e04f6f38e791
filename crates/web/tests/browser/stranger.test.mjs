// Somebody with a browser, a personal link and docs/bots.md, and nothing else; and the organiser of their league.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { check } from "./axe.mjs";
import { openLeague } from "./league.mjs";
import { keep, patience, run, sizes } from "./place.mjs";

const bots = fileURLToPath(new URL("../../../../examples/bots/", import.meta.url));

/** @type {import("./place.mjs").Place} */
let place;
/** The end of everybody's personal link. */
let links;
/** The folder that the league is in. */
let above;
let league;

before(async () => {
  league = await openLeague();
  ({ place, above, links } = league);
});
after(() => league?.close());

/** Waits for the verdict, which must have been told as it came about. */
async function accepted(page, steps, name) {
  await page.waitForURL(/\/versions\//);
  // A conformance check starts a program dozens of times.
  const timeout = 4 * patience;
  for (const step of steps)
    await page.locator("#log").getByText(step).waitFor({ state: "attached", timeout });
  await page.getByText(/It is accepted and plays on the ladder now/).waitFor({ timeout });
  await keep(page, name);
  assert.deepEqual(page.wrongs, []);
}

test("a stranger pastes the C starter", async () => {
  const page = await place.visitor(sizes.phone);
  await page.goto(links[0]);
  await page.getByText("Paste source instead").click();
  await page.getByLabel("Source", { exact: true }).fill(readFileSync(join(bots, "flood.c"), "utf8"));
  await page.getByLabel("which would be called").fill("flood.c");
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await accepted(page, [/recipe: C/, /without a fault/], "stranger-c");
  await page.context().close();
});

test("a stranger sends the Python starter as a file", async () => {
  const page = await place.visitor(sizes.desktop);
  await page.goto(links[1]);
  await page.getByLabel(/^Drop your program here/).setInputFiles(join(bots, "flood.py"));
  await page.getByLabel("A word about it").fill("the starter");
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await accepted(page, [/recipe: Python/, /without a fault/], "stranger-python");
  await page.context().close();
});

test("what an archive holds is shown before it is sent, and whether it is too large", async () => {
  const page = await place.visitor(sizes.desktop);
  await page.goto(links[1]);
  await page.evaluate(() => {
    window.sent = [];
    addEventListener("submit", () => window.sent.push("submit"));
  });
  // Its label names the file that was chosen.
  const field = page.locator("#drop input");
  const folder = join(above, "archives");
  const made = `
import os, tarfile, zipfile, sys
os.mkdir(sys.argv[1])
os.chdir(sys.argv[1])
open("main.py", "w").write("print(1)")
open("weights.txt", "wb").write(os.urandom(3000))
with zipfile.ZipFile("bot.zip", "w") as z: [z.write(f, "bot/" + f) for f in ("main.py", "weights.txt")]
with tarfile.open("bot.tar.gz", "w:gz") as t: [t.add(f, "bot/" + f) for f in ("main.py", "weights.txt")]
open("games.log", "wb").write(os.urandom(9 << 20))
with zipfile.ZipFile("large.zip", "w") as z: [z.write(f) for f in ("main.py", "games.log")]
`;
  execFileSync("python3", ["-c", made, folder]);
  for (const name of ["bot.zip", "bot.tar.gz"]) {
    await field.setInputFiles(join(folder, name));
    await page.locator("#chosen").getByText(name).waitFor();
    await page.locator("#about").getByText("2 files").waitFor();
    const found = await page.locator("#found li").allInnerTexts();
    assert.deepEqual(
      found.map((line) => line.split(/\s+/)[0]),
      ["bot/weights.txt", "bot/main.py"],
    );
  }
  await field.setInputFiles(join(folder, "large.zip"));
  await page.getByText("large.zip has 9.0 MiB, 8.0 MiB is the most. The largest file: games.log").waitFor();
  await field.setInputFiles(join(bots, "flood.py"));
  await page.locator("#too-large").waitFor({ state: "hidden" });
  assert.equal(await page.locator("#found").isVisible(), false);
  assert.deepEqual([await page.evaluate(() => window.sent), page.wrongs], [[], []]);
  await page.context().close();
});

test("both are on the ladder, with games played", async () => {
  for (;;) {
    const table = JSON.parse(await run(["league", "status", "cup", "--json"], above));
    const played = table.standings.filter((row) => row.games > 0).map((row) => row.entrant);
    if (played.length === 2) {
      assert.deepEqual(played.toSorted(), ["hawks", "owls"]);
      assert.deepEqual(
        table.standings.map((row) => Object.keys(row.faults)),
        [[], []],
      );
      return;
    }
    await new Promise((done) => setTimeout(done, 200));
  }
});

test("the organiser freezes and plays finals, without scripts", async () => {
  const page = await place.visitor(sizes.desktop, { javaScriptEnabled: false });
  await page.goto(place.entrance);
  await page.goto("/desk");
  await page.getByLabel("Boards of a meeting").fill("1");
  await page.getByRole("button", { name: "Freeze 2 versions" }).click();
  await page.getByRole("heading", { name: /^Finals 1/ }).waitFor();
  await page.getByRole("button", { name: "Play finals 1" }).click();
  while (!(await page.getByText("All games are played.").isVisible())) {
    await new Promise((done) => setTimeout(done, 200));
    await page.reload();
  }
  await keep(page, "desk");
  await page.getByRole("link", { name: "Table and games" }).click();
  await page.getByRole("heading", { name: /^cup: finals 1/ }).waitFor();
  const seed = await page.locator("dd").first().innerText();
  const table = await page.request.get("/league/finals-1/standings.csv");
  assert.match(await table.text(), /^place,name,.*\r\n1,/);
  const checked = await run(["league", "final", "cup", "--check"], above);
  assert.match(checked, new RegExp(`the seed ${seed} is`));
  await page.context().close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`everybody can read the pages of a league (${colorScheme})`, async () => {
    const page = await place.visitor(sizes.phone, { colorScheme, bypassCSP: true });
    await page.goto(links[0]);
    await page.goto(place.entrance);
    for (const path of ["/submit", "/versions", "/desk", "/league/cup", "/league/finals-1"]) {
      await page.goto(path);
      await check(page, path);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(over, 0, `${path} is wider than a phone`);
    }
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });
}
