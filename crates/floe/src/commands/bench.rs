//! `floe bench`: how fast this machine is.

use anyhow::Result;
use floe_arena::speed::{Speeds, machine_class};
use serde::Serialize;

use crate::terminal::{STRONG, Terminal};
use crate::{Answer, cli};

/// Measure how fast this machine searches
///
/// Searches the first moves of every game with a fixed node limit per move, and prints the
/// positions searched per second. The moves found are the same on every machine: if two machines
/// print different signatures, their results cannot be compared. A worker of a cluster measures the
/// same.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe bench
floe bench --json";

#[derive(Serialize)]
struct Measured {
    class: String,
    #[serde(flatten)]
    speeds: Speeds,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let measured = Measured {
        class: machine_class(),
        speeds: Speeds::measure(),
    };
    let out = &mut terminal.out;
    if args.json {
        serde_json::to_writer(&mut *out, &measured)?;
        writeln!(out)?;
        return Ok(Answer::Yes);
    }
    let heading = format!("{:<12} {:>12}", "game", "nodes/s");
    writeln!(out, "{STRONG}{heading}{STRONG:#}")?;
    for speed in &measured.speeds.games {
        writeln!(out, "{:<12} {:>12}", speed.game, speed.nodes_per_second)?;
    }
    writeln!(out, "\nmachine    {}", measured.class)?;
    writeln!(out, "signature  {}", measured.speeds.signature)?;
    Ok(Answer::Yes)
}
