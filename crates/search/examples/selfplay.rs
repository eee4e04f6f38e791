//! Plays two-seat Penguins against itself and writes what the learned evaluation learns from.
//!
//! ```text
//! cargo run --release -p floe-search --example selfplay -- FILE [--seconds N] [--seed N]
//!     [--nodes N] [--threads N] [--weights FILE]
//! ```
//!
//! Without `--weights` it plays by the hand-made evaluation.
//!
//! Every sample has 136 bytes, little-endian: 64 features of 16 bits, the phase (0 while penguins
//! are placed), the kind (0 from a game, 1 a position after a random move), and in hundredths of
//! fish the value by the evaluation, by the search and by the rest of the game.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a program prints

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use floe_rules::penguins::{Penguins, PenguinsPosition, Phase};
use floe_rules::random::Random as Dice;
use floe_rules::{Game, Player, Position};
use floe_search::penguins::Searcher;
use floe_search::{Engine, Limits, lead};

/// Boards and how often they come.
const SETUPS: [(&str, u32); 8] = [
    ("8x8,penguins=2", 34),
    ("10x10,penguins=3", 26),
    ("8x8,penguins=3", 8),
    ("6x6,penguins=2", 6),
    ("9x7,penguins=4,water=10", 6),
    ("12x12,penguins=3", 8),
    ("style=island,penguins=3", 6),
    ("10x10,penguins=2,water=35", 6),
];

/// How much of a later position's value counts for the one before.
const LAMBDA: f64 = 0.92;

struct Sample {
    features: [i16; 64],
    is_moving: bool,
    is_sibling: bool,
    judged: i32,
    searched: i32,
    label: i32,
}

struct Ply {
    sample: Option<usize>,
    mover: Player,
    /// Final lead of the first seat by the search, and its lead now.
    searched: f64,
    now: f64,
    is_cut: bool,
}

fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let file = words.next().expect("give a file");
    let mut weights = None;
    let (mut seconds, mut seed, mut nodes, mut threads) = (10, 1, 2000, 1);
    while let (Some(name), Some(value)) = (words.next(), words.next()) {
        if name == "--weights" {
            weights = Some(std::fs::read(value).expect("a file of weights"));
            continue;
        }
        let value: u64 = value.parse().expect("a number");
        match name.as_str() {
            "--seconds" => seconds = value,
            "--seed" => seed = value,
            "--nodes" => nodes = value,
            "--threads" => threads = value,
            _ => panic!("unknown option {name}"),
        }
    }
    let out = Mutex::new(BufWriter::new(File::create(file)?));
    let (next, samples) = (AtomicU64::new(0), AtomicU64::new(0));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let searcher = Searcher::new().with_weights(weights.as_deref());
                let mut searcher = searcher.expect("whole weights");
                while begun.elapsed() < Duration::from_secs(seconds) {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    let found = play(&mut searcher, seed * 1_000_000 + game, nodes);
                    samples.fetch_add(found.len() as u64, Ordering::Relaxed);
                    let mut out = out.lock().expect("no thread panics");
                    for sample in &found {
                        write(&mut *out, sample).expect("the disk has room");
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

fn write(out: &mut impl Write, sample: &Sample) -> std::io::Result<()> {
    for feature in sample.features {
        out.write_all(&feature.to_le_bytes())?;
    }
    out.write_all(&[sample.is_moving.into(), sample.is_sibling.into()])?;
    for value in [sample.judged, sample.searched, sample.label] {
        let value = value.clamp(-30_000, 30_000) as i16;
        out.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

fn sample(
    searcher: &mut Searcher,
    position: &PenguinsPosition,
    is_sibling: bool,
) -> Option<Sample> {
    let (features, judged) = searcher.features(position)?;
    Some(Sample {
        features,
        is_moving: position.phase() != Phase::Placement,
        is_sibling,
        judged,
        searched: 0,
        label: 0,
    })
}

fn play(searcher: &mut Searcher, seed: u64, nodes: u64) -> Vec<Sample> {
    let mut dice = Dice::seeded(seed);
    let setup = SETUPS[dice.weighted(&SETUPS.map(|(_, weight)| weight))].0;
    let setup: <Penguins as Game>::Setup = setup.parse().expect("a setup");
    let Ok(mut position) = Penguins::start(&setup, seed) else {
        return Vec::new();
    };
    let (first, mut samples, mut plies) = (Player::new(0), Vec::new(), Vec::<Ply>::new());
    let mut end = None;
    // A quarter of the games begins with placements at random.
    let wild = dice.below(4) == 0;
    while let Some(mover) = position.turn() {
        let sign = if mover == first { 1.0 } else { -1.0 };
        let now = lead(&position.scores(), first) as f64;
        let thought = searcher.think(&position, &Limits::nodes(nodes));
        let searched = sign * thought.lead(mover) as f64;
        if thought.proven && position.phase() != Phase::Placement {
            end = Some(searched);
            break;
        }
        let found = sample(searcher, &position, false);
        let found = found.map(|sample| {
            samples.push(sample);
            samples.len() - 1
        });
        let moves = position.legal_moves();
        if dice.below(4) == 0 {
            sibling(
                searcher,
                &position,
                moves[dice.index(moves.len())],
                nodes,
                &mut samples,
            );
        }
        let is_placing = position.phase() == Phase::Placement;
        let chance = if is_placing && wild {
            50
        } else if is_placing {
            10
        } else {
            5
        };
        let is_cut = dice.below(100) < chance;
        plies.push(Ply {
            sample: found,
            mover,
            searched,
            now,
            is_cut,
        });
        let mv = if is_cut {
            moves[dice.index(moves.len())]
        } else {
            thought.best
        };
        position.play_unchecked(mv);
    }
    let mut value = end.unwrap_or_else(|| lead(&position.scores(), first) as f64);
    for ply in plies.iter().rev() {
        value = if ply.is_cut {
            ply.searched
        } else {
            (1.0 - LAMBDA) * ply.searched + LAMBDA * value
        };
        let sign = if ply.mover == first { 100.0 } else { -100.0 };
        if let Some(sample) = ply.sample {
            samples[sample].searched = (sign * (ply.searched - ply.now)) as i32;
            samples[sample].label = (sign * (value - ply.now)) as i32;
        }
    }
    samples
}

/// Adds the position after a move, with the search's value.
fn sibling(
    searcher: &mut Searcher,
    position: &PenguinsPosition,
    mv: <PenguinsPosition as Position>::Move,
    nodes: u64,
    samples: &mut Vec<Sample>,
) {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let Some(mover) = after.turn() else { return };
    let Some(mut sample) = sample(searcher, &after, true) else {
        return;
    };
    let thought = searcher.think(&after, &Limits::nodes(nodes));
    let value = thought.lead(mover) - lead(&after.scores(), mover);
    sample.searched = 100 * value as i32;
    sample.label = sample.searched;
    samples.push(sample);
}
