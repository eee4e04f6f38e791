// Pictures of the pages at three sizes, light and dark, in target/screens, to hold beside a drawing:
//
//     FLOE=target/debug/floe node crates/web/tests/browser/screens.mjs
//
// ONLY=league,my takes some pages alone, SIZES=desktop,phone some sizes, SCHEMES=light one of both, and
// ASSETS=crates/web/assets takes scripts and styles from there without building anything. LEAGUE=1 adds
// the pages of a league to which programs are sent and of a cluster, which takes minutes and nats-server;
// LEAGUE=only takes them alone. So this has every page:
//
//     LEAGUE=1 FLOE=target/debug/floe node crates/web/tests/browser/screens.mjs
//
// WINDOW=1 shows what a window shows, not the whole page. The sizes are those of the drawings.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openLeague, send } from "./league.mjs";
import { Place, begin, moveByMouse, patience, resign, run, said, screens, tablet } from "./place.mjs";

const list = (name, all) => process.env[name]?.split(",") ?? all;
const only = list("ONLY", null);
const viewports = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  tablet,
  wall: { width: 1920, height: 1080 },
};
const sizes = list("SIZES", ["desktop", "phone", "tablet"]);
const schemes = list("SCHEMES", ["light", "dark"]);
const games = ["penguins", "gamma", "flood"];
const wants = (name) => !only || only.includes(name);

const paths = {
  front: "/",
  play: "/play/penguins",
  "play-flood": "/play/flood",
  "play-friend": "/play/gamma?opponent=link",
  analysis: "/analysis/gamma",
  leagues: "/leagues",
  league: "/league/autumn",
  "league-empty": "/league/winter",
  games: "/league/autumn/games",
  replay: "/league/autumn/game/3",
  fault: "/league/cup/game/3",
  program: "/league/autumn/entrant/owls",
  projector: "/league/autumn/projector",
  learn: "/learn/penguins",
  "learn-all": "/learn",
  programmers: "/learn/gamma/program",
  puzzles: "/puzzles/penguins",
  records: "/records",
  about: "/about",
  missing: "/nothing",
  "my-empty": "/my",
};

/** A tournament with enough programs for a table. */
async function addTournament(folder) {
  const seats =
    'herons = "floe:nodes=300"\nlynxes = "floe:nodes=120"\nowls = "floe:nodes=40"\nbadgers = "floe:nodes=10"\notters = "greedy"\nmartens = "random"\nfoxes = "line:python3 mute.py"\n';
  const contest = (game, setup, entrants) =>
    `game = "${game}"\n[boards]\nsetup = "${setup}"\nseed = 7\ncount = 1\n[entrants]\n${entrants}`;
  writeFileSync(join(folder, "autumn.toml"), contest("flood", "12x12", seats));
  writeFileSync(join(folder, "winter.toml"), contest("penguins", "8x8", seats));
  await run(["tournament", "autumn.toml", "-q"], folder);
  await run(["report", "autumn.toml", "-o", "report.html"], folder);
}

/** Takes a picture of a page. */
async function keep(page, name, look) {
  await page.screenshot({ path: join(screens, `${name}.${look}.png`), fullPage: !process.env.WINDOW });
}

async function settle(page, path) {
  await page.goto(path);
  await page.waitForLoadState("networkidle", { timeout: 4000 }).catch(() => {});
}

/** Games as a player sees them, from the first move to the review. */
async function playGames(page, look) {
  for (const game of games) {
    await begin(page, game, { opponent: "floe:easy" });
    for (let turn = 0; turn < 4; turn++) {
      await said(page, /^Your turn/);
      const before = await page.locator("#moves li").count();
      await moveByMouse(page, game === "flood" ? 0 : turn);
      await page.waitForFunction(
        (least) => document.querySelectorAll("#moves li").length >= least,
        before + 1,
      );
    }
    await said(page, /^Your turn/);
    const show = page.getByRole("button", { name: "Show who is ahead" });
    if (await show.isVisible()) await show.click();
    await page.locator("#lead .leadbar i").first().waitFor({ state: "attached" });
    await keep(page, `game-${game}`, look);
  }
  await resign(page);
  await page.locator("#over").waitFor();
  await keep(page, "game-over", look);
  await page.locator("#look-back").click();
  await page.getByText(/Turning points|decided by a fault/).waitFor();
  await keep(page, "review", look);
  await settle(page, "/my");
  await keep(page, "my", look);
  await settle(page, "/");
  await keep(page, "front-again", look);
}

/** A short game that is played to its end and looked back at. */
async function playOut(page, look) {
  await begin(page, "penguins", { opponent: "floe:beginner", size: "5x5" });
  for (let turn = 0; turn < 60; turn++) {
    await said(page, /^Your turn|^You |^A draw/);
    if (!/^Your turn/.test(await page.textContent("#say"))) break;
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
  await page.locator("#over").waitFor();
  await page.waitForTimeout(600);
  await keep(page, "game-end", look);
  await page.locator("#look-back").click();
  await page.getByText(/Turning points|No blunders|No single slip|decided by a fault/).waitFor();
  await page.waitForTimeout(600);
  await keep(page, "review-end", look);
}

/** Waiting for a friend, the question before resigning, and what is behind the dots. */
async function meetFriend(page, look) {
  await begin(page, "penguins", { opponent: "link", name: "Ann" });
  await said(page, /^Waiting for your friend/);
  await page.locator("#qr").waitFor();
  await keep(page, "start-friend", look);
  await begin(page, "gamma", { opponent: "here", size: "5x5", players: "4" });
  await said(page, /take a free field/);
  await keep(page, "game-four", look);
  await page.locator("#acts").getByRole("button", { name: "More" }).click();
  await page.locator("dialog[open]").waitFor();
  await keep(page, "more", look);
  await page.keyboard.press("Escape");
  await page.locator("#acts").getByRole("button", { name: "Resign" }).click();
  await page.locator("dialog[open]").waitFor();
  await keep(page, "question", look);
  await page.keyboard.press("Escape");
}

async function playLarge(page, look) {
  for (const game of games) {
    await begin(page, game, { opponent: "here", size: game === "flood" ? "50x50" : "30x30" });
    await page.waitForFunction(() => document.querySelector("floe-board")?.picks?.length > 0);
    await keep(page, `large-${game}`, look);
  }
}

/** Pages of a league to which an accepted and a refused program were sent. */
async function leaguePages() {
  const bots = fileURLToPath(new URL("../../../../examples/bots/", import.meta.url));
  const { place, links, close } = await openLeague();
  try {
    const page = await place.visitor(viewports.desktop);
    const look = "desktop.light";
    const inEveryLook = async (name, path, visitor = page) => {
      for (const size of sizes)
        for (const colorScheme of schemes) {
          await visitor.setViewportSize(viewports[size]);
          await visitor.emulateMedia({ colorScheme });
          await settle(visitor, path);
          await keep(visitor, name, `${size}.${colorScheme}`);
        }
    };
    const organiser = await place.visitor(viewports.desktop);
    await organiser.goto(place.entrance);
    await inEveryLook("league-open", "/league/cup", organiser);
    await page.goto(links[0]);
    await keep(page, "submit-first", look);
    await page.locator("input[type=file]").setInputFiles({
      name: "flood.tar.gz",
      mimeType: "application/gzip",
      buffer: execFileSync("tar", ["-C", bots, "-cz", "flood.py", "flood.c", "line.py"]),
    });
    await page.locator("#found").waitFor();
    await keep(page, "submit-chosen", look);
    const timeout = 4 * patience;
    const good = await send(page, "flood.py", readFileSync(join(bots, "flood.py"), "utf8"), "counts borders");
    await keep(page, "verdict-waiting", look);
    await page.getByText(/It is accepted and plays/).waitFor({ timeout });
    const bad = await send(
      page,
      "bot.py",
      'import sys\nsys.stdin.read()\nprint("#")\n',
      "looks two moves ahead",
    );
    await page.getByRole("heading", { name: /is refused/ }).waitFor({ timeout });
    for (const [name, path] of Object.entries({
      "verdict-refused": bad,
      "verdict-accepted": good,
      submit: "/submit",
      versions: "/versions",
      ladder: "/league/cup",
      "own-program": "/league/cup/entrant/owls%231",
    }))
      await inEveryLook(name, path);
    await inEveryLook("desk", "/desk", organiser);
  } finally {
    await close();
  }
}

/** The page of a cluster's machines, whose test keeps pictures of it. */
function machinePages() {
  const test = fileURLToPath(new URL("machines.test.mjs", import.meta.url));
  execFileSync(process.execPath, ["--test", test], { env: { ...process.env, EVERY: "1" } });
}

/** Pages of a place that is served: games, and tournaments that were played. */
async function placePages() {
  const place = await Place.open();
  try {
    await addTournament(place.folder);
    await visitPages(place);
  } finally {
    await place.close();
  }
}

/** Takes the pictures of every size and look. */
async function visitPages(place) {
  for (const size of sizes) {
    for (const colorScheme of schemes) {
      const look = `${size}.${colorScheme}`;
      const page = await place.visitor(viewports[size], { colorScheme });
      page.setDefaultTimeout(3 * patience);
      for (const [name, path] of Object.entries(paths)) {
        if (!wants(name)) continue;
        await settle(page, path);
        await keep(page, name, look);
      }
      if (wants("report")) {
        const alone = await place.visitor(viewports[size], { colorScheme });
        await alone.goto(pathToFileURL(join(place.folder, "report.html")).href);
        await alone.locator("details.replay floe-board canvas").first().waitFor();
        await keep(alone, "report", look);
        await alone.context().close();
      }
      const parts = { game: playGames, end: playOut, friend: meetFriend, large: playLarge };
      for (const [name, part] of Object.entries(parts))
        if (wants(name))
          await part(page, look).catch((error) => console.error(`${name} ${look}: ${error.message}`));
      if (page.wrongs.length) console.error(`${look}: ${page.wrongs.join("; ")}`);
      await page.context().close();
    }
  }
}

if (process.env.LEAGUE !== "only") await placePages();
if (process.env.LEAGUE) {
  await leaguePages();
  machinePages();
}
console.log(`see ${screens}`);
