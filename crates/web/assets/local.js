// @ts-check
/**
 * Games that this browser keeps and plays itself: against engines, or two people at one screen. They
 * answer as a server's games do, so that one page shows both.
 * @typedef {{line: string, seat?: number, move?: string, moves?: number, kind?: string, message?: string, wall_us?: number}} Event
 * @typedef {{opening: any, events: Event[], clock: string, rematch: string | null, changed: number, end: any}} Kept
 */
import { to } from "./common.js";
import { t } from "./language.js";
import { floe } from "./module.js";

const PREFIX = "floe-game-";
/** How many games are kept; the oldest are forgotten first. */
const MOST = 100;
/** How long an engine without a limit of its own thinks, in milliseconds. */
const THINKING = 1000;
const RESIGNED = { kind: "resigned", message: "resigned" };
const RAN_OUT = { kind: "timeout", message: "the clock ran out" };

/** @param {string} id @returns {Kept} */
function kept(id) {
  const text = localStorage.getItem(PREFIX + id);
  if (text === null) throw new Error(t("this game is not stored in this browser"));
  return JSON.parse(text);
}

/** @param {Kept} game */
function keep(game) {
  game.changed = Date.now();
  for (const old of all().slice(MOST)) localStorage.removeItem(PREFIX + old.opening.id);
  localStorage.setItem(PREFIX + game.opening.id, JSON.stringify(game));
}

/** Every game, the newest first. @returns {Kept[]} */
export function all() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  const games = keys.map((key) => /** @type {Kept} */ (JSON.parse(localStorage.getItem(key) ?? "null")));
  return games.sort((a, b) => b.changed - a.changed);
}

/** The game as a record, line by line. @param {Kept} game */
export function record({ opening, events, end }) {
  const lines = [{ line: "game", ...opening }, ...events, ...(end ? [{ line: "end", ...end }] : [])];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Begins the game that the words of a form describe; gives its id. @param {Record<string, unknown>} words */
export async function begin(words) {
  const [one, seed] = crypto.getRandomValues(new Uint32Array(2));
  const id = `${Date.now().toString(36)}${one.toString(36)}`;
  const { opening, clock } = await (await floe()).ask("begin", {
    ...words,
    id,
    seed: seed % 1000000000,
    began: Math.floor(Date.now() / 1000),
  });
  keep({ opening, events: [], clock, rematch: null, changed: 0, end: null });
  return id;
}

/** One game that is open on this page. */
class Table {
  /** @param {string} id */
  constructor(id) {
    this.game = kept(id);
    this.began = performance.now();
    /** @type {any} */ this.now = null;
    /** @type {((state: any) => void)[]} */ this.listeners = [];
    /** @type {AbortController | null} */ this.thought = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = undefined;
  }

  isMine(/** @type {number} */ seat) {
    return this.game.opening.seats[seat - 1].seat === "human";
  }

  /** Has the module apply what is new; nothing has changed if it refuses. @param {Event[]} [events] */
  async apply(events = []) {
    const module = await floe();
    const { opening, clock } = this.game;
    const all = [...this.game.events, ...events];
    let now = await module.ask("table", { opening, clock, from: this.game.events.length, events });
    if (now.missing) now = await module.ask("table", { opening, clock, events: all });
    this.now = now;
    this.game.events = all;
    this.game.end = now.end;
    if (events.length) {
      keep(this.game);
      this.began = performance.now();
      for (const listener of this.listeners) listener(now.state);
    }
    this.goOn();
  }

  /** Has an engine move, or a clock run, if that is what the game waits for. */
  goOn() {
    this.thought?.abort();
    clearTimeout(this.timer);
    const { state, engine } = this.now;
    if (state.turn === null) return;
    if (engine) this.think(engine, state.turn);
    else {
      const left = state.clocks[state.turn - 1].left_ms;
      if (left !== undefined)
        this.timer = setTimeout(
          () => this.fault(state.turn, RAN_OUT),
          Math.max(0, left - (performance.now() - this.began)),
        );
    }
  }

  /** @param {string} engine @param {number} seat */
  async think(engine, seat) {
    const thought = new AbortController();
    this.thought = thought;
    const { game } = this.game.opening;
    try {
      const { lines } = await (await floe()).think(
        { game, position: this.now.position },
        { engine, ms: THINKING, signal: thought.signal },
      );
      if (this.thought === thought) await this.move(seat, lines[0].move);
    } catch (error) {
      if (!thought.signal.aborted) throw error;
    }
  }

  wall() {
    return Math.round((performance.now() - this.began) * 1000);
  }

  /** @param {number} seat @param {string} move */
  move(seat, move) {
    return this.apply([{ line: "move", seat, move, wall_us: this.wall() }]);
  }

  /** @param {number} seat @param {{kind: string, message: string}} what */
  fault(seat, what) {
    return this.apply([{ line: "fault", seat, ...what, wall_us: this.wall() }]);
  }

  /** Back to the last move of a person. */
  takeBack() {
    const { moves } = this.now.state;
    const place = moves.findLastIndex((/** @type {{seat: number, fault?: boolean}} */ turn) =>
      this.isMine(turn.seat),
    );
    if (place < 0 || moves.slice(place).some((/** @type {any} */ turn) => turn.fault))
      throw new Error(t("this cannot be undone"));
    return this.apply([{ line: "back", moves: moves.length - place }]);
  }

  summary() {
    const { opening, clock, rematch } = this.game;
    const seats = opening.seats.map((/** @type {{name: string, seat: string}} */ seat) => ({
      name: seat.name.replace(/^floe:/, "floe · "),
      kind: seat.seat === "human" ? "person" : "engine",
      is_yours: seat.seat === "human",
    }));
    return {
      id: opening.id,
      game: opening.game,
      title: document.title,
      seats,
      clock,
      can_take_back: true,
      rematch,
      state: this.now.state,
    };
  }
}

/** @type {Promise<Table> | undefined} */
let table;

/** The game of this page's address. */
export async function opened() {
  const id = new URLSearchParams(location.search).get("id") ?? "";
  table ??= (async () => {
    const made = new Table(id);
    await made.apply();
    return made;
  })();
  return (await table).summary();
}

/** Publishes the events of the game of this page. @param {Record<string, (data: any) => void>} on */
export async function follow(on) {
  (await table)?.listeners.push((state) => on.state?.({ state }));
}

/** @param {string} path under the API, of a game @param {any} [body] */
export async function answer(path, body) {
  const open = await table;
  const [, , act] = path.split(/[/?]/);
  if (!open) throw new Error(t("no game is open on this page"));
  if (act === "choices") return { moves: open.now.moves };
  if (act === "start") return { position: open.game.opening.start };
  if (act === "ply") return earlier(open, Number(new URLSearchParams(path.split("?")[1]).get("ply")));
  if (act === "rematch") return { rematch: await rematch(open) };
  if (body.ply !== undefined && body.ply !== open.now.state.ply)
    throw new Error(t("the game has gone on since"));
  const seat = open.now.state.turn;
  if (act === "resign")
    await open.fault(
      open.isMine(seat)
        ? seat
        : 1 +
            open.game.opening.seats.findIndex((/** @type {any} */ _, /** @type {number} */ i) =>
              open.isMine(i + 1),
            ),
      RESIGNED,
    );
  else if (act === "take-back") await open.takeBack();
  else if (!open.isMine(seat)) throw new Error(t("it is not your turn"));
  else await open.move(seat, act === "give-up" ? "-" : body.move);
  return open.summary();
}

/** A position of a game that is looked back at. @param {Table} open @param {number} ply */
async function earlier(open, ply) {
  const { plies } = await (await floe()).replay(record(open.game));
  const { turn, scores, picture, made } = plies[Math.min(ply, plies.length - 1)];
  return { ply, turn, scores, picture, last: null, picked: made?.last };
}

/** The same game again with every player one seat further. @param {Table} open */
async function rematch(open) {
  const { opening, clock } = open.game;
  if (open.game.rematch) return open.game.rematch;
  const [mine] = opening.seats.flatMap((/** @type {any} */ seat, /** @type {number} */ i) =>
    seat.seat === "human" ? [i] : [],
  );
  const engine = opening.seats.find((/** @type {any} */ seat) => seat.seat !== "human");
  const [size, ...settings] = (opening.setup ?? "").split(",");
  const words = Object.fromEntries(settings.map((/** @type {string} */ setting) => setting.split("=")));
  const id = await begin({
    game: opening.game,
    ...(opening.setup ? { size, ...words } : { position: opening.start }),
    opponent: engine?.seat ?? "here",
    name: opening.seats[mine].name,
    side: mine === 0 ? "last" : "first",
    clock,
  });
  open.game.rematch = id;
  keep(open.game);
  return id;
}

/** The address of a game. @param {string} id */
export function addressOf(id) {
  return to(`/game/${id}`);
}
