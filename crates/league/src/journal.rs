//! The journal of a league: one line of JSON per event, each with a check.
//!
//! It is appended to and never changed. An acknowledged event is on the disk; half a line at its
//! end, left by a kill, was never acknowledged and is cut off. Several processes may append: each
//! takes a lock, reads what the others wrote, and adds its own.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::event::Entry;

/// The text between the last checked byte and the check.
const BEFORE_CHECK: &[u8] = b",\"check\":\"";
/// The text after the check, with the end of the line.
const AFTER_CHECK: &[u8] = b"\"}\n";
/// Digits of a check.
const DIGITS: usize = 8;

/// The reason why a journal cannot be read or written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The system refuses.
    #[error("{}: {cause}", path.display())]
    File {
        /// The journal.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// A line was changed after it was written, or is not a line of a journal.
    #[error(
        "{}:{line}:1: this line is damaged ({cause}); take the journal from a backup, or cut it \
         off before this line if what follows may be lost",
        path.display()
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The error.
        cause: String,
    },
}

/// An entry, and its place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedEntry {
    /// The first byte of the entry's line.
    pub place: u64,
    /// The event.
    pub entry: Entry,
}

/// A journal, open for appending.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes read.
    end: u64,
    /// Lines read.
    lines: u64,
}

impl Journal {
    /// Opens or creates a journal. Nothing is read before [`catch_up`](Journal::catch_up).
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = options.open(path).map_err(|cause| JournalError::File {
            path: path.to_owned(),
            cause,
        })?;
        Ok(Journal {
            path: path.to_owned(),
            file,
            end: 0,
            lines: 0,
        })
    }

    fn fail(&self, cause: io::Error) -> JournalError {
        JournalError::File {
            path: self.path.clone(),
            cause,
        }
    }

    /// The entries that any process appended since the last call. An incomplete last line is
    /// skipped: a process may be writing it.
    pub fn catch_up(&mut self) -> Result<Vec<PlacedEntry>, JournalError> {
        let length = self.file.metadata().map_err(|e| self.fail(e))?.len();
        if length == self.end {
            return Ok(Vec::new());
        }
        (self.file.seek(SeekFrom::Start(self.end))).map_err(|e| self.fail(e))?;
        let mut from = BufReader::new(self.file.try_clone().map_err(|e| self.fail(e))?);
        let mut found = Vec::new();
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = from.read_until(b'\n', &mut line);
            read.map_err(|e| self.fail(e))?;
            if line.pop_if(|byte| *byte == b'\n').is_none() {
                return Ok(found);
            }
            let entry = read_line(&line).map_err(|cause| JournalError::Damaged {
                path: self.path.clone(),
                line: self.lines + 1,
                cause,
            })?;
            found.push(PlacedEntry {
                place: self.end,
                entry,
            });
            self.end += line.len() as u64 + 1;
            self.lines += 1;
        }
    }

    /// Appends the events that `decide` returns, given everything that happened before, and returns
    /// once they are on the disk. No other process can append in between. `decide` receives the new
    /// entries.
    pub fn append<E: From<JournalError>>(
        &mut self,
        decide: impl FnOnce(Vec<PlacedEntry>) -> Result<Vec<Entry>, E>,
    ) -> Result<Vec<PlacedEntry>, E> {
        self.file.lock().map_err(|e| self.fail(e))?;
        let appended = self.append_locked(decide);
        let unlocked = self.file.unlock().map_err(|e| self.fail(e));
        let appended = appended?;
        unlocked?;
        Ok(appended)
    }

    fn append_locked<E: From<JournalError>>(
        &mut self,
        decide: impl FnOnce(Vec<PlacedEntry>) -> Result<Vec<Entry>, E>,
    ) -> Result<Vec<PlacedEntry>, E> {
        let news = self.catch_up()?;
        // The rest has no newline, and no process is still writing it.
        let length = self.file.metadata().map_err(|e| self.fail(e))?.len();
        if length > self.end {
            self.file.set_len(self.end).map_err(|e| self.fail(e))?;
        }
        let entries = decide(news)?;
        let mut bytes = Vec::new();
        let mut appended = Vec::with_capacity(entries.len());
        for entry in entries {
            let place = self.end + bytes.len() as u64;
            write_line(&entry, &mut bytes).map_err(|e| self.fail(e))?;
            appended.push(PlacedEntry { place, entry });
        }
        let written = self.file.write_all(&bytes);
        let written = written.and_then(|()| self.file.sync_data());
        if let Err(cause) = written {
            // A full disk may have taken part of the entry, which is cut off again.
            let _ = self.file.set_len(self.end);
            return Err(self.fail(cause).into());
        }
        self.end += bytes.len() as u64;
        self.lines += appended.len() as u64;
        Ok(appended)
    }

    /// The entry at a place.
    pub fn read_at(&self, place: u64) -> Result<Entry, JournalError> {
        let read = || -> io::Result<Vec<u8>> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(place))?;
            let mut line = Vec::new();
            BufReader::new(file.take(self.end.saturating_sub(place)))
                .read_until(b'\n', &mut line)?;
            line.pop();
            Ok(line)
        };
        let line = read().map_err(|e| self.fail(e))?;
        read_line(&line).map_err(|cause| self.fail(io::Error::other(cause)))
    }

    /// Bytes known.
    pub fn end(&self) -> u64 {
        self.end
    }
}

fn write_line(entry: &Entry, to: &mut Vec<u8>) -> io::Result<()> {
    let start = to.len();
    serde_json::to_writer(&mut *to, entry)?;
    // The closing brace comes after the check sum.
    to.pop();
    let check = crc32fast::hash(&to[start..]);
    to.extend_from_slice(BEFORE_CHECK);
    to.extend_from_slice(format!("{check:0DIGITS$x}").as_bytes());
    to.extend_from_slice(AFTER_CHECK);
    Ok(())
}

fn read_line(line: &[u8]) -> Result<Entry, String> {
    let end = AFTER_CHECK.strip_suffix(b"\n").unwrap_or(AFTER_CHECK);
    let parts = line.strip_suffix(end).and_then(|rest| {
        let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
        let body = rest.strip_suffix(BEFORE_CHECK)?;
        let digits = std::str::from_utf8(digits).ok()?;
        Some((body, u32::from_str_radix(digits, 16).ok()?))
    });
    let (body, check) = parts.ok_or("it has no check sum at its end")?;
    if crc32fast::hash(body) != check {
        return Err("it does not match its check sum".to_owned());
    }
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Activity, Event};

    fn entry(at: u64) -> Entry {
        Entry {
            at,
            event: Event::Paused {
                what: Activity::Ladder,
            },
        }
    }

    fn add(journal: &mut Journal, at: u64) -> Vec<PlacedEntry> {
        let appended = journal.append(|_| Ok::<_, JournalError>(vec![entry(at)]));
        appended.unwrap()
    }

    fn times(entries: &[PlacedEntry]) -> Vec<u64> {
        entries.iter().map(|placed| placed.entry.at).collect()
    }

    #[test]
    fn what_is_appended_is_read_by_everybody_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut one = Journal::open(&path).unwrap();
        let mut other = Journal::open(&path).unwrap();
        add(&mut one, 1);
        let mut news = Vec::new();
        other
            .append(|found| {
                news = found;
                Ok::<_, JournalError>(vec![entry(2)])
            })
            .unwrap();
        assert_eq!(times(&news), [1]);
        let late = one.catch_up().unwrap();
        assert_eq!(times(&late), [2]);
        assert_eq!(one.catch_up().unwrap(), []);
        assert_eq!(one.read_at(late[0].place).unwrap(), entry(2));
    }

    #[test]
    fn half_a_line_is_cut_off_wherever_it_was_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::open(&path).unwrap();
        add(&mut journal, 1);
        let whole = journal.end() as usize;
        add(&mut journal, 2);
        let bytes = std::fs::read(&path).unwrap();
        for torn in whole..bytes.len() {
            std::fs::write(&path, &bytes[..torn]).unwrap();
            let mut journal = Journal::open(&path).unwrap();
            assert_eq!(times(&journal.catch_up().unwrap()), [1], "{torn}");
            add(&mut journal, 3);
            let mut again = Journal::open(&path).unwrap();
            assert_eq!(times(&again.catch_up().unwrap()), [1, 3], "{torn}");
        }
    }

    #[test]
    fn a_changed_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::open(&path).unwrap();
        add(&mut journal, 1);
        add(&mut journal, 2);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"at\":2", "\"at\":3")).unwrap();
        let mut journal = Journal::open(&path).unwrap();
        let error = journal.catch_up().unwrap_err().to_string();
        assert!(
            error.contains("journal.jsonl:2:1: this line is damaged"),
            "{error}"
        );
    }
}
