//! `floe league new`.

use std::path::PathBuf;

use anyhow::Result;
use floe_games::AnyGame;
use floe_league::League;
use floe_league::folder::DESCRIPTION;

use crate::quoting::quoted;
use crate::terminal::{COMMAND, STRONG, Terminal};
use crate::{Answer, cli};

/// Make the folder of a new league
///
/// Writes a `league.toml` with the game's usual boards and limits, to be changed to your taste.
#[derive(clap::Args)]
#[command(after_help = cli::examples("floe league new cup --game flood"))]
pub(super) struct Args {
    /// The league's name: a folder that is made
    #[arg(value_name = "NAME")]
    name: PathBuf,

    /// Which game
    #[arg(long, value_parser = cli::game())]
    game: &'static dyn AnyGame,
}

pub(super) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    League::create(&args.name, args.game)?;
    let (name, out) = (args.name.display(), &mut terminal.out);
    let word = quoted(&args.name.to_string_lossy()).into_owned();
    writeln!(
        out,
        "{STRONG}{name}{STRONG:#} is a league of {}.",
        args.game.title()
    )?;
    writeln!(
        out,
        "Its rules are in {name}/{DESCRIPTION}: change them to your taste. Then:"
    )?;
    writeln!(
        out,
        "  {COMMAND}floe league invite {word} class.csv{COMMAND:#}   a name and a team on each line"
    )?;
    writeln!(
        out,
        "  {COMMAND}floe serve {word}{COMMAND:#}   the pages; judges what is sent"
    )?;
    Ok(Answer::Yes)
}
