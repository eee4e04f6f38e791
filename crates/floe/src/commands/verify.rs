//! `floe verify`: replays records.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use floe_arena::store::{Verified, repair, verify};
use floe_rules::text::visible;
use serde::Serialize;

use crate::file_kind::expect_records;
use crate::quoting::shown;
use crate::standing::count;
use crate::terminal::{ERROR, GOOD, STRONG, Terminal};
use crate::{Answer, cli, completing, progress};

/// Verify records by replaying them
///
/// Replays every move by the rules, and compares every result, each game's check sum, and the index
/// next to the file, if there is one. The exit code is 0 without an error, 1 with one, and 2 if a
/// file cannot be read at all; with --repair, it is 0 once no error is left.
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// Files of records; names that end in .zst are decompressed
    #[arg(required = true, value_name = "RECORDS", add = completing::records())]
    files: Vec<PathBuf>,

    /// Move damaged games to NAME.damaged.jsonl next to each file; a tournament plays them again
    #[arg(long)]
    repair: bool,

    /// Print one JSON object per file, each on a line of its own
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe verify cup.jsonl
floe verify games/*.jsonl.zst --json
floe verify --repair cup.jsonl && floe tournament cup.toml";

/// Problems printed for each file.
const TOLD: usize = 20;

#[derive(Serialize)]
struct Json<'a> {
    file: String,
    ok: bool,
    games: u64,
    interrupted: u64,
    repeated: u64,
    indexed: Option<u64>,
    problems: &'a [String],
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let mut answer = Answer::Yes;
    for file in &args.files {
        if args.repair {
            if let Err(error) = repaired(file, args.json, terminal) {
                answer = Answer::BadInput;
                terminal.out.flush()?;
                writeln!(terminal.err, "{ERROR}{error:#}{ERROR:#}")?;
            }
            continue;
        }
        match checked(file, terminal) {
            Ok(verified) => {
                if !verified.problems.is_empty() && answer == Answer::Yes {
                    answer = Answer::No;
                }
                match args.json {
                    true => json(file, &verified, terminal)?,
                    false => print(file, &verified, terminal)?,
                }
            }
            Err(error) => {
                answer = Answer::BadInput;
                terminal.out.flush()?;
                writeln!(terminal.err, "{ERROR}{error:#}{ERROR:#}")?;
            }
        }
    }
    Ok(answer)
}

/// Moves damaged games to another file, and reports them.
fn repaired(file: &Path, is_json: bool, terminal: &mut Terminal<'_>) -> Result<()> {
    expect_records(file)?;
    let repaired = repair(file)?;
    let out = &mut terminal.out;
    if is_json {
        let json = serde_json::json!({
            "file": file.display().to_string(),
            "kept": repaired.kept,
            "problems": repaired.problems,
            "aside": repaired.aside.map(|path| path.display().to_string()),
        });
        return Ok(writeln!(out, "{json}")?);
    }
    print_problems(&repaired.problems, *out)?;
    let (file, kept) = (file.display(), count(repaired.kept, "game"));
    match repaired.aside {
        None => writeln!(out, "{STRONG}{file}:{STRONG:#} {GOOD}ok{GOOD:#}, {kept}")?,
        Some(aside) => writeln!(
            out,
            "{STRONG}{file}:{STRONG:#} {GOOD}repaired{GOOD:#}, {kept} left; what was damaged is in {}",
            shown(&aside)
        )?,
    }
    Ok(())
}

fn print_problems(problems: &[String], out: &mut dyn Write) -> Result<()> {
    for problem in problems.iter().take(TOLD) {
        writeln!(out, "{ERROR}{}{ERROR:#}", visible(problem))?;
    }
    if let Some(more @ 1..) = problems.len().checked_sub(TOLD) {
        writeln!(out, "… and {more} more; --json prints all of them")?;
    }
    Ok(())
}

fn checked(file: &Path, terminal: &Terminal<'_>) -> Result<Verified> {
    expect_records(file)?;
    let length = file.metadata().map(|data| data.len()).ok();
    let style = "{bar:30} {bytes}/{total_bytes}, {eta} left";
    let bar = progress::bar(length, terminal.is_watched, style);
    let verified = verify(file, |bytes| bar.set_position(bytes));
    bar.finish_and_clear();
    Ok(verified?)
}

fn json(file: &Path, verified: &Verified, terminal: &mut Terminal<'_>) -> Result<()> {
    let json = Json {
        file: file.display().to_string(),
        ok: verified.problems.is_empty(),
        games: verified.games,
        interrupted: verified.interrupted,
        repeated: verified.repeated,
        indexed: verified.indexed,
        problems: &verified.problems,
    };
    serde_json::to_writer(&mut *terminal.out, &json)?;
    writeln!(terminal.out)?;
    Ok(())
}

fn print(file: &Path, verified: &Verified, terminal: &mut Terminal<'_>) -> Result<()> {
    let out = &mut terminal.out;
    let file = file.display();
    print_problems(&verified.problems, *out)?;
    let mut parts = vec![count(verified.games, "game")];
    if verified.interrupted > 0 {
        parts.push(format!("{} interrupted", verified.interrupted));
    }
    if verified.repeated > 0 {
        parts.push(format!("{} repeated", verified.repeated));
    }
    if let Some(indexed) = verified.indexed {
        parts.push(format!("{indexed} in the index"));
    }
    let summary = parts.join(", ");
    match verified.problems.len() {
        0 => writeln!(out, "{STRONG}{file}:{STRONG:#} {GOOD}ok{GOOD:#}, {summary}")?,
        many => {
            let many = count(many as u64, "problem");
            writeln!(
                out,
                "{STRONG}{file}:{STRONG:#} {ERROR}{many}{ERROR:#}, {summary}"
            )?;
        }
    }
    Ok(())
}
