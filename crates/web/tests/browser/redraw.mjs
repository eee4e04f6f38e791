// How long a board takes from a new position until it is painted, in a real browser, by size:
//
//     FLOE=target/release/floe node crates/web/tests/browser/redraw.mjs
//     BEFORE=../other/crates/web/assets FLOE=… node crates/web/tests/browser/redraw.mjs
//
// after `npm --prefix crates/web/tests/browser ci`. BEFORE is the folder of other scripts, which are
// measured in the same run, turn by turn, so that both meet the same load. SIZES=60,200 and
// GAMES=flood take some of them alone.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Place, sizes } from "./place.mjs";

/** How many moves are made before, and how many are drawn. */
const [MADE, DRAWN] = [40, 12];
const boards = (process.env.SIZES ?? "30,50,60,200").split(",").map(Number);
const most = (size) => (size > 60 ? 100 : 50);

/** Asks the server from within a page. */
function ask(page, path, body) {
  return page.evaluate(
    async ([path, body]) => {
      const answer = await fetch(
        path,
        body && {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        },
      );
      return answer.json();
    },
    [path, body],
  );
}

/** A game in which some moves were made, all over the board; gives its address. */
async function played(page, game, size) {
  const { id } = await ask(page, "/api/v1/games", { game, size: `${size}x${size}`, opponent: "here" });
  const path = `/api/v1/games/${id}`;
  for (let ply = 0; ply < MADE + DRAWN; ply++) {
    const { moves } = await ask(page, `${path}/moves?ply=${ply}`);
    const best =
      moves.length < 10
        ? moves.reduce((a, b) => (b.gain > a.gain ? b : a))
        : moves[(ply * 7919) % moves.length];
    await ask(page, `${path}/move`, { ply, version: ply, move: best.move });
  }
  return id;
}

/** Draws the last positions of a game, one after the other; gives the time of each until it was painted, and of the script alone. */
function redraws(page, id) {
  return page.evaluate(
    async ([id, from, count]) => {
      const board = document.querySelector("floe-board");
      const changes = await import(
        document.querySelector("script[type=module]").src.replace(/[^/]*$/, "changes.js")
      ).catch(() => null);
      const at = async (ply, more = "") => (await fetch(`/api/v1/games/${id}/ply?ply=${ply}${more}`)).json();
      const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      let picture = (await at(from)).picture;
      board.show(picture);
      await painted();
      const [times, scripts] = [[], []];
      for (let ply = from + 1; ply <= from + count; ply++) {
        const whole = await at(ply);
        const told = await at(ply, `&from=${ply - 1}&version=${from + count}`);
        await new Promise((done) => setTimeout(done, 300));
        const last = changes ? changes.lastOf(told.last, whole.picture) : null;
        // At the beginning of a frame, so that no time is spent waiting for one.
        const began = await new Promise((done) => requestAnimationFrame(() => done(performance.now())));
        picture = changes ? changes.changedPicture(picture, told.change) : whole.picture;
        board.show(picture, last, true);
        scripts.push(performance.now() - began);
        await painted();
        times.push(performance.now() - began);
      }
      return { times, scripts, cell: board.sight?.cell ?? 0 };
    },
    [id, MADE, DRAWN],
  );
}

const middle = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const place = await Place.open();
try {
  const page = await place.visitor(sizes.desktop);
  await page.goto("/");
  const games =
    process.env.GAMES?.split(",") ?? (await ask(page, "/api/v1/rules")).games.map(({ name }) => name);
  let other = null;
  if (process.env.BEFORE) {
    other = await place.visitor(sizes.desktop, { storageState: await page.context().storageState() });
    await other.context().route("**/assets/*", (route) => {
      const path = join(process.env.BEFORE, new URL(route.request().url()).pathname.split("/").pop());
      return existsSync(path) ? route.fulfill({ path }) : route.fulfill({ status: 404, body: "" });
    });
  }
  for (const game of games) {
    for (const size of boards) {
      const id = await played(page, game, size);
      const said = [];
      for (const one of other ? [page, other] : [page]) {
        await one.goto(`/game/${id}`);
        await one.waitForFunction(() => document.querySelector("floe-board")?.picture);
        const { times, scripts, cell } = await redraws(one, id);
        said.push(
          `${one === page ? "painted after" : "before:"} ${middle(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)}, script ${middle(scripts).toFixed(1)} ms, field ${cell.toFixed(1)} px`,
        );
      }
      console.log(`${game} ${size}x${size}: ${said.join("; ")}; at most ${most(size)} ms are wanted`);
    }
  }
} finally {
  await place.close();
}
