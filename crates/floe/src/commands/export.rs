//! `floe export`: a position out of a record.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use floe_arena::checkup::asked_at;

use crate::records::Which;
use crate::terminal::Terminal;
use crate::{Answer, cli};
use floe_terminal::output_file::write_whole;

/// Take a position out of a record
///
/// Prints the position after some moves in the game's own file format, so that it can be given to
/// a program again, to `floe show`, `floe hint` or `floe play --board`.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,

    /// After how many moves; after the last if nobody says
    #[arg(long, value_name = "N")]
    at: Option<usize>,

    /// Exactly what the program to move was given: its file, or its standard input
    #[arg(long, conflicts_with = "board")]
    asked: bool,

    /// What the program calls itself, if not what the record says
    #[arg(long = "as", value_name = "NAME", requires = "asked")]
    name: Option<String>,

    /// The board alone, without what the contest's files do not have
    #[arg(long)]
    board: bool,

    /// Write to this file instead
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
floe export games.jsonl --game 7 --at 12 | floe hint penguins -
floe export games.jsonl --game 7 --at 12 --asked -o in.txt
floe export games.jsonl --game 3 --at 0 | floe play gamma --board -";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let record = args.which.pick()?;
    let all = record.moves().len();
    let at = args.at.unwrap_or(all);
    if at > all {
        bail!("the game has {all} moves, and --at asks for move {at}");
    }
    let play = record.at(at)?;
    let position = play.position();
    let text = match (args.asked, args.board) {
        (true, _) => {
            if play.turn().is_none() {
                bail!("the game is over after move {at}: nobody was asked any more");
            }
            let ask = asked_at(&record, at, args.name.as_deref())?;
            ask.map_or_else(|| position.write(), |ask| ask.file.unwrap_or(ask.input))
        }
        (false, true) => position.board(),
        (false, false) => position.write(),
    };
    match &args.output {
        Some(path) => write_whole(path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?,
        None => terminal.out.write_all(text.as_bytes())?,
    }
    Ok(Answer::Yes)
}
