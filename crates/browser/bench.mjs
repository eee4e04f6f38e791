// How fast engines think on this machine and as WebAssembly under Node, side by side: nodes a second of
// processor time on each game's default board, and their ratio.
//
//     crates/browser/build
//     cargo build --release -p floe-browser --example speed
//     node crates/browser/bench.mjs crates/web/module/floe.wasm target/release/examples/speed [ROUNDS]
//
// Both search the same positions and must find the same moves. Rounds alternate; the best of each counts.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Program } from "./floe.js";

const [MOVES, NODES] = [8, 60000];
const [module, native, rounds = "3"] = process.argv.slice(2);
const program = new Program(await WebAssembly.compile(readFileSync(module)));
const seconds = () => Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[0]) / 1e9;

/** A game's rate as WebAssembly, and its moves. @param {string} game */
function wasm(game) {
  const moves = [];
  let [nodes, before] = [0, 0];
  for (let turn = 0; turn <= MOVES; turn++) {
    if (turn === 1) before = seconds();
    const question = { ask: "thoughts", game, seed: 1, moves, engine: `floe:nodes=${NODES}` };
    const [line] = program.ask(question).answer.lines;
    if (turn === 0) continue;
    nodes += line.nodes;
    moves.push(line.move);
  }
  return { rate: nodes / (seconds() - before), moves: moves.join(" ") };
}

/** @type {Map<string, {native: number, wasm: number}>} */ const best = new Map();
for (let round = 0; round < Number(rounds); round++) {
  for (const line of execFileSync(native, { encoding: "utf8" }).trim().split("\n")) {
    const [game, rate, ...moves] = line.split(" ");
    const here = wasm(game);
    if (here.moves !== moves.join(" ")) throw new Error(`${game}: ${here.moves} and ${moves.join(" ")}`);
    const known = best.get(game) ?? { native: 0, wasm: 0 };
    best.set(game, {
      native: Math.max(known.native, Number(rate)),
      wasm: Math.max(known.wasm, here.rate),
    });
  }
}
const row = (/** @type {string[]} */ ...cells) => console.log(cells.map((cell) => cell.padStart(12)).join(""));
row("game", "native /s", "wasm /s", "ratio");
for (const [game, { native, wasm }] of best)
  row(game, native.toFixed(0), wasm.toFixed(0), (wasm / native).toFixed(2));
