//! `floe standings`: the table of a finished or running contest.

use std::path::PathBuf;

use anyhow::Result;

use crate::contest::Contest;
use crate::standing::Exports;
use crate::terminal::{REMARK, Terminal};
use crate::{Answer, cli, completing};

/// Show the standings of a tournament, match or league
///
/// Joint ratings of all entrants with their error bars, points, mean margins, crosstable, strikes
/// and faults; also during play. For a league it is the ladder of the current versions. A margin is
/// a player's score minus the best opponent's; if the contest breaks ties on points by the sum of
/// margins, that sum is shown and decides. Only boards that were played in every rotation of the
/// seats count.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Tournament's description, file of records, or a league's folder
    #[arg(value_name = "FILE", add = completing::contest())]
    file: PathBuf,

    #[command(flatten)]
    exports: Exports,
}

const EXAMPLES: &str = "\
floe standings cup.toml
floe standings games.jsonl --json
floe standings cup
floe standings cup.toml --markdown=table.md --csv=table.csv";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let contest = Contest::find(&args.file)?;
    contest.print_notices(terminal)?;
    if let Contest::Tournament(tournament) = &contest {
        for change in tournament.changes()? {
            writeln!(
                terminal.err,
                "{REMARK}note:{REMARK:#} this has changed since the first games: {}",
                change.what
            )?;
        }
    }
    args.exports.write(&contest.standings()?, terminal)?;
    Ok(Answer::Yes)
}
