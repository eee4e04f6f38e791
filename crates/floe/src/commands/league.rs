//! `floe league`: a contest without end, as a folder.

mod finals;
mod invite;
mod new;
mod pause;
mod people;
mod person;
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
/// Copying the folder copies the league. Every command names it first; where nothing else is
/// named, it is the folder you are in. Its ladder plays the versions that entrants have now, on
/// and on; finals are a tournament of frozen versions on boards nobody has seen.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
floe league new cup --game flood
floe league invite cup class.csv
floe league serve cup
floe league status cup
floe league final cup --format swiss";

#[derive(Subcommand)]
enum Command {
    New(new::Args),
    Invite(invite::Args),
    People(people::Args),
    Remove(person::Remove),
    Rename(person::Rename),
    Move(person::Move),
    Organiser(person::Organiser),
    Pull(pull::Args),
    /// Let a league stand still: nothing is taken, and no game is begun
    Pause(pause::Args),
    /// Let a league that stands still go on
    Resume(pause::Args),
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
        Command::Remove(args) => person::remove(args, terminal),
        Command::Rename(args) => person::rename(args, terminal),
        Command::Move(args) => person::move_to(args, terminal),
        Command::Organiser(args) => person::organiser(args, terminal),
        Command::Pull(args) => pull::run(args, terminal),
        Command::Pause(args) => pause::run(args, true, terminal),
        Command::Resume(args) => pause::run(args, false, terminal),
        Command::Run(args) => run::run(args, terminal),
        Command::Serve(args) => serve::run(args, terminal),
        Command::Status(args) => status::run(args, terminal),
        Command::Final(args) => finals::run(args, terminal),
    }
}

/// Which league, where nothing else is named.
#[derive(clap::Args)]
struct Which {
    /// The league's folder
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

impl Which {
    fn open(&self) -> Result<League> {
        Ok(League::open(&self.folder)?)
    }
}
