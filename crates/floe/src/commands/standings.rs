//! `floe standings`: the table of a finished or running contest.

use std::path::PathBuf;

use anyhow::Result;

use crate::contest::Contest;
use crate::standing::Exports;
use crate::terminal::{REMARK, Terminal};
use crate::{Answer, cli};

/// Show the table of a tournament or match
///
/// Ratings of all entrants together with their error bars, points, crosstable and faults; also
/// while the games are still being played. Only boards that were played in every order count.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// A tournament's description, or a file of records
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    exports: Exports,
}

const EXAMPLES: &str = "\
floe standings cup.toml
floe standings games.jsonl --json
floe standings cup.toml --markdown=table.md --csv=table.csv";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let contest = Contest::find(&args.file)?;
    contest.tell_notices(terminal)?;
    if let Contest::Tournament(tournament) = &contest {
        for change in tournament.changes()? {
            writeln!(
                terminal.err,
                "{REMARK}note:{REMARK:#} since games were played something has changed: {}",
                change.what
            )?;
        }
    }
    args.exports.write(&contest.results()?, terminal)?;
    Ok(Answer::Yes)
}
