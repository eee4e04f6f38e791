//! Plays a game against itself and writes what its learned evaluation learns from.
//!
//! ```text
//! cargo run --release -p floe-search --example selfplay -- penguins|gamma FILE [--seconds N]
//!     [--seed N] [--nodes N] [--threads N] [--weights FILE]
//! ```
//!
//! Without `--weights` it plays by the hand-made evaluation. Penguins is played between two seats,
//! Gamma among two to four.
//!
//! Every sample has 136 bytes, little-endian: 64 features of 16 bits, the phase (in Penguins 0 while
//! penguins are placed), the kind (0 from a game, 1 a position after a random move), and in
//! hundredths of a point the value by the evaluation, by the search and by the rest of the game.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a program prints

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use floe_rules::gamma::{Gamma, GammaPosition};
use floe_rules::penguins::{Penguins, PenguinsPosition, Phase};
use floe_rules::random::Random as Dice;
use floe_rules::{Game, Position};
use floe_search::gamma::GammaEngine;
use floe_search::penguins::Searcher;
use floe_search::{Engine, Limits};

/// How much of a later position's value counts for the one before.
const LAMBDA: f64 = 0.92;

/// A seat's view of a position: the phase, the features, and the value by the evaluation.
struct View {
    seat: usize,
    phase: usize,
    features: [i16; 64],
    judged: i32,
}

/// A game that is learned.
trait Lesson: Sized {
    type Game: Game;

    /// Boards and how often they come.
    const SETUPS: &[(&str, u32)];

    /// Percent of the moves that are random, at first and later.
    const RANDOM: [u64; 2];

    /// With these weights, or the hand-made evaluation.
    fn new(weights: Option<&[u8]>) -> Option<Self>;

    fn engine(&mut self) -> &mut dyn Engine<Spot<Self>>;

    /// What is to be learned here; nothing if the value is known.
    fn views(&mut self, position: &Spot<Self>) -> Vec<View>;

    /// Whether the game has only begun.
    fn is_early(position: &Spot<Self>) -> bool;
}

type Spot<L> = <<L as Lesson>::Game as Game>::Position;

impl Lesson for Searcher {
    type Game = Penguins;

    const SETUPS: &[(&str, u32)] = &[
        ("8x8,penguins=2", 34),
        ("10x10,penguins=3", 26),
        ("8x8,penguins=3", 8),
        ("6x6,penguins=2", 6),
        ("9x7,penguins=4,water=10", 6),
        ("12x12,penguins=3", 8),
        ("style=island,penguins=3", 6),
        ("10x10,penguins=2,water=35", 6),
    ];
    const RANDOM: [u64; 2] = [10, 5];

    fn new(weights: Option<&[u8]>) -> Option<Self> {
        Searcher::new().with_weights(weights)
    }

    fn engine(&mut self) -> &mut dyn Engine<PenguinsPosition> {
        self
    }

    fn views(&mut self, position: &PenguinsPosition) -> Vec<View> {
        let Some((features, judged)) = self.features(position) else {
            return Vec::new();
        };
        vec![View {
            seat: position.turn().expect("a game that is not over").index(),
            phase: usize::from(!Self::is_early(position)),
            features,
            judged,
        }]
    }

    fn is_early(position: &PenguinsPosition) -> bool {
        position.phase() == Phase::Placement
    }
}

impl Lesson for GammaEngine {
    type Game = Gamma;

    const SETUPS: &[(&str, u32)] = &[
        ("10x10", 30),
        ("8x8", 8),
        ("12x12", 8),
        ("15x15", 4),
        ("9x7,areas=2", 4),
        ("10x10,areas=5", 5),
        ("10x10,areas=1", 2),
        ("10x10,players=3", 12),
        ("8x8,players=3", 4),
        ("12x12,players=3,areas=4", 4),
        ("10x10,players=4", 12),
        ("12x12,players=4", 4),
        ("10x10,players=4,areas=2", 3),
    ];
    const RANDOM: [u64; 2] = [20, 4];

    fn new(weights: Option<&[u8]>) -> Option<Self> {
        GammaEngine::seeded(0).with_weights(weights)
    }

    fn engine(&mut self) -> &mut dyn Engine<GammaPosition> {
        self
    }

    fn views(&mut self, position: &GammaPosition) -> Vec<View> {
        let views = self.features(position).unwrap_or_default();
        let views = views.into_iter();
        let views = views.map(|(seat, phase, features, judged)| View {
            seat,
            phase,
            features,
            judged,
        });
        views.collect()
    }

    fn is_early(position: &GammaPosition) -> bool {
        let board = position.board();
        let busy: i64 = position.scores().iter().sum();
        10 * busy < i64::from(board.width()) * i64::from(board.height())
    }
}

struct Sample {
    view: View,
    is_sibling: bool,
    searched: i32,
    label: i32,
}

impl Sample {
    fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        for feature in self.view.features {
            out.write_all(&feature.to_le_bytes())?;
        }
        out.write_all(&[self.view.phase as u8, self.is_sibling.into()])?;
        for value in [self.view.judged, self.searched, self.label] {
            let value = value.clamp(-30_000, 30_000) as i16;
            out.write_all(&value.to_le_bytes())?;
        }
        Ok(())
    }
}

struct Ply {
    views: Vec<View>,
    /// Final scores by the search, and the scores now.
    searched: Vec<f64>,
    now: Vec<f64>,
    is_cut: bool,
}

fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let game = words.next().expect("give a game");
    let file = words.next().expect("give a file");
    let mut options = Options {
        seconds: 10,
        seed: 1,
        nodes: 2000,
        threads: 1,
        weights: None,
    };
    while let (Some(name), Some(value)) = (words.next(), words.next()) {
        if name == "--weights" {
            options.weights = Some(std::fs::read(value).expect("a file of weights"));
            continue;
        }
        let value: u64 = value.parse().expect("a number");
        match name.as_str() {
            "--seconds" => options.seconds = value,
            "--seed" => options.seed = value,
            "--nodes" => options.nodes = value,
            "--threads" => options.threads = value,
            _ => panic!("unknown option {name}"),
        }
    }
    match game.as_str() {
        "penguins" => learn::<Searcher>(&file, &options),
        "gamma" => learn::<GammaEngine>(&file, &options),
        _ => panic!("only Penguins and Gamma are learned"),
    }
}

struct Options {
    seconds: u64,
    seed: u64,
    nodes: u64,
    threads: u64,
    weights: Option<Vec<u8>>,
}

fn learn<L: Lesson>(file: &str, options: &Options) -> std::io::Result<()> {
    let out = Mutex::new(BufWriter::new(File::create(file)?));
    let (next, samples) = (AtomicU64::new(0), AtomicU64::new(0));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(|| {
                let mut lesson = L::new(options.weights.as_deref()).expect("whole weights");
                while begun.elapsed() < Duration::from_secs(options.seconds) {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    let found = play(&mut lesson, options.seed * 1_000_000 + game, options.nodes);
                    samples.fetch_add(found.len() as u64, Ordering::Relaxed);
                    let mut out = out.lock().expect("no thread panics");
                    for sample in &found {
                        sample.write(&mut *out).expect("the disk has room");
                    }
                }
            });
        }
    });
    println!(
        "{} games, {} samples",
        next.into_inner(),
        samples.into_inner()
    );
    out.into_inner().expect("no thread panics").flush()
}

fn numbers(scores: &[i64]) -> Vec<f64> {
    scores.iter().map(|&score| score as f64).collect()
}

/// What a seat gains between two seats on the other; among more, alone. In hundredths.
fn gain(seat: usize, later: &[f64], now: &[f64]) -> i32 {
    let gain = |seat: usize| later[seat] - now[seat];
    let gain = match now.len() {
        2 => gain(seat) - gain(1 - seat),
        _ => gain(seat),
    };
    (100.0 * gain) as i32
}

fn play<L: Lesson>(lesson: &mut L, seed: u64, nodes: u64) -> Vec<Sample> {
    let mut dice = Dice::seeded(seed);
    let weights: Vec<u32> = L::SETUPS.iter().map(|&(_, weight)| weight).collect();
    let setup = L::SETUPS[dice.weighted(&weights)].0;
    let setup: <L::Game as Game>::Setup = setup.parse().expect("a setup");
    let Ok(mut position) = L::Game::start(&setup, seed) else {
        return Vec::new();
    };
    let (mut samples, mut plies) = (Vec::new(), Vec::<Ply>::new());
    let mut end = None;
    // A quarter of the games begins with half of the moves at random.
    let wild = dice.below(4) == 0;
    while position.turn().is_some() {
        let thought = lesson.engine().think(&position, &Limits::nodes(nodes));
        let is_early = L::is_early(&position);
        if thought.proven && !is_early {
            end = Some(numbers(&thought.scores));
            break;
        }
        let views = lesson.views(&position);
        let moves = position.legal_moves();
        if dice.below(4) == 0 {
            let mv = moves[dice.index(moves.len())];
            sibling(lesson, &position, mv, nodes, &mut samples);
        }
        let chance = match (is_early, wild) {
            (true, true) => 50,
            (true, false) => L::RANDOM[0],
            (false, _) => L::RANDOM[1],
        };
        let is_cut = dice.below(100) < chance;
        plies.push(Ply {
            views,
            searched: numbers(&thought.scores),
            now: numbers(&position.scores()),
            is_cut,
        });
        let mv = if is_cut {
            moves[dice.index(moves.len())]
        } else {
            thought.best
        };
        position.play_unchecked(mv);
    }
    let mut value = end.unwrap_or_else(|| numbers(&position.scores()));
    for ply in plies.into_iter().rev() {
        for (value, searched) in value.iter_mut().zip(&ply.searched) {
            let lambda = if ply.is_cut { 0.0 } else { LAMBDA };
            *value = (1.0 - lambda) * searched + lambda * *value;
        }
        for view in ply.views {
            samples.push(Sample {
                is_sibling: false,
                searched: gain(view.seat, &ply.searched, &ply.now),
                label: gain(view.seat, &value, &ply.now),
                view,
            });
        }
    }
    samples
}

/// Adds the position after a move, with the search's value.
fn sibling<L: Lesson>(
    lesson: &mut L,
    position: &Spot<L>,
    mv: <Spot<L> as Position>::Move,
    nodes: u64,
    samples: &mut Vec<Sample>,
) {
    let mut after = position.clone();
    after.play_unchecked(mv);
    if after.turn().is_none() {
        return;
    }
    let views = lesson.views(&after);
    if views.is_empty() {
        return;
    }
    let thought = lesson.engine().think(&after, &Limits::nodes(nodes));
    let (searched, now) = (numbers(&thought.scores), numbers(&after.scores()));
    for view in views {
        let searched = gain(view.seat, &searched, &now);
        samples.push(Sample {
            view,
            is_sibling: true,
            searched,
            label: searched,
        });
    }
}
