//! Games that turned out not to count, such as those of a worker whose results deviate.

use std::path::{Path, PathBuf};

use super::error::file_error;
use super::{Store, StoreError, index_path, remove_index};
use crate::journal::take_out;
use floe_games::record::Record;

/// Games that were moved out of a file of records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenOut {
    /// Number of games.
    pub games: u64,
    /// Their new file: `NAME.taken-out.jsonl`.
    pub aside: PathBuf,
}

/// Moves games out of a file of records, as [`take_out`] does, so that they are played again like
/// all missing games. No process may be playing.
pub fn take_out_games(
    records: &Path,
    is_out: impl Fn(&Record) -> bool,
) -> Result<TakenOut, StoreError> {
    let lock = Store::hold(records)?;
    let aside = records.with_extension("taken-out.jsonl");
    let games = take_out(records, &aside, is_out);
    let games = games.map_err(|cause| file_error(records, cause))?;
    remove_index(&index_path(records))?;
    drop(lock);
    Ok(TakenOut { games, aside })
}

/// Whether a worker of a cluster played this game.
pub fn is_of_worker(record: &Record, worker: &str) -> bool {
    let machine = record.opening.machine.as_ref();
    machine.is_some_and(|machine| machine.worker == worker)
}
