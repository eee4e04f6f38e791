// The module under Node: what it answers is what this machine answers, and what every game promises
// holds through its interface. Set MODULE to the program and TRANSCRIPT to what `transcript` wrote.
import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { Worker as Thread } from "node:worker_threads";
import { Floe, Program } from "../floe.js";

const module = await WebAssembly.compile(await readFile(process.env.MODULE));
const program = new Program(module);

function ask(what, body = {}) {
  const { answer, error } = program.ask({ ...body, ask: what });
  assert.equal(error, undefined, JSON.stringify(body));
  return answer;
}

/** The last digits of what `exp` gives may differ from machine to machine. */
function withoutShares(answer) {
  return JSON.parse(answer, (key, value) =>
    key === "shares" ? value.map((share) => share.toFixed(9)) : value,
  );
}

/** A browser's worker, as far as it is needed here. */
function startWorker() {
  const script = fileURLToPath(new URL("thread.mjs", import.meta.url));
  const thread = new Thread(script);
  const worker = {
    postMessage: (message) => thread.postMessage(message),
    terminate: () => thread.terminate(),
    onmessage: null,
    onerror: null,
  };
  thread.on("message", (data) => worker.onmessage?.({ data }));
  thread.on("error", (error) => worker.onerror?.({ message: error.message }));
  return worker;
}

test("the module wants a clock from its host and nothing else", () => {
  assert.deepEqual(WebAssembly.Module.imports(module), [{ module: "host", name: "now", kind: "function" }]);
});

test("every answer is the one of this machine", async () => {
  const lines = createInterface({ input: createReadStream(process.env.TRANSCRIPT) });
  const asked = {};
  for await (const line of lines) {
    const { question, answer } = JSON.parse(line);
    const { ask: what, game } = JSON.parse(question);
    assert.deepEqual(withoutShares(program.answerTo(question)), withoutShares(answer), question);
    asked[`${game} ${what}`] = (asked[`${game} ${what}`] ?? 0) + 1;
  }
  for (const { name } of ask("rules").games) {
    assert.ok(asked[`${name} thoughts`] >= 1000, `${name}: ${asked[`${name} thoughts`]} thoughts`);
    assert.ok(asked[`${name} perft`] >= 3, `${name}: ${asked[`${name} perft`]} counts`);
  }
  console.log(JSON.stringify(asked));
});

test("every game keeps its promises", () => {
  for (const { name: game } of ask("rules").games) {
    for (const [setup, seed] of [
      ["4x4", 1],
      ["5x6", 2],
      ["", 3],
    ]) {
      const at = { game, setup, seed };
      let here = ask("positions", at);
      const start = here.text;
      const moves = [];
      while (!here.is_over) {
        assert.ok(here.moves.length > 0, "a player to move has a move");
        assert.equal(new Set(here.moves.map((pick) => pick.move)).size, here.moves.length, "no move twice");
        assert.equal(here.picture.owners.length, here.picture.width * here.picture.height);
        assert.deepEqual(
          here.picture.seats.map((seat) => seat.score),
          here.scores,
        );
        const read = ask("positions", { game, position: here.text });
        for (const part of ["text", "turn", "scores", "moves", "can_give_up"])
          assert.deepEqual(read[part], here[part]);
        const { move } = here.moves[(moves.length * 7 + seed) % here.moves.length];
        moves.push(move);
        here = ask("positions", { game, position: start, moves });
        assert.equal(here.last?.move ?? move, move);
        assert.ok(moves.length < 10000, "the game ends");
      }
      assert.deepEqual(here.moves, []);
      const thought = ask("thoughts", { game, position: start, moves });
      assert.ok(thought.is_over && Math.abs(thought.shares.reduce((sum, share) => sum + share) - 1) < 1e-9);
      const refused = program.ask({ ask: "positions", game, position: start, moves: [...moves, moves[0]] });
      assert.match(refused.error, /the game is over/);
      assert.equal(refused.place.move, moves.length);
    }
  }
});

test("a broken text has all its errors, each with its place", () => {
  for (const { name: game } of ask("rules").games) {
    const { text } = ask("positions", { game });
    assert.deepEqual(ask("checks", { game, position: text }).errors, []);
    const broken = text
      .split("\n")
      .map((line, i) => (i % 2 ? `${line}?` : line))
      .join("\n");
    const { errors, text: read } = ask("checks", { game, position: broken });
    assert.equal(read, null);
    assert.ok(
      errors.length > 0 && errors.every((error) => error.line > 0 && error.column > 0 && error.cause),
      game,
    );
    const { error, place } = program.ask({ ask: "positions", game, position: broken });
    assert.ok(error && place.line > 0, game);
  }
});

test("a game is begun, played to its end, kept as a record and replayed", () => {
  for (const { name: game } of ask("rules").games) {
    const { opening, clock } = ask("begin", {
      game,
      id: "1",
      seed: 7,
      size: "5x5",
      opponent: "floe:beginner",
      name: "Ann",
      side: "first",
    });
    assert.equal(clock, "none");
    const events = [];
    let table = ask("table", { opening, events });
    while (table.end === null) {
      const move = table.engine
        ? ask("thoughts", { game, position: table.position, engine: table.engine }).lines[0].move
        : table.moves[0].move;
      const event = { line: "move", seat: table.state.turn, move, wall_us: 5 };
      events.push(event);
      table = ask("table", { opening, from: events.length - 1, events: [event] });
    }
    assert.equal(table.state.ply, events.length);
    assert.ok(table.state.over.words);
    // What was forgotten is asked for whole, and is the same.
    assert.deepEqual(ask("table", { opening, events }), table);
    assert.deepEqual(ask("table", { opening, from: 3, events: [] }), { missing: true });
    const lines = [{ line: "game", ...opening }, ...events, { line: "end", ...table.end }];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const [listed] = ask("records", { text }).games;
    assert.equal(listed.problem, null);
    assert.equal(listed.players[0], "Ann");
    const course = ask("course", { text, index: 0 });
    assert.equal(course.plies.length, events.length + 1);
    assert.deepEqual(course.end.scores, table.end.scores);
    const refused = program.ask({
      ask: "table",
      opening,
      events: [{ line: "move", seat: 1, move: "zz99", wall_us: 0 }],
    });
    assert.ok(refused.error);
  }
});

test("an engine that is not in the module is refused, and a large board is thought about", () => {
  for (const { name: game } of ask("rules").games) {
    const { error } = program.ask({ ask: "thoughts", game, engine: "minimax:depth=1" });
    assert.match(error, /minimax is not in this module; floe, /);
    for (const setup of ["40x40", "64x64", "100x90"]) {
      const { lines } = ask("thoughts", { game, setup, seed: 1, engine: "floe:nodes=20" });
      const { moves } = ask("positions", { game, setup, seed: 1 });
      assert.ok(
        moves.some((pick) => pick.move === lines[0].move),
        `${game} ${setup}`,
      );
    }
  }
});

test("nonsense is refused in words and the module answers on", () => {
  for (const text of [
    "",
    "{",
    "[]",
    '{"ask":"nonsense"}',
    '{"ask":"positions"}',
    '{"ask":"thoughts","game":"no"}',
  ]) {
    assert.ok(JSON.parse(program.answerTo(text)).error, text);
  }
  assert.ok(ask("rules").games.length > 0);
});

test("a worker thinks behind promises, tells its progress and is stopped at once", async () => {
  const floe = new Floe(module, { thinkers: 2, start: startWorker });
  try {
    const [{ name: game }] = await floe.games();
    const at = { game };
    const progress = [];
    const { lines } = await floe.rank(at, 2, {
      ms: 160,
      onprogress: (thoughts) => progress.push(thoughts.lines[0].move),
    });
    assert.equal(lines.length, 2);
    assert.equal(progress.length, 2);
    // Hours of thought end when nobody wants them, also those that wait for a worker.
    const controller = new AbortController();
    const long = [1, 2, 3].map(() => floe.think(at, { ms: 3600000, signal: controller.signal }));
    const settled = Promise.allSettled(long);
    // Quick questions are not held up by thoughts.
    assert.equal((await floe.startGame(game)).game, game);
    const before = performance.now();
    controller.abort();
    for (const { status, reason } of await settled)
      assert.equal(`${status} ${reason?.name}`, "rejected AbortError");
    console.log(`stopped after ${(performance.now() - before).toFixed(1)} ms`);
    const { lines: after } = await floe.think(at, { engine: "floe:nodes=100" });
    assert.ok(after[0].move);
    console.log(`another thought after ${(performance.now() - before).toFixed(1)} ms`);
    await assert.rejects(floe.read(game, "?"), (error) => error.place.line === 1);
  } finally {
    floe.close();
  }
});
