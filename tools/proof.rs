//! Checks the engines against what is known: the oracle, the clock, solved regions.
//!
//! ```text
//! cargo run --release -p floe-tools --bin proof -- [GAME…] [--positions N] [--time 1s]
//!     [--oracle NODES] [--seed N]
//! cargo run --release -p floe-tools --bin proof -- --clock [GAME…] [--moves N] [--time 20ms]
//!     [--spinning THREADS]
//! cargo run --release -p floe-tools --bin proof -- --regions [--positions N] [--time 100ms]
//! cargo run --release -p floe-tools --bin proof -- --perfect [--positions N] [--nodes N]
//!     [--setup 6x6,penguins=2] [--spec floe:hard] [--threads N]
//! ```
//!
//! Without a mode, random small positions of every game are put to the plain minimax oracle and to
//! the engine: how many the engine answered with a best move, how many it proved, and how many
//! proofs were wrong (there must be none). The oracle's limit of nodes says how large positions
//! get.
//!
//! `--clock` plays moves with a time limit on boards of all sizes while other threads keep the
//! cores busy, and tells by how much answers were late: by the wall clock, and by the clock of the
//! thread that thought, which does not count while somebody else has the core.
//!
//! `--regions` plays Penguins until no penguin can come where another's seat can, and tells up to
//! which number of floes everything is solved in time.
//!
//! `--perfect` lets a level of Penguins play games against itself, and tells how many of its moves keep
//! the proven value: among the placements, and by quarters of the rest of the game. A position counts
//! if searches of so many nodes prove its value and that of the level's move.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a program prints

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use floe_rules::random::Random as Dice;
use floe_rules::{Game, Position, flood::Flood, gamma::Gamma, penguins, penguins::Penguins};
use floe_search::{
    Engine, FLOOD, GAMMA, Kind, Limits, Minimax, PENGUINS, Roster, Spec, Thought, lead,
};

const USAGE: &str = "\
usage: proof [GAME…] [--positions N] [--time 1s] [--oracle NODES] [--seed N]
       proof --clock [GAME…] [--moves N] [--time 20ms] [--spinning THREADS]
       proof --regions [--positions N] [--time 100ms]
       proof --perfect [--positions N] [--nodes N] [--setup 6x6,penguins=2] [--spec floe:hard]
             [--threads N]
games: flood, gamma, penguins";

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)) {
        Ok(options) => {
            let is_sound = options.run();
            ExitCode::from(u8::from(!is_sound))
        }
        Err(cause) => {
            eprintln!("proof: {cause}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Oracle,
    Clock,
    Regions,
    Perfect,
}

struct Options {
    mode: Mode,
    games: Vec<String>,
    positions: u64,
    moves: u64,
    time: Option<Duration>,
    oracle: u64,
    seed: u64,
    spinning: usize,
    nodes: u64,
    setup: String,
    spec: Spec,
    threads: usize,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Options {
            mode: Mode::Oracle,
            games: Vec::new(),
            positions: 300,
            moves: 1000,
            time: None,
            oracle: 300_000,
            seed: 1,
            spinning: 2,
            nodes: 20_000_000,
            setup: "6x6,penguins=2".to_owned(),
            spec: "floe:hard".parse().expect("a spec"),
            threads: 1,
        };
        while let Some(word) = arguments.next() {
            match word.as_str() {
                "--clock" => options.mode = Mode::Clock,
                "--regions" => options.mode = Mode::Regions,
                "--perfect" => options.mode = Mode::Perfect,
                "flood" | "gamma" | "penguins" => options.games.push(word),
                name if name.starts_with("--") => {
                    let value = arguments.next().ok_or(format!("{name} wants a value"))?;
                    let number = || {
                        value
                            .parse::<u64>()
                            .map_err(|_| format!("{name}: {value}?"))
                    };
                    match name {
                        "--positions" => options.positions = number()?,
                        "--moves" => options.moves = number()?,
                        "--oracle" => options.oracle = number()?,
                        "--seed" => options.seed = number()?,
                        "--nodes" => options.nodes = number()?,
                        "--threads" => options.threads = number()? as usize,
                        "--setup" => options.setup = value,
                        "--spec" => {
                            options.spec = value.parse().map_err(|e| format!("{value}: {e}"))?;
                        }
                        "--spinning" => options.spinning = number()? as usize,
                        "--time" => {
                            let spec: Result<Spec, _> = format!("floe:time={value}").parse();
                            let time = spec.ok().and_then(|spec| spec.time);
                            options.time = Some(time.ok_or(format!("{value} is not a time"))?);
                        }
                        _ => return Err(format!("unknown option {name}")),
                    }
                }
                other => return Err(format!("unknown game `{other}`")),
            }
        }
        Ok(options)
    }

    fn wants(&self, game: &str) -> bool {
        self.games.is_empty() || self.games.iter().any(|name| name == game)
    }

    /// Whether nothing was proven that is not so.
    fn run(&self) -> bool {
        match self.mode {
            Mode::Oracle => {
                let mut is_sound = true;
                if self.wants("flood") {
                    is_sound &= against_oracle::<Flood>(&FLOOD, FLOOD_SETUPS, self);
                }
                if self.wants("gamma") {
                    is_sound &= against_oracle::<Gamma>(&GAMMA, GAMMA_SETUPS, self);
                }
                if self.wants("penguins") {
                    is_sound &= against_oracle::<Penguins>(&PENGUINS, PENGUINS_SETUPS, self);
                }
                is_sound
            }
            Mode::Clock => {
                self.watch_clock();
                true
            }
            Mode::Regions => {
                regions(self);
                true
            }
            Mode::Perfect => {
                perfect(self);
                true
            }
        }
    }
}

const FLOOD_SETUPS: &[&str] = &["4x4", "5x4", "6x6", "9x3", "8x8", "12x12"];
const GAMMA_SETUPS: &[&str] = &[
    "3x3,players=2,areas=1",
    "4x3,players=2,areas=2",
    "5x5,players=2,areas=2",
    "7x7,players=2,areas=3",
    "10x10,players=2,areas=2",
    "4x4,players=3,areas=2",
];
const PENGUINS_SETUPS: &[&str] = &[
    "4x4,penguins=1,water=10",
    "5x4,penguins=2,water=20",
    "6x6,penguins=2,water=25",
    "8x8,penguins=2,water=25",
    "10x10,penguins=2,water=30",
    "6x5,players=3,penguins=1,water=25",
];

/// A random game, move by move.
fn random_game<P: Position>(start: &P, dice: &mut Dice) -> Vec<P> {
    let mut game = vec![start.clone()];
    let mut here = start.clone();
    while here.turn().is_some() {
        let moves = here.legal_moves();
        here.play_unchecked(moves[dice.index(moves.len())]);
        game.push(here.clone());
    }
    game.pop();
    game
}

/// What was seen of one game.
#[derive(Default)]
struct Tally {
    asked: u64,
    best: u64,
    proven: u64,
    wrong: u64,
    time: Duration,
    slowest: Duration,
}

/// Puts positions to the oracle and the engine; whether no proof was wrong.
fn against_oracle<G: Game>(
    roster: &Roster<G::Position>,
    setups: &[&str],
    options: &Options,
) -> bool {
    let mut is_sound = true;
    let each = options.positions.div_ceil(setups.len() as u64);
    for text in setups {
        let setup: G::Setup = text.parse().expect("a good setup");
        let mut dice = Dice::seeded(options.seed);
        let mut tally = Tally::default();
        let mut engine = roster.engine(&Spec::from(Kind::Floe));
        let mut seed = options.seed;
        while tally.asked < each {
            seed += 1;
            let Ok(start) = G::start(&setup, seed) else {
                break;
            };
            let game = random_game(&start, &mut dice);
            // The earliest position the oracle can do, and one on the way from there to the end.
            let limits = Limits::nodes(options.oracle);
            let solvable = |p: &G::Position| Minimax::new().solve(p, &limits).is_some();
            let first = game.partition_point(|p| !solvable(p));
            let Some(later) = game.len().checked_sub(first).filter(|&later| later > 0) else {
                continue;
            };
            for at in [first, first + dice.index(later)] {
                check::<G>(&game[at], &mut *engine, options, &mut tally);
            }
        }
        is_sound &= tally.wrong == 0;
        let share = |n: u64| 100.0 * n as f64 / tally.asked.max(1) as f64;
        println!(
            "{} {text}: {} positions, {:.2} % best, {:.1} % proven, {} wrongly; \
             {:.1} ms each, {:.0} ms at most",
            G::NAME,
            tally.asked,
            share(tally.best),
            share(tally.proven),
            tally.wrong,
            1000.0 * tally.time.as_secs_f64() / tally.asked.max(1) as f64,
            1000.0 * tally.slowest.as_secs_f64(),
        );
    }
    is_sound
}

fn check<G: Game>(
    position: &G::Position,
    engine: &mut dyn Engine<G::Position>,
    options: &Options,
    tally: &mut Tally,
) {
    let mover = position.turn().expect("the game goes on");
    let Some(values) = Minimax::new().values(position, &Limits::nodes(4 * options.oracle)) else {
        return;
    };
    let most = values.iter().map(|(_, s)| lead(s, mover)).max();
    let most = most.expect("a mover has a move");
    let begun = Instant::now();
    let time = options.time.unwrap_or(Duration::from_secs(1));
    let thought = engine.think(position, &Limits::time(time));
    let spent = begun.elapsed();
    let (_, scores) = (values.iter().find(|(mv, _)| *mv == thought.best)).expect("a legal move");
    let is_best = lead(scores, mover) == most;
    tally.asked += 1;
    tally.best += u64::from(is_best);
    tally.proven += u64::from(thought.proven);
    tally.time += spent;
    tally.slowest = tally.slowest.max(spent);
    if thought.proven && !(is_best && thought.lead(mover) == most) {
        tally.wrong += 1;
        eprintln!("wrong: {thought:?}, but {most} in\n{}", G::write(position));
    }
}

impl Options {
    /// Plays moves against the clock with all cores busy.
    fn watch_clock(&self) {
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..self.spinning {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            if self.wants("flood") {
                let setups = ["10x10", "20x20", "50x50"];
                clock::<Flood>(&FLOOD, &setups, self);
            }
            if self.wants("gamma") {
                let setups = [
                    "8x8,players=2,areas=2",
                    "15x15,players=3,areas=3",
                    "50x50,players=2,areas=5",
                    "50x50,players=4,areas=3",
                ];
                clock::<Gamma>(&GAMMA, &setups, self);
            }
            if self.wants("penguins") {
                let setups = [
                    "8x8,penguins=2",
                    "14x14,players=3,penguins=3",
                    "20x20,penguins=3",
                    "20x20,players=4,penguins=4",
                ];
                clock::<Penguins>(&PENGUINS, &setups, self);
            }
            is_over.store(true, Ordering::Relaxed);
        });
    }
}

/// How late answers were.
fn clock<G: Game>(roster: &Roster<G::Position>, setups: &[&str], options: &Options) {
    let time = options.time.unwrap_or(Duration::from_millis(20));
    // Late by more than this is too late.
    let allowance = Duration::from_millis(10);
    for text in setups {
        let setup: G::Setup = text.parse().expect("a good setup");
        let mut engine = roster.engine(&Spec::from(Kind::Floe));
        let (mut asked, mut late, mut busy_late) = (0_u64, 0_u64, 0_u64);
        let (mut worst, mut busy_worst) = (Duration::ZERO, Duration::ZERO);
        let mut seed = options.seed;
        let each = options.moves / setups.len() as u64;
        while asked < each {
            seed += 1;
            let mut position = G::start(&setup, seed).expect("a board");
            let mut dice = Dice::seeded(seed);
            while position.turn().is_some() && asked < each {
                let busy_before = busy();
                let begun = Instant::now();
                let thought = engine.think(&position, &Limits::time(time));
                let spent = begun.elapsed();
                let busy_spent = busy()
                    .zip(busy_before)
                    .map(|(after, before)| after - before);
                let over = spent.saturating_sub(time);
                let busy_over = busy_spent.unwrap_or_default().saturating_sub(time);
                asked += 1;
                late += u64::from(over > allowance);
                busy_late += u64::from(busy_over > allowance);
                worst = worst.max(over);
                busy_worst = busy_worst.max(busy_over);
                // Now and then something else, so that games differ.
                let moves = position.legal_moves();
                let mv = match dice.index(4) {
                    0 => moves[dice.index(moves.len())],
                    _ => thought.best,
                };
                position.play_unchecked(mv);
            }
        }
        let share = |n: u64| 100.0 * n as f64 / asked.max(1) as f64;
        println!(
            "{} {text}: {asked} moves of {} ms; late by {:.1} ms at most, {late} ({:.1} %) by \
             more than 10 ms; by the thread's clock {:.1} ms, {busy_late} ({:.1} %)",
            G::NAME,
            time.as_millis(),
            1000.0 * worst.as_secs_f64(),
            share(late),
            1000.0 * busy_worst.as_secs_f64(),
            share(busy_late),
        );
    }
}

/// How long this thread has had a core so far, where the system tells.
fn busy() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

/// Plays until the seats are apart, and sees whether the rest is solved.
fn regions(options: &Options) {
    let time = options.time.unwrap_or(Duration::from_millis(100));
    // By tens of floes: how many there were, and how many were solved.
    let mut solved = [[0_u64; 2]; 12];
    let mut dice = Dice::seeded(options.seed);
    let mut engine = floe_search::penguins::Searcher::new();
    for seed in 0..options.positions {
        let side = 6 + seed % 12;
        let setup = format!("{side}x{side},penguins={}", 1 + seed % 3);
        let setup: penguins::Setup = setup.parse().expect("a good setup");
        let Ok(mut position) = Penguins::start(&setup, seed) else {
            continue;
        };
        while position.turn().is_some() && !are_apart(&position) {
            let moves = position.legal_moves();
            position.play_unchecked(moves[dice.index(moves.len())]);
        }
        if position.turn().is_none() {
            continue;
        }
        let floes = largest_region(&position);
        let thought: Thought<_> = engine.think(&position, &Limits::time(time));
        let row = &mut solved[(floes / 10).min(11)];
        row[0] += 1;
        row[1] += u64::from(thought.proven);
    }
    println!(
        "private regions within {} ms, by the largest region:",
        time.as_millis()
    );
    for (tens, [count, done]) in solved.iter().enumerate().filter(|(_, row)| row[0] > 0) {
        let (from, to) = (10 * tens, 10 * tens + 9);
        println!("  {from:3} to {to:3} floes: {done} of {count} solved");
    }
}

/// The parts of a game whose moves are counted apart.
const PARTS: [&str; 5] = ["placement", "first quarter", "second", "third", "last"];

/// By part of the game: positions, those with proven values, and moves that keep the value.
type Kept = [[u64; 3]; PARTS.len()];

/// Lets a level play against itself and counts the moves that keep the proven value.
fn perfect(options: &Options) {
    let next = AtomicU64::new(0);
    let sum = Mutex::new(Kept::default());
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= options.positions {
                        break;
                    }
                    let kept = perfect_in(options.seed + game, options);
                    let mut sum = sum.lock().expect("no thread panics");
                    for (sum, kept) in sum.iter_mut().flatten().zip(kept.iter().flatten()) {
                        *sum += kept;
                    }
                }
            });
        }
    });
    let (setup, games, nodes) = (&options.setup, options.positions, options.nodes);
    println!(
        "{}, {games} games of {setup}, {nodes} nodes a proof:",
        options.spec
    );
    let sum = sum.into_inner().expect("no thread panics");
    for (part, [count, proven, kept]) in PARTS.iter().zip(sum) {
        let share = 100.0 * kept as f64 / proven.max(1) as f64;
        println!(
            "  {part}: {kept} of {proven} keep the value ({share:.1} %), of {count} positions"
        );
    }
}

/// The same in one game.
fn perfect_in(seed: u64, options: &Options) -> Kept {
    let setup: penguins::Setup = options.setup.parse().expect("a good setup");
    let mut position = Penguins::start(&setup, seed).expect("a board");
    let mut players: Vec<_> = (0..u64::from(position.players()))
        .map(|seat| {
            let seed = Some(64 * seed + seat);
            PENGUINS.engine(&Spec {
                seed,
                ..options.spec
            })
        })
        .collect();
    let mut placed = Vec::new();
    let mut moved = Vec::new();
    while let Some(mover) = position.turn() {
        let limits = options.spec.limits(Duration::from_secs(60));
        let mv = players[mover.index()].think(&position, &limits).best;
        match position.phase() {
            penguins::Phase::Placement => placed.push((position.clone(), mv)),
            _ => moved.push((position.clone(), mv)),
        }
        position.play_unchecked(mv);
    }
    let all = moved.len();
    let moved = moved.into_iter().enumerate();
    let moved = moved.map(|(i, spot)| (1 + 4 * i / all.max(1), spot));
    let mut kept = Kept::default();
    for (part, (position, mv)) in placed.into_iter().map(|spot| (0, spot)).chain(moved) {
        kept[part][0] += 1;
        if let Some(is_kept) = keeps(&position, mv, options.nodes) {
            kept[part][1] += 1;
            kept[part][2] += u64::from(is_kept);
        }
    }
    kept
}

/// Whether the move keeps the proven value; `None` if that is not proven.
fn keeps(position: &penguins::PenguinsPosition, mv: penguins::Move, nodes: u64) -> Option<bool> {
    let mover = position.turn()?;
    let value = |position: &penguins::PenguinsPosition| {
        if position.turn().is_none() {
            return Some(lead(&position.scores(), mover));
        }
        let thought = floe_search::penguins::Searcher::new().think(position, &Limits::nodes(nodes));
        thought.proven.then(|| thought.lead(mover))
    };
    let best = value(position)?;
    let mut after = position.clone();
    after.play_unchecked(mv);
    Some(value(&after)? == best)
}

/// What each seat's penguins can reach, by walking.
fn reaches(position: &penguins::PenguinsPosition) -> Vec<Vec<bool>> {
    let shape = position.shape();
    let (columns, rows) = (shape.columns() as usize, shape.rows() as usize);
    let mut is_free = vec![false; columns * rows];
    for index in position.free() {
        let spot = shape.spot(index);
        is_free[usize::from(spot.row) * columns + usize::from(spot.column)] = true;
    }
    let seats = floe_rules::Player::all(position.players());
    let reach = seats.map(|player| {
        let mut reached = vec![false; columns * rows];
        let mut todo: Vec<(usize, usize)> = position
            .penguins(player)
            .iter()
            .map(|spot| (usize::from(spot.column), usize::from(spot.row)))
            .collect();
        while let Some((x, y)) = todo.pop() {
            let beside = [
                (x.wrapping_sub(1), y),
                (x + 1, y),
                (x, y.wrapping_sub(1)),
                (x, y + 1),
            ];
            for (x, y) in beside.into_iter().filter(|&(x, y)| x < columns && y < rows) {
                let at = y * columns + x;
                if is_free[at] && !reached[at] {
                    reached[at] = true;
                    todo.push((x, y));
                }
            }
        }
        reached
    });
    reach.collect()
}

fn are_apart(position: &penguins::PenguinsPosition) -> bool {
    let reaches = reaches(position);
    position.phase() == penguins::Phase::Movement
        && (0..reaches[0].len()).all(|at| reaches.iter().filter(|r| r[at]).count() <= 1)
}

fn largest_region(position: &penguins::PenguinsPosition) -> usize {
    let reaches = reaches(position);
    let sizes = reaches.iter().map(|r| r.iter().filter(|&&is| is).count());
    sizes.max().unwrap_or(0)
}
