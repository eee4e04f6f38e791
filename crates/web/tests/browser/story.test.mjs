// Boards to choose, a seat that waits, the end of a game and looking back at it.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { Place, begin, moduleFolder, resign, said, sizes } from "./place.mjs";

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

/** Plays on with moves that gain most, until the game is over. */
async function playOut(page) {
  for (;;) {
    await said(page, /^Your turn|^You |^A draw/);
    if (!/^Your turn/.test(await page.textContent("#say"))) return;
    const before = await page.locator("#moves li").count();
    await page.waitForFunction(() => document.querySelector("floe-board").picks.length > 0);
    await page.evaluate(() => {
      const board = document.querySelector("floe-board");
      const best = board.picks.reduce((a, b) => (b.gain > a.gain ? b : a));
      const make = board.onpick;
      board.withdraw();
      make(best);
    });
    await page.waitForFunction((count) => document.querySelectorAll("#moves li").length > count, before);
  }
}

test("a board is chosen by its picture", async () => {
  const page = await place.visitor(sizes.desktop);
  await page.goto("/play/penguins");
  const pictures = page.locator(".board-picture canvas");
  await pictures.nth(3).waitFor();
  await page.getByRole("button", { name: /^Island/ }).click();
  assert.equal(await page.locator("[name=style]").inputValue(), "island");
  assert.equal(await page.locator("[data-size][aria-pressed=true]").count(), 1);
  await page.getByRole("button", { name: /^Small 6 × 6, about \d+ minutes?/ }).click();
  assert.equal(await page.locator("[name=style]").inputValue(), "uniform");
  assert.equal(await page.locator("[name=size]").inputValue(), "6x6");
  assert.equal(await page.locator("[data-size][aria-pressed=true]").count(), 1);
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("on a phone the button that starts a game is always in sight", async () => {
  const page = await place.visitor(sizes.phone);
  await page.goto("/play/gamma");
  const start = page.getByRole("button", { name: "Start game" });
  const { y, height } = await start.boundingBox();
  assert.ok(y + height <= sizes.phone.height, `${y} + ${height}`);
  await start.click();
  await page.waitForURL(/\/game\//);
  await said(page, /^Your turn/);
  assert.equal(await page.locator(".bar-title").innerText(), "Gamma\nmove 1");
  assert.equal(await page.locator(".logo").isVisible(), false);
  await page.getByRole("link", { name: "To the front page" }).click();
  await page.waitForURL(`${place.base}/`);
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("a player who waits for a friend gives a name, and the friend sees it", async () => {
  const [host, guest] = [await place.visitor(sizes.desktop), await place.visitor(sizes.phone)];
  await begin(host, "gamma", { opponent: "link", size: "5x5" });
  await said(host, /^Waiting for your friend/);
  await host.locator(".seat.open").waitFor();
  assert.match(await host.locator(".seat.open").innerText(), /waiting for a friend\s+not here yet/);
  await guest.goto(await host.inputValue("#link"));
  await guest.getByRole("button", { name: "Sit down and play" }).waitFor();
  await host.getByLabel("Your name").fill("Ann");
  await host.getByLabel("Your name").press("Enter");
  await guest.locator("#seats b", { hasText: "Ann" }).waitFor();
  await guest.getByRole("button", { name: "Sit down and play" }).click();
  await said(host, /^Your turn/);
  assert.equal(await host.locator(".seat.open").count(), 0);
  // The name is remembered for the next game.
  await host.goto("/play/gamma");
  assert.equal(await host.locator("[name=name]").inputValue(), "Ann");
  assert.deepEqual([...host.wrongs, ...guest.wrongs], []);
  await host.context().close();
  await guest.context().close();
});

test("the end of a game tells how it went, and leads to its review and to the editor", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "gamma", { opponent: "floe:beginner", size: "5x5" });
  await playOut(page);
  await page.locator("#over").waitFor();
  await page.locator(".end-facts li").first().waitFor();
  assert.ok(await page.locator("#course .graph").isVisible());
  assert.match(await page.locator("#over h2").innerText(), /^You (won|lost) by \d+ fields?[!.]|^A draw/);
  assert.match(await page.locator("#over .end-facts").innerText(), /lead changed|ahead all the way/);
  await page.getByRole("button", { name: "Review" }).click();
  assert.match(await page.locator("#review-head h2").innerText(), /^You (won|lost)|^A draw/);
  assert.match(await page.locator("#review-head").innerText(), /\d+ : \d+\s+Gamma against floe · beginner/);
  assert.equal(await page.locator("#course").isVisible(), false);
  await page.locator("#step-first").click();
  await said(page, /^Position after 0/);
  await page.locator("#best-lines li").nth(2).waitFor();
  await page.getByText(/Turning points|No blunders|No single slip/).waitFor();
  await page.locator("#acts").getByRole("button", { name: "Edit" }).click();
  await page.waitForURL(/\/analysis\/gamma/);
  await page.locator("#brushes button").first().waitFor();
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("a game of few moves has no story", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "gamma", { opponent: "floe:beginner", size: "5x5" });
  await said(page, /^Your turn/);
  await resign(page);
  await page.locator("#over").waitFor();
  assert.equal(await page.locator("#course").isVisible(), false);
  assert.equal(await page.locator(".seat .tag").innerText(), "Winner");
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});
