// The figures of the pages in a real browser, every row of them: how many bytes a game's page is,
// compressed; how soon something is seen on a slow phone; how far what is seen moves while a page loads;
// how long a click takes until the answer of an engine is drawn, and a board until it is redrawn; what
// axe-core finds on every page, at three sizes and in every palette:
//
//     FLOE=target/release/floe node crates/web/tests/browser/figures.mjs
//
// after `npm --prefix crates/web/tests/browser ci`. ONLY=bytes,paint,shift,click,redraw,axe takes some of
// them alone, and ONLY=league the layout shift of the pages of a league to which programs are sent.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openLeague, send } from "./league.mjs";
import { Place, begin, moveByMouse, patience, resign, said, sizes, tablet } from "./place.mjs";

/** A slow phone on a slow network: 4 times slower, 1.6 Mbit/s. */
const [SLOWER, BYTES_PER_SECOND, LATENCY] = [4, 1_600_000 / 8, 150];
/** How far things may move, by themselves, on a page. */
const MOST_SHIFT = 0.02;
/** How often a first paint is measured. */
const TIMES = 3;
const paths = [
  "/",
  "/play/penguins",
  "/analysis/gamma",
  "/learn",
  "/learn/flood",
  "/learn/gamma/program",
  "/puzzles/flood",
  "/leagues",
  "/league/cup",
  "/league/cup/games",
  "/league/cup/game/1",
  "/league/cup/entrant/mute",
  "/league/cup/projector",
  "/projector",
  "/records",
  "/my",
  "/about",
  "/nothing",
];
const wants = (name) => !process.env.ONLY || process.env.ONLY.split(",").includes(name);
const middle = (all) => all.toSorted((a, b) => a - b)[all.length >> 1];
/** @type {Place} */
let place;

/** A game in which a few moves were made; gives its address. */
async function played(page, game) {
  await begin(page, game, { opponent: "floe:easy" });
  for (let turn = 0; turn < 2; turn++) {
    await said(page, /^Your turn/);
    await moveByMouse(page, turn);
    await page.waitForFunction(
      (least) => document.querySelectorAll("#moves li").length >= least,
      2 * turn + 2,
    );
  }
  await said(page, /^Your turn/);
  return new URL(page.url()).pathname;
}

/** What a page loads, in bytes as they are sent, by address. */
async function loaded(page, path) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const addresses = new Map();
  const sent = new Map();
  session.on("Network.responseReceived", ({ requestId, response }) =>
    addresses.set(requestId, new URL(response.url).pathname),
  );
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    sent.set(addresses.get(requestId), encodedDataLength),
  );
  await page.goto(path);
  await said(page, /^Your turn/);
  await page.waitForTimeout(500);
  await session.detach();
  return sent;
}

/** When something is first seen on a slow phone, with nothing in the cache. */
async function firstPaint(path, state) {
  const page = await place.visitor(sizes.phone, { storageState: state });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND / 2,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(path);
  const ms = await page.evaluate(
    () =>
      new Promise((done) =>
        new PerformanceObserver((list) => {
          const [paint] = list.getEntriesByName("first-contentful-paint");
          if (paint) done(paint.startTime);
        }).observe({ type: "paint", buffered: true }),
      ),
  );
  await page.context().close();
  return ms;
}

/** How far things moved by itself, until nothing loads any more. */
async function shift(of, path, viewport, state) {
  const page = await of.visitor(viewport, { storageState: state });
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (!entry.hadRecentInput)
          window.shifts.push({
            value: entry.value,
            of: entry.sources.map(
              (source) => source.node?.id || source.node?.className || source.node?.nodeName,
            ),
          });
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(path);
  await page.waitForLoadState("networkidle", { timeout: 6000 }).catch(() => {});
  await page.waitForTimeout(500);
  const shifts = await page.evaluate(() => window.shifts);
  await page.context().close();
  return { sum: shifts.reduce((sum, one) => sum + one.value, 0), of: shifts.flatMap((one) => one.of) };
}

/** Prints how far things move on a page, at every size. @param {Place} of @param {string} path @param {string} name @param {any} state what the visitor's browser has */
async function shifts(of, path, name, state) {
  for (const [size, viewport] of Object.entries({ ...sizes, tablet })) {
    const { sum, of: moved } = await shift(of, path, viewport, state);
    const by = sum > MOST_SHIFT ? `, by ${[...new Set(moved)].join(", ")}` : "";
    console.log(`${name} (${size}): layout shift ${sum.toFixed(4)}${by}; at most ${MOST_SHIFT} is wanted`);
  }
}

/** Prints the same for the pages of a league: a participant's, also while a version is judged, and its organiser's. */
async function leagueShifts() {
  const { place: league, links, close } = await openLeague();
  try {
    const page = await league.visitor(sizes.desktop);
    await page.goto(links[0]);
    const bad = await send(page, "bot.py", 'import sys\nsys.stdin.read()\nprint("#")\n', "says nothing");
    const state = await page.context().storageState();
    const verdict = new URL(bad).pathname + new URL(bad).search;
    await shifts(league, verdict, "a verdict that is waited for", state);
    await page.getByRole("heading", { name: /is refused/ }).waitFor({ timeout: 4 * patience });
    await shifts(league, verdict, "a verdict", state);
    for (const path of ["/submit", "/versions", "/league/cup"]) await shifts(league, path, path, state);
    const organiser = await league.visitor(sizes.desktop);
    await organiser.goto(league.entrance);
    await shifts(league, "/desk", "/desk", await organiser.context().storageState());
  } finally {
    await close();
  }
}

/** Prints what holds for pages that are loaded: bytes, first paint, layout shift. */
async function pages() {
  const page = await place.visitor(sizes.desktop);
  const games = [];
  for (const game of ["penguins", "gamma", "flood"]) games.push(await played(page, game));
  const over = await played(page, "gamma");
  await resign(page);
  await page.locator("#over").waitFor();
  await begin(page, "flood", { opponent: "here", size: "50x50" });
  const large = new URL(page.url()).pathname;
  const state = await page.context().storageState();
  const nameOf = (path) =>
    path === over
      ? "a game that is over"
      : path.endsWith("#review")
        ? "a review"
        : path === large
          ? "a large game"
          : path.startsWith("/game/")
            ? "a game"
            : path;
  if (wants("bytes"))
    for (const path of games) {
      const sent = await loaded(page, path);
      const all = [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);
      console.log(
        `a game's page, all of it, compressed: ${(all / 1024).toFixed(1)} KiB in ${sent.size} files; at most 80 KiB are wanted`,
      );
    }
  if (wants("paint"))
    for (const path of [...paths, games[0], over]) {
      const times = [];
      for (let time = 0; time < TIMES; time++) times.push(await firstPaint(path, state));
      console.log(
        `${nameOf(path)}: first contentful paint, cold, ${SLOWER}x CPU, 1.6 Mbit/s: median ${middle(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms; at most 1500 ms are wanted`,
      );
    }
  if (wants("shift"))
    for (const path of [...paths, ...games, large, over, `${over}#review`])
      await shifts(place, path, nameOf(path), state);
}

/** Prints what axe-core finds: each look is every page, with dialogs and a review, at one size in one palette. */
function looks() {
  const test = fileURLToPath(new URL("readable.test.mjs", import.meta.url));
  const words = ["--test", "--test-reporter=tap", "--test-name-pattern=every page", test];
  return new Promise((done) => {
    const child = spawn(process.execPath, words, { env: { ...process.env, EVERY: "1" } });
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
    });
    child.on("close", () => {
      const [, all] = text.match(/^# tests (\d+)/m) ?? [0, "no"];
      const [, passed] = text.match(/^# pass (\d+)/m) ?? [0, "no"];
      const found = text.match(/'[^']+: [a-z-]+ at .*'/g) ?? [];
      for (const one of found) console.log(one);
      console.log(
        `axe-core, every page, three sizes, three palettes: ${passed} of ${all} looks without findings; all are wanted`,
      );
      done(undefined);
    });
  });
}

if (["bytes", "paint", "shift"].some(wants)) {
  place = await Place.open();
  try {
    await pages();
  } finally {
    await place.close();
  }
}
if (wants("shift") || wants("league")) await leagueShifts();
if (wants("click")) await import("./click.mjs");
if (wants("redraw")) await import("./redraw.mjs");
if (wants("axe")) await looks();
