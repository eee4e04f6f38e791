//! Measures two engines against each other.
//!
//! ```text
//! cargo run --release -p floe-search --example duel -- GAME SPEC SPEC [--pairs N] [--size 20x20]
//!     [--setup players=3] [--seed 1] [--time 100ms] [--opening N] [--threads N]
//!     [--weights FILE] [--weights2 FILE] [--hold NODES:DEPTH:SEES:BLUNDERS]
//!     [--hold2 NODES:DEPTH:SEES:BLUNDERS]
//! ```
//!
//! `--time` is for specs that say nothing; `--opening` plays so many moves at random first (by
//! default only where all boards are alike); `--hold` and `--hold2` hold the first and the second
//! engine back to a strength, to find those of the levels. In Penguins and Gamma, `--weights` and `--weights2`
//! give the first and the second engine other weights of the learned evaluation, or the hand-made
//! evaluation for `none`.
//!
//! Both play the same boards from every seat: with two seats a *pair* of games, with more a
//! *round* in which the first engine sits in each seat once and the second one in all others. The
//! first engine's score of a game is the share of its opponents it is ahead of, ties half; a
//! pair is won if its games together give it more than half. Intervals are of 95 % and are made
//! from pairs, since the two games of one board are not independent.
//!
//! A summary goes to standard error every few seconds, so that a long run may be ended at any
//! time, and to standard output at the end.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a program prints

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

use floe_rules::gamma::GammaPosition;
use floe_rules::penguins::{Penguins, PenguinsPosition};
use floe_rules::random::Random as Dice;
use floe_rules::{Game, Player, Position, flood::Flood, gamma::Gamma};
use floe_search::gamma::GammaEngine;
use floe_search::penguins::Searcher;
use floe_search::{Deadline, Engine, FLOOD, GAMMA, PENGUINS, Roster, Spec, Strength, Weakened};

const USAGE: &str = "\
usage: duel GAME SPEC SPEC [--pairs N] [--size WxH] [--setup TEXT] [--seed N] [--time 100ms]
            [--opening N] [--threads N] [--weights FILE|none] [--weights2 ...]
            [--hold NODES:DEPTH:SEES:BLUNDERS] [--hold2 ...]
games: flood, gamma, penguins
specs: floe, floe:easy, floe:time=200ms, alphabeta:nodes=10k, mcts, greedy, random:seed=3";

fn main() -> ExitCode {
    let done =
        Options::read(std::env::args().skip(1)).and_then(|options| match options.game.as_str() {
            "flood" => duel::<Flood>(&[FLOOD; 2], &options),
            "gamma" => duel::<Gamma>(&gammas(), &options),
            "penguins" => duel::<Penguins>(&penguins(), &options),
            other => Err(format!("unknown game `{other}`")),
        });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("duel: {cause}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// By engine: the weights of the learned evaluation, and `None` for the hand-made one. Not set if
/// the engine has its own.
static WEIGHTS: [OnceLock<Option<Vec<u8>>>; 2] = [OnceLock::new(), OnceLock::new()];

type Make<P> = fn(u64) -> Box<dyn Engine<P>>;

fn penguins() -> [Roster<PenguinsPosition>; 2] {
    fn weighted<const WHICH: usize>(_: u64) -> Box<dyn Engine<PenguinsPosition>> {
        let searcher = Searcher::new();
        Box::new(match WEIGHTS[WHICH].get() {
            Some(weights) => (searcher.with_weights(weights.as_deref())).expect("whole weights"),
            None => searcher,
        })
    }
    let makes: [Make<PenguinsPosition>; 2] = [weighted::<0>, weighted::<1>];
    makes.map(|floe| Roster { floe, ..PENGUINS })
}

fn gammas() -> [Roster<GammaPosition>; 2] {
    fn weighted<const WHICH: usize>(seed: u64) -> Box<dyn Engine<GammaPosition>> {
        let engine = GammaEngine::seeded(seed);
        Box::new(match WEIGHTS[WHICH].get() {
            Some(weights) => (engine.with_weights(weights.as_deref())).expect("whole weights"),
            None => engine,
        })
    }
    let makes: [Make<GammaPosition>; 2] = [weighted::<0>, weighted::<1>];
    makes.map(|floe| Roster { floe, ..GAMMA })
}

struct Options {
    game: String,
    specs: [Spec; 2],
    pairs: u64,
    setup: String,
    seed: u64,
    time: Duration,
    opening: Option<u32>,
    threads: usize,
    held: [Option<Strength>; 2],
}

impl Options {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut words = Vec::new();
        let mut options = Options {
            game: String::new(),
            specs: [Spec::from(floe_search::Kind::Floe); 2],
            pairs: 20,
            setup: String::new(),
            seed: 1,
            time: Duration::from_millis(100),
            opening: None,
            threads: 1,
            held: [None; 2],
        };
        let mut arguments = arguments.peekable();
        while let Some(word) = arguments.next() {
            let Some(name) = word.strip_prefix("--") else {
                words.push(word);
                continue;
            };
            let value = arguments.next().ok_or(format!("--{name} wants a value"))?;
            match name {
                "pairs" => options.pairs = number(name, &value)?,
                "seed" => options.seed = number(name, &value)?,
                "opening" => options.opening = Some(number(name, &value)?),
                "threads" => options.threads = number(name, &value)?,
                "size" | "setup" if options.setup.is_empty() => options.setup = value,
                "size" => options.setup = format!("{value},{}", options.setup),
                "setup" => options.setup = format!("{},{value}", options.setup),
                "hold" | "hold2" => {
                    options.held[usize::from(name == "hold2")] = Some(strength(name, &value)?);
                }
                "weights" | "weights2" => {
                    let read = || std::fs::read(&value).map_err(|e| format!("{value}: {e}"));
                    let weights = (value != "none").then(read).transpose()?;
                    let _ = WEIGHTS[usize::from(name == "weights2")].set(weights);
                }
                "time" => {
                    let spec = Spec::from_str(&format!("floe:time={value}"));
                    let time = spec.ok().and_then(|spec| spec.time);
                    options.time = time.ok_or(format!("--time: `{value}` is not a time"))?;
                }
                _ => return Err(format!("unknown option --{name}")),
            }
        }
        let [game, a, b] = words.as_slice() else {
            return Err("give a game and two specs".to_owned());
        };
        options.game.clone_from(game);
        for (spec, text) in options.specs.iter_mut().zip([a, b]) {
            *spec = text.parse().map_err(|e| format!("`{text}`:{e}"))?;
        }
        Ok(options)
    }
}

/// `NODES:DEPTH:SEES:BLUNDERS`.
fn strength(name: &str, value: &str) -> Result<Strength, String> {
    let parts: Vec<&str> = value.split(':').collect();
    let [nodes, depth, sees, blunders] = parts.as_slice() else {
        return Err(format!("--{name} wants NODES:DEPTH:SEES:BLUNDERS"));
    };
    Ok(Strength {
        nodes: number(name, nodes)?,
        depth: number(name, depth)?,
        sees: number(name, sees)?,
        blunders: number(name, blunders)?,
    })
}

fn number<T: FromStr>(name: &str, value: &str) -> Result<T, String> {
    (value.parse()).map_err(|_| format!("--{name}: `{value}` is not a number in range"))
}

fn duel<G: Game>(rosters: &[Roster<G::Position>; 2], options: &Options) -> Result<(), String> {
    let setup: G::Setup = options.setup.parse().map_err(|e| format!("setup: {e}"))?;
    let start = |seed| G::start(&setup, seed).map_err(|e| e.to_string());
    let first = start(options.seed)?;
    // Where every board is the same, the games begin with a few moves at random.
    let opening = match options.opening {
        Some(moves) => moves,
        None if first == start(options.seed + 1)? => 2 * first.players(),
        None => 0,
    };
    let next = AtomicU64::new(0);
    let (sender, results) = mpsc::channel();
    let mut summary = Summary::default();
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            let (sender, next, start) = (sender.clone(), &next, &start);
            scope.spawn(move || {
                loop {
                    let unit = next.fetch_add(1, Ordering::Relaxed);
                    if unit >= options.pairs {
                        break;
                    }
                    let seed = options.seed + unit;
                    let Ok(mut board) = start(seed) else { break };
                    let mut dice = Dice::seeded(seed);
                    for _ in 0..opening {
                        let moves = board.legal_moves();
                        if !moves.is_empty() {
                            board.play_unchecked(moves[dice.index(moves.len())]);
                        }
                    }
                    let games = Player::all(board.players());
                    let games = games.map(|seat| play(&board, seat, rosters, options, seed));
                    if sender.send(games.collect::<Vec<_>>()).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut told = Instant::now();
        for games in results {
            summary.add(&games);
            if told.elapsed() > Duration::from_secs(5) {
                told = Instant::now();
                eprintln!(
                    "{}/{} {}",
                    summary.units.len(),
                    options.pairs,
                    summary.line()
                );
            }
        }
    });
    let [a, b] = options.specs;
    let board = setup.to_string();
    println!("{} {board} seed {}: {a} against {b}", G::NAME, options.seed);
    print!("{summary}");
    Ok(())
}

/// What one game tells.
struct Played {
    /// The first engine's share of opponents it is ahead of.
    score: f64,
    /// Whether it is first alone, first with others, or not.
    place: usize,
    /// Its lead over the best of the others.
    margin: i64,
    thinking: [Thinking; 2],
}

/// How an engine thought.
#[derive(Clone, Copy, Default)]
struct Thinking {
    moves: u64,
    nodes: u64,
    depth: u64,
    proven: u64,
    time: Duration,
    overrun: Duration,
}

impl Thinking {
    fn add(&mut self, other: &Thinking) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.depth += other.depth;
        self.proven += other.proven;
        self.time += other.time;
        self.overrun = self.overrun.max(other.overrun);
    }
}

/// Plays one game with the first engine in `seat` and the second in all others.
fn play<P: Position>(
    board: &P,
    seat: Player,
    rosters: &[Roster<P>; 2],
    options: &Options,
    seed: u64,
) -> Played {
    let mut engines: Vec<Box<dyn Engine<P>>> = Player::all(board.players())
        .map(|player| -> Box<dyn Engine<P>> {
            let which = usize::from(player != seat);
            let mut spec = options.specs[which];
            let dice = *spec.seed.get_or_insert(seed * 64 + player.index() as u64);
            let engine = rosters[which].engine(&spec);
            match options.held[which] {
                Some(strength) => Box::new(Weakened::new(engine, strength, dice)),
                None => engine,
            }
        })
        .collect();
    let mut thinking = [Thinking::default(); 2];
    let mut position = board.clone();
    while let Some(mover) = position.turn() {
        let which = usize::from(mover != seat);
        let begun = Instant::now();
        let limits = options.specs[which].limits(options.time);
        let thought = engines[mover.index()].think(&position, &limits);
        let ended = Instant::now();
        let overrun = limits.deadline.map(Deadline::overrun);
        thinking[which].add(&Thinking {
            moves: 1,
            nodes: thought.nodes,
            depth: thought.depth.into(),
            proven: thought.proven.into(),
            time: ended - begun,
            overrun: overrun.unwrap_or_default(),
        });
        if let Err(illegal) = position.play(thought.best) {
            panic!(
                "{}: {}: {illegal}\n{position:?}",
                options.specs[which], thought.best
            );
        }
    }
    let scores = position.scores();
    let own = scores[seat.index()];
    let others = || (scores.iter().enumerate()).filter(|(i, _)| *i != seat.index());
    let points = others().map(|(_, other)| match own.cmp(other) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    });
    let margin = floe_search::lead(&scores, seat);
    Played {
        score: points.sum::<f64>() / others().count().max(1) as f64,
        place: match margin.signum() {
            1 => 0,
            0 => 1,
            _ => 2,
        },
        margin,
        thinking,
    }
}

#[derive(Default)]
struct Summary {
    /// Mean score and sum of margins of every pair or round.
    units: Vec<(f64, f64)>,
    games: [u64; 3],
    pairs: [u64; 3],
    thinking: [Thinking; 2],
}

/// The mean of numbers, and how far it may be off.
fn mean(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = numbers.clone().count().max(1) as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    let squares: f64 = numbers.map(|n| (n - mean) * (n - mean)).sum();
    let variance = squares / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}

fn elo(score: f64) -> f64 {
    let score = score.clamp(0.001, 0.999);
    400.0 * (score / (1.0 - score)).log10()
}

impl Summary {
    fn add(&mut self, games: &[Played]) {
        let score = games.iter().map(|g| g.score).sum::<f64>() / games.len() as f64;
        let margin = games.iter().map(|g| g.margin as f64).sum();
        self.units.push((score, margin));
        self.pairs[if score > 0.5 {
            0
        } else if score < 0.5 {
            2
        } else {
            1
        }] += 1;
        for game in games {
            self.games[game.place] += 1;
            for (sum, one) in self.thinking.iter_mut().zip(&game.thinking) {
                sum.add(one);
            }
        }
    }

    fn line(&self) -> String {
        let (score, off) = mean(self.units.iter().map(|u| u.0));
        let (margin, margin_off) = mean(self.units.iter().map(|u| u.1));
        let [w, d, l] = self.games;
        let [won, drawn, lost] = self.pairs;
        format!(
            "games +{w} ={d} -{l}, score {:.1} % ± {:.1}, Elo {:+.0} [{:+.0}, {:+.0}], \
             pairs +{won} ={drawn} -{lost}, margin of a pair {margin:+.2} ± {margin_off:.2}",
            100.0 * score,
            100.0 * off,
            elo(score),
            elo(score - off),
            elo(score + off),
        )
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {}", self.line())?;
        for (name, t) in ["first", "second"].into_iter().zip(&self.thinking) {
            let moves = t.moves.max(1) as f64;
            writeln!(
                f,
                "  {name:6} {} moves, {:.2} ms each, {:.0} k nodes/s, depth {:.1}, {:.0} % proven, \
                 overrun at most {:.2} ms",
                t.moves,
                1000.0 * t.time.as_secs_f64() / moves,
                t.nodes as f64 / t.time.as_secs_f64().max(1e-9) / 1000.0,
                t.depth as f64 / moves,
                100.0 * t.proven as f64 / moves,
                1000.0 * t.overrun.as_secs_f64(),
            )?;
        }
        Ok(())
    }
}
