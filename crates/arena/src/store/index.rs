use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use crc32fast::Hasher;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params, params_from_iter};

use super::error::IndexError;
use super::file_id::{FileId, id_of};
use super::index_row::{COLUMNS, overload, reason, reason_word, row_check, seat_result};
use super::mark::Mark;
use super::{Filter, GameSummary, StoreError};
use floe_games::record::{Entrant, Record};

/// A store of another version is rebuilt.
const VERSION: i64 = 7;
/// Memory of the index, in KiB. Games come about in the order of their numbers, so most of the index is
/// not touched again, and what is read as a whole is read once.
const CACHE: u32 = 1024;
/// Time to wait for other processes that have the index open.
const PATIENCE: Duration = Duration::from_secs(3);

const SCHEMA: &str = "
    CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE entrants (
        entrant INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, seat TEXT NOT NULL, sha256 TEXT
    );
    CREATE TABLE games (
        number INTEGER PRIMARY KEY, reason TEXT NOT NULL, began INTEGER NOT NULL,
        start_byte INTEGER NOT NULL, end_byte INTEGER NOT NULL, row_check INTEGER NOT NULL,
        fingerprint INTEGER NOT NULL, pressure INTEGER, steal INTEGER
    );
    CREATE TABLE seats (
        number INTEGER NOT NULL, seat INTEGER NOT NULL, entrant INTEGER NOT NULL,
        score INTEGER NOT NULL, place INTEGER NOT NULL, moves INTEGER NOT NULL,
        wall_us INTEGER NOT NULL, slowest_us INTEGER NOT NULL, peak_kib INTEGER NOT NULL,
        strikes INTEGER NOT NULL, fault TEXT, message TEXT, times BLOB NOT NULL,
        PRIMARY KEY (number, seat)
    ) WITHOUT ROWID;
    CREATE INDEX games_by_place ON games (start_byte);
    CREATE INDEX games_of_entrants ON seats (entrant, number);
    CREATE INDEX faults_of_entrants ON seats (entrant, number, fault) WHERE fault IS NOT NULL;
    CREATE INDEX faults ON seats (number, fault) WHERE fault IS NOT NULL;
";

/// Games and their seats in SQLite.
///
/// SQLite notices when its pages do not fit together, not when a number in them has changed. So
/// each game has a check of its row, and the whole has one of everything else; the records are the
/// truth, so what does not fit is thrown away and made again.
#[derive(Debug)]
pub(super) struct Index {
    db: Connection,
    /// The file's identity; `None` if the index is in memory.
    file: Option<FileId>,
    entrants: Vec<Entrant>,
    numbers: HashMap<String, usize>,
    table: Option<usize>,
    played: Option<String>,
    /// Number of games, and the sum of their rows' check sums.
    count: u64,
    /// Small enough for SQLite: a check has 32 bits.
    sum: u64,
    /// Whether there are uncommitted writes.
    in_transaction: bool,
}

fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn make_tables(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(&format!(
        "BEGIN;{SCHEMA}PRAGMA user_version = {VERSION};COMMIT;"
    ))
}

impl Index {
    pub(super) fn in_memory() -> Result<Index, IndexError> {
        let db = Connection::open_in_memory()?;
        make_tables(&db)?;
        Ok(Index::read(db)?.0)
    }

    /// Opens or creates the index of records that no other process writes to. Reads all of it:
    /// about a microsecond per game.
    pub(super) fn open(path: &Path) -> Result<(Index, Mark), IndexError> {
        let db = Connection::open(path)?;
        db.busy_timeout(PATIENCE)?;
        // Readers see committed data during writes. If a failing machine loses part of the index,
        // it is rebuilt from the records, so the index need not wait for the disk.
        db.pragma_update(None, "journal_mode", "wal")?;
        db.pragma_update(None, "synchronous", "off")?;
        if version(&db)? == 0 {
            make_tables(&db)?;
        }
        let (mut index, mark) = Index::read(db)?;
        index.file = Some(id_of(path));
        Ok((index, mark))
    }

    /// Opens an index that another process may be writing to, without changes. An unfinished index
    /// is refused like one of another version.
    pub(super) fn open_existing(path: &Path) -> Result<(Index, Mark), IndexError> {
        // Before opening, so that a replaced file is noticed.
        let file = id_of(path);
        let flags = OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE;
        let db = Connection::open_with_flags(path, flags)?;
        db.busy_timeout(PATIENCE)?;
        db.pragma_update(None, "synchronous", "off")?;
        let (mut index, mark) = Index::read(db)?;
        index.file = Some(file);
        Ok((index, mark))
    }

    fn read(db: Connection) -> Result<(Index, Mark), IndexError> {
        db.pragma_update(None, "cache_size", -i64::from(CACHE))?;
        if version(&db)? != VERSION {
            return Err(IndexError::Version);
        }
        // All reads see one moment, even during writes.
        db.execute_batch("BEGIN")?;
        let mut index = Index {
            db,
            file: None,
            entrants: Vec::new(),
            numbers: HashMap::new(),
            table: None,
            played: None,
            count: 0,
            sum: 0,
            in_transaction: false,
        };
        let mark = index.read_head()?;
        let (mut count, mut sum) = (0, 0u64);
        index.each(&Filter::default(), |game| {
            count += 1;
            sum = sum.wrapping_add(u64::from(row_check(&game)));
        })?;
        (index.count, index.sum) = (count, sum);
        let check: Option<u32> = index.fact("check")?;
        let is_new = check.is_none() && index.games()? == 0 && mark == Mark::default();
        if !is_new && (check != Some(index.check(&mark)) || index.games()? != count) {
            return Err(IndexError::Damaged);
        }
        index.db.execute_batch("COMMIT")?;
        Ok((index, mark))
    }

    /// The file's identity; `None` if the index is in memory.
    pub(super) fn file(&self) -> Option<FileId> {
        self.file
    }

    /// Reads everything but the games.
    fn read_head(&mut self) -> Result<Mark, IndexError> {
        let mark = Mark {
            bytes: self.fact("bytes")?.unwrap_or(0),
            lines: self.fact("lines")?.unwrap_or(0),
            digest: self.fact("digest")?.unwrap_or(0),
            low: 0,
        };
        self.table = self.fact::<u64>("table")?.map(|table| table as usize);
        self.played = self.fact("game")?;
        let query = "SELECT name, seat, sha256 FROM entrants ORDER BY entrant";
        let mut query = self.db.prepare_cached(query)?;
        let entrants = query.query_map([], |row| {
            Ok(Entrant {
                name: row.get(0)?,
                seat: row.get(1)?,
                sha256: row.get(2)?,
            })
        })?;
        self.entrants = entrants.collect::<rusqlite::Result<_>>()?;
        let names = self.entrants.iter().map(|entrant| entrant.name.clone());
        self.numbers = names.zip(0..).collect();
        Ok(mark)
    }

    /// Reads other processes' changes, and returns the games whose records begin at or after this
    /// byte. Earlier rows are checked by their number and sum. Everything is read from one
    /// snapshot.
    pub(super) fn refresh(
        &mut self,
        from_byte: u64,
        visit: impl FnMut(GameSummary),
    ) -> Result<Mark, IndexError> {
        self.db.execute_batch("BEGIN")?;
        let mark = self.read_news(from_byte, visit);
        self.db.execute_batch("COMMIT")?;
        mark
    }

    fn read_news(
        &mut self,
        from_byte: u64,
        visit: impl FnMut(GameSummary),
    ) -> Result<Mark, IndexError> {
        let mark = self.read_head()?;
        self.count = self.fact("count")?.unwrap_or(0);
        self.sum = self.fact("sum")?.unwrap_or(0);
        let check: Option<u32> = self.fact("check")?;
        if check.is_some_and(|check| check != self.check(&mark)) {
            return Err(IndexError::Damaged);
        }
        self.each_from(from_byte, visit)?;
        Ok(mark)
    }

    /// A number that changes whenever another process changes the index.
    pub(super) fn revision(&self) -> rusqlite::Result<u64> {
        self.db
            .pragma_query_value(None, "data_version", |row| row.get(0))
    }

    /// The check sum of everything but the rows of games, of which it includes the number and the
    /// sum.
    fn check(&self, mark: &Mark) -> u32 {
        let mut hash = Hasher::new();
        let table = self.table.unwrap_or(0) as u64;
        for number in [
            mark.bytes,
            mark.lines,
            mark.digest.into(),
            table,
            self.count,
            self.sum,
        ] {
            hash.update(&number.to_le_bytes());
        }
        let mut word = |word: &str| {
            hash.update(word.as_bytes());
            hash.update(&[0]);
        };
        word(self.played.as_deref().unwrap_or_default());
        for entrant in &self.entrants {
            word(&entrant.name);
            word(&entrant.seat);
            word(entrant.sha256.as_deref().unwrap_or_default());
        }
        hash.finalize()
    }

    fn fact<T: rusqlite::types::FromSql>(&self, name: &str) -> rusqlite::Result<Option<T>> {
        let mut query = self
            .db
            .prepare_cached("SELECT value FROM facts WHERE name = ?")?;
        query.query_row([name], |row| row.get(0)).optional()
    }

    fn set_fact(&self, name: &str, value: impl rusqlite::ToSql) -> rusqlite::Result<()> {
        let statement = "INSERT OR REPLACE INTO facts VALUES (?, ?)";
        self.db
            .prepare_cached(statement)?
            .execute(params![name, value])?;
        Ok(())
    }

    fn begin(&mut self) -> rusqlite::Result<()> {
        if !self.in_transaction {
            self.db.execute_batch("BEGIN")?;
            self.in_transaction = true;
        }
        Ok(())
    }

    pub(super) fn commit(&mut self, mark: &mut Mark) -> rusqlite::Result<()> {
        self.begin()?;
        self.advance(mark)?;
        self.set_fact("bytes", mark.bytes)?;
        self.set_fact("lines", mark.lines)?;
        self.set_fact("digest", mark.digest)?;
        self.set_fact("count", self.count)?;
        self.set_fact("sum", self.sum)?;
        self.set_fact("check", self.check(mark))?;
        self.db.execute_batch("COMMIT")?;
        self.in_transaction = false;
        Ok(())
    }

    /// Moves the low mark to the first missing number.
    pub(super) fn advance(&self, mark: &mut Mark) -> rusqlite::Result<()> {
        const STEP: usize = 4096;
        loop {
            let numbers = self.numbers(mark.low, STEP)?;
            let whole = numbers
                .iter()
                .zip(mark.low..)
                .take_while(|(is, should)| **is == *should);
            let whole = whole.count();
            mark.low += whole as u64;
            if whole < STEP {
                return Ok(());
            }
        }
    }

    /// Checks that a record belongs to the same contest as earlier records.
    pub(super) fn belongs(&self, record: &Record) -> Result<(), StoreError> {
        let cause = if self
            .table
            .is_some_and(|table| table != record.opening.seats.len())
        {
            format!("it has {} seats", record.opening.seats.len())
        } else if self
            .played
            .as_ref()
            .is_some_and(|game| *game != record.opening.game)
        {
            format!("it is a game of {}", record.opening.game)
        } else {
            return Ok(());
        };
        let id = record.opening.id.clone();
        Err(StoreError::Foreign { id, cause })
    }

    /// Adds a game, and numbers its entrants; returns whether it was new.
    pub(super) fn add(
        &mut self,
        game: &mut GameSummary,
        record: &Record,
    ) -> rusqlite::Result<bool> {
        self.begin()?;
        if self.table.is_none() {
            let table = game.seats.len();
            self.set_fact("table", table as u64)?;
            self.set_fact("game", &record.opening.game)?;
            self.table = Some(table);
            self.played = Some(record.opening.game.clone());
        }
        let number = game.number;
        if self.has(number)? {
            return Ok(false);
        }
        let played = game.seats.iter_mut().zip(&record.opening.seats);
        for (part, entrant) in played {
            part.entrant = self.entrant(entrant)?;
        }
        let statement = "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
        let reason = reason_word(game.reason);
        let check = row_check(game);
        self.db.prepare_cached(statement)?.execute(params![
            number,
            reason,
            game.began,
            game.place.start,
            game.place.end,
            check,
            game.fingerprint.cast_signed(),
            game.overload.map(|overload| overload.pressure_percent),
            game.overload.map(|overload| overload.steal_percent),
        ])?;
        self.count += 1;
        self.sum = self.sum.wrapping_add(u64::from(check));
        for (seat, part) in game.seats.iter().enumerate() {
            let statement = "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
            self.db.prepare_cached(statement)?.execute(params![
                number,
                seat as u64,
                part.entrant as u64,
                part.score,
                part.place,
                part.moves,
                part.wall_us,
                part.slowest_us,
                part.peak_kib,
                part.strikes,
                part.fault.as_ref().map(|(kind, _)| kind.name()),
                part.fault.as_ref().map(|(_, message)| message),
                part.times.packed(),
            ])?;
        }
        Ok(true)
    }

    /// The number of an entrant, added or updated if needed.
    fn entrant(&mut self, entrant: &Entrant) -> rusqlite::Result<usize> {
        let number = match self.numbers.get(&entrant.name) {
            Some(&number) if self.entrants[number] == *entrant => return Ok(number),
            Some(&number) => number,
            None => {
                let number = self.entrants.len();
                self.numbers.insert(entrant.name.clone(), number);
                self.entrants.push(entrant.clone());
                number
            }
        };
        let statement = "INSERT OR REPLACE INTO entrants VALUES (?, ?, ?, ?)";
        let mut statement = self.db.prepare_cached(statement)?;
        statement.execute(params![
            number as u64,
            entrant.name,
            entrant.seat,
            entrant.sha256
        ])?;
        drop(statement);
        self.entrants[number].clone_from(entrant);
        Ok(number)
    }

    pub(super) fn games(&self) -> rusqlite::Result<u64> {
        let mut query = self.db.prepare_cached("SELECT count(*) FROM games")?;
        query.query_row([], |row| row.get(0))
    }

    pub(super) fn has(&self, number: u64) -> rusqlite::Result<bool> {
        self.db
            .prepare_cached("SELECT 1 FROM games WHERE number = ?")?
            .exists([number])
    }

    pub(super) fn numbers(&self, from: u64, most: usize) -> rusqlite::Result<Vec<u64>> {
        let query = "SELECT number FROM games WHERE number >= ? ORDER BY number LIMIT ?";
        let mut query = self.db.prepare_cached(query)?;
        let numbers = query.query_map([from, most as u64], |row| row.get(0))?;
        numbers.collect()
    }

    pub(super) fn each(
        &self,
        filter: &Filter,
        mut visit: impl FnMut(GameSummary),
    ) -> Result<(), IndexError> {
        let (condition, values) = match filter.query(self.table.unwrap_or(2)) {
            Some((query, values)) => (format!("WHERE g.number IN ({query})"), values),
            None => (String::new(), Vec::new()),
        };
        self.each_where(
            &format!("{condition} ORDER BY g.number, p.seat"),
            values,
            &mut visit,
        )
    }

    /// The games whose records begin at this byte or later, in the order of their records.
    pub(super) fn each_from(
        &self,
        byte: u64,
        mut visit: impl FnMut(GameSummary),
    ) -> Result<(), IndexError> {
        let condition = "WHERE g.start_byte >= ? ORDER BY g.start_byte, p.seat";
        let byte = i64::try_from(byte).unwrap_or(i64::MAX);
        self.each_where(condition, vec![Value::Integer(byte)], &mut visit)
    }

    fn each_where(
        &self,
        condition: &str,
        values: Vec<Value>,
        visit: &mut dyn FnMut(GameSummary),
    ) -> Result<(), IndexError> {
        let query =
            format!("SELECT {COLUMNS} FROM games g JOIN seats p USING (number) {condition}");
        let mut query = self.db.prepare_cached(&query)?;
        let mut rows = query.query(params_from_iter(values))?;
        let mut game: Option<(GameSummary, u32)> = None;
        let mut show = |(game, check): (GameSummary, u32)| match row_check(&game) == check {
            true => {
                visit(game);
                Ok(())
            }
            false => Err(IndexError::Damaged),
        };
        while let Some(row) = rows.next()? {
            let number: u64 = row.get(0)?;
            let part = seat_result(row)?;
            match &mut game {
                Some((game, _)) if game.number == number => game.seats.push(part),
                _ => {
                    let next = GameSummary {
                        number,
                        seats: vec![part],
                        reason: reason(&row.get::<_, String>(1)?),
                        began: row.get(2)?,
                        place: row.get(3)?..row.get(4)?,
                        fingerprint: row.get::<_, i64>(17)?.cast_unsigned(),
                        overload: overload(row)?,
                    };
                    if let Some(done) = game.replace((next, row.get(15)?)) {
                        show(done)?;
                    }
                }
            }
        }
        match game {
            Some(done) => show(done),
            None => Ok(()),
        }
    }

    /// SQLite's plan for a query, step by step.
    #[cfg(test)]
    pub(super) fn plan(&self, query: &str, values: Vec<Value>) -> Vec<String> {
        let query = self.db.prepare(&format!("EXPLAIN QUERY PLAN {query}"));
        let mut query = query.expect("a query");
        let steps = query.query_map(params_from_iter(values), |row| row.get(3));
        steps
            .expect("a plan")
            .map(|step| step.expect("a step"))
            .collect()
    }

    pub(super) fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    pub(super) fn table(&self) -> Option<usize> {
        self.table
    }

    pub(super) fn played(&self) -> Option<&str> {
        self.played.as_deref()
    }
}
