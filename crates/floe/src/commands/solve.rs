//! `floe solve`: proves the value of a small board.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use floe_games::{AnyGame, AnyPosition};
use floe_rules::Player;
use floe_search::{Limits, ProofTable, Proving, Thought};
use indicatif::ProgressBar;
use serde::Serialize;

use crate::quoting::shown;
use crate::source::StartSeed;
use crate::standing::count;
use crate::stopping::stop_flag;
use crate::terminal::{FAINT, GOOD, REMARK, STRONG, Terminal};
use crate::{Answer, cli, json, progress, proofs, source};

/// Prove the value of a small board
///
/// Proves by how much the player to move leads at the end if both players play their best moves, and
/// prints a line of best moves. Boards of one or two players can be proven.
///
/// `--table` keeps what is proven in a file, and continues from it. Ctrl-C writes the file; a kill
/// loses at most the last minute. `floe hint --table` plays by it. One file may have several boards
/// of one game. The exit code is 1 if the board is not proven yet.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// Setup of the start, such as 5x5
    #[arg(required_unless_present = "file")]
    setup: Option<String>,

    #[command(flatten)]
    start: StartSeed,

    /// Prove the position in this file instead; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["setup", "seed"])]
    file: Option<PathBuf>,

    /// Table of proven positions, read and written
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,

    /// Node limit, such as 500M
    #[arg(long, value_name = "N", value_parser = cli::nodes)]
    nodes: Option<u64>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe solve gamma 4x4,areas=2
floe solve penguins 5x5,penguins=1 --seed 3 --table penguins.proof
floe solve flood --file board.txt --json";

/// Interval between two writings of the table.
const SAVING: Duration = Duration::from_secs(60);

#[derive(Serialize)]
struct ProofFacts {
    game: &'static str,
    turn: u32,
    /// Whether the value is proven.
    proven: bool,
    /// The lead of the player to move is proven to be this or more; `null` if nothing is known.
    lower: Option<i64>,
    /// The lead is proven to be this or less.
    upper: Option<i64>,
    /// A best move; `null` if the value is not proven.
    #[serde(rename = "move")]
    mv: Option<String>,
    scores: Option<Vec<i64>>,
    line: Vec<String>,
    nodes: u64,
    /// Positions in the table.
    positions: usize,
    seconds: f64,
}

/// What was known last.
#[derive(Default)]
struct Bounds {
    lower: Option<i64>,
    upper: Option<i64>,
    nodes: u64,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let position = match (&args.file, &args.setup) {
        (Some(path), _) => source::position(args.game, path)?,
        (None, setup) => source::start(args.game, setup.as_deref().unwrap_or(""), args.start.seed)?,
    };
    let Some(mover) = position.turn() else {
        bail!("the game is over, so nothing is left to prove");
    };
    let table = match &args.table {
        Some(path) if path.exists() => proofs::read(args.game, path)?,
        _ => ProofTable::with_bytes(proofs::BYTES),
    };
    let limits = Limits {
        nodes: args.nodes,
        stop: Some(stop_flag()?),
        ..Limits::default()
    };
    let begun = Instant::now();
    let mut prover = args.game.prover(table);
    let mut watcher = Watcher::new(args, terminal.is_watched);
    let proof = prover.prove(&*position, &limits, &mut |proving| watcher.see(proving))?;
    let bounds = watcher.end()?;
    if let Some(path) = &args.table {
        proofs::write(args.game, path, prover.table())?;
    }
    let costs = (prover.table().len(), begun.elapsed().as_secs_f64());
    let facts = facts(&*position, mover, &bounds, proof.as_ref(), costs);
    if args.json {
        json::print(terminal.out, &facts)?;
    } else {
        print(args, &facts, mover, terminal)?;
        let is_stopped = limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if !facts.proven {
            advise(args, is_stopped, terminal)?;
        }
    }
    Ok(if facts.proven {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn facts(
    position: &dyn AnyPosition,
    mover: Player,
    bounds: &Bounds,
    proof: Option<&Thought<String>>,
    (positions, seconds): (usize, f64),
) -> ProofFacts {
    let lead = proof.map(|proof| proof.lead(mover));
    ProofFacts {
        game: position.game().name(),
        turn: mover.number(),
        proven: proof.is_some(),
        lower: lead.or(bounds.lower),
        upper: lead.or(bounds.upper),
        mv: proof.map(|proof| proof.best.clone()),
        scores: proof.map(|proof| proof.scores.clone()),
        line: proof.map_or_else(Vec::new, |proof| proof.line.clone()),
        nodes: proof.map_or(bounds.nodes, |proof| proof.nodes),
        positions,
        seconds,
    }
}

fn print(
    args: &Args,
    facts: &ProofFacts,
    mover: Player,
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    let title = args.game.title();
    let out = &mut terminal.out;
    match (&facts.mv, facts.lower) {
        (Some(mv), Some(lead)) => {
            let result = match lead {
                0 => "draws".to_owned(),
                1.. => format!("wins by {lead}"),
                _ => format!("loses by {}", -lead),
            };
            writeln!(
                out,
                "{STRONG}{title}{STRONG:#}: player {mover} {STRONG}{result}{STRONG:#} with {STRONG}{mv}{STRONG:#} \
                 {GOOD}proven{GOOD:#}"
            )?;
            if let Some(scores) = &facts.scores {
                let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
                writeln!(out, "scores  {}", scores.join(" : "))?;
            }
            writeln!(out, "line    {}", facts.line.join(" "))?;
        }
        _ => writeln!(
            out,
            "{STRONG}{title}{STRONG:#}: {REMARK}not proven{REMARK:#}, the lead of player {mover} is {}",
            range(facts.lower, facts.upper)
        )?,
    }
    writeln!(
        out,
        "{FAINT}{} nodes, {} in the table, {:.1} s{FAINT:#}",
        facts.nodes,
        count(facts.positions as u64, "position"),
        facts.seconds
    )?;
    Ok(())
}

/// What a lead may be.
fn range(lower: Option<i64>, upper: Option<i64>) -> String {
    match (lower, upper) {
        (Some(lower), Some(upper)) => format!("{lower} to {upper}"),
        (Some(lower), None) => format!("{lower} or more"),
        (None, Some(upper)) => format!("{upper} or less"),
        (None, None) => "unknown".to_owned(),
    }
}

/// How to continue.
fn advise(args: &Args, is_stopped: bool, terminal: &mut Terminal<'_>) -> Result<()> {
    let why = if is_stopped {
        "stopped"
    } else {
        "out of nodes"
    };
    let how = match &args.table {
        Some(path) => format!("the same command continues from {}", shown(path)),
        None => "use --table FILE to keep what is proven".to_owned(),
    };
    writeln!(terminal.err, "{REMARK}{why}:{REMARK:#} {how}")?;
    Ok(())
}

/// Shows progress, and writes the table now and then.
struct Watcher<'a> {
    args: &'a Args,
    bar: ProgressBar,
    bounds: Bounds,
    saved: Instant,
    fault: Option<anyhow::Error>,
}

impl<'a> Watcher<'a> {
    fn new(args: &'a Args, is_watched: bool) -> Self {
        let bar = progress::bar(None, is_watched, "{spinner} {msg}, {elapsed} elapsed");
        bar.enable_steady_tick(Duration::from_millis(250));
        Watcher {
            args,
            bar,
            bounds: Bounds::default(),
            saved: Instant::now(),
            fault: None,
        }
    }

    fn see(&mut self, proving: &Proving<'_>) {
        self.bounds = Bounds {
            lower: proving.lower,
            upper: proving.upper,
            nodes: proving.nodes,
        };
        self.bar.set_message(format!(
            "lead {}, {:.1} M nodes, {}",
            range(proving.lower, proving.upper),
            proving.nodes as f64 / 1e6,
            count(proving.table.len() as u64, "position")
        ));
        if self.saved.elapsed() >= SAVING
            && let Some(path) = &self.args.table
        {
            let written = proofs::write(self.args.game, path, proving.table);
            self.fault = written.err();
            self.saved = Instant::now();
        }
    }

    /// The last bounds, or why the table could not be written the last time.
    fn end(self) -> Result<Bounds> {
        self.bar.finish_and_clear();
        match self.fault {
            Some(fault) => Err(fault).context("the proof was not saved"),
            None => Ok(self.bounds),
        }
    }
}
