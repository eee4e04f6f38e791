//! The words of the command line.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use clap::builder::styling::{AnsiColor, Style, Styles};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ColorChoice, Parser};
use floe_games::AnyGame;

use crate::Answer;
use crate::commands::{Command, overview, play};
use crate::terminal::Terminal;

const HEADING: Style = AnsiColor::Yellow.on_default().bold();
const STYLES: Styles = Styles::styled()
    .header(HEADING)
    .usage(HEADING)
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Green.on_default());

/// A place where people and programs play grid games
#[derive(Parser)]
#[command(name = "floe", version, styles = STYLES, max_term_width = 100)]
#[command(
    after_help = "Without a command, floe lets you choose a game and play, in a terminal; elsewhere it shows what it \
                          can do, with an example each. A game's name alone, such as `floe gamma`, plays it."
)]
pub(crate) struct Cli {
    /// When to use colours
    ///
    /// `auto` uses them in a terminal, unless the variable NO_COLOR is set.
    #[arg(
        long,
        value_enum,
        global = true,
        display_order = 900,
        value_name = "WHEN",
        default_value = "auto"
    )]
    pub(crate) color: ColorChoice,

    #[command(subcommand)]
    command: Option<Command>,
}

impl Cli {
    pub(crate) fn run(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Answer> {
        match &self.command {
            Some(command) => command.run(terminal),
            None if is_terminal() => play::run(&play::Args::default(), terminal),
            None => overview::run(terminal),
        }
    }
}

/// Whether somebody sits at a terminal.
fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Reads the name of a game; help, errors and completions list the names there are.
pub(crate) fn game() -> impl TypedValueParser<Value = &'static dyn AnyGame> {
    let names = floe_games::games().into_iter().map(AnyGame::name);
    PossibleValuesParser::new(names).try_map(|name| floe_games::find(&name))
}

/// The same words, with `play` before a game's name that comes first.
pub(crate) fn spelt_out(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let is_game = |word: &OsString| floe_games::games().iter().any(|game| *word == *game.name());
    if words.get(1).is_some_and(is_game) {
        words.insert(1, "play".into());
    }
    words
}

/// A line above a part of a help text, as clap styles its own.
pub(crate) fn heading(text: &str) -> String {
    format!("{HEADING}{text}{HEADING:#}")
}

/// The end of a help text: commands to type, a line each.
pub(crate) fn examples(lines: &str) -> String {
    let indented: Vec<String> = lines.lines().map(|line| format!("  {line}")).collect();
    format!("{}\n{}", heading("Examples:"), indented.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Look;

    #[test]
    fn a_command_runs_on_any_terminal() {
        let cli = Cli::try_parse_from(["floe", "perft", "flood", "1", "--divide"]).unwrap();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut terminal = Terminal {
            out: &mut out,
            err: &mut err,
            look: Look {
                color: false,
                unicode: false,
                columns: Some(80),
                theme: crate::theme::Theme::Dark,
            },
            is_watched: false,
        };
        assert_eq!(cli.run(&mut terminal).unwrap(), Answer::Yes);
        assert!(
            String::from_utf8(out)
                .unwrap()
                .contains("3 moves, 3 sequences")
        );
        assert!(err.is_empty());
    }
}
