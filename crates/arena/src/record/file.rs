use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use thiserror::Error;

use super::{Event, Line, Record, VERSION};

/// Why a record could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] io::Error),
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

/// The records of a text, one after the other: see [`read`].
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

/// The records of a file; one that ends in `.zst` is decompressed on the way.
pub fn read_file(path: &Path) -> io::Result<Records<Box<dyn BufRead>>> {
    let file = File::open(path)?;
    let plain: Box<dyn BufRead> = if path.extension().is_some_and(|end| end == "zst") {
        Box::new(BufReader::new(zstd::Decoder::new(file)?))
    } else {
        Box::new(BufReader::new(file))
    };
    Ok(read(plain))
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
            let line: Line = match serde_json::from_slice(&bytes) {
                Ok(line) => line,
                Err(_) if !is_whole => return Ok(self.close(start)),
                Err(error) => return Err(self.wrong(error.column().max(1), tell(&error))),
            };
            let event = match line {
                Line::Game(opening) => {
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
                Line::End(end) => {
                    let Some(mut record) = self.close(self.at) else {
                        return Err(self.astray());
                    };
                    record.end = Some(end);
                    self.has_ended = true;
                    return Ok(Some(record));
                }
                Line::Move(made) => Event::Move(made),
                Line::Back(back) => Event::Back(back),
                Line::Fault(fault) => Event::Fault(fault),
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

/// A file of records that is appended to.
///
/// A record that is appended whole is written by one call, so that a kill at any moment leaves
/// a prefix of it at worst, which reads as an interrupted game.
#[derive(Debug)]
pub struct Journal {
    file: File,
    buffer: Vec<u8>,
    end: u64,
}

impl Journal {
    /// Opens a file, or makes it. Half a line at its end, left by a kill, is cut off.
    pub fn open(path: &Path) -> io::Result<Journal> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = options.open(path)?;
        let whole = whole_lines(&mut file)?;
        if whole < file.metadata()?.len() {
            file.set_len(whole)?;
        }
        Ok(Journal {
            file,
            buffer: Vec::new(),
            end: whole,
        })
    }

    /// Appends a record.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        self.write(record.lines())
    }

    /// Appends one line of a game that is still being played.
    pub fn line(&mut self, line: Line) -> io::Result<()> {
        self.write([line])
    }

    fn write(&mut self, lines: impl IntoIterator<Item = Line>) -> io::Result<()> {
        self.buffer.clear();
        for line in lines {
            serde_json::to_writer(&mut self.buffer, &line)?;
            self.buffer.push(b'\n');
        }
        if let Err(error) = self.file.write_all(&self.buffer) {
            // A disk that is full takes a part: nothing is better than that.
            self.file.set_len(self.end)?;
            return Err(error);
        }
        self.end += self.buffer.len() as u64;
        Ok(())
    }

    /// How many bytes the file has.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Waits until everything is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// How many bytes of the file are whole lines. Reads its end only.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    const STEP: u64 = 4096;
    let mut end = file.metadata()?.len();
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(STEP);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        Read::by_ref(file)
            .take(end - start)
            .read_to_end(&mut block)?;
        if let Some(at) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}
