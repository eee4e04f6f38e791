// Nothing serious or critical for axe-core.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Checks the page that is open; its policy must let scripts in. */
export async function check(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run());
  const bad = found.violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
  assert.deepEqual(bad.map((violation) => `${name}: ${violation.id} at ${violation.nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).join("; ")}`), []);
}
