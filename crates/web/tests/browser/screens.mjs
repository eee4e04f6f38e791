// Pictures of the pages at three sizes, light and dark, in target/screens, to hold beside a drawing:
//
//     FLOE=target/debug/floe node crates/web/tests/browser/screens.mjs
//
// ONLY=league,my takes some of them alone.
import { join } from "node:path";
import { Place, begin, moveByMouse, resign, said, screens, sizes, tablet } from "./place.mjs";

const only = process.env.ONLY?.split(",");
const paths = {
  front: "/",
  play: "/play/penguins",
  analysis: "/analysis/gamma",
  leagues: "/leagues",
  league: "/league/cup",
  games: "/league/cup/games",
  replay: "/league/cup/game/1",
  program: "/league/cup/entrant/mute",
  projector: "/league/cup/projector",
  learn: "/learn/flood",
  programmers: "/learn/gamma/program",
  puzzles: "/puzzles/penguins",
  records: "/records",
  about: "/about",
  missing: "/nothing",
  "my-empty": "/my",
};
const place = await Place.open();
try {
  for (const [size, viewport] of Object.entries({ ...sizes, tablet })) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await place.visitor(viewport, { colorScheme });
      const keep = (name) =>
        page.screenshot({ path: join(screens, `${name}.${size}.${colorScheme}.png`), fullPage: true });
      for (const [name, path] of Object.entries(paths)) {
        if (only && !only.includes(name)) continue;
        await page.goto(path);
        await page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => {});
        await keep(name);
      }
      if (!only || only.includes("my") || only.includes("game")) {
        for (const game of ["penguins", "gamma", "flood"]) {
          await begin(page, game, { opponent: "floe:easy" });
          for (let turn = 0; turn < 4; turn++) {
            await said(page, /^Your turn/);
            await moveByMouse(page, turn);
            await page.waitForFunction(
              (least) => document.querySelectorAll("#moves li").length >= least,
              2 * turn + 2,
            );
          }
          await said(page, /^Your turn/);
          await keep(`game-${game}`);
        }
        await resign(page);
        await page.locator("#over").waitFor();
        await keep("game-over");
        await page.locator("#look-back").click();
        await page.getByText(/Turning points|decided by a fault/).waitFor();
        await keep("review");
        await page.goto("/my");
        await page.locator("floe-board svg").first().waitFor({ state: "attached" });
        await keep("my");
      }
      await page.context().close();
    }
  }
} finally {
  await place.close();
}
console.log(`see ${screens}`);
