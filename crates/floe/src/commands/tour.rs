//! `floe tour`: a guided minute for new players.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};
use floe_games::AnyGame;
use floe_terminal::Begin;

use crate::looks::Looks;
use crate::terminal::{Look, Terminal};
use crate::{Answer, cli};

/// Take a guided tour of one minute
///
/// Make three moves, ask for a hint, watch two engines, and look at the standings of a match. The
/// tour ends with a first game. Without a terminal, it goes line by line.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Game [default: the first one that `floe` lists]
    #[arg(value_parser = cli::game())]
    game: Option<&'static dyn AnyGame>,

    /// Go line by line, as on dumb terminals
    #[arg(long)]
    lines: bool,

    #[command(flatten)]
    looks: Looks,
}

const EXAMPLES: &str = "\
floe tour
floe tour gamma
floe tour flood --lines";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let games = floe_games::games();
    let game = args.game.or(games.first().copied());
    let begin = Begin::Tour(game.context("this build has no game")?);
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let has_screen = io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb;
    if has_screen && !args.lines {
        floe_terminal::run(begin, args.looks.display_options(terminal)?)?;
        return Ok(Answer::Yes);
    }
    let look = Look {
        color: false,
        ..args.looks.look(terminal)?
    };
    floe_terminal::run_lines(begin, terminal.out, look)?;
    Ok(Answer::Yes)
}
