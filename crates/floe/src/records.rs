//! Selects games from files of records.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use floe_arena::journal::read_file;
use floe_games::record::{ReadError, Record, read};

use crate::completing;
use crate::file_kind::expect_records;
use crate::quoting::shown;

/// One game of a file of records.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// The file with the record; `-` reads standard input
    #[arg(add = completing::records())]
    file: PathBuf,

    /// ID of the game in the file
    #[arg(long, value_name = "ID")]
    game: Option<String>,
}

impl Which {
    /// The file's path, quoted for a shell.
    pub(crate) fn file(&self) -> String {
        shown(&self.file)
    }

    /// The chosen record.
    pub(crate) fn pick(&self) -> Result<Record> {
        pick(&self.file, self.game.as_deref())
    }
}

/// The record with this ID in a file, or the only record; `-` is standard input.
fn pick(path: &Path, id: Option<&str>) -> Result<Record> {
    let mut found = None;
    let mut count = 0u64;
    for record in open(path)? {
        let record = record.map_err(|error| place(path, &error))?;
        count += 1;
        match id {
            Some(id) if record.opening.id == id => {
                // An interrupted game is played again under the same ID.
                let is_whole = record.end.is_some();
                found = Some(record);
                if is_whole {
                    break;
                }
            }
            Some(_) => {}
            None => found = Some(record),
        }
    }
    let name = path.display();
    match (found, id) {
        (None, None) => bail!("{name}: there are no games in it"),
        (None, Some(id)) => bail!("{name}: there is no game {id} among its {count}"),
        (Some(_), None) if count > 1 => {
            bail!("{name} has {count} games; choose one with --game ID")
        }
        (Some(record), _) => Ok(record),
    }
}

/// The players' names by seat; equal names are numbered.
pub(crate) fn player_names(record: &Record) -> Vec<String> {
    let seats = record.opening.seats.iter();
    let names: Vec<String> = seats.map(|seat| seat.name.clone()).collect();
    floe_games::distinct_names(&names)
}

/// Games, read one after the other.
pub(crate) type Read = Box<dyn Iterator<Item = Result<Record, ReadError>>>;

/// The games of a file; `-` is standard input.
pub(crate) fn open(path: &Path) -> Result<Read> {
    if path == Path::new("-") {
        return Ok(Box::new(read(std::io::BufReader::new(std::io::stdin()))));
    }
    expect_records(path)?;
    let records = read_file(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Box::new(records))
}

/// An error in a file, with its place.
pub(crate) fn place(path: &Path, error: &ReadError) -> anyhow::Error {
    match error {
        ReadError::Line { .. } | ReadError::Damaged { .. } => {
            anyhow::anyhow!("{}:{error}", path.display())
        }
        ReadError::File(error) => anyhow::anyhow!("cannot read {}: {error}", path.display()),
    }
}
