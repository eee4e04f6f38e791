//! `floe show`: draws a position.

use std::path::PathBuf;

use anyhow::Result;
use floe_games::AnyGame;

use crate::json::{self, PositionFacts};
use crate::looks::Looks;
use crate::terminal::Terminal;
use crate::{Answer, cli, source};
use floe_terminal::picture::Picture;

/// Draw a position
///
/// Reads a position in the game's own file format and draws it, with the players next to it.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// File with the position; `-` reads standard input
    file: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    looks: Looks,
}

const EXAMPLES: &str = "\
floe show penguins board.txt
floe show penguins board.txt --json
floe new gamma --full | floe show gamma - --color always | less -R";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let position = source::position(args.game, &args.file)?;
    if args.json {
        json::print(terminal.out, &PositionFacts::of(&*position))?;
        return Ok(Answer::Yes);
    }
    let picture = Picture {
        title: args.game.title(),
        view: &position.view(),
        turn: position.turn(),
        outcome: position.outcome(),
    };
    let look = args.looks.look(terminal)?;
    terminal.out.write_all(picture.draw(look).as_bytes())?;
    Ok(Answer::Yes)
}
