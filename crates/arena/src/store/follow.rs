//! Following results that another process adds to, without reopening them.

use std::fs;
use std::io;
use std::path::Path;

use super::error::{file_error, index_error};
use super::file_id::{FileId, file_id, id_of};
use super::{GameSummary, Store, StoreError, index_path, is_archive, lock};

/// The news of followed records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Followed {
    /// No new games.
    Same,
    /// New games, all of which were returned.
    Grown,
    /// The file, or its index, was replaced: open it again.
    Replaced,
}

/// The place up to which a store was followed, with the state that shows changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// All games whose records begin before this byte were returned.
    bytes: u64,
    records: FileState,
    /// The index file, and its revision.
    index: Option<(FileId, u64)>,
}

/// A file's state, to notice changes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileState {
    id: FileId,
    length: u64,
    changed: Option<std::time::SystemTime>,
}

impl FileState {
    fn of(path: &Path) -> io::Result<FileState> {
        let data = fs::metadata(path)?;
        Ok(FileState {
            id: file_id(&data),
            length: data.len(),
            changed: data.modified().ok(),
        })
    }
}

impl Store {
    /// Calls `visit` with the games that are new since the last call, the oldest records first; the
    /// first time with all. Checks two files, and reads only what was added since the last time.
    /// For stores [opened read-only](Store::open_read_only).
    ///
    /// ```
    /// use floe_arena::store::{Followed, Store};
    /// let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("cup.jsonl");
    /// std::fs::write(&file, "")?;
    /// let mut store = Store::open_read_only(&file)?;
    /// assert_eq!(store.follow(|game| println!("{}", game.id()))?, Followed::Grown);
    /// assert_eq!(store.follow(|_| unreachable!("no new game"))?, Followed::Same);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow(&mut self, visit: impl FnMut(GameSummary)) -> Result<Followed, StoreError> {
        let before = self.followed.take();
        // Taken before anything is read, so that later writes count as new.
        let records = FileState::of(&self.records);
        let records = records.map_err(|cause| file_error(&self.records, cause))?;
        let index = self.index_state()?;
        if let Some(before) = &before {
            let is_other = before.records.id != records.id
                || records.length < before.bytes
                || before.index.map(|(id, _)| id) != index.map(|(id, _)| id);
            if is_other {
                return Ok(Followed::Replaced);
            }
            if before.records == records && before.index == index {
                self.followed = Some(before.clone());
                return Ok(Followed::Same);
            }
        }
        let from = before.map_or(0, |before| before.bytes);
        match self.read_news(from, visit) {
            // The writing process rebuilds a damaged index, which gives a new file.
            Err(error) if error.is_of_index() && from > 0 => return Ok(Followed::Replaced),
            other => other?,
        }
        self.followed = Some(Place {
            bytes: self.mark.bytes,
            records,
            // The index that was read, which may have been replaced since. This process's own
            // writes do not change its revision.
            index: self.index.file().zip(index.map(|(_, revision)| revision)),
        });
        Ok(Followed::Grown)
    }

    fn read_news(&mut self, from: u64, visit: impl FnMut(GameSummary)) -> Result<(), StoreError> {
        let beside = index_path(&self.records);
        let failed = |error| index_error(&beside, error);
        if self.index.file().is_none() {
            if !is_archive(&self.records) {
                self.catch_up()?;
            }
            return self.index.each_from(from, visit).map_err(failed);
        }
        // The process that plays keeps the index up to date; if none does, this one does.
        let lock = lock(&self.records).map_err(|cause| file_error(&self.records, cause))?;
        if lock.is_some() {
            self.mark = self.index.refresh(u64::MAX, |_| {}).map_err(failed)?;
            self.catch_up()?;
        }
        self.mark = self.index.refresh(from, visit).map_err(failed)?;
        Ok(())
    }

    /// The file at the index's path, which may have replaced the open one, and the revision of the
    /// open index.
    fn index_state(&self) -> Result<Option<(FileId, u64)>, StoreError> {
        if self.index.file().is_none() {
            return Ok(None);
        }
        let revision = self.index.revision().map_err(super::index(&self.records))?;
        Ok(Some((id_of(&index_path(&self.records)), revision)))
    }
}
