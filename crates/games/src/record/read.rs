use std::io::{self, BufRead};
use std::ops::Range;

use serde::Serialize;
use thiserror::Error;

use super::{Event, Record, RecordLine, VERSION};

/// Why a record could not be read.
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
    /// A line is not what it should be.
    #[error("{line}:{column}: {cause}")]
    Line {
        /// The line of the file, from 1.
        line: u64,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        cause: String,
    },
}

/// An error of the system is its words.
fn as_text<S: serde::Serializer>(error: &io::Error, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

/// The records of a text, one after the other: see [`read()`].
#[derive(Debug)]
pub struct Records<R> {
    from: R,
    number: u64,
    /// The bytes read so far.
    at: u64,
    /// Where the open record starts.
    begun: u64,
    span: Range<u64>,
    /// The line in which the open record starts, and the one that came last.
    opened: u64,
    first: u64,
    open: Option<Record>,
    /// Whether the last line was the end of a game.
    has_ended: bool,
    failed: bool,
}

/// Reads records. A last line that is not complete, as a killed program leaves it, is overlooked.
/// Holds one record at a time.
pub fn read<R: BufRead>(from: R) -> Records<R> {
    read_on(from, 0, 0)
}

/// Reads the rest of a text of which so many bytes and lines, all of them of whole records, were
/// read before: places are told as those of the whole text.
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
    }
}

impl<R: BufRead> Records<R> {
    /// Where in the text the record that came last stands, in bytes.
    pub fn span(&self) -> Range<u64> {
        self.span.clone()
    }

    /// The line in which the record that came last starts, from 1.
    pub fn first_line(&self) -> u64 {
        self.first
    }

    /// How many lines have been read.
    pub fn lines(&self) -> u64 {
        self.number
    }

    /// The next record, or the last one as far as it goes.
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
            let is_whole = bytes.ends_with(b"\n");
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let line: RecordLine = match serde_json::from_slice(&bytes) {
                Ok(line) => line,
                Err(_) if !is_whole => return Ok(self.close(start)),
                Err(error) => return Err(self.wrong(error.column().max(1), tell(&error))),
            };
            let event = match line {
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
                    record.end = Some(end);
                    self.has_ended = true;
                    return Ok(Some(record));
                }
                RecordLine::Move(made) => Event::Move(made),
                RecordLine::Back(back) => Event::Back(back),
                RecordLine::Fault(fault) => Event::Fault(fault),
            };
            match &mut self.open {
                Some(record) => record.events.push(event),
                None => return Err(self.astray()),
            }
        }
    }

    /// The open record, if there is one, which goes up to here.
    fn close(&mut self, end: u64) -> Option<Record> {
        let record = self.open.take()?;
        self.span = self.begun..end;
        self.first = self.opened;
        Some(record)
    }

    /// A line that belongs to no game.
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

/// What is wrong with a line, without the place, which is told apart.
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
        self.failed = next.is_err();
        next.transpose()
    }
}
