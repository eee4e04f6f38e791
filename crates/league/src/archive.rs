//! Uploads: an archive, one file of source, or a program.
//!
//! Archives are hostile until proven otherwise. Nothing is written outside the folder of unpacking,
//! there are no links and no devices, names contain only characters that people can type, and
//! unpacking stops at a limit of bytes and files, whatever the archive declares.

mod names;

use std::fs::{self, OpenOptions};
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use floe_arena::amount::shown_bytes;
use floe_rules::text::quoted;
use thiserror::Error;
use zip::result::ZipError;

use self::names::{DEPTH, is_of_finder, parts, path_of};
pub use self::names::{check_name, check_path};

/// Bytes an entry of an archive may need besides the file: headers and long names.
const PER_ENTRY: u64 = 4096;
/// Memory limit for unpacking xz, in KiB: its strongest preset needs 65 MiB.
const XZ_MEMORY: u32 = 96 << 10;

/// Limits of an archive's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnpackLimits {
    /// Bytes of all files together.
    pub bytes: u64,
    /// Files and folders.
    pub files: usize,
}

/// The kind of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upload {
    /// A tar archive.
    Tar,
    /// A tar archive packed by gzip.
    TarGz,
    /// A tar archive packed by xz.
    TarXz,
    /// A tar archive packed by bzip2.
    TarBz2,
    /// A zip archive.
    Zip,
    /// A format that is not supported: its name, and what to send instead.
    Unknown(&'static str, &'static str),
    /// A single source file.
    Source,
    /// A single executable file: ELF, or `#!` and an interpreter.
    Program,
}

/// The reason why an upload cannot be unpacked.
#[derive(Debug, Error)]
pub enum UploadError {
    /// The upload is empty.
    #[error("the file is empty; send your program, its source or an archive of it")]
    Empty,
    /// A name is not allowed.
    #[error("{} cannot be a file's name here: {cause}", quoted(name))]
    Name {
        /// The name.
        name: String,
        /// The error.
        cause: &'static str,
    },
    /// The archive contains something that is neither a file nor a folder.
    #[error(
        "{} is {what}; an archive may hold files and folders alone",
        quoted(name)
    )]
    Kind {
        /// The name.
        name: String,
        /// The kind of the entry.
        what: &'static str,
    },
    /// A name occurs twice.
    #[error("{} is in the archive twice", quoted(.0))]
    Twice(String),
    /// Too many files.
    #[error("the archive holds more than {0} files and folders; leave out what is not needed")]
    TooMany(usize),
    /// Too many bytes.
    #[error("the archive unpacks to more than {}; leave out what is not needed", shown_bytes(*.0))]
    TooLarge(u64),
    /// The format is not supported.
    #[error("{what} is not supported; {instead}")]
    Format {
        /// The format.
        what: &'static str,
        /// What to send instead.
        instead: &'static str,
    },
    /// A password protects the archive.
    #[error("{} is encrypted; pack it again without a password", quoted(.0))]
    Encrypted(String),
    /// The archive is damaged.
    #[error("the archive cannot be read: {0}; pack it again")]
    Damaged(String),
    /// The machine's doing.
    #[error("cannot write to {}: {cause}", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
}

/// Advice for a refused archive.
const PACK: &str = "pack it as .zip, .tar.gz, .tar.xz or .tar.bz2 and send that";
/// Advice for a program that does not run here.
const SOURCE: &str = "send its source: this machine runs Linux";

impl Upload {
    /// Whether the upload is an archive.
    pub fn is_archive(self) -> bool {
        match self {
            Upload::Tar | Upload::TarGz | Upload::TarXz | Upload::TarBz2 | Upload::Zip => true,
            Upload::Unknown(..) | Upload::Source | Upload::Program => false,
        }
    }

    /// Refuses formats that are never unpacked.
    pub fn check(self) -> Result<(), UploadError> {
        match self {
            Upload::Unknown(what, instead) => Err(UploadError::Format { what, instead }),
            _ => Ok(()),
        }
    }

    /// The kind of an upload, by its first bytes.
    ///
    /// ```
    /// use floe_league::archive::Upload;
    /// assert_eq!(Upload::of(b"\x1f\x8b\x08..."), Upload::TarGz);
    /// assert_eq!(Upload::of(b"#!/bin/sh\n"), Upload::Program);
    /// assert_eq!(Upload::of(b"int main() {}"), Upload::Source);
    /// ```
    pub fn of(bytes: &[u8]) -> Upload {
        match bytes {
            [0x1f, 0x8b, ..] => Upload::TarGz,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Upload::TarXz,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Upload::TarBz2,
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Upload::Unknown("a 7z archive", PACK),
            [b'R', b'a', b'r', b'!', 0x1a, 0x07, ..] => Upload::Unknown("a rar archive", PACK),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Upload::Unknown("a zstd archive", PACK),
            [b'M', b'Z', ..] if bytes.iter().take(64).any(|&byte| byte == 0) => {
                Upload::Unknown("a program for Windows", SOURCE)
            }
            [0xcf, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, ..] => {
                Upload::Unknown("a program for macOS, or a class of Java,", SOURCE)
            }
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Upload::Zip,
            [0x7f, b'E', b'L', b'F', ..] | [b'#', b'!', ..] => Upload::Program,
            _ if bytes.get(257..262) == Some(b"ustar") => Upload::Tar,
            _ => Upload::Source,
        }
    }
}

/// Unpacks an upload of this name to an empty folder. After an error, the caller must remove the
/// folder's contents.
pub fn unpack(
    name: &str,
    bytes: &[u8],
    limits: UnpackLimits,
    folder: &Path,
) -> Result<Upload, UploadError> {
    if bytes.is_empty() {
        return Err(UploadError::Empty);
    }
    check_name(name)?;
    let mut unpacking = Unpacking {
        folder,
        limits,
        bytes: 0,
        entries: 0,
    };
    let upload = Upload::of(bytes);
    upload.check()?;
    let most = limits.bytes + (limits.files as u64 + 2) * PER_ENTRY;
    match upload {
        Upload::Tar => unpacking.tar(bytes)?,
        Upload::TarGz => {
            unpacking.tar(bounded(flate2::read::MultiGzDecoder::new(bytes), most))?;
        }
        Upload::TarXz => {
            let packed = lzma_rust2::XzReader::new_mem_limit(bytes, true, XZ_MEMORY);
            unpacking.tar(bounded(packed, most))?;
        }
        Upload::TarBz2 => {
            unpacking.tar(bounded(bzip2::read::MultiBzDecoder::new(bytes), most))?;
        }
        Upload::Zip => unpacking.zip(bytes)?,
        Upload::Source | Upload::Program | Upload::Unknown(..) => {
            unpacking.file(&[name.to_owned()], upload == Upload::Program, bytes)?;
        }
    }
    if upload.is_archive() {
        lift(folder)?;
    }
    Ok(upload)
}

fn bounded<R: Read>(from: R, left: u64) -> Bounded<R> {
    Bounded { from, left }
}

/// A reader that fails after too many bytes, against archive bombs.
struct Bounded<R> {
    from: R,
    left: u64,
}

/// The error message of a reader that exceeds its limit.
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
    fn damaged(&self, error: &io::Error) -> UploadError {
        match error.to_string().contains(BOMB) {
            true => UploadError::TooLarge(self.limits.bytes),
            false => UploadError::Damaged(error.to_string()),
        }
    }

    fn tar(&mut self, from: impl Read) -> Result<(), UploadError> {
        use tar::EntryType;
        let mut archive = tar::Archive::new(from);
        let entries = archive.entries().map_err(|e| self.damaged(&e))?;
        for entry in entries {
            let mut entry = entry.map_err(|e| self.damaged(&e))?;
            let name = path_of(&entry.path_bytes());
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
                return Err(UploadError::Kind { name, what });
            }
            let can_run = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
            self.file(&parts(&name)?, can_run, &mut entry)?;
        }
        Ok(())
    }

    fn zip(&mut self, bytes: &[u8]) -> Result<(), UploadError> {
        let damaged = |error: ZipError| UploadError::Damaged(error.to_string());
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        for number in 0..archive.len() {
            let raw = archive.by_index_raw(number).map_err(damaged)?;
            if raw.encrypted() {
                return Err(UploadError::Encrypted(path_of(raw.name_raw())));
            }
            drop(raw);
            let mut entry = archive.by_index(number).map_err(damaged)?;
            let name = path_of(entry.name_raw());
            if is_of_finder(&name) {
                continue;
            }
            let mode = entry.unix_mode().unwrap_or(0o644);
            // A regular file, a folder, or no type; see stat(2).
            if entry.is_symlink() || !matches!(mode >> 12, 0 | 0o4 | 0o10) {
                let what = "a link or a device";
                return Err(UploadError::Kind { name, what });
            }
            match entry.is_dir() || name.ends_with('/') {
                true => drop(self.directory(&parts(&name)?)?),
                false => self.file(&parts(&name)?, mode & 0o111 != 0, &mut entry)?,
            }
        }
        Ok(())
    }

    fn count(&mut self) -> Result<(), UploadError> {
        self.entries += 1;
        match self.entries > self.limits.files {
            true => Err(UploadError::TooMany(self.limits.files)),
            false => Ok(()),
        }
    }

    fn directory(&mut self, parts: &[String]) -> Result<PathBuf, UploadError> {
        let mut path = self.folder.to_owned();
        for part in parts {
            path.push(part);
            match fs::create_dir(&path) {
                Ok(()) => self.count()?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(UploadError::Twice(parts.join("/")));
                }
                Err(cause) => return Err(UploadError::Write { path, cause }),
            }
        }
        Ok(path)
    }

    fn file(
        &mut self,
        parts: &[String],
        can_run: bool,
        mut from: impl Read,
    ) -> Result<(), UploadError> {
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
            io::ErrorKind::AlreadyExists => UploadError::Twice(parts.join("/")),
            _ => UploadError::Write {
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
                return Err(UploadError::TooLarge(self.limits.bytes));
            }
            let written = to.write_all(&block[..read]);
            written.map_err(|cause| UploadError::Write {
                path: path.clone(),
                cause,
            })?;
        }
    }
}

/// Moves the contents of an archive's only folder up one level.
fn lift(folder: &Path) -> Result<(), UploadError> {
    let fail = |cause| UploadError::Write {
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
        // Move the folder away first: something in it may have the same name.
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
