// A league to which programs are sent, with two teams and its organiser.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Place, run } from "./place.mjs";

/** Opens a league on small boards, with time enough for a busy machine; gives the paths of the personal links of both teams. */
export async function openLeague() {
  const above = mkdtempSync(join(tmpdir(), "floe-league-"));
  chmodSync(above, 0o755);
  await run(["league", "new", "cup", "--game", "flood"], above);
  const place = new Place();
  place.folder = join(above, "cup");
  const file = join(place.folder, "league.toml");
  const text = readFileSync(file, "utf8")
    .replace(/setup = .*/, 'setup = "5x4"')
    .replace('time = "1s"', 'time = "20s"');
  // Containers may reach no other level.
  writeFileSync(file, `sandbox = 1\n${text}`);
  writeFileSync(join(above, "class.csv"), "name,team\nAda,owls\nAlan,hawks\n");
  const invited = await run(["league", "invite", "cup", "class.csv", "--json"], above);
  const links = invited
    .trim()
    .split("\n")
    .map((line) => new URL(JSON.parse(line).link).pathname);
  const close = async () => {
    await place.close();
    rmSync(above, { recursive: true, force: true });
  };
  try {
    await place.start("0", ["league", "serve"]);
    await place.launch();
  } catch (error) {
    await close();
    throw error;
  }
  return { place, above, links, close };
}

/** Sends source as a participant does who pastes it; gives the address of its verdict. */
export async function send(page, name, source, word) {
  await page.goto("/submit");
  await page.getByText("Paste source instead").click();
  await page.getByLabel("Source", { exact: true }).fill(source);
  await page.getByLabel("which would be called").fill(name);
  await page.getByLabel("A word about it").fill(word);
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await page.waitForURL(/\/versions\//);
  return page.url();
}
