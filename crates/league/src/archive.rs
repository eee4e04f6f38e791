//! What people send: an archive, one file of source, or a program.
//!
//! Archives are hostile until proven otherwise. Nothing is written outside the folder it is
//! unpacked to, there are no links and no devices, names are such as anybody can type, and
//! unpacking stops at a limit of bytes and files, whatever the archive says about itself.

use std::fs::{self, OpenOptions};
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use floe_rules::text::{self, quoted};
use thiserror::Error;

/// How deep folders may lie in each other.
const DEPTH: usize = 16;
/// The longest name of a file or folder, in bytes.
const NAME: usize = 100;
/// What an entry of an archive may need besides the file: headers and long names.
const PER_ENTRY: u64 = 4096;

/// How much an archive may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnpackLimits {
    /// Bytes of all files together.
    pub bytes: u64,
    /// Files and folders.
    pub files: usize,
}

/// What was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parcel {
    /// A tar archive.
    Tar,
    /// A tar archive packed by gzip.
    TarGz,
    /// A zip archive.
    Zip,
    /// One file: source.
    Source,
    /// One file that can be started: ELF, or `#!` and an interpreter.
    Program,
}

/// Why something sent cannot be unpacked.
#[derive(Debug, Error)]
pub enum ParcelError {
    /// It is empty.
    #[error("the file is empty; send your program, its source or an archive of it")]
    Empty,
    /// A name is not allowed.
    #[error("{} cannot be a file's name here: {cause}", quoted(name))]
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        cause: &'static str,
    },
    /// There is something in it that is neither a file nor a folder.
    #[error(
        "{} is {what}; an archive may hold files and folders alone",
        quoted(name)
    )]
    Kind {
        /// The name.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// A name is there twice.
    #[error("{} is in the archive twice", quoted(.0))]
    Twice(String),
    /// Too many files.
    #[error("the archive holds more than {0} files and folders; leave out what is not needed")]
    TooMany(usize),
    /// Too many bytes.
    #[error("the archive unpacks to more than {} KiB; leave out what is not needed", .0 >> 10)]
    TooLarge(u64),
    /// It is no archive after all.
    #[error("the archive cannot be read: {0}; pack it again")]
    Damaged(String),
    /// The machine's doing.
    #[error("cannot write to {}: {cause}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

impl Parcel {
    /// What somebody sent, by its first bytes.
    ///
    /// ```
    /// use floe_league::archive::Parcel;
    /// assert_eq!(Parcel::of(b"\x1f\x8b\x08..."), Parcel::TarGz);
    /// assert_eq!(Parcel::of(b"#!/bin/sh\n"), Parcel::Program);
    /// assert_eq!(Parcel::of(b"int main() {}"), Parcel::Source);
    /// ```
    pub fn of(bytes: &[u8]) -> Parcel {
        match bytes {
            [0x1f, 0x8b, ..] => Parcel::TarGz,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Parcel::Zip,
            [0x7f, b'E', b'L', b'F', ..] | [b'#', b'!', ..] => Parcel::Program,
            _ if bytes.get(257..262) == Some(b"ustar") => Parcel::Tar,
            _ => Parcel::Source,
        }
    }
}

/// Checks the name of a file somebody sends, or of a part of a path in an archive.
pub fn check_name(name: &str) -> Result<(), ParcelError> {
    let fail = |cause| {
        Err(ParcelError::Name {
            name: name.chars().take(NAME).collect(),
            cause,
        })
    };
    if name.is_empty() || name.len() > NAME {
        return fail("names have 1 to 100 bytes");
    }
    if name == "." || name == ".." {
        return fail("it leads to another folder");
    }
    if name.contains(['/', '\\', ':']) || name.contains('\0') {
        return fail("it has a sign in it that parts folders");
    }
    if !name.chars().all(text::is_visible) || name.trim() != name {
        return fail("it has signs that cannot be seen, or a blank at an end");
    }
    if name.starts_with('-') {
        return fail("it begins with a dash, and compilers take it for an option");
    }
    Ok(())
}

/// Unpacks what somebody sent under a name to an empty folder. What is there after an error is the
/// caller's to remove.
pub fn unpack(
    name: &str,
    bytes: &[u8],
    limits: UnpackLimits,
    folder: &Path,
) -> Result<Parcel, ParcelError> {
    if bytes.is_empty() {
        return Err(ParcelError::Empty);
    }
    check_name(name)?;
    let mut unpacking = Unpacking {
        folder,
        limits,
        bytes: 0,
        entries: 0,
    };
    let parcel = Parcel::of(bytes);
    match parcel {
        Parcel::Tar => unpacking.tar(bytes)?,
        Parcel::TarGz => {
            let most = limits.bytes + (limits.files as u64 + 2) * PER_ENTRY;
            let packed = flate2::read::MultiGzDecoder::new(bytes);
            unpacking.tar(Bounded {
                from: packed,
                left: most,
            })?;
        }
        Parcel::Zip => unpacking.zip(bytes)?,
        Parcel::Source | Parcel::Program => {
            unpacking.file(&[name.to_owned()], parcel == Parcel::Program, bytes)?;
        }
    }
    if matches!(parcel, Parcel::Tar | Parcel::TarGz | Parcel::Zip) {
        lift(folder)?;
    }
    Ok(parcel)
}

/// A reader that fails once too much was read, which is what bombs come to.
struct Bounded<R> {
    from: R,
    left: u64,
}

/// What such a reader says.
const BOMB: &str = "more than may be unpacked";

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(BOMB));
        }
        let most = to
            .len()
            .min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.from.read(&mut to[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}

struct Unpacking<'a> {
    folder: &'a Path,
    limits: UnpackLimits,
    bytes: u64,
    entries: usize,
}

impl Unpacking<'_> {
    fn damaged(&self, error: &io::Error) -> ParcelError {
        match error.to_string().contains(BOMB) {
            true => ParcelError::TooLarge(self.limits.bytes),
            false => ParcelError::Damaged(error.to_string()),
        }
    }

    fn tar(&mut self, from: impl Read) -> Result<(), ParcelError> {
        use tar::EntryType;
        let mut archive = tar::Archive::new(from);
        let entries = archive.entries().map_err(|e| self.damaged(&e))?;
        for entry in entries {
            let mut entry = entry.map_err(|e| self.damaged(&e))?;
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if is_of_finder(&name) {
                continue;
            }
            let what = match entry.header().entry_type() {
                EntryType::Regular | EntryType::Continuous => None,
                EntryType::Directory => {
                    self.directory(&parts(&name)?)?;
                    continue;
                }
                EntryType::XGlobalHeader => continue,
                EntryType::Symlink | EntryType::Link => Some("a link"),
                EntryType::Char | EntryType::Block => Some("a device"),
                EntryType::Fifo => Some("a pipe"),
                _ => Some("of a kind that is not for programs"),
            };
            if let Some(what) = what {
                return Err(ParcelError::Kind { name, what });
            }
            let can_run = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
            self.file(&parts(&name)?, can_run, &mut entry)?;
        }
        Ok(())
    }

    fn zip(&mut self, bytes: &[u8]) -> Result<(), ParcelError> {
        let damaged = |error: zip::result::ZipError| ParcelError::Damaged(error.to_string());
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        for number in 0..archive.len() {
            let mut entry = archive.by_index(number).map_err(damaged)?;
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            if is_of_finder(&name) {
                continue;
            }
            let mode = entry.unix_mode().unwrap_or(0o644);
            // A file, a folder, or nothing said; see stat(2).
            if entry.is_symlink() || !matches!(mode >> 12, 0 | 0o4 | 0o10) {
                let what = "a link or a device";
                return Err(ParcelError::Kind { name, what });
            }
            match entry.is_dir() {
                true => drop(self.directory(&parts(&name)?)?),
                false => self.file(&parts(&name)?, mode & 0o111 != 0, &mut entry)?,
            }
        }
        Ok(())
    }

    fn count(&mut self) -> Result<(), ParcelError> {
        self.entries += 1;
        match self.entries > self.limits.files {
            true => Err(ParcelError::TooMany(self.limits.files)),
            false => Ok(()),
        }
    }

    fn directory(&mut self, parts: &[String]) -> Result<PathBuf, ParcelError> {
        let mut path = self.folder.to_owned();
        for part in parts {
            path.push(part);
            match fs::create_dir(&path) {
                Ok(()) => self.count()?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(ParcelError::Twice(parts.join("/")));
                }
                Err(cause) => return Err(ParcelError::Write { path, cause }),
            }
        }
        Ok(path)
    }

    fn file(
        &mut self,
        parts: &[String],
        can_run: bool,
        mut from: impl Read,
    ) -> Result<(), ParcelError> {
        let Some((name, folders)) = parts.split_last() else {
            return Ok(());
        };
        let path = self.directory(folders)?.join(name);
        self.count()?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(if can_run { 0o755 } else { 0o644 });
        }
        #[cfg(not(unix))]
        let _ = can_run;
        let mut to = options.open(&path).map_err(|cause| match cause.kind() {
            io::ErrorKind::AlreadyExists => ParcelError::Twice(parts.join("/")),
            _ => ParcelError::Write {
                path: path.clone(),
                cause,
            },
        })?;
        let mut block = vec![0; 64 << 10];
        loop {
            let read = from.read(&mut block).map_err(|e| self.damaged(&e))?;
            if read == 0 {
                return Ok(());
            }
            self.bytes += read as u64;
            if self.bytes > self.limits.bytes {
                return Err(ParcelError::TooLarge(self.limits.bytes));
            }
            let written = to.write_all(&block[..read]);
            written.map_err(|cause| ParcelError::Write {
                path: path.clone(),
                cause,
            })?;
        }
    }
}

/// Whether a file is what macOS packs beside everybody's own: notes on files, in files of their own.
fn is_of_finder(name: &str) -> bool {
    let mut parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
    parts.any(|part| part == "__MACOSX" || part == ".DS_Store" || part.starts_with("._"))
}

/// The parts of a path in an archive.
fn parts(name: &str) -> Result<Vec<String>, ParcelError> {
    let fail = |cause| {
        Err(ParcelError::Name {
            name: name.chars().take(NAME).collect(),
            cause,
        })
    };
    if name.starts_with('/') {
        return fail("it is a full path");
    }
    if name.contains(char::REPLACEMENT_CHARACTER) {
        return fail("it is not UTF-8");
    }
    let parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
    let parts: Vec<String> = parts.map(str::to_owned).collect();
    if parts.len() > DEPTH {
        return fail("its folders lie too deep in each other");
    }
    if parts.iter().any(|part| part == "..") {
        return fail("it leads out of its folder");
    }
    parts.iter().try_for_each(|part| check_name(part))?;
    Ok(parts)
}

/// Archives often have one folder, with everything in it: its contents come up.
fn lift(folder: &Path) -> Result<(), ParcelError> {
    let fail = |cause| ParcelError::Write {
        path: folder.to_owned(),
        cause,
    };
    for _ in 0..DEPTH {
        let entries: Vec<_> = (fs::read_dir(folder).map_err(fail)?).flatten().collect();
        let [only] = entries.as_slice() else {
            return Ok(());
        };
        if !only.path().is_dir() {
            return Ok(());
        }
        // Out of the way first: something in it may have its name.
        let aside = tempfile::Builder::new().prefix(".lift-").tempdir_in(folder);
        let aside = aside.map_err(fail)?;
        let inner = aside.path().join("inner");
        fs::rename(only.path(), &inner).map_err(fail)?;
        for entry in fs::read_dir(&inner).map_err(fail)?.flatten() {
            fs::rename(entry.path(), folder.join(entry.file_name())).map_err(fail)?;
        }
    }
    Ok(())
}
