//! `floe league`: a contest without end, as a folder.

mod finals;
mod invite;
mod new;
mod people;
mod pull;
mod run;
mod serve;
mod status;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;
use floe_league::League;

use crate::terminal::Terminal;
use crate::{Answer, cli};

/// Run a league: people send programs, are told at once whether they work, and climb a ladder
///
/// A league is a folder: what you write about it, who takes part, their programs, every game.
/// Copying the folder copies the league. Its ladder plays the versions that entrants have now, on
/// and on; finals are a tournament of frozen versions on boards nobody has seen.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
floe league new cup --game flood
floe league invite class.csv --league cup
floe league serve cup
floe league status cup
floe league final cup --format swiss";

#[derive(Subcommand)]
enum Command {
    New(new::Args),
    Invite(invite::Args),
    People(people::Args),
    Pull(pull::Args),
    Run(run::Args),
    Serve(Box<serve::Args>),
    Status(status::Args),
    Final(Box<finals::Args>),
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    match &args.command {
        Command::New(args) => new::run(args, terminal),
        Command::Invite(args) => invite::run(args, terminal),
        Command::People(args) => people::run(args, terminal),
        Command::Pull(args) => pull::run(args, terminal),
        Command::Run(args) => run::run(args, terminal),
        Command::Serve(args) => serve::run(args, terminal),
        Command::Status(args) => status::run(args, terminal),
        Command::Final(args) => finals::run(args, terminal),
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
