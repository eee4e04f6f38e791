// Runs a WebAssembly program that needs nothing from its host, and passes its exit code on:
//   node run.mjs PROGRAM.wasm
import { readFile } from "node:fs/promises";

const [path] = process.argv.slice(2);
const program = await WebAssembly.compile(await readFile(path));
const wanted = WebAssembly.Module.imports(program);
if (wanted.length > 0) {
  console.error(`${path} wants from its host: ${JSON.stringify(wanted)}`);
  process.exit(1);
}
const { exports } = await WebAssembly.instantiate(program, {});
process.exitCode = exports.main(0, 0);
console.log(`${path} ran, exit code ${process.exitCode}`);
