//! `floe export`: prints a position of a record.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use floe_arena::conformance::asked_at;
use floe_rules::Player;
use serde::Serialize;

use crate::records::Which;
use crate::terminal::Terminal;
use crate::{Answer, cli, json};
use floe_terminal::output_file::write_whole;

/// Extract a position from a record
///
/// Prints the position after some moves in the game's own file format, as input for a program,
/// `floe show`, `floe hint` or `floe play --board`.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,

    /// Number of moves before the position [default: after the last move]
    #[arg(long, value_name = "N")]
    at: Option<usize>,

    /// Print the exact input of the program to move: its file, or its standard input
    #[arg(long, conflicts_with = "board")]
    asked: bool,

    /// The program's own name [default: the record's]
    #[arg(long = "as", value_name = "NAME", requires = "asked")]
    name: Option<String>,

    /// Print the board alone, without additions to the contest's format
    #[arg(long)]
    board: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
floe export games.jsonl --game 7 --at 12 | floe hint penguins -
floe export games.jsonl --game 7 --at 12 --asked -o in.txt
floe export games.jsonl --game 3 --at 0 | floe play gamma --board -";

#[derive(Serialize)]
struct ExportFacts<'a> {
    id: &'a str,
    game: &'a str,
    /// Moves made before the position.
    at: usize,
    turn: Option<u32>,
    text: &'a str,
}

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
                bail!(
                    "the game is over after move {at}, so no program was asked; choose an earlier move"
                );
            }
            let ask = asked_at(&record, at, args.name.as_deref())?;
            ask.map_or_else(|| position.write(), |ask| ask.file.unwrap_or(ask.input))
        }
        (false, true) => position.board(),
        (false, false) => position.write(),
    };
    if args.json {
        let facts = ExportFacts {
            id: &record.opening.id,
            game: &record.opening.game,
            at,
            turn: play.turn().map(Player::number),
            text: &text,
        };
        json::print(terminal.out, &facts)?;
        return Ok(Answer::Yes);
    }
    match &args.output {
        Some(path) => write_whole(path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?,
        None => terminal.out.write_all(text.as_bytes())?,
    }
    Ok(Answer::Yes)
}
