//! `floe rules`: how a game is played.

use anyhow::Result;
use floe_games::AnyGame;
use serde::Serialize;

use crate::terminal::{COMMAND, STRONG, Terminal};
use crate::{Answer, cli, json};

/// Print the rules of a game
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe rules gamma
floe rules gamma --json";

#[derive(Serialize)]
struct RulesFacts {
    game: &'static str,
    title: &'static str,
    pitch: &'static str,
    least_players: u32,
    most_players: u32,
    rules: Vec<&'static str>,
    default_setup: String,
    engines: Vec<&'static str>,
}

impl RulesFacts {
    fn of(game: &'static dyn AnyGame) -> Self {
        RulesFacts {
            game: game.name(),
            title: game.title(),
            pitch: game.pitch(),
            least_players: *game.seats().start(),
            most_players: *game.seats().end(),
            rules: game.rules().lines().collect(),
            default_setup: game.default_setup(),
            engines: game.engines().iter().map(|kind| kind.name()).collect(),
        }
    }
}

/// Longer lines are hard to read.
const WIDEST: usize = 80;

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let game = args.game;
    if args.json {
        json::print(terminal.out, &RulesFacts::of(game))?;
        return Ok(Answer::Yes);
    }
    let seats = game.seats();
    let seats = match (seats.start(), seats.end()) {
        (least, most) if least == most => format!("{least} players"),
        (least, most) => format!("{least} to {most} players"),
    };
    writeln!(
        terminal.out,
        "{STRONG}{}{STRONG:#}, {seats}\n",
        game.title()
    )?;
    let width = terminal.look.page().min(WIDEST).saturating_sub(2).max(20);
    for rule in game.rules().lines() {
        for (i, line) in floe_terminal::wrapped(rule, width).iter().enumerate() {
            let bullet = if i == 0 { "- " } else { "  " };
            writeln!(terminal.out, "{bullet}{line}")?;
        }
    }
    let name = game.name();
    writeln!(
        terminal.out,
        "\nplay it with {COMMAND}floe {name}{COMMAND:#}"
    )?;
    Ok(Answer::Yes)
}
