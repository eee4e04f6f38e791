//! `floe` alone: what floe can do, with an example of everything.
//!
//! Games come from the registry, commands and examples from the command line's own help, so that
//! nothing is listed twice.

use anyhow::Result;
use clap::CommandFactory;

use crate::Answer;
use crate::cli::Cli;
use crate::terminal::{COMMAND, FAINT, STRONG, Terminal};

pub(crate) fn run(terminal: &mut Terminal<'_>) -> Result<Answer> {
    terminal.out.write_all(text().as_bytes())?;
    Ok(Answer::Yes)
}

fn text() -> String {
    let cli = Cli::command();
    let about = cli.get_about().map(ToString::to_string).unwrap_or_default();
    let mut out = format!("{STRONG}floe{STRONG:#}: {}\n", lower_first(&about));

    out.push_str(&format!("\n{STRONG}Games{STRONG:#}\n"));
    for game in floe_games::games() {
        let (name, title) = (game.name(), game.title());
        let seats = match (game.seats().start(), game.seats().end()) {
            (least, most) if least == most => format!("{least} players"),
            (least, most) => format!("{least} to {most} players"),
        };
        out.push_str(&format!(
            "  {COMMAND}{name:<12}{COMMAND:#} {title}, {seats}\n"
        ));
    }

    out.push_str(&format!("\n{STRONG}Commands{STRONG:#}\n"));
    for command in cli.get_subcommands() {
        let name = command.get_name();
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        out.push_str(&format!("  {COMMAND}{name:<12}{COMMAND:#} {about}\n"));
        if let Some(example) = examples(command).first() {
            out.push_str(&format!("  {:<12} {FAINT}{example}{FAINT:#}\n", ""));
        }
    }
    out.push_str(&format!(
        "\n{COMMAND}floe COMMAND --help{COMMAND:#} tells more about each.\n"
    ));
    out
}

/// The commands to type that a command's help ends with.
fn examples(command: &clap::Command) -> Vec<String> {
    let help = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let lines = help.lines().map(str::trim);
    lines
        .filter(|line| line.starts_with("floe "))
        .map(str::to_owned)
        .collect()
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_lowercase);
    first.chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples_that_are_understood() {
        for command in Cli::command().get_subcommands() {
            let examples = examples(command);
            assert!(!examples.is_empty(), "{}", command.get_name());
            for example in examples {
                for call in example
                    .split('|')
                    .map(str::trim)
                    .filter(|c| c.starts_with("floe "))
                {
                    let call = call.split(" > ").next().unwrap_or(call);
                    let words = shell_words::split(call).expect("a line of a shell");
                    if let Err(error) = Cli::try_parse_from(words) {
                        panic!("{call}: {error}");
                    }
                }
            }
        }
    }
}
