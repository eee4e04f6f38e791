// Players whose browsers speak Polish or Romanian, on a narrow phone.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { check } from "./axe.mjs";
import { Place, begin, keep, moveByMouse, run } from "./place.mjs";

const module = process.env.FLOE_MODULE ?? fileURLToPath(new URL("../../module", import.meta.url));
const narrow = { width: 320, height: 640 };
const languages = {
  pl: { locale: "pl-PL", turn: /^Twój ruch: /, now: "Graj teraz" },
  ro: { locale: "ro-RO", turn: /^E rândul tău: /, now: "Joacă acum" },
};

/** English texts that have a translation which is another text. @param {string} code */
function translations(code) {
  const files = ["texts/", "texts/said."].map((part) => new URL(`../../${part}${code}.txt`, import.meta.url));
  files.push(new URL(`../../../language/texts/games.${code}.txt`, import.meta.url));
  const lines = files.flatMap((file) => readFileSync(file, "utf8").split("\n"));
  const pairs = lines.filter((line) => !line.startsWith("#") && line.includes(" = "));
  return pairs.map((line) => line.split(" = ")).filter(([english, other]) => english !== other);
}

/** Every text of a page that a reader sees or hears, outside of what stays English: brushes, for instance. */
function shownTexts() {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    if (node instanceof Element) {
      for (const name of ["aria-label", "alt", "title", "placeholder"]) texts.push(node.getAttribute(name));
    } else if (
      !node.parentElement?.closest("script, style, pre, code, textarea, .languages, noscript, #brushes")
    ) {
      texts.push(node.textContent);
    }
  }
  return texts.map((text) => text?.trim()).filter(Boolean);
}

/** What must not be on a page in this language. @param {string} code */
function untranslated(code) {
  const known = translations(code);
  const exact = new Set(known.map(([english]) => english).filter((text) => /[a-z]/.test(text)));
  const other = new Set(known.flatMap(([, text]) => text.split(" | ")));
  const sentences = known
    .map(([english]) => english)
    // A pattern with little text of its own fits too much.
    .filter((text) => text.includes("{") && text.replace(/\{\w+\}/g, "").trim().length > 8)
    .map(
      (text) =>
        new RegExp(
          `^${text
            .split(/\{\w+\}/)
            .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
            .join(".+?")}$`,
        ),
    );
  return (/** @type {string} */ text) =>
    (exact.has(text) && !other.has(text)) || sentences.some((sentence) => sentence.test(text));
}

const isLeft = Object.fromEntries(Object.keys(languages).map((code) => [code, untranslated(code)]));

/** Checks that a page is in its language, as wide as the phone, and free of findings. */
async function looksRight(page, code, name) {
  assert.equal(await page.evaluate(() => document.documentElement.lang), code, name);
  const left = (await page.evaluate(shownTexts)).filter(isLeft[code]);
  assert.deepEqual(left, [], `${name}: still English`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= narrow.width, `${name} is ${wide} pixels wide`);
  // What axe looks at differs little between languages, and between games.
  if (code === "pl" && !/gamma|flood/.test(name)) await check(page, name);
  await keep(page, name);
}

/** @type {Place} */ let place;
before(async () => {
  place = await Place.open();
});
after(() => place?.close());

for (const [code, { locale, turn, now }] of Object.entries(languages)) {
  test(`a visitor whose browser speaks ${code}`, async () => {
    const page = await place.visitor(narrow, { locale, bypassCSP: true });
    const sentence = () =>
      page.waitForFunction(
        (source) => new RegExp(source).test(document.getElementById("say")?.textContent ?? ""),
        turn.source,
      );
    await page.goto("/");
    await page.getByRole("button", { name: now, exact: true }).waitFor();
    await looksRight(page, code, `language-${code}-front`);
    for (const game of ["penguins", "gamma", "flood"]) {
      await page.goto(`/play/${game}`);
      await looksRight(page, code, `language-${code}-play-${game}`);
      await begin(page, game, { opponent: "floe:easy" });
      for (let made = 0; made < 2; made++) {
        await sentence();
        await moveByMouse(page, made);
        await page.waitForFunction(
          (least) => document.querySelectorAll("#moves li").length >= least,
          2 * made + 2,
        );
      }
      await sentence();
      await looksRight(page, code, `language-${code}-game-${game}`);
      for (const path of [`/learn/${game}`, `/learn/${game}/first`, `/puzzles/${game}?number=1`]) {
        await page.goto(path);
        await page.waitForFunction(() => document.querySelector("floe-board")?.picks?.length > 0);
        await looksRight(page, code, `language-${code}${path.split("?")[0].replaceAll("/", "-")}`);
      }
    }
    await begin(page, "gamma", { opponent: "floe:easy" });
    await sentence();
    await page.locator("#acts button.slim").first().click();
    await looksRight(page, code, `language-${code}-resign`);
    await page.locator("dialog[open] button.danger").click();
    await page.locator("#look-back").click();
    await page.locator(".points").waitFor({ state: "attached" });
    await looksRight(page, code, `language-${code}-review`);
    for (const path of ["/my", "/records", "/analysis/gamma", "/about", "/league/cup/game/1"]) {
      await page.goto(path);
      await page.waitForLoadState("networkidle").catch(() => {});
      await looksRight(page, code, `language-${code}${path.replaceAll("/", "-")}`);
    }
    assert.deepEqual(page.wrongs, []);
    await page.context().close();
  });
}

test("a choice is remembered", async () => {
  const page = await place.visitor(narrow);
  await page.goto("/learn/gamma?step=2");
  await page.getByRole("button", { name: "română" }).click();
  await page.waitForFunction(() => document.documentElement.lang === "ro");
  assert.match(page.url(), /\/learn\/gamma\?step=2$/);
  await page.goto("/");
  await page.getByRole("button", { name: "Joacă acum", exact: true }).waitFor();
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("button", { name: "Play now", exact: true }).waitFor();
  await page.context().close();
});

test("pages without a server are in the browser's language, and remember a choice", async () => {
  const folder = mkdtempSync(join(tmpdir(), "floe-site-"));
  const out = join(folder, "public");
  await run(["site", out, "--module", module], folder);
  const types = { ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname).replace(/^\/some\//, "");
    try {
      const file = path.endsWith("/") || !path ? join(path, "index.html") : path;
      const bytes = readFileSync(join(out, file));
      response.writeHead(200, { "content-type": types[extname(file)] ?? "text/html" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const base = `http://127.0.0.1:${server.address().port}/some/`;
  const options = { locale: "pl-PL", serviceWorkers: "block", bypassCSP: true };
  const page = await place.visitor(narrow, options);
  try {
    await page.goto(`${base}index.html`);
    await page.waitForURL(`${base}pl/index.html`);
    await looksRight(page, "pl", "language-site-front");
    await page.goto(`${base}play/gamma.html`);
    await page.waitForURL(`${base}pl/play/gamma.html`);
    await page.locator("form .big").click();
    await page.waitForURL(/\/pl\/game\.html\?id=/);
    await page.waitForFunction(() => document.getElementById("say")?.textContent?.startsWith("Twój ruch: "));
    await moveByMouse(page);
    await page.waitForFunction(() => document.querySelectorAll("#moves li").length >= 2);
    await looksRight(page, "pl", "language-site-game");
    const game = page.url().split("?")[1];
    await page.getByRole("button", { name: "română" }).click();
    await page.waitForURL(`${base}ro/game.html?${game}`);
    await page.goto(`${base}index.html`);
    await page.waitForURL(`${base}ro/index.html`);
    await page.getByRole("button", { name: "English" }).click();
    await page.waitForURL(`${base}index.html`);
    assert.deepEqual(page.wrongs, []);
  } finally {
    await page.context().close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
