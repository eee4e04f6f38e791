//! `floe league`: contests without end.

mod finals;
mod run;
mod serve;
mod status;

use anyhow::Result;
use clap::Subcommand;

use crate::terminal::Terminal;
use crate::{Answer, cli};

/// Run a league: a ladder without end, and finals
///
/// A league is a folder. Its ladder plays the versions that entrants have now, on and on; finals
/// are a tournament of frozen versions on boards nobody has seen.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(subcommand)]
    word: Word,
}

const EXAMPLES: &str = "\
floe league run cup --games 500
floe league status cup
floe league final cup --format swiss";

#[derive(Subcommand)]
enum Word {
    Run(run::Args),
    Serve(Box<serve::Args>),
    Status(status::Args),
    Final(Box<finals::Args>),
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    match &args.word {
        Word::Run(args) => run::run(args, terminal),
        Word::Serve(args) => serve::run(args, terminal),
        Word::Status(args) => status::run(args, terminal),
        Word::Final(args) => finals::run(args, terminal),
    }
}
