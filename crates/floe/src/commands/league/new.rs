//! `floe league new`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use floe_games::AnyGame;
use floe_league::League;
use floe_league::folder::DESCRIPTION;
use floe_sandbox::Support;
use serde::Serialize;

use crate::quoting::quoted;
use crate::terminal::{COMMAND, REMARK, STRONG, Terminal};
use crate::{Answer, cli};

/// Create the folder of a new league
///
/// Writes a `league.toml` with the game's default boards and limits, for you to edit.
#[derive(clap::Args)]
#[command(after_help = cli::examples("floe league new cup --game flood"))]
pub(super) struct Args {
    /// Name of the league: a folder to create
    #[arg(value_name = "NAME")]
    name: PathBuf,

    /// Game
    #[arg(long, value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// Print the new league as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Made<'a> {
    league: &'a str,
    game: &'static str,
    description: &'a Path,
}

pub(super) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let league = League::create(&args.name, args.game)?;
    if args.json {
        let made = Made {
            league: &league.description().name,
            game: args.game.name(),
            description: &args.name.join(DESCRIPTION),
        };
        serde_json::to_writer(&mut terminal.out, &made)?;
        writeln!(terminal.out)?;
        return Ok(Answer::Yes);
    }
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
        "  {COMMAND}floe league serve {word}{COMMAND:#}   the pages; judges what is sent and plays the ladder"
    )?;
    let reached = Support::probe(Path::new("")).layers().level();
    let required = league.description().sandbox;
    if reached < required {
        writeln!(
            out,
            "{REMARK}This machine reaches sandbox level {reached}, and the league requires level {required}.{REMARK:#} \
             For programs of people you know, add sandbox = {reached} to the first lines of {name}/{DESCRIPTION}."
        )?;
    }
    writeln!(
        out,
        "Programs of people you do not know are best run at sandbox level 3: {COMMAND}floe doctor{COMMAND:#} \
         says how."
    )?;
    Ok(Answer::Yes)
}
