//! `floe completions`: completions for a shell.

use anyhow::{Context, Result};
use clap_complete::Shell;
use clap_complete::env::Shells;

use crate::Answer;
use crate::cli;
use crate::completing::VARIABLE;
use crate::terminal::Terminal;

/// Print completions for a shell
///
/// The shell then asks `floe` itself, which offers commands, options, games, seats, levels, themes and
/// files of records. `floe` must be on the PATH.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Shell
    shell: Shell,
}

const EXAMPLES: &str = "\
floe completions bash > ~/.local/share/bash-completion/completions/floe
floe completions zsh > ~/.zfunc/_floe
floe completions fish > ~/.config/fish/completions/floe.fish";

/// Bash would break a word such as `floe:easy` in two.
const WHOLE_SEATS: &str = "COMP_WORDBREAKS=${COMP_WORDBREAKS//:}\n";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let shells = Shells::builtins();
    let name = args.shell.to_string();
    let completer = shells
        .completer(&name)
        .with_context(|| format!("no completions for {name}"))?;
    let mut script = Vec::new();
    completer.write_registration(VARIABLE, "floe", "floe", "floe", &mut script)?;
    if args.shell == Shell::Bash {
        terminal.out.write_all(WHOLE_SEATS.as_bytes())?;
    }
    terminal.out.write_all(&script)?;
    Ok(Answer::Yes)
}
