use std::collections::HashSet;
use std::path::Path;

use super::missing::Numbers;
use super::repair::aside_path;

use super::error::{IndexError, file_error, index_error};
use super::index::Index;
use super::{Filter, GameSummary, StoreError, index_path, is_archive, number};
use crate::journal::read_file;
use floe_games::record::Record;

/// The result of replaying a file of records: see [`verify`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Games with an end.
    pub games: u64,
    /// Games without an end, which count nowhere.
    pub interrupted: u64,
    /// Repeated games, which count once.
    pub repeated: u64,
    /// Number of indexed games; `None` without an index.
    pub indexed: Option<u64>,
    /// The errors, with the file and the line.
    pub problems: Vec<String>,
}

/// Replays every record of a file by the rules, and compares the results with the index next to it,
/// if there is one. Reports all errors; fails only if a file cannot be read at all. `watch`
/// receives the number of bytes done.
pub fn verify(records: &Path, mut watch: impl FnMut(u64)) -> Result<Verified, StoreError> {
    let beside = index_path(records);
    let mut verified = Verified::default();
    let mut index = None;
    if beside.exists() && !is_archive(records) && beside != records {
        match Index::open_existing(&beside) {
            Ok((open, _)) => index = Some(open),
            Err(error) if error.is_damage() => {
                let beside = beside.display();
                verified.problems.push(format!(
                    "{beside}: the index is damaged; the next command that reads the games rebuilds it"
                ));
            }
            // The index has another version and is useless, or its folder is read-only.
            Err(error) if error.is_refusal() || matches!(error, IndexError::Version) => {}
            Err(error) => return Err(index_error(&beside, error)),
        }
    }
    // Read the index before the records, which then contain at least the indexed games.
    let mut indexed: HashSet<u64> = HashSet::new();
    if let Some(index) = &index {
        let each = index.each(&Filter::default(), |game| {
            indexed.insert(game.number);
        });
        each.map_err(|cause| index_error(&beside, cause))?;
        verified.indexed = Some(indexed.len() as u64);
    }
    let mut seen = Numbers::default();
    for number in damaged_numbers(records) {
        seen.add_damaged(number);
    }
    let read = read_file(records).map_err(|cause| file_error(records, cause))?;
    let mut read = read.keep_going();
    while let Some(record) = read.next() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let problem = format!("{}:{error}", records.display());
                verified.problems.push(problem);
                if let Some(number) = read.broken().and_then(|id| number(id).ok()) {
                    seen.add_damaged(number);
                }
                continue;
            }
        };
        watch(read.span().end);
        if let Err(mismatch) = record.verify() {
            let line = read.first_line() + mismatch.line as u64;
            let problem = format!("{}:{line}: {mismatch}", records.display());
            verified.problems.push(problem);
        }
        if record.end.is_none() {
            verified.interrupted += 1;
            continue;
        }
        verified.games += 1;
        // Games of `floe play` have no number and are in no index.
        let Ok(number) = number(&record.opening.id) else {
            continue;
        };
        if !seen.add(number, &record.opening) {
            verified.repeated += 1;
            continue;
        }
        if let Some(index) = &index {
            match compare(index, &record, GameSummary::of(&record, read.span())?) {
                Ok(()) => {}
                Err(Difference::Row(problem)) => {
                    let problem = format!("{}: {problem}", beside.display());
                    verified.problems.push(problem);
                }
                Err(Difference::Index(cause)) => return Err(index_error(&beside, cause)),
            }
        }
    }
    if let Some(missing) = seen.missing(&indexed) {
        let problem = format!("{}: {missing}", records.display());
        verified.problems.push(problem);
    }
    Ok(verified)
}

/// The numbers of games moved out as damaged, which are missing for a reason: see
/// [`repair`](super::repair()).
fn damaged_numbers(records: &Path) -> Vec<u64> {
    let Ok(mut read) = read_file(&aside_path(records)) else {
        return Vec::new();
    };
    read = read.keep_going();
    let mut numbers = Vec::new();
    while let Some(record) = read.next() {
        let id = match &record {
            Ok(record) => Some(&*record.opening.id),
            Err(_) => read.broken(),
        };
        numbers.extend(id.and_then(|id| number(id).ok()));
    }
    numbers
}

enum Difference {
    Row(String),
    Index(IndexError),
}

/// Checks that the index has the right data of the game, if it has the game at all.
fn compare(index: &Index, record: &Record, mut game: GameSummary) -> Result<(), Difference> {
    let filter = Filter {
        number: Some(game.number),
        ..Filter::default()
    };
    let mut row = None;
    let each = index.each(&filter, |found| row = Some(found));
    each.map_err(Difference::Index)?;
    let Some(mut row) = row else {
        return Ok(());
    };
    // In a copy of the records, the games may have other places; the index is then rebuilt.
    row.place = game.place.clone();
    let mut is_named_alike = row.seats.len() == game.seats.len();
    for ((part, row), sitting) in game
        .seats
        .iter_mut()
        .zip(&row.seats)
        .zip(&record.opening.seats)
    {
        let name = index
            .entrants()
            .get(row.entrant)
            .map(|entrant| &entrant.name);
        is_named_alike &= name == Some(&sitting.name);
        part.entrant = row.entrant;
    }
    if is_named_alike && row == game {
        return Ok(());
    }
    Err(Difference::Row(format!(
        "game {}: the index differs from the record",
        game.id()
    )))
}
