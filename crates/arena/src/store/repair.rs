//! Moves damaged games to another file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::error::file_error;
use super::{Store, StoreError, index_path, is_archive, remove_index};
use crate::journal::read_file;
use crate::replacement::Replacement;

/// The games moved out: see [`repair`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Games that stayed in the file.
    pub kept: u64,
    /// The errors of unreadable games, with the file and the line.
    pub problems: Vec<String>,
    /// Their new file; `None` if no game was damaged and the file is unchanged.
    pub aside: Option<PathBuf>,
}

/// Moves every game out of a file of records that is damaged, cannot be read or is not by the
/// rules, to the end of a file `NAME.damaged.jsonl` next to it; the others stay as they are, to the
/// byte. The index is removed, to be rebuilt. Refuses if another process is writing to the file.
///
/// If this is interrupted, every game is in at least one of the two files.
pub fn repair(records: &Path) -> Result<Repaired, StoreError> {
    let fail = |cause| file_error(records, cause);
    if is_archive(records) {
        let cause = "an archive cannot be repaired; unpack it with `zstd -d` first";
        return Err(fail(io::Error::other(cause)));
    }
    File::open(records).map_err(fail)?;
    let _lock = Store::hold(records)?;
    let mut repaired = Repaired::default();
    let mut good: Vec<Range<u64>> = Vec::new();
    let mut read = read_file(records).map_err(fail)?.keep_going();
    while let Some(record) = read.next() {
        match record {
            Err(error) => repaired
                .problems
                .push(format!("{}:{error}", records.display())),
            Ok(record) => match record.verify() {
                Ok(_) => {
                    repaired.kept += 1;
                    good.push(read.span());
                }
                Err(mismatch) => {
                    let line = read.first_line() + mismatch.line as u64;
                    let problem = format!("{}:{line}: {mismatch}", records.display());
                    repaired.problems.push(problem);
                }
            },
        }
    }
    if repaired.problems.is_empty() {
        return Ok(repaired);
    }
    let mut from = File::open(records).map_err(fail)?;
    let length = from.metadata().map_err(fail)?.len();
    let aside = aside_path(records);
    let mut move_aside = || -> io::Result<()> {
        let mut options = OpenOptions::new();
        let mut to = options.append(true).create(true).open(&aside)?;
        for part in gaps(&good, length) {
            copy(&mut from, part, &mut to)?;
        }
        to.sync_all()
    };
    move_aside().map_err(|cause| file_error(&aside, cause))?;
    let replace = || -> io::Result<()> {
        let mut from = File::open(records)?;
        let mut rest = Replacement::of(records)?;
        for part in &good {
            copy(&mut from, part.clone(), rest.file())?;
        }
        rest.put_in_place()
    };
    // Records without an index are complete; an index without its records would be wrong.
    remove_index(&index_path(records))?;
    replace().map_err(fail)?;
    repaired.aside = Some(aside);
    Ok(repaired)
}

/// The file for damaged games.
pub(super) fn aside_path(records: &Path) -> PathBuf {
    records.with_extension("damaged.jsonl")
}

/// The ranges between these parts of `length` bytes.
fn gaps(parts: &[Range<u64>], length: u64) -> Vec<Range<u64>> {
    let starts = std::iter::once(0).chain(parts.iter().map(|part| part.end));
    let ends = parts.iter().map(|part| part.start).chain([length]);
    let gaps = starts.zip(ends).map(|(start, end)| start..end);
    gaps.filter(|gap| gap.start < gap.end).collect()
}

fn copy(from: &mut File, part: Range<u64>, to: &mut File) -> io::Result<()> {
    from.seek(SeekFrom::Start(part.start))?;
    let bytes = part.end - part.start;
    io::copy(&mut Read::by_ref(from).take(bytes), to)?;
    to.flush()
}
