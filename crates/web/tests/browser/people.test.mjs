// What people come for, each as somebody would do it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import { Place, begin, choose, keep, moveByMouse, resign, run, said, sizes } from "./place.mjs";

/** A program that waits before each move, so that its games can be watched: an engine would keep a core busy. */
const slow = `import builtins, time
say = builtins.print
def slowly(*words, **more):
    if str(words[0]).startswith("move"): time.sleep(0.4)
    say(*words, **more)
builtins.print = slowly
${readFileSync(new URL("../../../../examples/bots/line.py", import.meta.url), "utf8")}`;

/** @type {Place} */
let place;
before(async () => {
  place = await Place.open();
});
after(async () => {
  await place?.close();
});

for (const [size, viewport] of Object.entries(sizes)) {
  const kept = (page, name) => keep(page, `${name}-${size}`);

  test(`a player has a game in two clicks (${size})`, async () => {
    const page = await place.visitor(viewport);
    await page.goto("/");
    await kept(page, "front");
    await page.goto("/play/gamma");
    await kept(page, "form");
    await page.goto("/");
    // One click begins a game against a level.
    await page.getByRole("button", { name: "Play Gamma now against Easy" }).click();
    for (let turn = 0; turn < 3; turn++) {
      await said(page, /^Your turn/);
      await moveByMouse(page);
      await page.waitForFunction(
        (least) => document.querySelectorAll("#moves li").length >= least,
        2 * turn + 2,
      );
    }
    await said(page, /^Your turn/);
    await page.getByRole("button", { name: "Hint" }).click();
    await said(page, /^Hint: /);
    await kept(page, "game");
    // Closing the page loses nothing.
    const address = page.url();
    await page.goto("/my");
    await page.locator(`a[href="${new URL(address).pathname}"]`).click();
    await said(page, /^Your turn/);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 4);
    assert.match(await page.evaluate(() => document.activeElement.textContent), /Undo/, "the focus stays");
    await resign(page);
    await said(page, /^You lost: you resigned/);
    await kept(page, "over");
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByText(/Turning points|decided by a fault/).waitFor();
    await kept(page, "review");
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });

  test(`two friends play by a link (${size})`, async () => {
    const [host, guest] = [await place.visitor(viewport), await place.visitor(viewport)];
    await begin(host, "penguins", { opponent: "link", name: "Ann" });
    await said(host, /^Waiting for your friend/);
    const link = await host.inputValue("#link");
    await guest.goto(link);
    await guest.getByRole("button", { name: "Sit down and play" }).click();
    await said(host, /^Your turn/);
    await moveByMouse(host);
    await said(guest, /^Your turn/);
    await guest.reload();
    await said(guest, /^Your turn/);
    await moveByMouse(guest);
    await said(host, /^Your turn/);
    await kept(host, "friends");
    assert.deepEqual([...host.wrongs, ...guest.wrongs], []);
    await host.context().close();
    await guest.context().close();
  });

  test(`a spectator sees what is played now (${size})`, async () => {
    const [player, spectator] = [await place.visitor(viewport), await place.visitor(viewport)];
    await begin(player, "flood", { opponent: "here" });
    await said(player, /: choose/);
    const path = new URL(player.url()).pathname;
    await spectator.goto("/");
    await kept(spectator, "front-live");
    await spectator.locator(`a[href="${path}"]`).click();
    await spectator.waitForSelector("floe-board .frame svg");
    await moveByMouse(player);
    await spectator.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
    assert.equal(await spectator.locator("#acts button:visible").count(), 0);
    assert.deepEqual([...player.wrongs, ...spectator.wrongs], []);
    await player.context().close();
    await spectator.context().close();
  });

  test(`a student finds the losing move in three clicks (${size})`, async () => {
    const page = await place.visitor(viewport);
    await page.goto("/league/cup");
    await kept(page, "league");
    await page.getByRole("link", { name: "mute" }).first().click();
    await page.locator('table a[href*="/game/"]').first().click();
    await said(page, /mute is out/);
    assert.match(await page.textContent("main"), /floe replay cup-\d+\.jsonl/);
    assert.equal(await page.locator("#log").isVisible(), false, "what a program wrote is not everybody's");
    await kept(page, "fault");
    await page.goto(place.entrance);
    await page.goto("/league/cup/games?faulty=1");
    await page.locator("table a").first().click();
    await said(page, /mute is out/);
    await page.locator("#log summary").click();
    assert.match(await page.textContent("#stderr"), /weights not found/);
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });

  test(`somebody tries a position out (${size})`, async () => {
    const page = await place.visitor(viewport);
    await page.goto("/analysis/gamma");
    await page.locator("#lines li").first().waitFor();
    await page.fill("#text", "gamma 3 3 2 2\nturn 1 golden 1 2\n...\n.x.\n...\n");
    await page.getByRole("button", { name: "Show this position" }).click();
    await page.locator("#problem").waitFor();
    assert.match(await page.textContent("#problem"), /line 4, column 2/);
    await page.fill("#text", "gamma 3 3 2 2\nturn 1 golden 1 2\n...\n.1.\n..2\n");
    await page.getByRole("button", { name: "Show this position" }).click();
    await page.waitForFunction(() => document.querySelector("floe-board").picture.width === 3);
    await moveByMouse(page);
    await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
    await page.locator("#lines .proven").first().waitFor();
    await kept(page, "analysis");
    const other = await place.visitor(viewport);
    await other.goto(page.url());
    await other.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
    await other.context().close();
  });

  test(`somebody tries one move and another, and sends both (${size})`, async () => {
    const page = await place.visitor(viewport);
    await page.goto(
      `/analysis/gamma?position=${encodeURIComponent("gamma 3 3 2 2\nturn 1 golden 1 2\n...\n...\n...\n")}`,
    );
    const tried = (words, at) =>
      page.waitForFunction(
        ([words, at]) => {
          const moves = [...document.querySelectorAll("#moves button")];
          const current = moves.findIndex((move) => move.getAttribute("aria-current"));
          return (
            moves.length === words &&
            current === at &&
            !document.querySelector("#problem").checkVisibility() &&
            document.querySelector("floe-board").picks.length > 0
          );
        },
        [words, at],
      );
    await moveByMouse(page);
    await tried(1, 0);
    await moveByMouse(page);
    await tried(2, 1);
    await page.getByRole("button", { name: "Back" }).click();
    await tried(2, 0);
    // Another move makes a branch, and the old one is kept.
    await moveByMouse(page, 1);
    await tried(3, 2);
    await moveByMouse(page);
    await tried(4, 3);
    assert.equal(await page.locator("#moves ol.branch li").count(), 2);
    // Every position of the line one is on has its place in the graph, and its numbers.
    await page.waitForFunction(() => document.querySelectorAll("#graph tbody tr").length === 4);
    assert.match(
      await page.locator("#graph path.worth").getAttribute("d"),
      /^M4\.0 [\d.]+L.*L316\.0 [\d.]+$/,
    );
    await page.locator("#graph summary").click();
    assert.match(await page.locator("#graph table").innerText(), /the start/);
    await page.locator("#moves button").last().scrollIntoViewIfNeeded();
    await kept(page, "branches");
    // Keys go along the line and from branch to branch.
    await page.locator("#moves button").nth(2).focus();
    for (const [key, at] of [
      ["ArrowLeft", 2],
      ["ArrowUp", 1],
      ["ArrowDown", 2],
      ["ArrowRight", 3],
      ["ArrowLeft", 2],
      ["ArrowLeft", 0],
      ["End", 3],
      ["Home", -1],
      ["ArrowRight", 0],
    ]) {
      await page.keyboard.press(key);
      await tried(4, at);
    }
    assert.equal(
      await page.evaluate(
        () => document.activeElement.closest("#moves") !== null || document.activeElement === document.body,
      ),
      true,
    );
    await page.keyboard.press("End");
    await tried(4, 3);
    // A click in the graph goes there, too.
    await page.locator("#graph svg").click({ position: { x: 2, y: 30 } });
    await tried(4, -1);
    await page.keyboard.press("End");
    await tried(4, 3);
    // A link has all of it, and where one stood.
    const other = await place.visitor(viewport);
    await other.goto(page.url());
    await other.waitForFunction(
      () =>
        [...document.querySelectorAll("#moves button")].findIndex((move) =>
          move.getAttribute("aria-current"),
        ) === 3,
    );
    assert.deepEqual(
      await other.locator("#moves button").allTextContents(),
      (await page.locator("#moves button").allTextContents()).map((move) => move.replace(/\?+$/, "")),
    );
    // Numbers stand open where somebody opened them.
    assert.equal(await page.locator("#graph details").getAttribute("open"), "");
    await page.getByRole("button", { name: "Make main line" }).click();
    // What was the main line is a branch now, and stands below the move that is instead of it.
    await page.waitForFunction(() => document.querySelectorAll("#moves ol.branch li").length === 1);
    await tried(4, 3);
    assert.equal(await page.locator("#promote").isVisible(), false);
    await page.getByRole("button", { name: "Delete from here" }).click();
    await tried(3, 1);
    assert.deepEqual([...page.wrongs, ...other.wrongs], []);
    await page.context().close();
    await other.context().close();
  });

  test(`a game is evaluated without a script (${size})`, async () => {
    const page = await place.visitor(viewport, { javaScriptEnabled: false });
    await page.goto("/league/cup/games?of=steady&against=greedy");
    await page
      .locator("table a")
      .nth(size === "phone" ? 1 : 0)
      .click();
    const path = new URL(page.url()).pathname;
    await page.getByRole("button", { name: "Evaluate this game" }).click();
    // The page looks again by itself until all is there.
    await page.getByText(/Turning points|No blunders|decided by a fault/).waitFor();
    assert.equal(new URL(page.url()).pathname, path);
    await page.locator("#graph summary").click();
    assert.match(await page.locator("#graph table").innerText(), /the start/);
    await page.locator("#graph svg.graph path.worth").waitFor();
    assert.match(await page.locator("#seats").innerText(), /steady/);
    await kept(page, "evaluated");
    // Whoever has a script sees the same at once.
    const other = await place.visitor(viewport);
    await other.goto(path);
    await other.getByText(/Turning points|No blunders/).waitFor();
    await other.waitForFunction(() => document.querySelector("#graph svg.graph path.worth"));
    await kept(other, "replay");
    assert.deepEqual(other.wrongs, []);
    await page.context().close();
    await other.context().close();
  });

  test(`an organiser has a league on the projector and a result to keep (${size})`, async () => {
    const name = `${size}cup`;
    writeFileSync(
      join(place.folder, `${name}.toml`),
      'game = "gamma"\n[boards]\nsetup = "6x6"\nseed = 1\ncount = 1\n[entrants]\nslow = "line:python3 slow.py"\ngreedy = "greedy"\n',
    );
    writeFileSync(join(place.folder, "slow.py"), slow);
    const page = await place.visitor(viewport);
    await page.goto(`/league/${name}`);
    await page.getByText("no game is finished yet").waitFor();
    const projector = await place.visitor(viewport);
    await projector.goto(`/league/${name}/projector`);
    const played = run(["tournament", `${name}.toml`, "-q", "--tables", "1"], place.folder);
    // Tables appear by themselves, and are looked at with one click.
    await page.waitForFunction(() => document.querySelector("#live .live-card floe-board")?.picture);
    await projector.waitForFunction(() => !document.getElementById("table").hidden);
    await page.locator("#live .live-card").first().click();
    await said(page, /is thinking|wins|draw|Nothing more/);
    await kept(projector, "projector");
    await kept(page, "live");
    await played;
    await page.goto(`/league/${name}`);
    await page.getByText("2 of 2 games").waitFor();
    await projector.waitForFunction(
      () =>
        document.getElementById("table").hidden &&
        /2 of 2 games/.test(document.getElementById("standings").textContent),
    );
    await kept(projector, "projector-standings");
    await run(["report", `${name}.toml`, "-o", `${name}.html`], place.folder);
    assert.match(readFileSync(join(place.folder, `${name}.html`), "utf8"), /slow/);
    assert.deepEqual([...page.wrongs, ...projector.wrongs], []);
    await page.context().close();
    await projector.context().close();
  });

  test(`somebody paints a position (${size})`, async () => {
    const page = await place.visitor(viewport);
    // A brush paints as soon as it is chosen, also over a slow network.
    await page.route("**/api/v1/positions", async (route) => {
      await page.waitForTimeout(400);
      await route.continue();
    });
    for (const [game, brush, what] of [
      ["penguins", "water", "~"],
      ["gamma", "player 2", 2],
      ["flood", "@", "@"],
    ]) {
      await page.goto(`/analysis/${game}`);
      await page.waitForFunction(() => document.querySelectorAll("#brushes button").length > 0);
      await page.getByText("Paint a position").click();
      await page.locator("#brushes").getByRole("button", { name: brush, exact: true }).click();
      await page.waitForFunction(
        () =>
          document.querySelector("floe-board").picks.length ===
          document.querySelector("floe-board").picture.owners.length,
      );
      const before = await page.inputValue("#text");
      await page.locator("floe-board [tabindex]").focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction((text) => document.getElementById("text").value !== text, before);
      const shown = await page.waitForFunction((what) => {
        const board = document.querySelector("floe-board");
        return (
          [
            board.picture.shades[board.cursor],
            board.picture.glyphs[board.cursor],
            board.picture.owners[board.cursor],
          ].includes(what) || !document.getElementById("problem").hidden
        );
      }, what);
      assert.ok(shown);
    }
    await kept(page, "editor");
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });
}

test("keys alone are enough", async () => {
  const page = await place.visitor(sizes.desktop);
  await page.goto("/play/gamma");
  await page.locator("[name=opponent]").first().focus();
  await page.keyboard.press("Tab");
  await page.locator("form [type=submit]").focus();
  await page.keyboard.press("Enter");
  await said(page, /^Your turn/);
  await page.waitForFunction(() => document.querySelector("floe-board").picks.length > 0);
  await page.locator("floe-board [role=grid]").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length >= 1);
  await page.context().close();
});

test("pages are read without a script", async () => {
  const page = await place.visitor(sizes.desktop, { javaScriptEnabled: false });
  for (const [path, text] of [
    ["/", /Penguins/],
    ["/league/cup", /steady/],
    ["/league/cup/game/1", /Moves|»/],
    ["/learn/gamma", /area/],
    ["/play/flood", /Against whom/],
  ]) {
    await page.goto(path);
    assert.match(await page.textContent("main"), text, path);
  }
  await page.context().close();
});

test("a server that is killed between two moves loses nothing a browser was told", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "gamma", { opponent: "here" });
  for (let move = 1; move <= 4; move++) {
    await moveByMouse(page);
    await page.waitForFunction((count) => document.querySelectorAll("#moves li").length === count, move);
    const moves = await page.locator("#moves").textContent();
    await place.kill();
    await place.start(place.port);
    await page.reload();
    await page.waitForFunction((count) => document.querySelectorAll("#moves li").length === count, move);
    assert.equal(await page.locator("#moves").textContent(), moves);
  }
  await page.context().close();
});

test("a clock goes on where it was when the page is loaded again", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "gamma", { clock: "30s" });
  await said(page, /^Your turn/);
  const clock = page.locator("#seats .seat.on .clock");
  await page.waitForFunction(() => document.querySelector("#seats .seat.on .clock").textContent < "0:28");
  const before = await clock.textContent();
  await page.reload();
  await said(page, /^Your turn/);
  assert.ok((await clock.textContent()) <= before);
  await page.context().close();
});

test("a stream that was refused is asked for again", async () => {
  const [player, spectator] = [await place.visitor(sizes.desktop), await place.visitor(sizes.desktop)];
  await begin(player, "gamma", { opponent: "here" });
  let refusals = 0;
  await spectator.route("**/live?**", (route) =>
    ++refusals <= 2 ? route.fulfill({ status: 502, body: "" }) : route.continue(),
  );
  await spectator.goto(new URL(player.url()).pathname);
  await moveByMouse(player);
  await spectator.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
  assert.equal(refusals, 3);
  await player.context().close();
  await spectator.context().close();
});

test("a table that was sorted stays so while its league is played", async () => {
  const page = await place.visitor(sizes.desktop);
  // The page is told of games that end, and its standings change.
  let played = 0;
  const tables = (count) =>
    `event: tables\ndata: {"tables":${JSON.stringify(Array.from({ length: count }, (_, i) => ({ id: `g${i}`, href: "/", title: "Gamma", players: [] })))}}\n\n`;
  await page.route("**/live?**", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: `retry: 50\n\n${tables(0)}${tables(1)}` }),
  );
  await page.goto("/league/cup");
  const names = () =>
    [...document.querySelectorAll("table.sortable tbody tr")].map((row) => row.cells[1].textContent);
  await page.route("**/league/cup", async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    await route.fulfill({
      response: answer,
      body: text.replace(
        /(<table class="sortable stand">.*?<tbody>)/s,
        `$1<tr data-new="${++played}"><td>9</td><td>m-newcomer</td></tr>`,
      ),
    });
  });
  const heading = page.locator("table.sortable").first().getByRole("button", { name: "Program" });
  const renewed = (least) =>
    page.waitForFunction(
      (least) => Number(document.querySelector("[data-new]")?.dataset.new) >= least,
      least,
    );
  const inOrder = (list) => [...list].sort((a, b) => a.localeCompare(b));
  await renewed(1);
  await heading.click();
  const up = await page.evaluate(names);
  assert.deepEqual(up, inOrder(up));
  await renewed(played + 1);
  assert.deepEqual(await page.evaluate(names), up);
  await heading.click();
  assert.deepEqual(await page.evaluate(names), [...up].reverse());
  await page.context().close();
});

test("a large board is zoomed, dragged and played on, and stays where it was", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "gamma", { opponent: "here", size: "60x60" });
  await page.waitForFunction(() => document.querySelector("floe-board")?.picks?.length > 0);
  const sight = () =>
    page.evaluate(() => {
      const { zoom, middle, cell } = document.querySelector("floe-board").sight;
      return { zoom, cell, ...middle };
    });
  for (let step = 0; step < 3; step++) await page.getByRole("button", { name: "Larger" }).click();
  const first = await sight();
  assert.ok(first.zoom > 3 && first.cell > 24, JSON.stringify(first));
  // The wheel keeps what is under the pointer; a drag moves the board and chooses nothing.
  const box = await page.locator("floe-board .frame").boundingBox();
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4);
  await page.mouse.wheel(0, -200);
  await page.waitForFunction((zoom) => document.querySelector("floe-board").sight.zoom > zoom, first.zoom);
  const second = await sight();
  assert.ok(second.x < first.x && second.y < first.y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 4 + 120, box.y + box.height / 4 + 90, { steps: 4 });
  await page.mouse.up();
  const third = await sight();
  assert.ok(third.x < second.x && third.y < second.y);
  assert.equal(await page.locator("#moves li").count(), 0);
  // Keys bring the cursor into sight.
  await page.locator("floe-board [tabindex]").focus();
  await page.evaluate(() => {
    const board = document.querySelector("floe-board");
    board.sight.moveTo(0, 0);
    board.redraw();
  });
  await page.keyboard.press("ArrowRight");
  const seen = await page.evaluate(() => {
    const [frame, mark] = ["floe-board .frame", "floe-board .mark-cursor"].map((part) =>
      document.querySelector(part).getBoundingClientRect(),
    );
    return (
      mark.left >= frame.left &&
      mark.right <= frame.right + 4 &&
      mark.top >= frame.top - 4 &&
      mark.bottom <= frame.bottom
    );
  });
  assert.ok(seen, "the cursor is in sight");
  const before = await sight();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
  assert.deepEqual(await sight(), before);
  assert.ok(
    await page.evaluate(() => document.activeElement?.closest("floe-board") !== null),
    "the focus stays on the board",
  );
  await page.getByRole("button", { name: "Fit" }).click();
  assert.equal((await sight()).zoom, 1);
  await page.locator(".map").click({ position: { x: 5, y: 5 } });
  const corner = await sight();
  assert.ok(corner.zoom > 1 && corner.x < 20, JSON.stringify(corner));
  await keep(page, "large-desktop");
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("a board of thirty is played on a phone by touch", async () => {
  const page = await place.visitor(sizes.phone, { hasTouch: true, isMobile: true });
  await begin(page, "gamma", { opponent: "here", size: "30x30" });
  await page.waitForFunction(() => document.querySelector("floe-board")?.picks?.length > 0);
  const cell = () => page.evaluate(() => document.querySelector("floe-board").sight.cell);
  assert.ok((await cell()) < 24);
  const box = await page.locator("floe-board .frame").boundingBox();
  const tap = () => page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await tap();
  await page.waitForFunction(() => document.querySelector("floe-board").sight.cell >= 24);
  assert.equal(await page.locator("#moves li").count(), 0, "the first tap zooms");
  await tap();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
  await keep(page, "large-phone");
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("what the other played is said and marked in every game", async () => {
  const page = await place.visitor(sizes.desktop);
  for (const game of ["penguins", "gamma", "flood"]) {
    await begin(page, game);
    await said(page, /^Your turn/);
    await moveByMouse(page);
    await page.waitForFunction(() => document.querySelectorAll("#moves li").length >= 2);
    await said(page, /^Your turn/);
    const move = await page.locator("#moves li").last().textContent();
    const news = page.locator(".news[role=status]");
    assert.ok(
      (await news.textContent()).includes(` played ${move === "." ? "·" : move}`),
      await news.textContent(),
    );
    assert.ok((await page.locator("floe-board .mark-last").count()) > 0, game);
  }
  // A flood that takes nothing changes its colour.
  await page.evaluate(() => {
    const board = document.querySelector("floe-board");
    board.show(board.picture, { move: "*", gain: 0, seat: 2 });
  });
  assert.equal(await page.locator("floe-board .mark-last").count(), 1);
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("a golden move glints in gold", async () => {
  const page = await place.visitor(sizes.desktop, { reducedMotion: "no-preference" });
  await page.goto("/analysis/gamma");
  await page.waitForFunction(() => document.querySelector("floe-board")?.picture);
  const colours = await page.evaluate(() => {
    const board = document.querySelector("floe-board");
    return [undefined, "golden move"].map((special) => {
      board.show(board.picture, { move: "a1", to: 3, special, gain: 1 }, true);
      return getComputedStyle(board.querySelector(".taken rect")).fill;
    });
  });
  assert.deepEqual(colours, ["rgb(255, 255, 255)", "rgb(245, 183, 0)"]);
  await page.context().close();
});

test("engines are asked about positions until somebody is out", async () => {
  const page = await place.visitor(sizes.desktop);
  await begin(page, "gamma", { opponent: "here", size: "5x5", players: "3" });
  const turns = (count) =>
    page.waitForFunction((count) => document.querySelectorAll("#moves li").length === count, count);
  await moveByMouse(page);
  await turns(1);
  await page.getByRole("button", { name: "Hint" }).click();
  await said(page, /^Hint: /);
  await page.getByRole("button", { name: "Pass" }).click();
  await page.locator("dialog[open] button.danger").click();
  await turns(2);
  // A turn that was given up can be told to an engine.
  await page.getByRole("button", { name: "Hint" }).click();
  await said(page, /^Hint: /);
  await page.locator("#moves button").nth(1).click();
  await page.locator("#moves button").first().click();
  await page.getByRole("button", { name: "Analyse" }).waitFor();
  await page.getByRole("button", { name: "Back to the game" }).click();
  for (let out = 3; out <= 4; out++) {
    await resign(page);
    await turns(out);
  }
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByText("Judged until turn 2;").waitFor();
  await page.getByText(/Turning points|decided by a fault/).waitFor();
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("a turn is given up where one tries things out", async () => {
  const page = await place.visitor(sizes.desktop);
  await page.goto("/analysis/gamma");
  await page.getByRole("button", { name: "Pass" }).click();
  await page.locator("dialog[open] button.danger").click();
  await page.waitForFunction(() =>
    document.querySelector("#moves button[aria-current]")?.textContent.startsWith("-"),
  );
  await page.locator("#lines li").first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll("#graph tbody tr").length === 2);
  assert.equal(new URL(page.url()).searchParams.get("moves"), "-");
  await page.goto("/analysis/flood");
  await page.locator("#lines li").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Pass" }).count(), 0);
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("an address that would be too long has the line alone", async () => {
  const page = await place.visitor(sizes.desktop);
  await page.goto("/analysis/gamma?moves=a1+(+b2+c3+)+d4&at=3");
  const inAddress = () =>
    page.evaluate(() => ["moves", "at"].map((word) => new URL(location.href).searchParams.get(word)));
  await page.waitForFunction(
    () =>
      document.querySelectorAll("#moves button")[2]?.getAttribute("aria-current") &&
      document.querySelector("floe-board").picks.length > 0 &&
      /position=/.test(location.href),
  );
  assert.deepEqual(await inAddress(), ["a1 ( b2 c3 ) d4", "3"]);
  // A board of ten thousand fields leaves no room for branches.
  await page.fill("#text", `gamma 100 100 2 2\nturn 1 golden 1 2\n${`${".".repeat(100)}\n`.repeat(100)}`);
  await page.getByRole("button", { name: "Show this position" }).click();
  await page.waitForFunction(
    () =>
      document.querySelector("floe-board").picture.width === 100 &&
      new URL(location.href).searchParams.get("moves") === "",
  );
  for (const which of [0, 1]) {
    await page.evaluate((which) => {
      const board = document.querySelector("floe-board");
      board.point(board.picks[which].to);
    }, which);
    await page.waitForFunction(
      (count) =>
        document.querySelectorAll("#moves button").length === count &&
        new URL(location.href).searchParams.get("at") === "1",
      which + 1,
    );
    if (which === 0) {
      await page.getByRole("button", { name: "Back" }).click();
      await page.waitForFunction(
        () =>
          new URL(location.href).searchParams.get("at") === "0" &&
          document.querySelector("floe-board").picks.length > 0,
      );
    }
  }
  const [moves, at] = await inAddress();
  assert.equal(moves.split(" ").length, 1);
  assert.equal(at, "1");
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("moves that were tried are a text and come back from it", async () => {
  const page = await place.visitor(sizes.desktop);
  await page.goto("/analysis/gamma");
  const told = await page.evaluate(async () => {
    const { MoveTree } = await import("/assets/tree.js");
    const told = {};
    const tree = MoveTree.read("a1 b2 ( c3 d4 ( e5 ) ) ( f6 ) \\( ");
    told.written = tree.write();
    told.end = tree.moves();
    told.nodes = tree.nodes().map((node) => node.move);
    const side = MoveTree.read(told.written, 4);
    told.side = side.moves();
    told.isMain = side.isMain;
    side.promote();
    told.promoted = side.write();
    side.back();
    side.aside(1);
    told.aside = side.moves();
    side.remove();
    told.removed = [side.write(), side.moves().join(" ")];
    side.play("c3");
    told.again = side.write();
    side.go(side.start);
    side.forward();
    side.forward();
    told.forward = side.moves();
    told.odd = [
      "( a1",
      ") a1",
      "a1 ) b2",
      "a1 ( b2",
      "( ".repeat(9999),
      `a ${"( b ".repeat(9999)}`,
      "a ".repeat(9999),
    ].map((text) => MoveTree.read(text, 99999).nodes().length);
    return told;
  });
  assert.deepEqual(told, {
    written: "a1 b2 ( c3 d4 ( e5 ) ) ( f6 ) \\(",
    end: ["a1", "b2", "("],
    nodes: ["", "a1", "b2", "c3", "d4", "e5", "f6", "("],
    side: ["a1", "c3", "d4"],
    isMain: false,
    promoted: "a1 c3 ( b2 \\( ) ( f6 ) d4 ( e5 )",
    aside: ["a1", "b2"],
    removed: ["a1 c3 ( f6 ) d4 ( e5 )", "a1"],
    again: "a1 c3 ( f6 ) d4 ( e5 )",
    forward: ["a1", "c3"],
    odd: [1, 1, 2, 3, 1, 3, 4001],
  });
  await page.context().close();
});

test("a lead is one over the best of the others", async () => {
  const page = await place.visitor(sizes.desktop);
  await page.goto("/analysis/gamma");
  const told = await page.evaluate(async () => {
    const { ahead } = await import("/assets/thoughts.js");
    return [
      [2, 10, 9],
      [7, 3, 7],
      [5, 1],
    ].map(ahead);
  });
  assert.deepEqual(told, [
    { seat: 2, by: 1 },
    { seat: 1, by: 0 },
    { seat: 1, by: 4 },
  ]);
  await page.context().close();
});

test("whoever comes by a link may move first", async () => {
  const [host, guest] = [await place.visitor(sizes.desktop), await place.visitor(sizes.desktop)];
  await begin(host, "gamma", { opponent: "link", side: "last" });
  await said(host, /^Waiting for your friend/);
  // The answer comes, and nothing else tells the page that it is complete.
  await guest.route("**/live?**", (route) => route.fulfill({ status: 502, body: "" }));
  await guest.goto(await host.inputValue("#link"));
  await guest.getByRole("button", { name: "Sit down and play" }).click();
  await said(guest, /^Your turn/);
  await moveByMouse(guest);
  await said(host, /^Your turn/);
  await host.context().close();
  await guest.context().close();
});
