//! `floe perft`: counts move sequences from a position.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::value_parser;
use floe_games::{AnyGame, AnyPosition};
use serde::Serialize;

use crate::source::StartSeed;
use crate::terminal::{STRONG, Terminal};
use crate::{Answer, cli, source};

/// Count move sequences from a position
///
/// Counts the sequences of 1, 2, … DEPTH moves from a position; a game that ends earlier counts
/// once. Two programs with equal counts agree about the rules.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES), allow_missing_positional = true)]
pub(crate) struct Args {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// File with the position (`-` reads standard input) [default: a starting position]
    #[arg(conflicts_with_all = ["setup", "seed"])]
    file: Option<PathBuf>,

    /// Number of moves
    #[arg(value_parser = value_parser!(u32).range(1..=999))]
    depth: u32,

    /// Setup of the start
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    setup: String,

    #[command(flatten)]
    start: StartSeed,

    /// Count the sequences of DEPTH moves for each first move
    #[arg(long)]
    divide: bool,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe perft flood --setup 12x9 --seed 3 8
floe perft gamma board.txt 3 --divide";

#[derive(Serialize)]
struct Count {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: Option<f64>,
}

#[derive(Serialize)]
struct Share<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    nodes: u64,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let position = match &args.file {
        Some(path) => source::position(args.game, path)?,
        None => source::start(args.game, &args.setup, args.start.seed)?,
    };
    if args.divide {
        divide(args, &*position, terminal)?;
    } else {
        count(args, &*position, terminal)?;
    }
    Ok(Answer::Yes)
}

fn count(args: &Args, position: &dyn AnyPosition, terminal: &mut Terminal<'_>) -> Result<()> {
    let out = &mut terminal.out;
    if !args.json {
        let heading = format!(
            "{:>5} {:>20} {:>12} {:>14}",
            "depth", "nodes", "seconds", "nodes/s"
        );
        writeln!(out, "{STRONG}{heading}{STRONG:#}")?;
    }
    for depth in 1..=args.depth {
        let start = Instant::now();
        let nodes = position.perft(depth);
        let seconds = start.elapsed().as_secs_f64();
        let count = Count {
            depth,
            nodes,
            seconds,
            nodes_per_second: (seconds > 0.0).then(|| nodes as f64 / seconds),
        };
        if args.json {
            serde_json::to_writer(&mut *out, &count)?;
            writeln!(out)?;
        } else {
            let speed = count
                .nodes_per_second
                .map_or("-".into(), |n| format!("{n:.0}"));
            writeln!(out, "{depth:>5} {nodes:>20} {seconds:>12.6} {speed:>14}")?;
        }
        out.flush()?; // the next depth may take long
    }
    Ok(())
}

fn divide(args: &Args, position: &dyn AnyPosition, terminal: &mut Terminal<'_>) -> Result<()> {
    let out = &mut terminal.out;
    let shares = position.divide(args.depth);
    let width = shares.iter().map(|(mv, _)| mv.len()).max().unwrap_or(0);
    for (mv, nodes) in &shares {
        if args.json {
            serde_json::to_writer(&mut *out, &Share { mv, nodes: *nodes })?;
            writeln!(out)?;
        } else {
            writeln!(out, "{mv:<width$} {nodes:>20}")?;
        }
    }
    if !args.json {
        let nodes: u64 = shares.iter().map(|(_, nodes)| nodes).sum();
        let heading = format!("{} moves, {nodes} sequences", shares.len());
        writeln!(out, "{STRONG}{heading}{STRONG:#}")?;
    }
    Ok(())
}
