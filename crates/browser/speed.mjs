// How fast engines think as WebAssembly: nodes a second of processor time, a line per game, as the
// example `speed` has it for this machine.
//   node crates/browser/speed.mjs FLOE.wasm
import { readFileSync } from "node:fs";
import { Program } from "./floe.js";

const [MOVES, NODES] = [8, 60000];
const program = new Program(await WebAssembly.compile(readFileSync(process.argv[2])));
const seconds = () => Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[0]) / 1e9;

for (const { name: game } of program.ask({ ask: "rules" }).answer.games) {
  const moves = [];
  let [nodes, before] = [0, 0];
  for (let turn = 0; turn <= MOVES; turn++) {
    if (turn === 1) before = seconds();
    const [line] = program.ask({ ask: "thoughts", game, seed: 1, moves, engine: `floe:nodes=${NODES}` }).answer.lines;
    if (turn > 0) { nodes += line.nodes; moves.push(line.move); }
  }
  console.log(game, Math.round(nodes / (seconds() - before)), moves.join(" "));
}
