use std::io::{self, BufRead};
use std::ops::Range;

use crc32fast::Hasher;
use serde::Serialize;
use thiserror::Error;

use super::line::{AFTER_CHECK, BEFORE_CHECK};
use super::{Record, RecordLine, VERSION};

/// The reason why a record could not be read.
#[derive(Debug, Error, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadError {
    /// The file cannot be read.
    #[error("{0}")]
    File(
        #[from]
        #[serde(serialize_with = "as_text")]
        io::Error,
    ),
    /// A line is wrong.
    #[error("{line}:{column}: {cause}")]
    Line {
        /// The line of the file, from 1.
        line: u64,
        /// The column, from 1.
        column: usize,
        /// The error.
        cause: String,
    },
    /// A game's bytes differ from those that were written.
    #[error("{line}: game {id} is damaged: its lines do not match the check sum at its end")]
    Damaged {
        /// The line of the file in which the game starts, from 1.
        line: u64,
        /// The game's ID, as far as it is readable.
        id: String,
    },
}

/// Serialises a system error as its message.
fn as_text<S: serde::Serializer>(error: &io::Error, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

/// The records of a text, in order: see [`read()`].
#[derive(Debug)]
pub struct Records<R> {
    from: R,
    number: u64,
    /// The bytes read so far.
    at: u64,
    /// The first byte of the open record.
    begun: u64,
    span: Range<u64>,
    /// The first lines of the open record and of the last one returned.
    opened: u64,
    first: u64,
    open: Option<Record>,
    /// Whether the last line was the end of a game.
    has_ended: bool,
    failed: bool,
    /// Whether to continue after an unreadable part, and whether the reader is skipping to the next
    /// `game` line.
    keeps_going: bool,
    is_lost: bool,
    /// Digests of all bytes read so far, and of the open record's bytes.
    digest: Hasher,
    check: Hasher,
    /// The ID of the game with the last error.
    broken: Option<String>,
}

/// Reads records. Ignores an incomplete last line, as a killed program leaves it, and what editors
/// add to a copy: a byte order mark, and carriage returns. Holds one record at a time.
pub fn read<R: BufRead>(from: R) -> Records<R> {
    read_on(from, 0, 0)
}

/// Reads the rest of a text. Its first `bytes` bytes and `lines` lines, all of them complete
/// records, were read before: places refer to the whole text.
pub fn read_on<R: BufRead>(from: R, bytes: u64, lines: u64) -> Records<R> {
    Records {
        from,
        number: lines,
        at: bytes,
        begun: bytes,
        span: bytes..bytes,
        opened: lines + 1,
        first: lines + 1,
        open: None,
        has_ended: false,
        failed: false,
        keeps_going: false,
        is_lost: false,
        digest: Hasher::new(),
        check: Hasher::new(),
        broken: None,
    }
}

impl<R: BufRead> Records<R> {
    /// Continues with the next game after a damaged or unreadable one.
    #[must_use]
    pub fn keep_going(mut self) -> Self {
        self.keeps_going = true;
        self
    }

    /// Sets the digest of the bytes before those that are read here: see [`digest`](Self::digest).
    #[must_use]
    pub fn after(mut self, digest: u32) -> Self {
        self.digest = Hasher::new_with_initial(digest);
        self
    }

    /// The CRC-32 of all bytes up to here.
    pub fn digest(&self) -> u32 {
        self.digest.clone().finalize()
    }

    /// The bytes of the last record in the text.
    pub fn span(&self) -> Range<u64> {
        self.span.clone()
    }

    /// The first line of the last record, from 1.
    pub fn first_line(&self) -> u64 {
        self.first
    }

    /// The ID of the game with the last error, as far as known.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// Number of lines read so far.
    pub fn lines(&self) -> u64 {
        self.number
    }

    /// The next record; at the end, the last one may be incomplete.
    fn advance(&mut self) -> Result<Option<Record>, ReadError> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let start = self.at;
            let length = self.from.read_until(b'\n', &mut bytes)?;
            if length == 0 {
                return Ok(self.close(start));
            }
            self.at += length as u64;
            self.number += 1;
            self.digest.update(&bytes);
            undo_editor(&mut bytes);
            let is_whole = bytes.ends_with(b"\n");
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let line = match RecordLine::read(&bytes) {
                Ok(line) => line,
                Err(_) if !is_whole => return Ok(self.close(start)),
                Err(_) if self.is_lost => continue,
                Err(error) => return Err(self.wrong(error.column().max(1), tell(&error))),
            };
            if self.is_lost && !matches!(line, RecordLine::Game(_)) {
                continue;
            }
            let checked = checked(&line, &bytes);
            match &line {
                RecordLine::Game(_) => {
                    self.check = Hasher::new();
                    self.is_lost = false;
                }
                _ => self
                    .check
                    .update(&bytes[..checked.as_ref().map_or(bytes.len(), |(end, _)| *end)]),
            }
            match line {
                RecordLine::Game(opening) => {
                    if opening.floe != VERSION {
                        let cause = format!(
                            "version {} of records, and only version {VERSION} is known",
                            opening.floe
                        );
                        return Err(self.wrong(1, cause));
                    }
                    let before = self.close(start);
                    (self.begun, self.opened) = (start, self.number);
                    self.check.update(&bytes);
                    self.open = Some(Record::new(*opening));
                    self.has_ended = false;
                    match before {
                        Some(before) => return Ok(Some(before)),
                        None => continue,
                    }
                }
                RecordLine::End(end) => {
                    let Some(mut record) = self.close(self.at) else {
                        return Err(self.astray());
                    };
                    self.has_ended = true;
                    if checked.is_some_and(|(_, check)| check != self.check.clone().finalize()) {
                        return Err(ReadError::Damaged {
                            line: self.first,
                            id: record.opening.id,
                        });
                    }
                    record.end = Some(end);
                    return Ok(Some(record));
                }
                event => match (&mut self.open, event.into_event()) {
                    (Some(record), Some(event)) => record.events.push(event),
                    _ => return Err(self.astray()),
                },
            }
        }
    }

    /// The open record, if any, which ends here.
    fn close(&mut self, end: u64) -> Option<Record> {
        let record = self.open.take()?;
        self.span = self.begun..end;
        self.first = self.opened;
        Some(record)
    }

    /// The error of a line that belongs to no game.
    fn astray(&self) -> ReadError {
        let cause = match self.has_ended {
            true => "this comes after the `end` of its game, where only a `game` line may come",
            false => "no `game` line comes before this",
        };
        self.wrong(1, cause.into())
    }

    fn wrong(&self, column: usize, cause: String) -> ReadError {
        ReadError::Line {
            line: self.number,
            column,
            cause,
        }
    }
}

/// Removes what editors add to a line, since check sums cover the original bytes.
fn undo_editor(line: &mut Vec<u8>) {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    if line.ends_with(b"\r\n") {
        line.truncate(line.len() - 2);
        line.push(b'\n');
    }
    if line.starts_with(MARK) {
        line.drain(..MARK.len());
    }
}

/// The number of bytes that an `end` line's check sum covers, and the check sum; `None` if there is
/// none.
fn checked(line: &RecordLine, bytes: &[u8]) -> Option<(usize, u32)> {
    const DIGITS: usize = 8;
    if !matches!(line, RecordLine::End(_)) {
        return None;
    }
    let rest = bytes
        .trim_ascii_end()
        .strip_suffix(AFTER_CHECK.as_bytes())?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    let rest = rest.strip_suffix(BEFORE_CHECK.as_bytes())?;
    let check = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((rest.len(), check))
}

/// The error of a line without its place, which is reported separately.
fn tell(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((cause, _)) => cause.to_owned(),
        None => text,
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.advance();
        if let Err(error) = &next {
            self.failed = !self.keeps_going || matches!(error, ReadError::File(_));
            self.is_lost = true;
            let open = self.open.take().map(|record| record.opening.id);
            self.broken = match error {
                ReadError::Damaged { id, .. } => Some(id.clone()),
                _ => open,
            };
        }
        next.transpose()
    }
}
