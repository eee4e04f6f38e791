//! The store: results and their indexes in SQLite, beside the records they come from.
//!
//! The file of records is the truth, the store only its index: it can be thrown away and is made
//! again. A game counts once its record has its `end` line. A record is appended to the file
//! first and indexed then, so a kill between the two leaves a file that is ahead of its index;
//! on opening, whatever is missing is added. If the index is ahead of the file, or damaged, or
//! the file is not the one it was made from, it is made anew from the whole file.
//!
//! A game's name is its number in the schedule, as people count ([`Pairing::id`]). Names are
//! unique in the store: a record of a game that is there already is left out, so that a game that
//! was played again cannot count twice.
//!
//! [`Pairing::id`]: crate::schedule::Pairing::id
//!
//! ```
//! use floe_arena::store::Store;
//! let folder = tempfile::tempdir()?;
//! let store = Store::open(&folder.path().join("cup.jsonl"))?;
//! assert_eq!(store.games()?, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod index;
mod row;
mod verify;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use floe_rules::text::quoted;
use sha2::{Digest, Sha256};
use thiserror::Error;

use self::index::{Index, Mark};
use crate::journal::{Journal, read_file};
use floe_games::record::{Entrant, ReadError, Record, Records, read_on};

pub use index::Filter;
pub use row::{GameSummary, SeatResult, number};
pub use verify::{Verified, verify};

/// Why there is no store, or a game was not stored.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// The file of records cannot be understood.
    #[error("{}:{cause}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Where and why.
        cause: ReadError,
    },
    /// The index fails.
    #[error("{}: {cause}", path.display())]
    Index {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        cause: rusqlite::Error,
    },
    /// Somebody else writes to it.
    #[error("{} is in use: another floe is playing these games", .0.display())]
    Busy(PathBuf),
    /// A record's id is not that of a scheduled game.
    #[error("a record of no match and no tournament: {} is no number of a game", quoted(.0))]
    Id(String),
    /// The records of one file are not of one contest.
    #[error("game {id} is of another contest: {cause}")]
    Foreign {
        /// The game.
        id: String,
        /// How that is known.
        cause: String,
    },
}

/// The results of one contest.
#[derive(Debug)]
pub struct Store {
    records: PathBuf,
    index: Index,
    /// What is written to; none for those who only look.
    journal: Option<Journal>,
    /// Held as long as the store is open.
    _lock: Option<File>,
    mark: Mark,
}

impl Store {
    /// Opens the results beside this file of records to add to them, or makes both. Reads only
    /// what was appended since the index was last written; refuses if somebody else has it open
    /// like this.
    pub fn open(records: &Path) -> Result<Store, StoreError> {
        let file = |cause| file_error(records, cause);
        let lock = Store::hold(records)?;
        let journal = Journal::open(records).map_err(file)?;
        let mut store = Store::synchronized(records, &index_path(records))?;
        store.journal = Some(journal);
        store._lock = Some(lock);
        Ok(store)
    }

    /// Keeps everybody from writing to these results as long as what is returned lives.
    pub fn hold(records: &Path) -> Result<File, StoreError> {
        // Those who only look hold it for a moment, and so does a process that is being started.
        for _ in 0..40 {
            let lock = lock(records).map_err(|cause| file_error(records, cause))?;
            if let Some(lock) = lock {
                return Ok(lock);
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err(StoreError::Busy(records.to_owned()))
    }

    /// Opens results to look at them: the file of records must exist and may be written to by
    /// somebody meanwhile. Where no index can be written, one is made in memory.
    pub fn look(records: &Path) -> Result<Store, StoreError> {
        let file = |cause| file_error(records, cause);
        File::open(records).map_err(file)?;
        let beside = index_path(records);
        let is_archive = records.extension().is_some_and(|end| end == "zst");
        if !is_archive {
            match lock(records) {
                Ok(Some(_lock)) => {
                    if let Ok(store) = Store::synchronized(records, &beside) {
                        return Ok(store);
                    }
                }
                // Whoever plays keeps the index up to date.
                Ok(None) if beside.exists() => {
                    if let Ok((index, mark)) = Index::open(&beside) {
                        return Ok(Store::new(records, index, mark));
                    }
                }
                _ => {}
            }
        }
        Store::in_memory(records)
    }

    /// An index of a file of records that is made from scratch and kept nowhere.
    pub fn in_memory(records: &Path) -> Result<Store, StoreError> {
        let index = Index::in_memory().map_err(|cause| index_error(records, cause))?;
        let mut store = Store::new(records, index, Mark::default());
        store.read_rest(read_file(records).map_err(|cause| file_error(records, cause))?)?;
        Ok(store)
    }

    fn new(records: &Path, index: Index, mark: Mark) -> Store {
        Store {
            records: records.to_owned(),
            index,
            journal: None,
            _lock: None,
            mark,
        }
    }

    /// The index as it is, brought up to date; made anew if it does not fit the records.
    fn synchronized(records: &Path, beside: &Path) -> Result<Store, StoreError> {
        let catch_up = || -> Result<Option<Store>, StoreError> {
            let Ok((index, mark)) = Index::open(beside) else {
                return Ok(None);
            };
            let digest = fingerprint(records, mark.bytes).map_err(|e| file_error(records, e))?;
            if digest.as_ref() != Some(&mark.digest) {
                return Ok(None);
            }
            let mut store = Store::new(records, index, mark);
            store.catch_up()?;
            Ok(Some(store))
        };
        match catch_up() {
            Ok(Some(store)) => return Ok(store),
            Ok(None) => {}
            // A damaged index is made again; bad records stay bad.
            Err(StoreError::Index { .. }) => {}
            Err(error) => return Err(error),
        }
        for end in ["", "-wal", "-shm"] {
            let mut path = beside.as_os_str().to_owned();
            path.push(end);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(file_error(Path::new(&path), error));
                }
                _ => {}
            }
        }
        let (index, mark) = Index::open(beside).map_err(|cause| index_error(beside, cause))?;
        let mut store = Store::new(records, index, mark);
        store.catch_up()?;
        Ok(store)
    }

    /// Indexes what the file has beyond the mark.
    fn catch_up(&mut self) -> Result<(), StoreError> {
        let mut file = File::open(&self.records).map_err(|e| file_error(&self.records, e))?;
        let start = self.mark.bytes;
        let sought = file.seek(SeekFrom::Start(start));
        sought.map_err(|e| file_error(&self.records, e))?;
        let rest = BufReader::with_capacity(1 << 16, file);
        self.read_rest(read_on(rest, start, self.mark.lines))
    }

    fn read_rest<R: io::BufRead>(&mut self, mut records: Records<R>) -> Result<(), StoreError> {
        while let Some(record) = records.next() {
            let record = record.map_err(|cause| StoreError::Record {
                path: self.records.clone(),
                cause,
            })?;
            if record.end.is_some() {
                self.index(&record, records.span())?;
                self.mark.bytes = records.span().end;
                self.mark.lines = records.lines();
            }
        }
        self.commit()
    }

    /// Adds a finished game: appends its record, then indexes it. Returns what the index has of it
    /// now; nothing, and it is not added, if it is there already or has no end. Seen by others after
    /// [`commit`](Self::commit).
    pub fn add(&mut self, record: &Record) -> Result<Option<GameSummary>, StoreError> {
        let number = number(&record.opening.id)?;
        let Some(journal) = &mut self.journal else {
            let cause = io::Error::from(io::ErrorKind::ReadOnlyFilesystem);
            return Err(file_error(&self.records, cause));
        };
        if record.end.is_none() || self.index.has(number).map_err(index(&self.records))? {
            return Ok(None);
        }
        self.index.belongs(record)?;
        let start = journal.end();
        let written = journal.append(record);
        written.map_err(|cause| file_error(&self.records, cause))?;
        self.mark.bytes = journal.end();
        self.mark.lines += record.events.len() as u64 + 2;
        self.index(record, start..self.mark.bytes)
    }

    fn index(
        &mut self,
        record: &Record,
        place: Range<u64>,
    ) -> Result<Option<GameSummary>, StoreError> {
        self.index.belongs(record)?;
        let mut game = GameSummary::of(record, place)?;
        let added = self.index.add(&mut game, record);
        let is_new = added.map_err(index(&self.records))?;
        Ok(is_new.then_some(game))
    }

    /// Makes everything that was added lasting and visible. Costs a few hundred microseconds,
    /// so it is worth calling every some hundred games or some tenths of a second.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        if let Some(journal) = &self.journal {
            journal
                .sync()
                .map_err(|cause| file_error(&self.records, cause))?;
        }
        let digest = fingerprint(&self.records, self.mark.bytes);
        let digest = digest.map_err(|cause| file_error(&self.records, cause))?;
        self.mark.digest = digest.unwrap_or_default();
        self.index
            .commit(&mut self.mark)
            .map_err(index(&self.records))
    }

    /// The file of records.
    pub fn records(&self) -> &Path {
        &self.records
    }

    /// How many games there are.
    pub fn games(&self) -> Result<u64, StoreError> {
        self.index.games().map_err(index(&self.records))
    }

    /// Whether the game of this number is there. O(log games).
    pub fn has(&self, number: u64) -> Result<bool, StoreError> {
        self.index.has(number).map_err(index(&self.records))
    }

    /// The smallest number of which there is no game: where a schedule goes on. O(1) plus what
    /// was added since it was last asked for.
    pub fn first_open(&mut self) -> Result<u64, StoreError> {
        self.index
            .advance(&mut self.mark)
            .map_err(index(&self.records))?;
        Ok(self.mark.low)
    }

    /// Up to `most` numbers of games that are there, from this one on, in order.
    pub fn numbers(&self, from: u64, most: usize) -> Result<Vec<u64>, StoreError> {
        self.index.numbers(from, most).map_err(index(&self.records))
    }

    /// The game of this number.
    pub fn game(&self, number: u64) -> Result<Option<GameSummary>, StoreError> {
        let mut found = None;
        let filter = Filter {
            number: Some(number),
            ..Filter::default()
        };
        self.each(&filter, |game| found = Some(game))?;
        Ok(found)
    }

    /// Shows every game that passes the filter, in order of their numbers. Holds one at a time.
    pub fn each(&self, filter: &Filter, visit: impl FnMut(GameSummary)) -> Result<(), StoreError> {
        self.index.each(filter, visit).map_err(index(&self.records))
    }

    /// Who took part so far, by the numbers that [`SeatResult::entrant`] uses.
    pub fn entrants(&self) -> &[Entrant] {
        self.index.entrants()
    }

    /// How many sit at a table, once a game is there.
    pub fn table(&self) -> Option<usize> {
        self.index.table()
    }

    /// The name of the game that is played, once a game is there.
    pub fn played(&self) -> Option<&str> {
        self.index.played()
    }

    /// The record of a game, read from the file.
    pub fn record(&self, game: &GameSummary) -> Result<Option<Record>, StoreError> {
        let file = |cause| file_error(&self.records, cause);
        let mut records = if self.records.extension().is_some_and(|end| end == "zst") {
            let mut all = read_file(&self.records).map_err(file)?;
            let id = game.id();
            let found = all.find(|record| !matches!(record, Ok(record) if record.opening.id != id));
            found.into_iter().collect::<Vec<_>>().into_iter()
        } else {
            let mut file_ = File::open(&self.records).map_err(file)?;
            file_
                .seek(SeekFrom::Start(game.place.start))
                .map_err(file)?;
            let part = BufReader::new(file_.take(game.place.end - game.place.start));
            read_on(part, game.place.start, 0)
                .collect::<Vec<_>>()
                .into_iter()
        };
        let record = records.next().transpose();
        record.map_err(|cause| StoreError::Record {
            path: self.records.clone(),
            cause,
        })
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // What is not committed now is indexed again the next time.
        if self.journal.is_some() {
            let _ = self.commit();
        }
    }
}

/// Where the index of a file of records is: beside it, with the ending `.sqlite`.
pub fn index_path(records: &Path) -> PathBuf {
    records.with_extension("sqlite")
}

fn file_error(path: &Path, cause: io::Error) -> StoreError {
    StoreError::File {
        path: path.to_owned(),
        cause,
    }
}

fn index_error(path: &Path, cause: rusqlite::Error) -> StoreError {
    StoreError::Index {
        path: path.to_owned(),
        cause,
    }
}

fn index(records: &Path) -> impl FnOnce(rusqlite::Error) -> StoreError {
    let path = index_path(records);
    move |cause| StoreError::Index { path, cause }
}

/// Locks a file that is made if need be; nothing if somebody else holds the lock.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().append(true).create(true).open(path)?;
    #[cfg(unix)]
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    Ok(Some(file))
}

/// What tells this file's first `bytes` from others': a digest of the first and the last few
/// thousand of them. Nothing if the file is shorter.
fn fingerprint(path: &Path, bytes: u64) -> io::Result<Option<Vec<u8>>> {
    const END: u64 = 4096;
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound && bytes == 0 => {
            return Ok(Some(Vec::new()));
        }
        Err(error) => return Err(error),
    };
    if file.metadata()?.len() < bytes {
        return Ok(None);
    }
    if bytes == 0 {
        return Ok(Some(Vec::new()));
    }
    let mut ends = Vec::new();
    Read::by_ref(&mut file)
        .take(END.min(bytes))
        .read_to_end(&mut ends)?;
    let start = bytes.saturating_sub(END);
    file.seek(SeekFrom::Start(start))?;
    file.take(bytes - start).read_to_end(&mut ends)?;
    Ok(Some(Sha256::digest(&ends).to_vec()))
}
