//! `floe completions`: completions for a shell.

use anyhow::Result;
use clap_complete::Shell;

use crate::Answer;
use crate::cli;
use crate::terminal::Terminal;

/// Print completions for a shell
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

pub(crate) fn run(
    args: &Args,
    mut command: clap::Command,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    // The generator panics where it cannot write; a vector takes everything.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "floe", &mut script);
    terminal.out.write_all(&script)?;
    Ok(Answer::Yes)
}
