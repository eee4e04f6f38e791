//! `floe league`: a contest without end, as a folder.

mod invite;
mod new;
mod pull;
mod status;

use std::path::PathBuf;

use anyhow::Result;
use floe_league::League;

use crate::terminal::Terminal;
use crate::{Answer, cli};

/// Run a league: people send programs, are told at once whether they work, and climb a ladder
///
/// A league is a folder: what you write about it, who takes part, their programs, every game.
/// Copying the folder copies the league. `floe serve FOLDER` shows its pages and judges what is
/// sent.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    New(new::Args),
    Invite(invite::Args),
    Status(status::Args),
    Pull(pull::Args),
}

const EXAMPLES: &str = "\
floe league new cup --game flood
floe league invite class.csv --league cup
floe league status --league cup";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    match &args.command {
        Command::New(args) => new::run(args, terminal),
        Command::Invite(args) => invite::run(args, terminal),
        Command::Status(args) => status::run(args, terminal),
        Command::Pull(args) => pull::run(args, terminal),
    }
}

/// Which league.
#[derive(clap::Args)]
struct Which {
    /// The league's folder
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    league: PathBuf,
}

impl Which {
    fn open(&self) -> Result<League> {
        Ok(League::open(&self.league)?)
    }
}
