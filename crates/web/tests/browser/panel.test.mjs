// What stands beside a board: who is ahead, whose turn it is, links to copy, words.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Place, begin, moveByMouse, resign, said, sizes } from "./place.mjs";

/** @type {Place} */
let place;
before(async () => {
  place = await Place.open();
});
after(async () => {
  await place?.close();
});

const lead = (page) => page.locator("#lead output").textContent();
const turns = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#moves li").length >= count, count);
/** Waits until who is ahead was found out for a position after so many turns. */
const judged = (page, length) =>
  page.waitForFunction(
    (length) =>
      document.querySelectorAll("#lead .leadbar i").length > 1 &&
      !/thinking/.test(document.querySelector("#lead output").textContent) &&
      Number(document.getElementById("lead").dataset.length) === length,
    length,
  );

test("who is ahead follows moves, looking back and the end", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "gamma", { opponent: "here", size: "4x4" });
  await page.getByRole("button", { name: "Show who is ahead" }).click();
  assert.equal(
    await page.locator("#lead output").getAttribute("aria-live"),
    "polite",
    "the answer is announced",
  );
  await judged(page, 0);
  for (let turn = 1; turn <= 3; turn++) {
    await moveByMouse(page);
    await turns(page, turn);
    await judged(page, turn);
  }
  await page.locator("#step-first").click();
  await judged(page, 0);
  await page.getByRole("button", { name: "Back to the game" }).click();
  await judged(page, 3);
  await resign(page);
  await judged(page, 4);
  const [scores, shares] = await page.evaluate(() => [
    [...document.querySelectorAll("#seats .score")].map((score) => Number(score.textContent)),
    [...document.querySelectorAll("#lead .leadbar i")].map((part) => Number(part.style.flexGrow)),
  ]);
  assert.ok(Math.abs(shares[0] - scores[0] / (scores[0] + scores[1])) < 0.01, `${scores} ${shares}`);
  // The choice is remembered.
  await page.reload();
  await judged(page, 4);
  await page.getByRole("button", { name: "Hide who is ahead" }).click();
  assert.equal(await lead(page), "");
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("a page in the background says whose turn it is", async () => {
  const [host, guest] = [await place.visitor(sizes.desktop), await place.visitor(sizes.desktop)];
  await begin(host, "gamma", { opponent: "link", size: "4x4" });
  await guest.goto(await host.inputValue("#link"));
  await guest.getByRole("button", { name: "Sit down and play" }).click();
  await said(host, /^Your turn/);
  assert.match(await host.title(), /^Your turn/);
  await moveByMouse(host);
  await said(host, /is thinking/);
  assert.doesNotMatch(await host.title(), /^Your turn/);
  const hide = (isHidden) =>
    host.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await hide(true);
  await moveByMouse(guest);
  await host.waitForFunction(
    () =>
      /^Your turn/.test(document.title) && /floe-turn/.test(document.querySelector("link[rel=icon]").href),
  );
  await hide(false);
  await moveByMouse(host);
  await said(guest, /^Your turn/);
  await host.context().close();
  await guest.context().close();
});

test("a link is copied over plain HTTP, or the page says that it was not", async () => {
  const page = await place.visitor(sizes.phone);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    window.copied = [];
    document.execCommand = () => {
      window.copied.push(String(document.activeElement.value));
      return window.copies !== false;
    };
  });
  await begin(page, "gamma", { opponent: "link" });
  await page.locator("#copy").click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.deepEqual(await page.evaluate(() => window.copied), [page.url()]);
  await page.evaluate(() => {
    window.copies = false;
  });
  await page.locator("#copy").click();
  await page.getByRole("button", { name: /Press Ctrl\+C/ }).waitFor();
  assert.equal(
    await page.evaluate(() => getSelection()?.toString() || document.activeElement.value),
    page.url(),
  );
  await page.locator("#qr").waitFor();
  assert.ok(await page.locator("#qr").evaluate((code) => code.complete && code.naturalWidth > 0));
  await page.context().close();
});

test("a golden move changes the sentence, a clock that ran out shows nothing left", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "gamma", { opponent: "here", size: "4x4" });
  await moveByMouse(page);
  await turns(page, 1);
  const golden = page.getByRole("button", { name: /golden/i });
  await golden.click();
  await said(page, /golden move: choose a field/);
  await golden.click();
  await said(page, /: take a free field/);
  await begin(page, "gamma", { opponent: "here", size: "4x4", clock: "10s" });
  await page.locator("#over").waitFor();
  assert.equal(await page.locator("#seats .clock").first().textContent(), "0:00");
  await page.context().close();
});

test("more has the position in every form, and a record is replayed where it is dropped", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "flood", { opponent: "here", size: "5x5" });
  await moveByMouse(page);
  await turns(page, 1);
  await page.getByRole("button", { name: "More" }).click();
  await page.locator("dialog[open]").getByRole("heading", { name: "Copy the position as" }).waitFor();
  assert.ok(
    (await page.locator("dialog[open] section:has(h3:text('Copy the position')) button").count()) >= 2,
  );
  assert.equal(await page.locator("dialog[open] input").inputValue(), page.url());
  const id = page.url().split("/").pop();
  await page.goto("/records");
  await page.setInputFiles("#file", `${place.folder}/games/${id}.jsonl`);
  await page.locator("#shown floe-board .frame svg").first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll("#shown .moves li").length === 1);
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("the form and one click remember what was played last", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "flood", { opponent: "floe:medium", size: "6x5", side: "last", name: "Ann" });
  await page.goto("/play/flood");
  assert.deepEqual(
    await page.evaluate(() => {
      const words = new FormData(document.querySelector("form"));
      return ["opponent", "size", "side", "name"].map((name) => words.get(name));
    }),
    ["floe:medium", "6x5", "last", "Ann"],
  );
  await page.goto("/");
  await page.getByText("Play now starts Flood Wars against Medium, as last time.").waitFor();
  await page.getByRole("button", { name: "Play now" }).click();
  await page.waitForURL(/\/game\//);
  await page.waitForFunction(() => document.querySelector("floe-board")?.picture?.width === 6);
  await page.context().close();
});

test("nothing is wider than a phone of 320", async () => {
  const page = await place.visitor({ width: 320, height: 640 });
  await begin(page, "flood", { opponent: "floe:easy" });
  const paths = [
    new URL(page.url()).pathname,
    "/",
    "/play/penguins",
    "/my",
    "/records",
    "/analysis/gamma",
    "/about",
  ];
  for (const path of paths) {
    await page.goto(path);
    await page.waitForLoadState("load");
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${path} is ${over} too wide`);
  }
  await page.context().close();
});
