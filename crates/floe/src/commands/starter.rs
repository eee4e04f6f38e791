//! `floe starter`: writes a first bot to build on.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::builder::PossibleValuesParser;
use floe_games::AnyGame;
use floe_league::starter::{self, Starter};
use serde::Serialize;

use crate::quoting::quoted;
use crate::terminal::{COMMAND, FAINT, STRONG, Terminal};
use crate::{Answer, cli, json};

/// Write a first program for a game, with a README and the commands to test it
///
/// The program is a complete but simple player: keep its input and output, and replace its choice
/// of moves. Existing files are kept unless --force is given.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Game
    #[arg(value_parser = cli::game())]
    game: &'static dyn AnyGame,

    /// Language
    #[arg(value_parser = PossibleValuesParser::new(starter::languages()), ignore_case = true)]
    language: String,

    /// Folder to write to; created if missing [default: GAME-LANGUAGE]
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    folder: Option<PathBuf>,

    /// Write the starter for the line protocol, if there is a choice
    #[arg(long)]
    line: bool,

    /// Replace files that are there already
    #[arg(long)]
    force: bool,

    /// Print what was written as one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe starter flood python
floe starter gamma c my-bot
floe starter penguins python --line";

#[derive(Serialize)]
struct StarterFacts<'a> {
    folder: &'a Path,
    file: &'a str,
    language: &'a str,
    /// Commands to type next, in the folder.
    commands: Vec<String>,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let starter = find(args)?;
    let language = starter.language.to_lowercase();
    let default = || PathBuf::from(format!("{}-{language}", args.game.name()));
    let folder = args.folder.clone().unwrap_or_else(default);
    let text = starter::text(&starter.file).context("this starter is not in this build")?;
    let readme = starter.readme(args.game);
    let files = [
        (starter.file.as_str(), &*text),
        ("README.md", readme.as_bytes()),
    ];
    write_all(&folder, &files, args.force)?;

    if args.json {
        let facts = StarterFacts {
            folder: &folder,
            file: &starter.file,
            language: starter.language,
            commands: starter
                .commands(args.game)
                .into_iter()
                .map(|(command, _)| command)
                .collect(),
        };
        json::print(terminal.out, &facts)?;
        return Ok(Answer::Yes);
    }
    let out = &mut terminal.out;
    let (file, shown) = (&starter.file, folder.display());
    writeln!(
        out,
        "{STRONG}{shown}/{file}{STRONG:#} plays {}. Next:",
        args.game.title()
    )?;
    let word = quoted(&folder.to_string_lossy()).into_owned();
    writeln!(out, "  {COMMAND}cd {word}{COMMAND:#}")?;
    for (command, why) in starter.commands(args.game) {
        writeln!(
            out,
            "  {COMMAND}{command}{COMMAND:#}   {FAINT}{why}{FAINT:#}"
        )?;
    }
    Ok(Answer::Yes)
}

/// The requested starter.
fn find(args: &Args) -> Result<Starter> {
    let all = starter::starters(args.game);
    let is_meant = |one: &&Starter| {
        one.language.eq_ignore_ascii_case(&args.language) && (!args.line || one.speaks_lines)
    };
    if let Some(found) = all.iter().find(is_meant) {
        return Ok(found.clone());
    }
    let mut known: Vec<&str> = all.iter().map(|one| one.language).collect();
    known.dedup();
    let way = if args.line {
        " in the line protocol"
    } else {
        ""
    };
    bail!(
        "there is no starter of {} in {}{way}; there are {}",
        args.game.title(),
        args.language,
        known.join(", ")
    );
}

/// Writes all of these files, or none if one exists already.
fn write_all(folder: &Path, files: &[(&str, &[u8])], replace: bool) -> Result<()> {
    let failed = || format!("cannot write to {}", folder.display());
    fs::create_dir_all(folder).with_context(failed)?;
    for (name, _) in files.iter().filter(|_| !replace) {
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() {
            bail!(
                "{} is there already, and nothing was written; name another folder, or replace it \
                 with --force",
                path.display()
            );
        }
    }
    for (name, bytes) in files {
        let path = folder.join(name);
        let mut options = fs::OpenOptions::new();
        options.write(true).truncate(replace);
        let opened = match replace {
            true => options.create(true).open(&path),
            false => options.create_new(true).open(&path),
        };
        match opened.and_then(|mut file| file.write_all(bytes)) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                bail!("{} is there already", path.display())
            }
            Err(error) => return Err(error).with_context(failed),
        }
    }
    Ok(())
}
