// @ts-check
/**
 * Rules and engines in a worker, behind promises. This file is both sides: whoever imports it gets
 * `Floe`, and a worker that is started with it answers questions. It names no game.
 */

/** A module, or one that is on its way. @typedef {WebAssembly.Module | Promise<WebAssembly.Module>} Compiled */
/** What a question is answered with. @typedef {{answer?: any, error?: string, place?: any}} Answer */

/** The time after which a thought that reports its progress does so first, as parts of the whole. */
const PROGRESS = [1 / 16, 1 / 4];
const NAME = "floe";

/** The program itself: one question after the other, each answered at once. */
export class Program {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder();
    this.start();
  }

  start() {
    const host = { now: () => performance.now() };
    this.exports = /** @type {any} */ (new WebAssembly.Instance(this.module, { host }).exports);
  }

  /** The answer's text. @param {string} text */
  answerTo(text) {
    const { memory, question, ask, answer } = this.exports;
    const bytes = this.encoder.encode(text);
    // Making room may move the memory.
    const place = question(bytes.length);
    new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
    const length = ask();
    return this.decoder.decode(new Uint8Array(memory.buffer, answer(), length));
  }

  /** @param {Record<string, unknown>} question @returns {Answer} */
  ask(question) {
    try {
      return JSON.parse(this.answerTo(JSON.stringify(question)));
    } catch (error) {
      const words = this.lastWords() || String(error);
      // What failed once is used up; the next question finds a new one.
      this.start();
      return { error: `Floe failed: ${words}`, place: null };
    }
  }

  /** What the program said when it failed. */
  lastWords() {
    try {
      const bytes = new Uint8Array(this.exports.memory.buffer).subarray(this.exports.answer());
      return this.decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
    } catch {
      return "";
    }
  }
}

/** A worker that answers one question at a time. */
class Helper {
  /** The module may still be on its way. @param {Compiled} module @param {() => Worker} start */
  constructor(module, start) {
    /** @type {{resolve: (answer: Answer) => void, reject: (error: Error) => void}[]} */ this.waiting = [];
    this.worker = start();
    this.worker.onmessage = (event) => this.waiting.shift()?.resolve(event.data);
    this.worker.onerror = (event) => this.end(new Error(event.message || "the worker could not be started"));
    this.ready = Promise.resolve(module).then((module) => this.worker.postMessage({ module }));
    // Whoever waits for the module hears of it.
    this.ready.catch(() => {});
  }

  /** @param {Record<string, unknown>} question @returns {Promise<any>} */
  async ask(question) {
    const answer = await new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.ready.then(() => this.worker.postMessage({ question }), reject);
    });
    if (answer.error !== undefined) throw Object.assign(new Error(answer.error), { place: answer.place });
    return answer.answer;
  }

  /** Ends the worker, whatever it does. @param {Error} reason */
  end(reason) {
    this.worker.terminate();
    for (const { reject } of this.waiting.splice(0)) reject(reason);
  }
}

/** @param {string | URL} address */
async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: status ${response.status}`);
  return response;
}

/** Fetches the program and compiles it meanwhile. @param {string | URL} address */
async function compile(address) {
  const response = await fetched(address);
  // A host that gives it another type makes it a little slower, no more.
  return WebAssembly.compileStreaming(response).catch(async () =>
    WebAssembly.compile(await (await fetched(address)).arrayBuffer()),
  );
}

/** Rules and engines, answered by workers. */
export class Floe {
  /** @param {Compiled} module @param {{thinkers?: number, start?: () => Worker}} [options] */
  constructor(module, options = {}) {
    this.module = module;
    this.start = options.start ?? (() => new Worker(import.meta.url, { type: "module", name: NAME }));
    /** How many thoughts there are at once: a core is left to the page. */
    this.thinkers =
      options.thinkers ?? Math.max(1, Math.min(8, (globalThis.navigator?.hardwareConcurrency ?? 2) - 1));
    this.rules = new Helper(module, this.start);
    // The first thinker starts while the module is fetched and compiled.
    /** @type {Helper[]} */ this.idle = [new Helper(module, this.start)];
    /** @type {Set<Helper>} */ this.busy = new Set();
    /** Those who wait for a thinker. @type {(() => void)[]} */ this.queue = [];
  }

  /** Fetches the program and compiles it. @param {string | URL} [address] @param {{thinkers?: number}} [options] */
  static async load(address = new URL("./floe.wasm", import.meta.url), options = {}) {
    const compiled = compile(address);
    const floe = new Floe(compiled, options);
    try {
      await compiled;
    } catch (error) {
      floe.close();
      throw error;
    }
    return floe;
  }

  /** Asks for anything but a thought. @param {string} what @param {Record<string, unknown>} [body] @returns {Promise<any>} */
  ask(what, body = {}) {
    return this.rules.ask({ ...body, ask: what });
  }

  games() {
    return this.ask("rules").then((answer) => answer.games);
  }

  /** @param {string} game */
  describe(game) {
    return this.ask("rules", { game });
  }

  /** A new board. @param {string} game @param {string} [setup] @param {number} [seed] */
  startGame(game, setup, seed = 0) {
    return this.position({ game, ...(setup === undefined ? {} : { setup }), seed });
  }

  /** The position of a text. @param {string} game @param {string} position */
  read(game, position) {
    return this.position({ game, position });
  }

  /** @param {import("./floe.d.ts").At} at */
  position(at) {
    return this.ask("positions", { ...at });
  }

  /** @param {import("./floe.d.ts").At} at */
  choices(at) {
    return this.position(at).then((answer) => answer.moves);
  }

  /** @param {import("./floe.d.ts").At} at */
  view(at) {
    return this.position(at).then((answer) => answer.picture);
  }

  /** The position after one more move. @param {import("./floe.d.ts").At} at @param {string} move */
  play(at, move) {
    return this.position({ ...at, moves: [...(at.moves ?? []), move] });
  }

  /** @param {import("./floe.d.ts").At} at @param {string} square @param {{from?: string, special?: boolean}} [how] */
  refusal(at, square, how = {}) {
    return this.ask("refusals", { ...at, square, ...how }).then((answer) => answer.refusal);
  }

  /** @param {string} game @param {string} position */
  check(game, position) {
    return this.ask("checks", { game, position });
  }

  /** @param {string} game @param {string} position @param {string} brush @param {string | null} [square] */
  paint(game, position, brush, square = null) {
    return this.ask("paint", { game, position, brush, square });
  }

  /** @param {string} text */
  records(text) {
    return this.ask("records", { text }).then((answer) => answer.games);
  }

  /** @param {string} text @param {number} [index] */
  replay(text, index = 0) {
    return this.ask("course", { text, index });
  }

  /** @param {import("./floe.d.ts").At} at @param {({scores: number[], best: string | null} | null)[]} worths */
  review(at, worths) {
    return this.ask("reviews", { ...at, worths });
  }

  /** The best moves, best first. @param {import("./floe.d.ts").At} at @param {number} top @param {import("./floe.d.ts").Effort} [effort] */
  rank(at, top, effort = {}) {
    return this.think(at, { ...effort, top });
  }

  /** An engine's best moves in a position. @param {import("./floe.d.ts").At} at @param {import("./floe.d.ts").Effort} [effort] @returns {Promise<import("./floe.d.ts").Thoughts>} */
  async think(at, { ms = 300, top = 1, engine, onprogress, signal } = {}) {
    signal?.throwIfAborted();
    const helper = await this.thinker(signal);
    const stop = () => {
      if (this.busy.delete(helper)) {
        helper.end(signal?.reason ?? new Error("stopped"));
        this.next();
      }
    };
    signal?.addEventListener("abort", stop, { once: true });
    const ask = (/** @type {number} */ part) =>
      helper.ask({
        ...at,
        ask: "thoughts",
        ms: Math.max(1, Math.round(ms * part)),
        top,
        ...(engine === undefined ? {} : { engine }),
      });
    try {
      let left = 1;
      // An engine that is limited by more than time is asked once.
      for (const part of onprogress && (engine === undefined || engine === "floe") ? PROGRESS : []) {
        const answer = await ask(part);
        left -= part;
        onprogress?.(answer);
        if (answer.is_over || answer.lines[0]?.proven) return answer;
      }
      return await ask(left);
    } finally {
      signal?.removeEventListener("abort", stop);
      if (this.busy.delete(helper)) {
        this.idle.push(helper);
        this.next();
      }
    }
  }

  /** A worker that thinks about nothing, as soon as there is one. @param {AbortSignal} [signal] @returns {Promise<Helper>} */
  async thinker(signal) {
    while (this.busy.size >= this.thinkers) {
      await new Promise((resolve, reject) => {
        const come = () => {
          signal?.removeEventListener("abort", leave);
          resolve(undefined);
        };
        const leave = () => {
          this.queue = this.queue.filter((other) => other !== come);
          reject(signal?.reason);
        };
        this.queue.push(come);
        signal?.addEventListener("abort", leave, { once: true });
      });
    }
    const helper = this.idle.pop() ?? new Helper(this.module, this.start);
    this.busy.add(helper);
    return helper;
  }

  /** Lets the next in line have a thinker. */
  next() {
    this.queue.shift()?.();
  }

  /** Ends all workers. */
  close() {
    for (const helper of [this.rules, ...this.idle, ...this.busy]) helper.end(new Error("Floe is closed"));
    this.idle = [];
    this.busy.clear();
  }
}

/** Answers the questions of whoever started this worker. @param {{onmessage: any, postMessage: (answer: Answer) => void}} scope */
export function serve(scope) {
  /** @type {Program | undefined} */ let program;
  scope.onmessage = (/** @type {{data: any}} */ { data }) => {
    if (data.module) program = new Program(data.module);
    else scope.postMessage(program ? program.ask(data.question) : { error: "the program is not there yet" });
  };
}

const scope = /** @type {any} */ (globalThis);
if (
  typeof scope.WorkerGlobalScope === "function" &&
  scope instanceof scope.WorkerGlobalScope &&
  scope.name === NAME
)
  serve(scope);
