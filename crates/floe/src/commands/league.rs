//! `floe league`: a permanent contest, as a folder.

mod finals;
mod invite;
mod new;
mod pause;
mod people;
mod person;
mod run;
mod serve;
mod status;
mod withdraw;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;
use floe_league::League;

use crate::terminal::Terminal;
use crate::{Answer, cli};

/// Run a league: people submit programs, see at once whether they work, and climb a ladder
///
/// A league is a folder with its settings, participants, programs and games. Copying the folder
/// copies the league. Every command takes the folder as its first argument [default: the current
/// folder]. The ladder plays the current versions of all entrants until you stop it; finals are a
/// tournament of frozen versions on unseen boards.
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
    #[command(alias = "pull")]
    Withdraw(withdraw::Args),
    /// Pause submissions and ladder games
    Pause(pause::Args),
    /// Resume submissions and ladder games
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
        Command::Withdraw(args) => withdraw::run(args, terminal),
        Command::Pause(args) => pause::run(args, true, terminal),
        Command::Resume(args) => pause::run(args, false, terminal),
        Command::Run(args) => run::run(args, terminal),
        Command::Serve(args) => serve::run(args, terminal),
        Command::Status(args) => status::run(args, terminal),
        Command::Final(args) => finals::run(args, terminal),
    }
}

/// The league to act on.
#[derive(clap::Args)]
struct Which {
    /// Folder of the league
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

impl Which {
    fn open(&self) -> Result<League> {
        Ok(League::open(&self.folder)?)
    }
}
