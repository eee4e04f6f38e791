//! The part of a file of records that an index covers.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Indexed part of the record file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mark {
    /// Bytes of the records that are indexed.
    pub(super) bytes: u64,
    /// Lines in these bytes.
    pub(super) lines: u64,
    /// CRC-32 of these bytes.
    pub(super) digest: u32,
    /// All games below this number are stored.
    pub(super) low: u64,
}

impl Mark {
    /// Skips the lines of an interrupted game.
    pub(super) fn pass_over(&mut self, path: &Path, to: u64) -> io::Result<()> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(self.bytes))?;
        let mut gap = Vec::new();
        file.take(to - self.bytes).read_to_end(&mut gap)?;
        let mut hash = crc32fast::Hasher::new_with_initial(self.digest);
        hash.update(&gap);
        self.digest = hash.finalize();
        self.lines += gap.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.bytes = to;
        Ok(())
    }
}

/// The CRC-32 of this file's first `bytes`; `None` if the file is shorter. Reads them all.
pub(super) fn digest(path: &Path, bytes: u64) -> io::Result<Option<u32>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound && bytes == 0 => return Ok(Some(0)),
        Err(error) => return Err(error),
    };
    if file.metadata()?.len() < bytes {
        return Ok(None);
    }
    let mut hash = crc32fast::Hasher::new();
    let mut rest = BufReader::with_capacity(1 << 20, file.take(bytes));
    loop {
        let block = rest.fill_buf()?;
        if block.is_empty() {
            return Ok(Some(hash.finalize()));
        }
        hash.update(block);
        let read = block.len();
        rest.consume(read);
    }
}
