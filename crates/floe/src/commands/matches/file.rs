//! The file of a match: a new one, one with other matches, or this match's own.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use floe_arena::journal::{RecordWriter, read_file};
use floe_arena::runner::Runner;
use floe_arena::schedule::{Pairing, Schedule};
use floe_arena::store::{Store, number};
use floe_games::record::{Opening, Record};

use crate::file_kind::expect_records;
use crate::quoting::shown;
use crate::standing::count;

/// The treatment of a file that has games already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AppendMode {
    /// Refuse a file that has games already.
    Nothing,
    /// Add a new match after the existing games.
    Others,
    /// Resume the match whose first game has this ID.
    Itself(u64),
}

/// A file of records that no other process writes to.
pub(super) struct MatchFile {
    pub(super) path: PathBuf,
    journal: RecordWriter,
    _lock: File,
    /// The number of the match's first game.
    pub(super) first: u64,
    /// The match's stored games, by number.
    pub(super) played: BTreeMap<u64, Record>,
}

impl MatchFile {
    /// Opens the file, checks that the match fits its contents, and cuts off half a line left by a
    /// killed process.
    pub(super) fn open(
        path: &Path,
        onto: AppendMode,
        runner: &Runner,
        schedule: &Schedule,
    ) -> Result<MatchFile> {
        let cannot = || format!("cannot write {}", path.display());
        let is_new = !path.exists();
        if !is_new {
            expect_records(path)?;
        }
        if path.extension().is_some_and(|end| end == "zst") {
            bail!("{}: games cannot be added to an archive", path.display());
        }
        if let (true, AppendMode::Itself(_)) = (is_new, onto) {
            bail!(
                "there is no {} to resume; leave out --resume to start a match",
                path.display()
            );
        }
        let lock = Store::hold(path).with_context(cannot)?;
        let known = read(path, matches!(onto, AppendMode::Itself(_)))?;
        let seats = runner.entrants.len() as u64;
        let mut played = BTreeMap::new();
        let first = match onto {
            AppendMode::Nothing => match known.len() as u64 {
                0 => 0,
                many => bail!(
                    "{} has {} already\n  = --append adds this match after them, --resume resumes it, another name keeps them apart",
                    path.display(),
                    count(many, "game")
                ),
            },
            AppendMode::Others => {
                if let Some(other) = known.values().next() {
                    is_of_one_kind(path, &other.opening, runner)?;
                }
                let last = known.last_key_value().map_or(0, |(last, _)| last + 1);
                last.next_multiple_of(seats)
            }
            AppendMode::Itself(id) => {
                let first = id - 1;
                if !first.is_multiple_of(seats) {
                    bail!("--resume={id}: no match of {seats} seats begins with that game");
                }
                played = known;
                played.retain(|number, _| *number >= first);
                for (&number, record) in &played {
                    let id = &record.opening.id;
                    let pairing = schedule.pairing(number - first);
                    let pairing = pairing.map(|pairing| shifted(pairing, first, seats));
                    let why = match pairing {
                        Some(pairing) => {
                            difference(&record.opening, &runner.job(&pairing)?.opening)
                        }
                        None => Some("it has more boards"),
                    };
                    if let Some(why) = why {
                        bail!(
                            "{}: game {id} is of another match: {why}\n  = only the same arguments resume a \
                             match; --append adds another one after it",
                            path.display()
                        );
                    }
                }
                first
            }
        };
        Ok(MatchFile {
            path: path.to_owned(),
            journal: RecordWriter::open(path).with_context(cannot)?,
            _lock: lock,
            first,
            played,
        })
    }

    /// Appends a game.
    pub(super) fn append(&mut self, record: &Record) -> std::io::Result<()> {
        self.journal.append(record)
    }

    /// Waits until everything is on the disk. Removes an empty file.
    pub(super) fn finish(self) -> Result<()> {
        self.journal.sync()?;
        if self.journal.end() == 0 {
            fs::remove_file(&self.path)?;
        }
        Ok(())
    }
}

/// A pairing with its number and unit in a file in which the match begins later.
pub(super) fn shifted(mut pairing: Pairing, first: u64, seats: u64) -> Pairing {
    pairing.number += first;
    pairing.unit += first / seats;
    pairing
}

/// The finished games of a file, by number; of repeated ones the first. Without moves unless they
/// are needed.
fn read(path: &Path, with_moves: bool) -> Result<BTreeMap<u64, Record>> {
    let mut known = BTreeMap::new();
    for record in read_file(path).with_context(|| shown(path))? {
        let mut record = record.map_err(|error| anyhow::anyhow!("{}:{error}", path.display()))?;
        if record.end.is_some() {
            let number = number(&record.opening.id).with_context(|| shown(path))?;
            if !with_moves {
                record.events.clear();
            }
            known.entry(number).or_insert(record);
        }
    }
    Ok(known)
}

/// Checks that games of this runner may share a file with this game.
fn is_of_one_kind(path: &Path, there: &Opening, runner: &Runner) -> Result<()> {
    let (game, seats) = (runner.boards.game().name(), runner.entrants.len());
    if there.game != game || there.seats.len() != seats {
        bail!(
            "{} has games of {} for {}; a file holds one game for one number of seats",
            path.display(),
            there.game,
            there.seats.len()
        );
    }
    Ok(())
}

/// The difference between a game and the one that would be played in its place.
fn difference(was: &Opening, would_be: &Opening) -> Option<&'static str> {
    if was.game != would_be.game {
        Some("it is another game")
    } else if was.seats != would_be.seats {
        Some("it has other players, or their programs have changed")
    } else if was.limits != would_be.limits || was.own_limits != would_be.own_limits {
        Some("it has other limits")
    } else if was.start != would_be.start {
        Some("it is on another board")
    } else {
        None
    }
}
