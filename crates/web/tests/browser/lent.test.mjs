// Engines that think in the browser of the only player, of a server's game.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Place, begin, choose, moduleFolder, moveByMouse, said, sizes } from "./place.mjs";

const MARK = "thought in the player's browser";

/** @type {Place} */ let place;
/** @type {string} */ let folder;
before(async () => {
  folder = moduleFolder();
  place = await Place.open(["serve", "--module", folder]);
});
after(async () => {
  await place?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The notes of the moves of the page's game, as its record has them. */
function notes(page) {
  const id = page.url().split("/").pop();
  const lines = readFileSync(join(place.folder, `games/${id}.jsonl`), "utf8")
    .trim()
    .split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ line, note }) => (line === "move" ? [note ?? ""] : []));
}

/** Waits for so many moves on the page. */
const moves = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#moves li").length >= count, count);

for (const game of ["penguins", "gamma", "flood"]) {
  test(`an opponent thinks in the browser of who plays alone (${game})`, async () => {
    const page = await place.visitor(sizes.desktop);
    await begin(page, game, { size: "6x6", opponent: "floe:hard", side: "first" });
    await moveByMouse(page);
    await moves(page, 2);
    await said(page, /^Your turn/);
    await moveByMouse(page);
    await moves(page, 4);
    assert.deepEqual(notes(page), ["", MARK, "", MARK]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 2);
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });
}

test("an opponent that begins thinks in the browser, and the server where another looks on", async () => {
  const page = await place.visitor(sizes.phone);
  await page.goto("/play/gamma");
  await choose(page, "side", "last");
  await choose(page, "opponent", "floe:easy");
  await choose(page, "size", "5x5");
  await page.locator("form [type=submit]").first().click();
  await page.waitForURL(/\/game\//);
  await moves(page, 1);
  assert.deepEqual(notes(page), [MARK]);
  const other = await place.visitor(sizes.desktop);
  const follows = other.waitForResponse((answer) => answer.url().includes("/live?"));
  await other.goto(page.url());
  await follows;
  await moveByMouse(page);
  await moves(page, 3);
  assert.match(notes(page)[2], /^depth /);
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
  await other.context().close();
});

test("the module comes packed to those who can unpack it", async () => {
  const page = await place.visitor(sizes.desktop);
  const sent = page.waitForResponse((answer) => answer.url().endsWith("/assets/floe.wasm"));
  await page.goto("/analysis/gamma");
  assert.equal((await sent).headers()["content-encoding"], "br");
  await page.locator("#lines li").first().waitFor();
  assert.deepEqual(page.wrongs, []);
  const plain = await fetch(`${place.base}/assets/floe.wasm`, { headers: { "accept-encoding": "identity" } });
  assert.equal(plain.headers.get("content-encoding"), null);
  assert.deepEqual(Buffer.from(await plain.arrayBuffer()), readFileSync(join(folder, "floe.wasm")));
  await page.context().close();
});

test("the server thinks for a browser without the module", async () => {
  const page = await place.visitor(sizes.desktop);
  await page.context().route("**/floe.wasm", (route) => route.abort());
  await begin(page, "gamma", { size: "5x5", opponent: "floe:easy", side: "first" });
  await moveByMouse(page);
  await moves(page, 2);
  assert.match(notes(page)[1], /^depth /);
  await page.context().close();
});
