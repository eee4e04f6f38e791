//! `floe archive`: packs files of records.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use floe_arena::journal::{archive, read_file};
use floe_arena::store::{Store, index_path};
use serde::Serialize;

use crate::file_kind::expect_records;
use crate::quoting::shown;
use crate::standing::count;
use crate::terminal::{GOOD, Terminal};
use crate::{Answer, cli, completing, json};

/// Pack a file of records
///
/// Records shrink to about a tenth with zstd. Every command that reads records also reads archives
/// whose names end in .zst. To resume a tournament, unpack its file first (`zstd -d`).
#[derive(clap::Args)]
#[command(after_help = cli::examples(EXAMPLES))]
pub(crate) struct Args {
    /// File of records
    #[arg(value_name = "RECORDS", add = completing::records())]
    file: PathBuf,

    /// Archive to write; existing files are not overwritten [default: RECORDS.zst]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Remove the records and their index once the archive was read back
    #[arg(long)]
    remove: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
floe archive cup.jsonl
floe archive cup.jsonl --output old/cup.jsonl.zst --remove";

#[derive(Serialize)]
struct ArchiveFacts<'a> {
    archive: &'a Path,
    games: u64,
    bytes_before: u64,
    bytes_after: u64,
    /// Whether the records and their index are removed.
    is_removed: bool,
}

pub(crate) fn run(args: &Args, terminal: &mut Terminal<'_>) -> Result<Answer> {
    let file = shown(&args.file);
    let to = args.output.clone().unwrap_or_else(|| {
        let mut name = args.file.clone().into_os_string();
        name.push(".zst");
        name.into()
    });
    if to.extension().is_none_or(|end| end != "zst") {
        bail!("{}: the name of an archive ends in .zst", shown(&to));
    }
    fs::metadata(&args.file).with_context(|| file.clone())?;
    expect_records(&args.file)?;
    // No other process may be writing to the file.
    let _held = Store::hold(&args.file)?;
    let games = games(&args.file)?;
    let sizes = archive(&args.file, &to).with_context(|| shown(&to))?;
    let packed = self::games(&to)?;
    if packed != games {
        bail!("{}: {packed} games were read back, not {games}", shown(&to));
    }
    if args.remove {
        fs::remove_file(&args.file).with_context(|| file.clone())?;
        let index = index_path(&args.file);
        if index.exists() {
            fs::remove_file(&index).with_context(|| shown(&index))?;
        }
    }
    if args.json {
        let facts = ArchiveFacts {
            archive: &to,
            games,
            bytes_before: sizes.before,
            bytes_after: sizes.after,
            is_removed: args.remove,
        };
        json::print(terminal.out, &facts)?;
        return Ok(Answer::Yes);
    }
    writeln!(
        terminal.out,
        "{GOOD}{}{GOOD:#}: {}, {} bytes instead of {}{}",
        shown(&to),
        count(games, "game"),
        sizes.after,
        sizes.before,
        if args.remove {
            "; the records are removed"
        } else {
            ""
        }
    )?;
    Ok(Answer::Yes)
}

/// Number of games in a file; reads every line.
fn games(path: &Path) -> Result<u64> {
    let mut games = 0;
    for record in read_file(path).with_context(|| shown(path))? {
        record.with_context(|| shown(path))?;
        games += 1;
    }
    Ok(games)
}
