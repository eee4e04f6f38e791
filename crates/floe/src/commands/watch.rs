//! `floe watch`: shows games in progress.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Result, bail};
use floe_arena::tournament::Description;

use crate::looks::Looks;
use crate::terminal::Terminal;
use crate::{Answer, cli, completing};

/// Watch the games of a match or tournament as they are played
///
/// Follows a growing file of records on a full screen, game after game. While `floe match
/// --records` or `floe tournament` plays on this machine, shows games move by move. Left and right
/// step by hand; `w` follows again. The file need not exist yet.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// File that a match writes with --records, or a tournament's description
    #[arg(value_name = "FILE", add = completing::contest())]
    file: PathBuf,

    #[command(flatten)]
    looks: Looks,
}

const EXAMPLES: &str = "\
floe watch games.jsonl
floe watch cup.toml";

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("floe watch needs a terminal; `floe replay FILE --list` lists a game without one");
    }
    let file = match args.file.extension().is_some_and(|end| end == "toml") {
        true => Description::load(&args.file)?.records,
        false => args.file.clone(),
    };
    let wanted = args.looks.display_options(terminal)?;
    let wait = || {
        let name = file.display();
        writeln!(terminal.err, "waiting for a game in {name}; Ctrl-C ends")
    };
    floe_terminal::watch(&file, wanted, wait)?;
    Ok(Answer::Yes)
}
