//! `floe` alone: what floe can do, with an example of everything.
//!
//! Games come from the registry, commands and examples from the command line's own help, so that
//! nothing is listed twice.

use anyhow::Result;

use crate::Answer;
use crate::terminal::{COMMAND, FAINT, STRONG, Terminal};

pub(super) fn run(cli: &clap::Command, terminal: &mut Terminal<'_>) -> Result<Answer> {
    terminal.out.write_all(text(cli).as_bytes())?;
    Ok(Answer::Yes)
}

fn text(cli: &clap::Command) -> String {
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
        "\n{COMMAND}floe COMMAND --help{COMMAND:#} describes each.\n"
    ));
    out
}

/// Examples for the end of a command's help.
pub(super) fn examples(command: &clap::Command) -> Vec<String> {
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
