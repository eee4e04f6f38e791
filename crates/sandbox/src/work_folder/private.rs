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

/// A private directory that goes with this value.
#[derive(Debug)]
pub(super) struct PrivateFolder {
    folder: TempDir,
    /// The name of the directory in it.
    name: String,
    /// The open folder; dropped last, and with it the lock.
    lock: OwnedFd,
}

impl PrivateFolder {
    /// One for a program to work in.
    pub(super) fn make(place: &Path) -> io::Result<PrivateFolder> {
        PrivateFolder::furnished(place, WORK, 0o700)
    }

    /// One with a directory of this name and mode in it.
    pub(super) fn furnished(place: &Path, name: &str, mode: u16) -> io::Result<PrivateFolder> {
        loop {
            let folder = TempDir::with_prefix_in(PREFIX, place)?;
            match claim(folder.path(), name, mode) {
                Ok(lock) => {
                    let name = name.to_owned();
                    return Ok(PrivateFolder { folder, name, lock });
                }
                // Another process removed it between its making and its locking.
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
        // If it cannot be emptied, it stays; the removal that follows tries once more.
        let _ = clearing::empty(&self.lock);
    }
}

/// Locks a new room and furnishes it.
fn claim(path: &Path, name: &str, mode: u16) -> rustix::io::Result<OwnedFd> {
    let room = rustix::fs::open(path, FOLDER, Mode::empty())?;
    // Where folders cannot be locked, nothing is swept either.
    let locked = rustix::fs::flock(&room, FlockOperation::NonBlockingLockExclusive);
    if locked == Err(Errno::WOULDBLOCK) {
        return Err(Errno::WOULDBLOCK);
    }
    // Started by root, programs are another user's, who has to get through to his own folder.
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

/// Whether the file system of this folder is mounted so that nothing on it can be run; false if the
/// system has no such flag.
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

/// Removes the rooms of this user that no process has locked. Rooms that cannot be removed are left
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
