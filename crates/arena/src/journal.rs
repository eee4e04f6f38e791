//! Files of records: reading, and appending so that a killed process loses nothing.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::replacement::Replacement;
use floe_games::record::{LineWriter, Record, RecordLine, Records, read};

/// Records compress well: a higher level takes longer and gains little.
const ARCHIVE_LEVEL: i32 = 9;

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

/// The sizes of a file of records and of its archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveSizes {
    /// The records, in bytes.
    pub before: u64,
    /// The archive, in bytes.
    pub after: u64,
}

/// Compresses a file of records with zstd into a new file, atomically: [`read_file`] reads the new
/// file if its name ends in `.zst`.
pub fn archive(records: &Path, to: &Path) -> io::Result<ArchiveSizes> {
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut packed = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    let mut encoder = zstd::Encoder::new(packed.as_file_mut(), ARCHIVE_LEVEL)?;
    encoder.include_checksum(true)?;
    let before = io::copy(&mut File::open(records)?, &mut encoder)?;
    encoder.finish()?;
    packed.as_file().sync_all()?;
    let after = packed.as_file().metadata()?.len();
    packed.persist_noclobber(to).map_err(|error| error.error)?;
    Ok(ArchiveSizes { before, after })
}

/// Moves games from a file of records to the end of another one; after a crash the first file is
/// complete or unchanged. No process may be writing to the file. Returns how many games were moved.
pub fn take_out(records: &Path, aside: &Path, is_out: impl Fn(&Record) -> bool) -> io::Result<u64> {
    let mut kept = Replacement::of(records)?;
    let mut out = Vec::new();
    let mut games = 0;
    for record in read_file(records)? {
        let record = record.map_err(io::Error::other)?;
        if record.end.is_none() {
            continue;
        }
        match is_out(&record) {
            true => {
                games += 1;
                record.write(&mut out)?;
            }
            false => record.write(kept.file())?,
        }
    }
    if games > 0 {
        let mut to = OpenOptions::new().append(true).create(true).open(aside)?;
        to.write_all(&out)?;
        to.sync_all()?;
        kept.put_in_place()?;
    }
    Ok(games)
}

/// A file of records that is appended to.
///
/// A record that is appended whole is written by one call, so that a kill at any moment leaves
/// a prefix of it at worst, which reads as an interrupted game.
#[derive(Debug)]
pub struct RecordWriter {
    file: File,
    writer: LineWriter,
    /// The last line written.
    buffer: Vec<u8>,
    end: u64,
}

impl RecordWriter {
    /// Opens or creates a file. Half a line at its end, left by a killed process, is cut off.
    pub fn open(path: &Path) -> io::Result<RecordWriter> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = options.open(path)?;
        let whole = whole_lines(&mut file)?;
        if whole < file.metadata()?.len() {
            file.set_len(whole)?;
        }
        Ok(RecordWriter {
            file,
            writer: LineWriter::default(),
            buffer: Vec::new(),
            end: whole,
        })
    }

    /// Appends a record.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        self.write(record.lines())
    }

    /// Appends one line of a game that is still being played.
    pub fn line(&mut self, line: RecordLine) -> io::Result<()> {
        self.write([line])
    }

    fn write(&mut self, lines: impl IntoIterator<Item = RecordLine>) -> io::Result<()> {
        self.buffer.clear();
        for line in lines {
            self.writer.write(&line, &mut self.buffer)?;
        }
        if let Err(error) = self.file.write_all(&self.buffer) {
            // A full disk may have taken part of the record, which is cut off again.
            self.file.set_len(self.end)?;
            return Err(error);
        }
        self.end += self.buffer.len() as u64;
        Ok(())
    }

    /// The last line appended, as in the file.
    pub fn last(&self) -> &[u8] {
        &self.buffer
    }

    /// Size of the file, in bytes.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Waits until all writes are on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Length of the file's whole lines in bytes. Reads only the end of the file.
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
