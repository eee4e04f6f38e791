// No findings of axe-core, of any weight.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What is found on the page that is open; its policy must let scripts in. */
export async function findings(page, name) {
  await page.evaluate(axe);
  // Style sheets are fetched again for a rule alone that is not used.
  const options = { resultTypes: ["violations"], preload: false };
  const found = await page.evaluate((options) => globalThis.axe.run(options), options);
  return found.violations.map(
    (violation) =>
      `${name}: ${violation.id} at ${violation.nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).join("; ")}`,
  );
}

/** Checks the page that is open. */
export async function check(page, name) {
  assert.deepEqual(await findings(page, name), []);
}
