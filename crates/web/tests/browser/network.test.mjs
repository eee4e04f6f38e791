// A network that loses requests and answers: pages heal by themselves, and every move counts once.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Place, begin, moveByMouse, resign, said, sizes } from "./place.mjs";

/** How many games are played over a bad network; more with SEEDS=10. */
const SEEDS = Number(process.env.SEEDS ?? 2);

/** @type {Place} */
let place;
before(async () => {
  place = await Place.open();
});
after(async () => {
  await place?.close();
});

const turns = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#moves li").length === count, count);
const offered = (page) => page.waitForFunction(() => document.querySelector("floe-board")?.picks?.length > 0);
const banner = (page) => page.locator("#reconnecting");

/** Loses requests to addresses like this until told to stop; gives how many were lost. */
async function cut(page, pattern) {
  const lost = { count: 0, isOver: false };
  await page.route(pattern, (route) => {
    if (lost.isOver) return route.continue();
    lost.count++;
    return route.abort("connectionfailed");
  });
  return lost;
}

/** What is lost, and what somebody does that needs it; then what must be there. */
const kinds = [
  [
    "the moves there are",
    "**/choices?**",
    async (page) => {
      await moveByMouse(page);
    },
    async (page) => {
      await turns(page, 1);
      await offered(page);
    },
  ],
  [
    "a move",
    "**/move",
    async (page) => {
      await moveByMouse(page);
    },
    async (page) => {
      await turns(page, 1);
      await offered(page);
    },
  ],
  [
    "a look back",
    "**/ply?**",
    async (page) => {
      await moveByMouse(page);
      await turns(page, 1);
      await page.locator("#step-first").click();
    },
    async (page) => {
      await said(page, /^Position after 0/);
    },
  ],
  [
    "a hint",
    "**/thoughts",
    async (page) => {
      await offered(page);
      await page.getByRole("button", { name: "Hint" }).click();
    },
    async (page) => {
      await said(page, /^Hint: /);
    },
  ],
  [
    "passing",
    "**/give-up",
    async (page) => {
      await offered(page);
      await page.getByRole("button", { name: "Pass" }).click();
      await page.locator("dialog[open] button.danger").click();
    },
    async (page) => {
      await turns(page, 1);
    },
  ],
  [
    "an undo",
    "**/take-back",
    async (page) => {
      await moveByMouse(page);
      await turns(page, 1);
      await page.getByRole("button", { name: "Undo" }).click();
    },
    async (page) => {
      await turns(page, 0);
      await offered(page);
    },
  ],
  [
    "giving the game up",
    "**/resign",
    async (page) => {
      await offered(page);
      await resign(page);
    },
    async (page) => {
      await page.locator("#over").waitFor();
    },
  ],
  [
    "the forms of a position",
    "**/forms",
    async (page) => {
      await offered(page);
      await page.getByRole("button", { name: "More" }).click();
    },
    async (page) => {
      await page.getByRole("heading", { name: "Copy the position as" }).waitFor();
    },
  ],
];

for (const [what, pattern, act, heals] of kinds) {
  test(`a page heals when ${what} is lost, once and for a while`, async () => {
    const page = await place.visitor(sizes.desktop);
    await begin(page, "gamma", { opponent: "here", size: "5x5" });
    if (!pattern.includes("/choices")) await offered(page);
    const lost = await cut(page, pattern);
    if (pattern.includes("/choices")) await page.reload();
    const done = act(page);
    // It is tried again, with pauses, and the page says so.
    await banner(page).waitFor();
    while (lost.count < 3) await new Promise((done) => setTimeout(done, 50));
    lost.isOver = true;
    await done;
    await heals(page);
    await banner(page).waitFor({ state: "detached" });
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });
}

test("a move whose answer is lost counts once", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "gamma", { opponent: "here", size: "5x5" });
  let sent = 0;
  await page.route("**/live?**", (route) => route.fulfill({ status: 502, body: "" }));
  await page.route("**/move", async (route) => {
    if (++sent > 1) return route.continue();
    await route.fetch();
    return route.abort("connectionreset");
  });
  await moveByMouse(page);
  await turns(page, 1);
  await offered(page);
  // It is sent again, and refused: the game has gone on.
  while (sent < 2) await new Promise((done) => setTimeout(done, 50));
  assert.doesNotMatch(await page.textContent("#say"), /not made/);
  await page.context().close();
});

test("a stream that is lost is asked for again while the other player moves", async () => {
  const [host, guest] = [await place.visitor(sizes.desktop), await place.visitor(sizes.phone)];
  await begin(host, "gamma", { opponent: "link", size: "5x5" });
  const lost = await cut(guest, "**/live?**");
  await guest.goto(await host.inputValue("#link"));
  await guest.getByRole("button", { name: "Sit down and play" }).click();
  await said(host, /^Your turn/);
  await moveByMouse(host);
  await turns(host, 1);
  await banner(guest).waitFor();
  lost.isOver = true;
  await said(guest, /^Your turn/);
  await moveByMouse(guest);
  await said(host, /^Your turn/);
  await banner(guest).waitFor({ state: "detached" });
  await host.context().close();
  await guest.context().close();
});

test("a stream that is never answered is asked for again", async () => {
  const [host, guest] = [await place.visitor(sizes.desktop), await place.visitor(sizes.phone)];
  await begin(host, "gamma", { opponent: "link", size: "5x5" });
  const asked = [];
  // The first request is held, as in a network that swallows packets.
  await guest.route("**/live?**", (route) => asked.push(route) > 1 && route.continue());
  await guest.goto(await host.inputValue("#link"));
  await guest.getByRole("button", { name: "Sit down and play" }).click();
  await said(host, /^Your turn/);
  await moveByMouse(host);
  await said(guest, /^Your turn/);
  await moveByMouse(guest);
  await said(host, /^Your turn/);
  await banner(guest).waitFor({ state: "detached" });
  await host.context().close();
  await guest.context().close();
});

for (const lost of ["live.js", "game.js", "floe.css"]) {
  test(`a page that came without ${lost} loads itself again`, async () => {
    const page = await place.visitor(sizes.phone);
    await begin(page, "gamma", { size: "5x5" });
    await offered(page);
    let count = 0;
    await page.route(`**/assets/${lost}`, (route) =>
      ++count > 2 ? route.continue() : route.abort("connectionfailed"),
    );
    // What a browser has in its cache is not lost.
    const session = await page.context().newCDPSession(page);
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    await page.reload();
    await page.waitForFunction(
      () =>
        document.querySelector("floe-board")?.picks?.length > 0 &&
        document.styleSheets.length > 0 &&
        sessionStorage.getItem("lost-pages") === null,
    );
    assert.equal(count, 3);
    await page.context().close();
  });
}

test("a phone without signal says so, and goes on where it was", async () => {
  const page = await place.visitor(sizes.phone);
  await begin(page, "gamma", { size: "5x5" });
  await offered(page);
  await page.context().setOffline(true);
  await moveByMouse(page);
  await banner(page).filter({ hasText: "Offline" }).waitFor();
  await page.context().setOffline(false);
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length >= 2);
  await banner(page).waitFor({ state: "detached" });
  await said(page, /^Your turn/);
  await offered(page);
  await page.context().close();
});

test("a server that is started again needs no reload", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "gamma", { opponent: "here", size: "5x5" });
  await moveByMouse(page);
  await turns(page, 1);
  await offered(page);
  await place.kill();
  await moveByMouse(page);
  await banner(page).waitFor();
  await place.start(place.port);
  await turns(page, 2);
  await offered(page);
  await banner(page).waitFor({ state: "detached" });
  await page.context().close();
});

/** Numbers that look random, the same for the same seed. */
function dice(seed) {
  let state = seed * 2654435761;
  return () => {
    state = (state ^ (state << 13)) >>> 0;
    state = (state ^ (state >>> 17)) >>> 0;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
}

/** Makes the first move there is until the game is over. */
async function playToTheEnd(page) {
  const isOver = () => page.locator("#over").isVisible();
  while (!(await isOver())) {
    await page.waitForFunction(
      () =>
        document.querySelector("floe-board")?.picks?.length > 0 || !document.getElementById("over").hidden,
    );
    if (await isOver()) break;
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
}

/** How a page stands that does not go on. */
async function standing(page) {
  const shown = await page.evaluate(() => ({
    say: document.getElementById("say")?.textContent,
    moves: document.querySelectorAll("#moves li").length,
    banner: document.getElementById("reconnecting")?.textContent,
    picks: document.querySelector("floe-board")?.picks?.length,
  }));
  const path = new URL(page.url()).pathname;
  const known = await fetch(`${place.base}/api/v1${path.replace("game", "games")}/turn`);
  return { ...shown, server: await known.json() };
}

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`a whole game over a bad network (${seed})`, async () => {
    const page = await place.visitor(sizes.desktop);
    const roll = dice(seed);
    await begin(page, "gamma", { size: "4x4" });
    let lost = 0;
    await page.route(/\/api\/|\/live\?/, async (route) => {
      const way = roll();
      if (way < 0.2) {
        lost++;
        return route.abort("connectionfailed");
      }
      // What is done, and never answered.
      if (way < 0.35 && !route.request().url().includes("/live")) {
        lost++;
        await route.fetch().catch(() => {});
        return route.abort("connectionreset");
      }
      return route.continue();
    });
    await page.reload();
    await playToTheEnd(page).catch(async (error) => {
      throw new Error(`${error.message}; the page: ${JSON.stringify(await standing(page))}`);
    });
    assert.ok(lost > 0);
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Does something while the network is cut for a minute, by the page's own clock, from a random moment
 * on; then waits until the page has healed.
 */
async function cutForAMinute(page, roll, act) {
  const done = act();
  await pause(roll() * 200);
  await page.context().setOffline(true);
  for (let seconds = 0; seconds < 60; seconds += 6) {
    await page.clock.runFor(6000);
    await pause(10);
  }
  await page.context().setOffline(false);
  await done;
  await banner(page).waitFor({ state: "detached" });
}

/** Somebody whose page has a clock that can be turned on. */
async function visitorWithClock(size) {
  const page = await place.visitor(size);
  await page.clock.install();
  return page;
}

/** What each of those who come does; the network may be cut in any of these steps. */
const visits = {
  "a player": async (cutIn) => {
    const page = await visitorWithClock(sizes.phone);
    await page.goto("/");
    await page.getByRole("button", { name: "Play now" }).click();
    await page.waitForURL(/\/game\//);
    for (let count = 0; count < 4; count += 2) {
      await cutIn(page, async () => {
        await moveByMouse(page);
        await page.waitForFunction(
          (least) => document.querySelectorAll("#moves li").length > least,
          count + 1,
        );
      });
      await offered(page);
    }
    await cutIn(page, async () => {
      await page.getByRole("button", { name: "Hint" }).click();
      await said(page, /^Hint: /);
    });
    return [page];
  },
  "two friends": async (cutIn) => {
    const [host, guest] = [await visitorWithClock(sizes.desktop), await visitorWithClock(sizes.phone)];
    await begin(host, "gamma", { opponent: "link", size: "4x4" });
    await guest.goto(await host.inputValue("#link"));
    await cutIn(guest, () => guest.getByRole("button", { name: "Sit down and play" }).click());
    await said(host, /^Your turn/);
    await cutIn(host, async () => {
      await moveByMouse(host);
      await turns(host, 1);
    });
    await said(guest, /^Your turn/);
    await moveByMouse(guest);
    await said(host, /^Your turn/);
    return [host, guest];
  },
  "a spectator": async (cutIn) => {
    const [player, watcher] = [await place.visitor(sizes.desktop), await visitorWithClock(sizes.desktop)];
    await begin(player, "gamma", { opponent: "here", size: "4x4" });
    await watcher.goto(player.url());
    await cutIn(watcher, () => moveByMouse(player));
    await turns(watcher, 1);
    await moveByMouse(player);
    await turns(watcher, 2);
    await player.context().close();
    return [watcher];
  },
  "a student with a bot": async (cutIn) => {
    const page = await visitorWithClock(sizes.desktop);
    await page.goto("/league/cup/entrant/mute");
    await page.locator("a[href*='/game/']").first().click();
    await page.waitForURL(/\/game\//);
    await page.waitForFunction(() => document.querySelector("floe-board")?.picture);
    await cutIn(page, () =>
      page.waitForFunction(
        () =>
          document.querySelectorAll("#graph path").length > 0 ||
          document.querySelector("#graph")?.textContent,
      ),
    );
    await page.locator("[data-step=first]").click();
    return [page];
  },
  "an organiser": async (cutIn) => {
    const page = await visitorWithClock(sizes.desktop);
    await page.goto("/league/cup/projector");
    await cutIn(page, () => pause(50));
    await page.locator(".ladder li").first().waitFor();
    return [page];
  },
  "someone with a position": async (cutIn) => {
    const page = await visitorWithClock(sizes.desktop);
    await page.goto("/analysis/gamma");
    await cutIn(page, () => page.locator("#lines li").first().waitFor());
    return [page];
  },
};

for (let seed = 1; seed <= SEEDS; seed++) {
  for (const [who, visit] of Object.entries(visits)) {
    test(`${who} needs no reload when the network is cut for a minute (${seed})`, async () => {
      const roll = dice(seed * 31 + who.length);
      let cuts = 0;
      const pages = await visit((page, act) => {
        if (cuts > 0 && roll() < 0.5) return act();
        cuts++;
        return cutForAMinute(page, roll, act);
      });
      assert.ok(cuts > 0);
      for (const page of pages) {
        assert.deepEqual(page.wrongs, []);
        await page.context().close();
      }
    });
  }
}
