//! `floe new`: makes a starting position.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use anyhow::Result;
use floe_games::AnyGame;
use serde::Serialize;

use crate::json::{self, PositionFacts};
use crate::terminal::{COMMAND, FAINT, Terminal};
use crate::{Answer, cli, source};

/// Make a starting position
///
/// Prints the board as the game's own contest files have it. The same setup and seed make the
/// same board on every machine.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES), after_long_help = after_long_help())]
pub(crate) struct Args {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// Columns and rows, such as 10x8
    #[arg(long, value_name = "WxH")]
    size: Option<String>,

    /// Style of the board, one of the game's
    #[arg(long)]
    style: Option<String>,

    /// Everything else about the board, such as `players=3` (see --help)
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    setup: String,

    /// Seed of the board [default: random; printed to standard error]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Print the whole position instead of the board alone
    #[arg(long)]
    full: bool,

    /// Print the setup, the seed and the position as one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe new penguins --size 8x8 --seed 7
floe new flood --style fair --full | floe show flood -
floe new gamma --setup 12x10,players=3 > start.txt";

#[derive(Serialize)]
struct NewFacts {
    setup: String,
    seed: u64,
    /// The board alone, in the contest's format.
    board: String,
    #[serde(flatten)]
    facts: PositionFacts,
}

/// The setups of every game, in the games' own words.
fn after_long_help() -> String {
    let mut help = cli::examples(EXAMPLES);
    for game in floe_games::games() {
        let heading = cli::heading(&format!("Setup of {}:", game.name()));
        help.push_str(&format!("\n\n{heading}\n"));
        for line in game.setup_help().lines() {
            help.push_str(&format!("  {line}\n"));
        }
        help.push_str(&format!("  The default is {}.", game.default_setup()));
    }
    help
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let setup = args.whole_setup();
    let seed = args.seed.unwrap_or_else(random_seed);
    let position = source::start(args.game, &setup, seed)?;
    if args.json {
        let made = NewFacts {
            setup: args.game.setup(&setup)?,
            seed,
            board: position.board(),
            facts: PositionFacts::of(&*position),
        };
        json::print(terminal.out, &made)?;
        return Ok(Answer::Yes);
    }
    let text = if args.full {
        position.write()
    } else {
        position.board()
    };
    terminal.out.write_all(text.as_bytes())?;
    if args.seed.is_none() {
        terminal.out.flush()?;
        let again = args.again(&setup, seed);
        writeln!(
            terminal.err,
            "{FAINT}again:{FAINT:#} {COMMAND}{again}{COMMAND:#}"
        )?;
    }
    Ok(Answer::Yes)
}

impl Args {
    /// The setup with the shorter options added.
    fn whole_setup(&self) -> String {
        let style = self.style.as_ref().map(|style| format!("style={style}"));
        let parts = [Some(self.setup.clone()), self.size.clone(), style];
        let parts: Vec<String> = parts
            .into_iter()
            .flatten()
            .filter(|p| !p.is_empty())
            .collect();
        parts.join(",")
    }

    /// The command that makes the same board again.
    fn again(&self, setup: &str, seed: u64) -> String {
        let mut command = format!("floe new {}", self.game.name());
        if !setup.is_empty() {
            command.push_str(&format!(" --setup {}", shell_word(setup)));
        }
        command.push_str(&format!(" --seed {seed}"));
        if self.full {
            command.push_str(" --full");
        }
        command
    }
}

/// A random number, short enough to be read out.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// `text` as one word of a shell's command line.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "=,.-_:/%+".contains(c);
    if text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_with_blanks_is_quoted_for_the_shell() {
        assert_eq!(shell_word("10x8,players=3"), "10x8,players=3");
        assert_eq!(shell_word("10x8, players=3"), "'10x8, players=3'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
    }
}
