// Somebody who is new: lessons, a first game, puzzles.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, keep } from "./place.mjs";

const games = ["penguins", "gamma", "flood"];
const widths = {
  desktop: { width: 1280, height: 900 },
  tablet: { width: 820, height: 1100 },
  phone: { width: 390, height: 800 },
};

/** @type {Place} */
let place;
before(async () => {
  place = await Place.open();
});
after(() => place?.close());

/** Makes a move that the board offers, by real clicks. */
async function make(page, move) {
  await page.waitForFunction(
    (move) => document.querySelector("#board")?.picks?.some((pick) => pick.move === move),
    move,
  );
  const spots = await page.evaluate((move) => {
    const board = document.querySelector("#board");
    const pick = board.picks.find((pick) => pick.move === move);
    if ((pick.special ?? null) !== board.special) board.choose(pick.special ?? null);
    return [pick.from, pick.to].filter((place) => place !== undefined);
  }, move);
  if (spots.length === 0)
    return page.locator(`#picks [data-move="${move.replace(/["\\]/g, "\\$&")}"]`).click();
  for (const spot of spots) {
    const [x, y] = await page.evaluate((spot) => {
      const board = document.querySelector("#board");
      board.scrollIntoView({ block: "center" });
      const [x, y] = board.at(spot);
      const point = new DOMPoint(x + 18, y + 18).matrixTransform(board.root.getScreenCTM());
      return [point.x, point.y];
    }, spot);
    await page.mouse.click(x, y);
  }
}

/** What the page's script was given. */
const given = (page) => page.evaluate(() => JSON.parse(document.getElementById("data").textContent));

/** The head of the box that says what to try. */
const head = (page, text) =>
  page.waitForFunction((text) => document.getElementById("try-head")?.textContent === text, text);

for (const [size, viewport] of [
  ["desktop", widths.desktop],
  ["phone", widths.phone],
]) {
  test(`the rules of every game are learnt by trying them (${size})`, async () => {
    const page = await place.visitor(viewport);
    for (const game of games) {
      await page.goto(`/learn/${game}`);
      const { steps } = await given(page);
      for (const [i, step] of steps.entries()) {
        await page.waitForFunction(
          (title) => document.getElementById("step-title").textContent === title,
          step.title,
        );
        const wrong = step.moves.find((move) => !step.solutions.includes(move.move));
        if (wrong && i === 1 && size === "desktop") {
          await make(page, wrong.move);
          await head(page, "Legal, but not this time");
        }
        await make(page, step.solutions.at(-1));
        await head(page, "Well done");
        if (i === 2) await keep(page, `learn-${game}-${size}`);
        assert.equal(await page.locator("#progress .done").count(), i + 1);
        if (i + 1 < steps.length) await page.locator("#next").click();
      }
      // What was learnt is known after a reload.
      await page.reload();
      await page.waitForFunction(
        (count) => document.querySelectorAll("#progress .done").length === count,
        steps.length,
      );
    }
    await page.goto("/learn/gamma?step=5");
    await page.getByRole("button", { name: "Show me" }).click();
    await page.waitForFunction(() => document.querySelector("#board").special === "golden move");
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });
}

test("a first game is played to its end, and the opponent explains its moves", async () => {
  for (const game of games) {
    const page = await place.visitor(widths.phone);
    // The same board each time: on some boards a careless visitor is stuck after two moves.
    await page.addInitScript(() => {
      Math.random = () => 0.5;
    });
    await page.goto(`/learn/${game}`);
    await page.getByRole("link", { name: /^Play on/ }).click();
    await page.waitForURL(new RegExp(`/learn/${game}/first`));
    let count = 0;
    for (;;) {
      await page.waitForFunction(
        () =>
          document.querySelector("#board").picks.length > 0 ||
          /won|draw/.test(document.getElementById("say").textContent),
      );
      if (/won|draw/.test(await page.locator("#say").textContent())) break;
      if (await page.locator("#explained").isVisible()) {
        assert.match(await page.locator("#why").textContent(), /^\S+: .*It takes /);
        count++;
        if (count === 1) {
          await keep(page, `first-${game}`);
          await page.reload();
          await page.waitForFunction(() => document.querySelector("#board").picks.length > 0);
          assert.ok(await page.locator("#explained").isVisible(), "the game goes on after a reload");
        }
      }
      const before = await page.evaluateHandle(() => document.querySelector("#board").picks);
      await make(
        page,
        await before.evaluate(
          (picks) => picks.find((pick, i, all) => !pick.special || i + 1 === all.length).move,
        ),
      );
      // The moves before are withdrawn as soon as one is made.
      await page.waitForFunction((before) => document.querySelector("#board").picks !== before, before);
    }
    assert.ok(count > 0, `${game}: nothing was explained`);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => document.querySelector("#board").picks.length > 0);
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  }
});

for (const [size, viewport] of [
  ["tablet", widths.tablet],
  ["phone", widths.phone],
]) {
  test(`puzzles are solved, explained and gone through (${size})`, async () => {
    const page = await place.visitor(viewport);
    for (const game of games) {
      await page.goto(`/puzzles/${game}`);
      await page.getByText("Puzzle of the day").waitFor();
      const { puzzles } = await given(page);
      const day = Math.floor(Date.now() / 86_400_000) % puzzles.length;
      const number = async () =>
        Number((await page.locator("#number").textContent()).match(/Puzzle (\d+)/)[1]) - 1;
      assert.equal(await number(), day);
      await make(page, puzzles[day].other.moves[0]);
      await head(page, "Not this one");
      await make(page, puzzles[day].best.moves[0]);
      await head(page, "Right");
      assert.equal(await page.locator("#say").textContent(), puzzles[day].why);
      await page.locator("#line-back").click();
      await page.getByText("The position", { exact: true }).waitFor();
      await keep(page, `puzzle-${game}-${size}`);
      await page.locator("#next").click();
      const next = await number();
      assert.notEqual(next, day);
      await make(page, puzzles[next].best.moves[0]);
      await head(page, "Solved");
      assert.equal(await page.locator("#all .done").count(), 1);
      await page.locator("#next").click();
      await page.getByRole("button", { name: "See why" }).click();
      await head(page, "Why");
    }
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });
}

test("puzzles of the folder come after those of the house", async () => {
  const page = await place.visitor(widths.phone);
  const one = (await (await page.request.get("/api/v1/puzzles/gamma")).json()).puzzles;
  const { position, best, other, level } = one[0];
  writeFileSync(
    join(place.folder, "puzzles.json"),
    JSON.stringify({ floe: 1, puzzles: [{ game: "gamma", position, best, other, level }] }),
  );
  await place.kill();
  await place.start(place.port);
  const all = (await (await page.request.get("/api/v1/puzzles/gamma")).json()).puzzles;
  assert.equal(all.length, one.length + 1);
  await page.context().close();
});

test("lessons and puzzles are read without a script", async () => {
  const page = await place.visitor(widths.phone, { javaScriptEnabled: false });
  await page.goto("/learn/gamma?step=2");
  await page.getByRole("heading", { name: "Fields that share a side are one area" }).waitFor();
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Never more areas than the limit" }).waitFor();
  await page.goto("/puzzles/flood?number=3");
  await page.getByText("Puzzle 3 of").waitFor();
  await page.getByText("Solution").click();
  await page.getByText(/The next best move/).waitFor();
  await page.context().close();
});
