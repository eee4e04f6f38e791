//! The store: results and their indexes in SQLite, next to the records they come from.
//!
//! The file of records is the truth, the store only its index: it can be deleted and is then
//! rebuilt. A game counts once its record has its `end` line. A record is appended to the file
//! first and indexed then, so a kill between the two leaves a file that is ahead of its index; the
//! next opening adds the missing games. If the index is ahead of the file, or damaged, or the file
//! is not the one it was made from, to the byte, the index is rebuilt from the whole file; likewise
//! if another process keeps it locked while games are played. Opening reads both whole: some tenths
//! of a second for 100,000 games. A game that is damaged in the file is an error: see [`repair()`].
//!
//! A game's name is its number in the schedule, as people count ([`Pairing::id`]). Names are unique
//! in the store: a record of a game that is there already is left out, so that a repeated game
//! cannot count twice.
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

mod error;
mod file_id;
mod filter;
mod follow;
mod index;
mod index_row;
mod mark;
mod missing;
mod repair;
mod row;
mod taken_out;
mod times;
mod verify;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use self::error::{IndexError, file_error, index_error};
use self::file_id::{file_id, id_of};
use self::follow::Place;
use self::index::Index;
use self::mark::{Mark, digest};
use crate::journal::{RecordWriter, read_file};
use floe_games::record::{Entrant, Record, Records, read_on};

pub use error::StoreError;
pub use filter::Filter;
pub use follow::Followed;
pub use repair::{Repaired, repair};
pub use row::{GameSummary, SeatResult, number};
pub use taken_out::{TakenOut, is_of_worker, take_out_games};
pub use times::MoveTimes;
pub use verify::{Verified, verify};

/// The results of one contest.
#[derive(Debug)]
pub struct Store {
    records: PathBuf,
    index: Index,
    /// The file to append to; `None` if opened read-only.
    journal: Option<RecordWriter>,
    /// Held as long as the store is open.
    _lock: Option<File>,
    mark: Mark,
    /// Messages about the index.
    notices: Vec<String>,
    /// Number of rebuilds of the index while the store was open.
    remade: u32,
    /// The place in the file up to which games were returned.
    followed: Option<Place>,
}

fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "zst")
}

impl Store {
    /// Opens or creates the results next to this file of records, to add games. Reads only what was
    /// appended since the index was last written; fails if another process has the results open for
    /// writing.
    pub fn open(records: &Path) -> Result<Store, StoreError> {
        let file = |cause| file_error(records, cause);
        let lock = Store::hold(records)?;
        let journal = RecordWriter::open(records).map_err(file)?;
        let mut store = Store::synchronized(records, &index_path(records))?;
        store.journal = Some(journal);
        store._lock = Some(lock);
        Ok(store)
    }

    /// Keeps all other processes from writing to these results while the returned value lives.
    pub fn hold(records: &Path) -> Result<File, StoreError> {
        // Readers hold the lock only briefly, and so does a process that is just starting.
        for _ in 0..40 {
            let lock = lock(records).map_err(|cause| file_error(records, cause))?;
            if let Some(lock) = lock {
                return Ok(lock);
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err(StoreError::Busy(records.to_owned()))
    }

    /// Whether a process is writing or opening these results.
    pub fn is_held(records: &Path) -> bool {
        records.exists() && !matches!(lock(records), Ok(Some(_)))
    }

    /// Opens results read-only: the file of records must exist, and another process may be writing
    /// to it. If no index can be written, one is made in memory.
    pub fn open_read_only(records: &Path) -> Result<Store, StoreError> {
        let file = |cause| file_error(records, cause);
        File::open(records).map_err(file)?;
        let beside = index_path(records);
        if !is_archive(records) {
            match lock(records) {
                Ok(Some(_lock)) => {
                    if let Ok(store) = Store::synchronized(records, &beside) {
                        return Ok(store);
                    }
                }
                // The writing process keeps the index up to date.
                Ok(None) => {
                    if let Ok((index, mark)) = Index::open_existing(&beside)
                        && digest(records, mark.bytes).ok().flatten() == Some(mark.digest)
                    {
                        return Ok(Store::new(records, index, mark));
                    }
                }
                Err(_) => {}
            }
        }
        Store::in_memory(records)
    }

    /// A new in-memory index of a file of records.
    pub fn in_memory(records: &Path) -> Result<Store, StoreError> {
        let index = Index::in_memory().map_err(|error| index_error(records, error))?;
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
            notices: Vec::new(),
            remade: 0,
            followed: None,
        }
    }

    /// The index, brought up to date, or rebuilt if it does not match the records.
    fn synchronized(records: &Path, beside: &Path) -> Result<Store, StoreError> {
        let name = beside.display();
        let notice = match Store::caught_up(records, beside) {
            Ok(Some(store)) => return Ok(store),
            Ok(None) => None,
            Err(CatchUp::Index(error)) if error.is_damage() => Some(format!(
                "{name} was damaged; it is rebuilt from the records"
            )),
            Err(CatchUp::Index(_)) => None,
            // Bad records stay bad.
            Err(CatchUp::Store(error)) => return Err(error),
        };
        remove_index(beside)?;
        let (index, mark) = Index::open(beside).map_err(|error| index_error(beside, error))?;
        let mut store = Store::new(records, index, mark);
        store.notices.extend(notice);
        store.catch_up()?;
        Ok(store)
    }

    /// The existing index, with everything appended to the records since; `None` if it belongs to
    /// other records.
    fn caught_up(records: &Path, beside: &Path) -> Result<Option<Store>, CatchUp> {
        let (index, mark) = Index::open(beside).map_err(CatchUp::Index)?;
        let now =
            digest(records, mark.bytes).map_err(|e| CatchUp::Store(file_error(records, e)))?;
        if now != Some(mark.digest) {
            return Ok(None);
        }
        let mut store = Store::new(records, index, mark);
        store.catch_up().map_err(|error| match error {
            StoreError::Index { cause, .. } => CatchUp::Index(cause.into()),
            StoreError::DamagedIndex(_) => CatchUp::Index(IndexError::Damaged),
            other => CatchUp::Store(other),
        })?;
        Ok(Some(store))
    }

    /// Indexes the part of the file after the mark.
    fn catch_up(&mut self) -> Result<(), StoreError> {
        let mut file = File::open(&self.records).map_err(|e| file_error(&self.records, e))?;
        let start = self.mark.bytes;
        let sought = file.seek(SeekFrom::Start(start));
        sought.map_err(|e| file_error(&self.records, e))?;
        let rest = BufReader::with_capacity(1 << 16, file);
        self.read_rest(read_on(rest, start, self.mark.lines).after(self.mark.digest))
    }

    fn read_rest<R: BufRead>(&mut self, mut records: Records<R>) -> Result<(), StoreError> {
        while let Some(record) = records.next() {
            let record = record.map_err(|cause| StoreError::Record {
                path: self.records.clone(),
                cause,
            })?;
            if record.end.is_some() {
                self.index(&record, records.span())?;
                self.mark.bytes = records.span().end;
                self.mark.lines = records.lines();
                self.mark.digest = records.digest();
            }
        }
        self.write_index()
    }

    /// Rebuilds an unusable index during play: next to the records or, if that fails too, in
    /// memory. Play continues, since the records have the games.
    fn start_over(&mut self, why: &StoreError) -> Result<(), StoreError> {
        let beside = index_path(&self.records);
        self.remade += 1;
        let notice = format!("{why}; it was rebuilt from the records");
        // Closes the old index.
        let in_memory = || Index::in_memory().map_err(|error| index_error(&beside, error));
        self.index = in_memory()?;
        if self.remade == 1
            && remove_index(&beside).is_ok()
            && let Ok((index, _)) = Index::open(&beside)
        {
            self.index = index;
        }
        self.notices.push(notice);
        self.mark = Mark::default();
        match self.catch_up() {
            Err(error) if error.is_of_index() && self.remade == 1 => self.start_over(&error),
            other => other,
        }
    }

    /// Messages about the index, such as that it was rebuilt.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Adds a finished game: appends its record, then indexes it. Returns its summary; `None`,
    /// without adding, if the game is stored already or has no end. Visible to other processes
    /// after [`commit`](Self::commit).
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
        let place = start..journal.end();
        if self.mark.bytes < start {
            let gap = self.mark.pass_over(&self.records, start);
            gap.map_err(|cause| file_error(&self.records, cause))?;
        }
        let mut hash = crc32fast::Hasher::new_with_initial(self.mark.digest);
        hash.update(journal.last());
        self.mark.digest = hash.finalize();
        self.mark.lines += record.events.len() as u64 + 2;
        self.mark.bytes = place.end;
        match self.index(record, place) {
            Err(error) if error.is_of_index() => {
                self.start_over(&error)?;
                self.game(number)
            }
            other => other,
        }
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

    /// Makes all added games durable and visible. Costs a few hundred microseconds, so call it
    /// every few hundred games or tenths of a second.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        if let Some(journal) = &self.journal {
            journal
                .sync()
                .map_err(|cause| file_error(&self.records, cause))?;
        }
        match self.write_index() {
            Err(error) if error.is_of_index() && self.journal.is_some() => self.start_over(&error),
            other => other,
        }
    }

    fn write_index(&mut self) -> Result<(), StoreError> {
        self.index
            .commit(&mut self.mark)
            .map_err(index(&self.records))
    }

    /// Whether it was opened read-only.
    pub fn is_looked_at(&self) -> bool {
        self.journal.is_none()
    }

    /// The file of records.
    pub fn records(&self) -> &Path {
        &self.records
    }

    /// Number of games.
    pub fn games(&self) -> Result<u64, StoreError> {
        self.index.games().map_err(index(&self.records))
    }

    /// Whether the game with this number is stored. O(log games).
    pub fn has(&self, number: u64) -> Result<bool, StoreError> {
        self.index.has(number).map_err(index(&self.records))
    }

    /// The smallest number without a game, where a schedule resumes. O(1) plus the games added
    /// since the last call.
    pub fn first_open(&mut self) -> Result<u64, StoreError> {
        self.index
            .advance(&mut self.mark)
            .map_err(index(&self.records))?;
        Ok(self.mark.low)
    }

    /// Up to `most` numbers of stored games, from this one on, in order.
    pub fn numbers(&self, from: u64, most: usize) -> Result<Vec<u64>, StoreError> {
        self.index.numbers(from, most).map_err(index(&self.records))
    }

    /// The game with this number.
    pub fn game(&self, number: u64) -> Result<Option<GameSummary>, StoreError> {
        let mut found = None;
        let filter = Filter {
            number: Some(number),
            ..Filter::default()
        };
        self.each(&filter, |game| found = Some(game))?;
        Ok(found)
    }

    /// Calls `visit` with every game that matches the filter, in order of number. Holds one game at
    /// a time.
    pub fn each(&self, filter: &Filter, visit: impl FnMut(GameSummary)) -> Result<(), StoreError> {
        let each = self.index.each(filter, visit);
        each.map_err(|error| index_error(&index_path(&self.records), error))
    }

    /// The entrants so far, by the numbers that [`SeatResult::entrant`] uses.
    pub fn entrants(&self) -> &[Entrant] {
        self.index.entrants()
    }

    /// Seats per game, once a game is stored.
    pub fn table(&self) -> Option<usize> {
        self.index.table()
    }

    /// The name of the game, once a record exists.
    pub fn played(&self) -> Option<&str> {
        self.index.played()
    }

    /// The record of a game, read from the file.
    pub fn record(&self, game: &GameSummary) -> Result<Option<Record>, StoreError> {
        let file = |cause| file_error(&self.records, cause);
        let mut records = if is_archive(&self.records) {
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
        // Uncommitted games are indexed again the next time.
        if self.journal.is_some() {
            let _ = self.commit();
        }
    }
}

/// The index of a file of records: next to it, with the extension `.sqlite`. The ladder of a league
/// has `index.sqlite`.
pub fn index_path(records: &Path) -> PathBuf {
    let is_ladder = records
        .file_name()
        .is_some_and(|name| name == "ladder.jsonl");
    match is_ladder && records.with_file_name("league.toml").is_file() {
        true => records.with_file_name("index.sqlite"),
        false => records.with_extension("sqlite"),
    }
}

/// The reason why an index could not be brought up to date.
enum CatchUp {
    Index(IndexError),
    Store(StoreError),
}

/// Removes an index with all its files.
pub(crate) fn remove_index(beside: &Path) -> Result<(), StoreError> {
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
    Ok(())
}

fn index(records: &Path) -> impl FnOnce(rusqlite::Error) -> StoreError {
    let path = index_path(records);
    move |cause| StoreError::Index { path, cause }
}

/// Locks a file, created if necessary; `None` if another process holds the lock.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().append(true).create(true).open(path)?;
    #[cfg(unix)]
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    // The former holder may have replaced the file.
    let is_there = file_id(&file.metadata()?) == id_of(path);
    Ok(is_there.then_some(file))
}
