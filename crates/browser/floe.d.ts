/** Floe's rules and engines in a browser, without a server. */

/** A position: its text, or a setup and a seed, and the moves made from there (`-` passes). */
export interface At {
  game: string;
  position?: string;
  setup?: string;
  seed?: number;
  moves?: string[];
}

/** A move as a person at a board makes it; fields are counted row by row from the top-left. */
export interface Pick {
  move: string;
  from?: number;
  to?: number;
  special?: string;
  takes?: number[];
  /** Other fields that mean it when a person points at them. */
  also?: number[];
  gain: number;
}

export interface Shape { ink: string; path: string }
export interface Emblem { word: string; drawing: Shape[] }

/** A board, a character or a number per field, row by row from the top-left. */
export interface Picture {
  width: number;
  height: number;
  glyphs: string;
  /** `~` water, `.` plain, `1` to `9` levels, letters from `A` hues. */
  shades: string;
  /** The number of the player who holds a field, or 0. */
  owners: number[];
  promised?: number[];
  is_outlined: boolean;
  numbering: string | null;
  level: Emblem | null;
  piece: Emblem | null;
  phase: string;
  task: string;
  notes: string[];
  seats: { name: string; score: number; note: string }[];
}

export interface Brush {
  word: string;
  label: string;
  is_on_field: boolean;
  owner: number | null;
  shade: unknown;
}

export interface Position {
  game: string;
  text: string;
  turn: number | null;
  scores: number[];
  is_over: boolean;
  can_give_up: boolean;
  moves: Pick[];
  last: Pick | null;
  picture: Picture;
  brushes: Brush[];
}

export interface Line {
  move: string;
  scores: number[];
  /** Each seat's part of the evaluation bar. */
  shares: number[];
  lead: number;
  line: string[];
  depth: number;
  nodes: number;
  proven: boolean;
}

export interface Thoughts {
  turn?: number;
  is_over?: boolean;
  scores?: number[];
  shares?: number[];
  lines: Line[];
}

export interface Effort {
  /** Milliseconds, where the engine is limited by nothing else [default: 300]. */
  ms?: number;
  /** How many moves to rank [default: 1]. */
  top?: number;
  /** The engine, such as `floe:hard` or `floe:nodes=10k` [default: `floe`]. */
  engine?: string;
  /** Called with what is known after 1/16 and 5/16 of the time. */
  onprogress?: (thoughts: Thoughts) => void;
  /** Stops the thought at once. */
  signal?: AbortSignal;
}

/** Something wrong with a text, or odd. */
export interface Problem { line: number; column: number; width: number; cause: string; help: string }

/** What the rules or the program refuse; `place` has line and column, or the number of the move. */
export interface Refusal extends Error { place: { line?: number; column?: number; help?: string | null; move?: number } | null }

export interface Game { name: string; title: string }

export interface RecordedGame {
  id: string;
  game: string;
  title: string;
  players: string[];
  turns: number;
  result: string | null;
  problem: string | null;
  /** Why this game cannot be read; then nothing else is there. */
  error?: string;
}

export interface Timeline {
  game: string;
  start: string;
  opening?: string[];
  plies: { turn: number | null; scores: number[]; picture: Picture; made?: { seat: number; text: string; ms: number; last?: Pick; fault?: string } }[];
  names: string[];
  result: string | null;
  end: { scores: number[]; places: number[]; reason: string } | null;
}

export interface Verdict {
  turns: ({ loss: number; grade: "fine" | "slip" | "blunder"; sign: string } | null)[];
  points: { turn: number; played: string; better: string; loss: number }[];
}

export class Floe {
  constructor(
    module: WebAssembly.Module | Promise<WebAssembly.Module>,
    options?: { thinkers?: number; start?: () => Worker },
  );
  /** How many thoughts there are at once. */
  readonly thinkers: number;
  static load(address?: string | URL, options?: { thinkers?: number }): Promise<Floe>;
  ask(what: string, body?: { [field: string]: unknown }): Promise<any>;
  games(): Promise<Game[]>;
  describe(game: string): Promise<any>;
  startGame(game: string, setup?: string, seed?: number): Promise<Position>;
  read(game: string, position: string): Promise<Position>;
  position(at: At): Promise<Position>;
  choices(at: At): Promise<Pick[]>;
  view(at: At): Promise<Picture>;
  play(at: At, move: string): Promise<Position>;
  refusal(at: At, square: string, how?: { from?: string; special?: boolean }): Promise<string>;
  check(game: string, position: string): Promise<{ errors: Problem[]; remarks: Problem[]; text: string | null }>;
  paint(game: string, position: string, brush: string, square?: string | null): Promise<{ text: string; brushes: Brush[] }>;
  records(text: string): Promise<RecordedGame[]>;
  replay(text: string, index?: number): Promise<Timeline>;
  review(at: At, worths: ({ scores: number[]; best: string | null } | null)[]): Promise<Verdict>;
  think(at: At, effort?: Effort): Promise<Thoughts>;
  rank(at: At, top: number, effort?: Effort): Promise<Thoughts>;
  close(): void;
}

/** The program without a worker: each question is answered before the call returns. */
export class Program {
  constructor(module: WebAssembly.Module);
  ask(question: { ask: string; [field: string]: unknown }): { answer?: any; error?: string; place?: unknown };
  answerTo(text: string): string;
}

export function serve(scope: { onmessage: any; postMessage: (answer: unknown) => void }): void;
