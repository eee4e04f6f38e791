// A server of its own for the tests, and browsers on it.
import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const floe = resolve(process.env.FLOE ?? join(root, "target/debug/floe"));
export const screens = join(root, "target/screens");
mkdirSync(screens, { recursive: true });

/** Sizes every person's way is tried at. */
export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } };

/** Another size, where few pages are tried. */
export const tablet = { width: 820, height: 1180 };

/** Waiting is for events; a loaded machine is slow. */
export const patience = 60_000;

/** Keeps a picture of the whole page in target/screens, if EVERY=1 asks for it; `screens.mjs` has every page. */
export async function keep(page, name) {
  if (process.env.EVERY) await page.screenshot({ path: join(screens, `${name}.png`), fullPage: true });
}

/** Starts a browser. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    // Drawing on a processor that is made to act as a graphics card costs a third more.
    args: ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"],
    timeout: 3 * patience,
  });
}

/** Runs the command to its end. */
export function run(words, cwd) {
  return new Promise((done, fail) => {
    const child = spawn(floe, words, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let [out, remarks] = ["", ""];
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.stderr.on("data", (data) => {
      remarks += data;
    });
    child.on("close", (code) => (code === 2 ? fail(new Error(remarks)) : done(out)));
  });
}

/** A folder with the module as `serve --module` takes it; the caller removes it. */
export function moduleFolder() {
  const made = fileURLToPath(new URL("../../module", import.meta.url));
  const module = process.env.FLOE_MODULE ?? made;
  const folder = mkdtempSync(join(tmpdir(), "floe-module-"));
  for (const name of ["floe.js", "floe.wasm"]) cpSync(join(module, name), join(folder, name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const packed = brotliCompressSync(readFileSync(join(folder, "floe.wasm")), { params });
  writeFileSync(join(folder, "floe.wasm.br"), packed);
  return folder;
}

/** A place in a folder of its own, with a league in which one program is broken. */
export class Place {
  /** @param {string[]} [words] the server's command */
  static async open(words = ["serve"]) {
    const place = new Place();
    place.folder = mkdtempSync(join(tmpdir(), "floe-browser-"));
    // Programs run as somebody else where that can be had, who must be able to read them.
    chmodSync(place.folder, 0o755);
    writeFileSync(
      join(place.folder, "mute.py"),
      'import sys\nprint("weights not found", file=sys.stderr, flush=True)\nfor line in sys.stdin:\n    if line.startswith("floe"): print("ok mute", flush=True)\n    if line.startswith("go"): print("move z99", flush=True)\n',
    );
    const seats = 'steady = "floe:nodes=200"\ngreedy = "greedy"\nmute = "line:python3 mute.py"\n';
    writeFileSync(
      join(place.folder, "cup.toml"),
      `game = "gamma"\n[boards]\nsetup = "5x5"\nseed = 1\ncount = 2\n[entrants]\n${seats}`,
    );
    await run(["tournament", "cup.toml", "-q"], place.folder);
    await place.start("0", words);
    await place.launch();
    return place;
  }

  /** Starts the browser. */
  async launch() {
    this.browser = await launch();
  }

  /** Starts the server and reads its address. */
  async start(port, words = ["serve"]) {
    this.server = spawn(floe, [...words, this.folder, "--listen", port], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = await new Promise((done, fail) => {
      let text = "";
      this.server.stdout.on("data", (data) => {
        text += data;
        if (text.includes("Ctrl-C")) done(text);
      });
      this.server.on("exit", (code) => fail(new Error(`the server ended with ${code}`)));
    });
    this.base = lines.match(/http:\/\/[\d.:]+/)[0];
    this.entrance = lines.match(/http:\S+enter\S+/)[0];
    this.port = this.base.split(":").pop();
  }

  /** Ends the server at once. */
  async kill() {
    const gone = new Promise((done) => this.server.on("exit", done));
    this.server.removeAllListeners("exit");
    this.server.on("exit", () => {});
    const ended = new Promise((done) => this.server.once("exit", done));
    this.server.kill("SIGKILL");
    await Promise.race([gone, ended]);
  }

  /** Somebody's browser; what goes wrong in its pages is kept. */
  async visitor(viewport, options = {}) {
    const context = await this.browser.newContext({
      viewport,
      baseURL: this.base,
      // A page that moves is drawn sixty times a second.
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(patience);
    // Scripts and styles as they are on disk, without building anything.
    if (process.env.ASSETS)
      await context.route("**/assets/*", (route) => {
        const path = join(process.env.ASSETS, new URL(route.request().url()).pathname.split("/").pop());
        return existsSync(path) ? route.fulfill({ path }) : route.continue();
      });
    const page = await context.newPage();
    // Looking at every frame keeps the page drawing and the machine busy.
    const waitFor = page.waitForFunction.bind(page);
    page.waitForFunction = (/** @type {any} */ what, /** @type {any} */ given) =>
      waitFor(what, given, { polling: 50 });
    page.wrongs = [];
    page.on("pageerror", (error) => page.wrongs.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !/ERR_|Failed to load resource/.test(message.text()))
        page.wrongs.push(message.text());
    });
    return page;
  }

  /** Ends what was begun, also if not all of it could be. */
  async close() {
    await this.browser?.close();
    const { exitCode = 0, signalCode } = this.server ?? {};
    if (exitCode === null && !signalCode) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Makes the first move the board offers, or another by its number, by real clicks. */
export async function moveByMouse(page, which = 0) {
  await page.waitForFunction(() => document.querySelector("floe-board")?.picks?.length > 0);
  const spots = await page.evaluate((which) => {
    const board = document.querySelector("floe-board");
    const pick = board.usable()[which];
    const matrix = board.root.getScreenCTM();
    const spot = (place) => {
      const [x, y] = board.at(place);
      const point = new DOMPoint(x + 20, y + 20).matrixTransform(matrix);
      return [point.x, point.y + scrollY];
    };
    return [pick.from, pick.to].filter((place) => place !== undefined).map(spot);
  }, which);
  if (spots.length === 0) await page.locator("#picks button:enabled").first().click();
  for (const [x, y] of spots) {
    await page.evaluate((top) => scrollTo(0, top - innerHeight / 2), y);
    const up = await page.evaluate(() => scrollY);
    await page.mouse.click(x, y - up);
  }
}

/** Chooses something in a form, whatever kind of field it is. */
export async function choose(page, name, value) {
  const field = page.locator(`[name=${name}]`).first();
  const kind = await field.evaluate((element) => (element.tagName === "SELECT" ? "select" : element.type));
  // A field may be folded away.
  await field.evaluate((element) => {
    const folded = element.closest("details");
    if (folded) folded.open = true;
  });
  if (kind === "select") await field.selectOption(value);
  else if (kind === "radio") {
    const choice = page.locator(`[name=${name}][value="${value}"]`);
    // What stays at the bottom of a phone may be above it.
    await choice.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await choice.check({ force: true });
  } else await field.fill(value);
}

/** Begins a game by the form. */
export async function begin(page, game, words = {}) {
  await page.goto(`/play/${game}`);
  for (const [name, value] of Object.entries(words)) await choose(page, name, value);
  await page.locator("form [type=submit]").first().click();
  await page.waitForURL(/\/game\//);
}

/** Resigns, and says yes. */
export async function resign(page) {
  await page.locator("#acts").getByRole("button", { name: "Resign" }).click();
  await page.locator("dialog[open] button.danger").click();
}

/** Waits until the sentence beside the board is like this. */
export function said(page, pattern) {
  return page.waitForFunction(
    (source) => new RegExp(source).test(document.getElementById("say")?.textContent ?? ""),
    pattern.source,
  );
}
