//! Reading a file that a program was asked to leave in its working directory.
//!
//! The program was free to leave anything there: a link to a file of the referee, a pipe that
//! never ends, a device, a folder, a gigabyte. None of them is followed, waited for or read.

use std::fs::{File, Metadata};
use std::io::{self, Read};
#[cfg(not(unix))]
use std::path::PathBuf;
use std::path::{Component, Path};
#[cfg(unix)]
use std::{os::fd::OwnedFd, sync::Arc};

/// The reason why a file cannot be read. The first three are the program's fault, the others the
/// machine's or the caller's.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The file does not exist.
    #[error("there is no file {0}")]
    Missing(String),
    /// The name belongs to something else: a link, a folder, a pipe, a device, or a file with other
    /// names or without permissions.
    #[error("{0} is not a plain, readable file")]
    NotAFile(String),
    /// The file is longer than allowed.
    #[error("{name} is longer than {limit} bytes")]
    TooLong {
        /// The file's name.
        name: String,
        /// The size limit, in bytes.
        limit: usize,
    },
    /// The name is not that of a file directly in the folder.
    #[error("{0} is no name of a file in the working directory")]
    BadName(String),
    /// The file exists but cannot be read.
    #[error("cannot read {name}: {error}")]
    Unreadable {
        /// The file's name.
        name: String,
        /// The system's error.
        error: io::Error,
    },
}

/// Reads the file of this name in a folder where a program has worked, at most `limit` bytes of it.
/// Call it when the program has ended, so that no process changes the folder any more.
///
/// ```
/// use floe_sandbox::{OutputError, read_output};
/// let work = tempfile::tempdir()?;
/// std::fs::write(work.path().join("out.txt"), "d3-d7\n")?;
/// assert_eq!(read_output(work.path(), "out.txt", 100)?, b"d3-d7\n");
/// let missing = read_output(work.path(), "in.txt", 100);
/// assert!(matches!(missing, Err(OutputError::Missing(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Costs an open and the reading.
pub fn read_output(folder: &Path, name: &str, limit: usize) -> Result<Vec<u8>, OutputError> {
    LeftFiles::in_folder(folder).read(name, limit)
}

/// The files that a program left in its working directory. They are read in place, so that other
/// files there cost nothing and do no harm.
///
/// ```
/// use floe_sandbox::LeftFiles;
/// let work = tempfile::tempdir()?;
/// std::fs::write(work.path().join("out.txt"), "d3-d7\n")?;
/// let left = LeftFiles::in_folder(work.path());
/// assert_eq!(left.names(), ["out.txt"]);
/// assert_eq!(left.read("out.txt", 100)?, b"d3-d7\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LeftFiles {
    /// The directory; `None` if it could not be opened.
    #[cfg(unix)]
    folder: Option<Arc<OwnedFd>>,
    #[cfg(not(unix))]
    folder: PathBuf,
}

impl LeftFiles {
    /// The files in this folder.
    pub fn in_folder(folder: &Path) -> LeftFiles {
        #[cfg(unix)]
        {
            use rustix::fs::{CWD, Mode, OFlags};
            let open = |how| {
                let here = how | OFlags::DIRECTORY | OFlags::CLOEXEC;
                rustix::fs::openat(CWD, folder, here, Mode::empty())
            };
            // A missing folder and an unreadable one are different faults.
            #[cfg(target_os = "linux")]
            let folder = open(OFlags::RDONLY).or_else(|_| open(OFlags::PATH));
            #[cfg(not(target_os = "linux"))]
            let folder = open(OFlags::RDONLY);
            LeftFiles {
                folder: folder.ok().map(Arc::new),
            }
        }
        #[cfg(not(unix))]
        {
            let folder = folder.to_owned();
            LeftFiles { folder }
        }
    }

    /// The files in this open directory.
    #[cfg(target_os = "linux")]
    pub(crate) fn of_room(room: OwnedFd) -> LeftFiles {
        LeftFiles {
            folder: Some(Arc::new(room)),
        }
    }

    /// The names of all entries directly in the directory, in order; empty for a closed directory.
    /// Reads the directory.
    pub fn names(&self) -> Vec<String> {
        let mut names = self.list().unwrap_or_default();
        names.sort();
        names
    }

    /// Reads at most `limit` bytes of the file with this name: see [`read_output`].
    pub fn read(&self, name: &str, limit: usize) -> Result<Vec<u8>, OutputError> {
        let file = self.open(name)?;
        let mut bytes = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        let read = file.take(most).read_to_end(&mut bytes);
        read.map_err(|error| trouble(name, error))?;
        if bytes.len() > limit {
            let name = name.to_owned();
            return Err(OutputError::TooLong { name, limit });
        }
        Ok(bytes)
    }

    fn open(&self, name: &str) -> Result<File, OutputError> {
        let mut parts = Path::new(name).components();
        let plain = matches!(parts.next(), Some(Component::Normal(part)) if part == name);
        if !plain || parts.next().is_some() {
            return Err(OutputError::BadName(name.to_owned()));
        }
        // Checked before opening, since opening a device may have effects.
        let look = self.look(name).map_err(|error| trouble(name, error))?;
        let file = match look {
            true => open(self, name).map_err(|error| trouble(name, error))?,
            false => return Err(OutputError::NotAFile(name.to_owned())),
        };
        let data = file.metadata().map_err(|error| trouble(name, error))?;
        match is_plain(&data) {
            true => Ok(file),
            false => Err(OutputError::NotAFile(name.to_owned())),
        }
    }

    #[cfg(unix)]
    fn folder(&self) -> io::Result<&OwnedFd> {
        let folder = self.folder.as_deref();
        let folder = folder.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        // A folder its owner cannot read counts as unreadable, even for root.
        match rustix::fs::fstat(folder)?.st_mode & 0o500 {
            0o500 => Ok(folder),
            _ => Err(io::ErrorKind::PermissionDenied.into()),
        }
    }

    #[cfg(unix)]
    fn list(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(self.folder()?)? {
            let entry = entry?;
            let name = entry.file_name();
            if name != c"." && name != c".." {
                names.push(name.to_string_lossy().into_owned());
            }
        }
        Ok(names)
    }

    #[cfg(not(unix))]
    fn list(&self) -> io::Result<Vec<String>> {
        let entries = std::fs::read_dir(&self.folder)?.flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        Ok(names.collect())
    }

    /// Whether a plain file has this name.
    #[cfg(unix)]
    fn look(&self, name: &str) -> io::Result<bool> {
        use rustix::fs::{AtFlags, FileType};
        let stat = rustix::fs::statat(self.folder()?, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile)
    }

    #[cfg(not(unix))]
    fn look(&self, name: &str) -> io::Result<bool> {
        let data = self.folder.join(name).symlink_metadata()?;
        Ok(is_plain(&data))
    }
}

fn trouble(name: &str, error: io::Error) -> OutputError {
    match error.kind() {
        io::ErrorKind::NotFound => OutputError::Missing(name.to_owned()),
        io::ErrorKind::PermissionDenied => OutputError::NotAFile(name.to_owned()),
        _ => OutputError::Unreadable {
            name: name.to_owned(),
            error,
        },
    }
}

/// Whether this is a regular file with a single name: a program that cannot read a file may still
/// be able to link it.
fn is_plain(kind: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // A file its owner cannot read counts as unreadable, even for root.
        if kind.nlink() != 1 || kind.mode() & 0o400 == 0 {
            return false;
        }
    }
    kind.is_file()
}

/// Opens without following a link in the place of the file, and without blocking.
#[cfg(unix)]
fn open(left: &LeftFiles, name: &str) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(left.folder()?, name, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open(left: &LeftFiles, name: &str) -> io::Result<File> {
    File::open(left.folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_read_up_to_the_limit() {
        let work = tempfile::tempdir().unwrap();
        let read = |name: &str| read_output(work.path(), name, 4);
        for (bytes, fits) in [(&b""[..], true), (b"1234", true), (b"12345", false)] {
            fs::write(work.path().join("out"), bytes).unwrap();
            match read("out") {
                Ok(got) => assert!(fits && got == bytes),
                Err(trouble) => {
                    assert!(!fits && matches!(trouble, OutputError::TooLong { .. }));
                    assert_eq!(trouble.to_string(), "out is longer than 4 bytes");
                }
            }
        }
        // A terabyte that takes no room on the disk.
        let huge = File::create(work.path().join("huge")).unwrap();
        huge.set_len(1 << 40).unwrap();
        assert!(matches!(read("huge"), Err(OutputError::TooLong { .. })));
        assert!(matches!(read("none"), Err(OutputError::Missing(_))));
        for name in ["", ".", "..", "a/b", "../x", "/etc/passwd", "out/", "./out"] {
            assert!(matches!(read(name), Err(OutputError::BadName(_))), "{name}");
        }
        fs::create_dir(work.path().join("folder")).unwrap();
        assert!(matches!(read("folder"), Err(OutputError::NotAFile(_))));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_but_a_plain_file_is_opened() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().unwrap();
        let secret = outside.path().join("secret");
        fs::write(&secret, "x").unwrap();
        let work = tempfile::tempdir().unwrap();
        let path = |name: &str| work.path().join(name);
        symlink(&secret, path("link")).unwrap();
        symlink("nowhere", path("dangling")).unwrap();
        symlink("/dev/zero", path("device")).unwrap();
        symlink("loop", path("loop")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(path("fifo"))
            .status();
        assert!(made.unwrap().success());
        fs::hard_link(&secret, path("twin")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        for name in [
            "link", "dangling", "device", "loop", "fifo", "socket", "twin",
        ] {
            let got = read_output(work.path(), name, 100);
            assert!(
                matches!(got, Err(OutputError::NotAFile(_))),
                "{name}: {got:?}"
            );
            // Even if it was put there after the look.
            assert!(
                open(&LeftFiles::in_folder(work.path()), name)
                    .map_or(true, |file| !is_plain(&file.metadata().unwrap())),
                "{name}"
            );
        }
    }
}
