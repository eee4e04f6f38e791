// The organiser's page of machines, beside a cluster that plays.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { check } from "./axe.mjs";
import { Place, keep, run, sizes, tablet } from "./place.mjs";

const floe = process.env.FLOE ?? new URL("../../../../target/debug/floe", import.meta.url).pathname;

/** @type {Place} */
let place;
let above;
/** Why the test is left out, if it is. */
let missing = "";
/** Processes that end with the test. */
const processes = [];

function start(command, words, cwd = above) {
  const child = spawn(command, words, {
    cwd,
    stdio: "ignore",
    env: { ...process.env, XDG_CACHE_HOME: join(above, "cache") },
  });
  processes.push(child);
  return child;
}

/** A server of a cluster, and its address. */
async function server() {
  const ports = join(above, "ports");
  mkdirSync(ports);
  const words = ["-a", "127.0.0.1", "-p", "-1", "-js", "-sd", join(above, "js"), "--ports_file_dir", ports];
  start("nats-server", words).on("error", () => {
    missing = "nats-server is not installed";
  });
  while (!missing) {
    const [file] = readdirSync(ports);
    const text = file ? readFileSync(join(ports, file), "utf8") : "";
    if (text.endsWith("}")) return JSON.parse(text).nats[0];
    await new Promise((done) => setTimeout(done, 50));
  }
}

const worker = (url, name) => start(floe, ["worker", url, "--name", name, "--cores", "1"]);

let url;
before(async () => {
  above = mkdtempSync(join(tmpdir(), "floe-machines-"));
  chmodSync(above, 0o755);
  await run(["cluster", "config", "keys"], above).catch((error) => {
    missing = error.message;
  });
  if (missing) return;
  url = await server();
  if (missing) return;
  await run(["league", "new", "cup", "--game", "flood"], above);
  // Containers may reach no other level.
  const description = join(above, "cup", "league.toml");
  writeFileSync(description, `sandbox = 1\n${readFileSync(description, "utf8")}`);
  const seats = ["a", "b", "c"].map((name) => `${name} = "floe:nodes=20k"\n`).join("");
  writeFileSync(
    join(above, "trial.toml"),
    `game = "flood"\n[boards]\nsetup = "16x16"\ncount = 500\n[machine-speed]\nreference = 900000\nwithin = "99%"\n[entrants]\n${seats}`,
  );
  await run(["cluster", "ban", "trial.toml", "lab-2", "--reason", "its fan is broken"], above);
  place = new Place();
  place.folder = join(above, "cup");
  await place.start("0", ["league", "serve", "--cluster", url]);
  await place.launch();
});
after(async () => {
  for (const one of processes) one.kill("SIGKILL");
  if (place) await place.close();
  if (existsSync(above)) rmSync(above, { recursive: true, force: true, maxRetries: 5 });
});

test("machines come up on the page by themselves", async (t) => {
  if (missing) return t.skip(missing);
  const page = await place.visitor(sizes.desktop);
  await page.goto(new URL(place.entrance).pathname);
  await page.goto("/cluster");
  await page.getByText("None is there.").waitFor();
  worker(url, "lab-1");
  worker(url, "lab-2");
  start(floe, ["tournament", "trial.toml", "--cluster", url]);
  const row = (name) => page.locator("#workers tr", { hasText: name });
  await row("lab-1").getByText("playing", { exact: true }).waitFor();
  await row("lab-1").locator(".meter-mark").waitFor({ state: "attached" });
  await row("lab-2").getByText("its fan is broken").waitFor();
  await page.locator("#contests").getByText("trial").waitFor();
  assert.deepEqual(page.wrongs, []);
  for (const [size, viewport] of Object.entries({ ...sizes, tablet })) {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${size}: the page is ${wide} px too wide`);
      await keep(page, `machines.${size}.${colorScheme}`);
    }
  }
  await page.context().close();
  const free = await place.visitor(sizes.desktop, { bypassCSP: true });
  await free.goto(new URL(place.entrance).pathname);
  await free.goto("/cluster");
  await check(free, "machines");
  await free.context().close();
});
