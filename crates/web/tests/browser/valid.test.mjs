// Every page is valid HTML.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HtmlValidate } from "html-validate";
import { Place, run } from "./place.mjs";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** @type {Place} */
let place;
before(async () => {
  place = await Place.open();
});
after(async () => {
  await place?.close();
});

// What the standard says, and of what others find good those that are about meaning. How void elements and
// attributes are written, and the order of names, is a matter of taste.
const checker = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:document"],
  rules: {
    "doctype-style": "off",
    "long-title": "off",
    // The scripts of the pages are their own; what is asked of third parties is not asked of them.
    "require-sri": "off",
    // Elements with a dash are ours.
    "no-unknown-elements": ["error", { exclude: ["floe-board"] }],
  },
  elements: ["html5", { "floe-board": { flow: true, phrasing: true, permittedContent: ["@flow"] } }],
});

/** Asks the server, which closes connections that rest while a page is checked: then another one is opened. */
const ask = (/** @type {string} */ address, /** @type {RequestInit} */ options = {}) =>
  fetch(address, options).catch(() => fetch(address, options));

/** What is wrong with a text, a line each. */
async function wrongs(text) {
  const { results } = await checker.validateString(text);
  return results
    .flatMap((result) => result.messages)
    .map((message) => `${message.line}:${message.column} ${message.ruleId}: ${message.message}`);
}

test("every page is valid", async () => {
  const paths = [
    "/",
    "/play/penguins",
    "/play/gamma",
    "/play/flood",
    "/analysis/gamma",
    "/leagues",
    "/league/cup",
    "/league/cup/games",
    "/league/cup/games?faulty=1",
    "/league/cup/game/1",
    "/league/cup/entrant/mute",
    "/learn",
    "/learn/flood",
    "/learn/gamma/first",
    "/learn/penguins/program",
    "/puzzles/gamma",
    "/about",
    "/my",
    "/nothing",
    "/play/gamma?position=x",
    "/game/none",
  ];
  for (const path of paths) {
    const answer = await ask(place.base + path);
    assert.deepEqual(await wrongs(await answer.text()), [], path);
  }
});

test("a game that is evaluated is valid while that goes on, and then", async () => {
  const path = `${place.base}/league/cup/game/1`;
  const api = `${place.base}/api/v1/leagues/cup/games/1/evaluation`;
  await ask(`${path}/evaluation`, { method: "POST" });
  assert.deepEqual(await wrongs(await (await ask(path)).text()), []);
  for (let told = { done: 0 }; !told.is_over; ) told = await (await ask(`${api}?done=${told.done}`)).json();
  assert.deepEqual(await wrongs(await (await ask(path)).text()), []);
});

test("a game's page is valid", async () => {
  const begun = await ask(`${place.base}/play/gamma`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "opponent=here&clock=none&public=on&size=4x4&name=%3Cb%3E",
  });
  const path = begun.headers.get("location");
  for (const page of [path, "/"]) {
    const answer = await ask(place.base + page);
    assert.deepEqual(await wrongs(await answer.text()), [], page);
  }
});

test("a report is valid", async () => {
  await run(["report", "cup.toml", "-o", "report.html"], place.folder);
  assert.deepEqual(await wrongs(readFileSync(join(place.folder, "report.html"), "utf8")), []);
});
