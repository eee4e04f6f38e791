//! A private working directory, and its removal after its referee was killed.
//!
//! It is `floe-room-XXXXXX/work` in the folder for temporary files; the copies of a program's files
//! are in such a room, too, in a folder of another name. The program owns what is inside; the
//! referee owns the room around it, and locks it for as long as it is needed. A killed referee
//! removes nothing, but the system releases its lock, and so the next referee can find abandoned
//! rooms. The lock is on the folder itself: no file that could be missing yet or be removed, and
//! cleaners of temporary files respect it as well.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FlockOperation, Mode};
use rustix::io::Errno;
use tempfile::TempDir;

use super::clearing::{self, FOLDER};

const PREFIX: &str = "floe-room-";
const WORK: &str = "work";

/// A private directory, removed on drop.
#[derive(Debug)]
pub(super) struct PrivateFolder {
    folder: TempDir,
    /// The name of the directory inside it.
    name: String,
    /// The open folder with its lock; dropped last.
    lock: OwnedFd,
}

impl PrivateFolder {
    /// Makes a private working directory.
    pub(super) fn make(place: &Path) -> io::Result<PrivateFolder> {
        PrivateFolder::furnished(place, WORK, 0o700)
    }

    /// Makes a private folder, with a directory of this name and mode inside.
    pub(super) fn furnished(place: &Path, name: &str, mode: u16) -> io::Result<PrivateFolder> {
        loop {
            let folder = TempDir::with_prefix_in(PREFIX, place)?;
            match claim(folder.path(), name, mode) {
                Ok(lock) => {
                    let name = name.to_owned();
                    return Ok(PrivateFolder { folder, name, lock });
                }
                // Another process removed the folder before it was locked.
                Err(Errno::NOENT | Errno::WOULDBLOCK) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The directory for the program.
    pub(super) fn work(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // A folder that cannot be emptied now is removed later.
        let _ = clearing::empty(&self.lock);
    }
}

/// Locks a new folder and makes its directory.
fn claim(path: &Path, name: &str, mode: u16) -> rustix::io::Result<OwnedFd> {
    let room = rustix::fs::open(path, FOLDER, Mode::empty())?;
    // On file systems without locks, nothing is removed later either.
    let locked = rustix::fs::flock(&room, FlockOperation::NonBlockingLockExclusive);
    if locked == Err(Errno::WOULDBLOCK) {
        return Err(Errno::WOULDBLOCK);
    }
    // If root started this, programs run as another user, who must be able to enter this folder.
    rustix::fs::fchmod(&room, Mode::from_raw_mode(0o711))?;
    rustix::fs::mkdirat(&room, name, Mode::RWXU)?;
    rustix::fs::chmodat(
        &room,
        name,
        Mode::from_raw_mode(mode.into()),
        AtFlags::empty(),
    )?;
    Ok(room)
}

/// Whether the file system of this folder forbids execution; `false` if the system has no such
/// flag.
pub(super) fn forbids_running(place: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        let mount = rustix::fs::statvfs(place);
        mount.is_ok_and(|mount| mount.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = place;
        false
    }
}

/// Removes this user's folders that no process has locked. A folder that cannot be removed is left
/// for the next time.
pub(super) fn sweep(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            let _ = remove(&entry.path());
        }
    }
}

fn remove(path: &Path) -> rustix::io::Result<()> {
    let room = rustix::fs::open(path, FOLDER, Mode::empty())?;
    if rustix::fs::fstat(&room)?.st_uid != rustix::process::geteuid().as_raw() {
        return Ok(());
    }
    rustix::fs::flock(&room, FlockOperation::NonBlockingLockExclusive)?;
    clearing::empty(&room)?;
    rustix::fs::rmdir(path)
}
