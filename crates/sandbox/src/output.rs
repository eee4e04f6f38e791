//! Reading a file that a program was asked to leave in its working directory.
//!
//! The program was free to leave anything there: a link to a file of the referee, a pipe that
//! never ends, a device, a folder, a gigabyte. None of them is followed, waited for or read.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path};

/// Why there is no file to read. The first three are the program's doing, the others the machine's
/// or the caller's.
#[derive(Debug, thiserror::Error)]
pub enum OutputTrouble {
    /// Nothing has that name.
    #[error("there is no file {0}")]
    Missing(String),
    /// Something else has that name: a link, a folder, a pipe, a device, a file that has other
    /// names elsewhere or may not be read.
    #[error("{0} is not a plain, readable file")]
    NotAFile(String),
    /// The file is longer than allowed.
    #[error("{name} is longer than {limit} bytes")]
    TooLong {
        /// The file's name.
        name: String,
        /// How long it may be.
        limit: usize,
    },
    /// The name is not one of a file right in the folder.
    #[error("{0} is no name of a file in the working directory")]
    BadName(String),
    /// The file is there and cannot be read.
    #[error("cannot read {name}: {error}")]
    Unreadable {
        /// The file's name.
        name: String,
        /// What the system says.
        error: io::Error,
    },
}

/// Reads the file of this name in a folder where a program has worked, at most `limit` bytes of
/// it. Call it when the program has ended: then nobody changes the folder any more.
///
/// ```
/// use floe_sandbox::{OutputTrouble, read_output};
/// let work = tempfile::tempdir()?;
/// std::fs::write(work.path().join("out.txt"), "d3-d7\n")?;
/// assert_eq!(read_output(work.path(), "out.txt", 100)?, b"d3-d7\n");
/// let missing = read_output(work.path(), "in.txt", 100);
/// assert!(matches!(missing, Err(OutputTrouble::Missing(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Costs an open and the reading.
pub fn read_output(folder: &Path, name: &str, limit: usize) -> Result<Vec<u8>, OutputTrouble> {
    let mut parts = Path::new(name).components();
    let plain = matches!(parts.next(), Some(Component::Normal(part)) if part == name);
    if !plain || parts.next().is_some() {
        return Err(OutputTrouble::BadName(name.to_owned()));
    }
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => OutputTrouble::Missing(name.to_owned()),
        io::ErrorKind::PermissionDenied => OutputTrouble::NotAFile(name.to_owned()),
        _ => OutputTrouble::Unreadable {
            name: name.to_owned(),
            error,
        },
    };
    // Looked at first only for a good answer; what counts is the look at the open file.
    let kind = folder.join(name).symlink_metadata().map_err(unreadable)?;
    if !is_plain(&kind) {
        return Err(OutputTrouble::NotAFile(name.to_owned()));
    }
    let file = open(folder, name).map_err(unreadable)?;
    if !is_plain(&file.metadata().map_err(unreadable)?) {
        return Err(OutputTrouble::NotAFile(name.to_owned()));
    }
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = file.take(most).read_to_end(&mut bytes);
    read.map_err(unreadable)?;
    if bytes.len() > limit {
        let name = name.to_owned();
        return Err(OutputTrouble::TooLong { name, limit });
    }
    Ok(bytes)
}

/// Whether this is a file, and nobody else's: a program that cannot read a file may still be able
/// to give it a second name.
fn is_plain(kind: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // Closed to its owner is closed, though root could open it all the same.
        if kind.nlink() != 1 || kind.mode() & 0o400 == 0 {
            return false;
        }
    }
    kind.is_file()
}

/// Opens without following a link in the place of the file, and without waiting for anybody.
#[cfg(unix)]
fn open(folder: &Path, name: &str) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags};
    let here = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::openat(CWD, folder, here, Mode::empty())?;
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(folder, name, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open(folder: &Path, name: &str) -> io::Result<File> {
    File::open(folder.join(name))
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
                    assert!(!fits && matches!(trouble, OutputTrouble::TooLong { .. }));
                    assert_eq!(trouble.to_string(), "out is longer than 4 bytes");
                }
            }
        }
        // A terabyte that takes no room on the disk.
        let huge = File::create(work.path().join("huge")).unwrap();
        huge.set_len(1 << 40).unwrap();
        assert!(matches!(read("huge"), Err(OutputTrouble::TooLong { .. })));
        assert!(matches!(read("none"), Err(OutputTrouble::Missing(_))));
        for name in ["", ".", "..", "a/b", "../x", "/etc/passwd", "out/", "./out"] {
            assert!(
                matches!(read(name), Err(OutputTrouble::BadName(_))),
                "{name}"
            );
        }
        fs::create_dir(work.path().join("folder")).unwrap();
        assert!(matches!(read("folder"), Err(OutputTrouble::NotAFile(_))));
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
                matches!(got, Err(OutputTrouble::NotAFile(_))),
                "{name}: {got:?}"
            );
            // Even if it was put there after the look.
            assert!(
                open(work.path(), name).map_or(true, |file| !is_plain(&file.metadata().unwrap())),
                "{name}"
            );
        }
    }
}
