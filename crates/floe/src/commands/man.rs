//! `floe man`: manual pages.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap_mangen::Man;

use crate::Answer;
use crate::cli;
use crate::terminal::Terminal;

/// Print the manual page, or write all of them to a folder
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Folder for the pages, one per command; created if missing
    dir: Option<PathBuf>,
}

const EXAMPLES: &str = "\
floe man | man -l -
floe man ~/.local/share/man/man1";

pub(crate) fn run(
    args: &Args,
    command: clap::Command,
    terminal: &mut Terminal<'_>,
) -> Result<Answer> {
    let Some(dir) = &args.dir else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        terminal.out.write_all(&page)?;
        return Ok(Answer::Yes);
    };
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    clap_mangen::generate_to(command, dir)
        .with_context(|| format!("cannot write to {}", dir.display()))?;
    writeln!(terminal.err, "wrote the manual pages to {}", dir.display())?;
    Ok(Answer::Yes)
}
