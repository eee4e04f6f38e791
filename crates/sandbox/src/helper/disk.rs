//! How much a program has written: the files in its working directory, and the unnamed files it
//! holds open.
//!
//! In a mount namespace the directory is a file system of limited size, and one system call returns
//! both numbers. Elsewhere a quota would be exact, but needs rights that the supervisor seldom has. So
//! the supervisor looks, now and then while the program runs and once at its end. Data written between
//! two looks, or held by a mapping of an unnamed file, escapes it.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use super::process_tree::folder_of;
use super::returned;
use crate::limits::ResourceLimits;

/// Least time between two checks. After a slow check it grows, so that checking never takes more
/// than a tenth of the time.
const PAUSE: Duration = Duration::from_millis(20);
/// Space of a limited file system above the limits.
pub(super) const MORE_ROOM: u64 = 1 << 20;
pub(super) const MORE_ENTRIES: u64 = 16;
/// No path is longer, in bytes.
const LONGEST: usize = 4096;

#[derive(Debug)]
pub(crate) struct Disk {
    work: PathBuf,
    bytes: u64,
    entries: u64,
    next: Instant,
    /// The directory, if it is a separate file system.
    room: Option<OwnedFd>,
}

impl Disk {
    pub(crate) fn new(work: &Path, limits: &ResourceLimits) -> Disk {
        Disk {
            work: work.to_owned(),
            bytes: limits.disk,
            entries: limits.entries,
            next: Instant::now() + PAUSE,
            room: None,
        }
    }

    /// From now on, measures this directory, a separate file system.
    pub(crate) fn measure(&mut self, room: OwnedFd) {
        self.room = Some(room);
    }

    /// The directory, if it is a separate file system.
    pub(crate) fn room(&self) -> Option<OwnedFd> {
        self.room.as_ref()?.try_clone().ok()
    }

    /// Puts what lies in a file system of its own where the caller expects it. The program must
    /// have ended.
    ///
    /// False if it is more than fits there.
    pub(super) fn bring_out(&self) -> Result<bool, String> {
        let result = match &self.room {
            Some(room) => returned::bring_out(room, &self.work),
            None => Ok(()),
        };
        match result {
            Ok(()) => Ok(true),
            Err(Errno::NOSPC | Errno::DQUOT) => Ok(false),
            Err(e) => Err(format!(
                "bring the files back to {}: {e}",
                self.work.display()
            )),
        }
    }

    /// Whether these processes and their working directory exceed the limits, if a check is due.
    /// With a limited file system, none is: the supervisor checks when the program answers or ends,
    /// so that the verdict is always the same.
    pub(super) fn is_full_by_now(&mut self, pids: &[u32]) -> bool {
        let start = Instant::now();
        if self.room.is_some() || start < self.next {
            return false;
        }
        let full = self.is_full(pids);
        self.next = Instant::now() + PAUSE.max(start.elapsed() * 10);
        full
    }

    /// Whether these processes and their working directory exceed the limits.
    pub(crate) fn is_full(&self, pids: &[u32]) -> bool {
        if let Some(room) = &self.room {
            return rustix::fs::fstatvfs(room).is_ok_and(|all| {
                let bytes = (all.f_blocks - all.f_bfree).saturating_mul(all.f_bsize);
                // The directory itself is an entry too.
                bytes > self.bytes || all.f_files - all.f_ffree > self.entries.saturating_add(1)
            });
        }
        let mut left = Room {
            bytes: self.bytes,
            entries: self.entries,
        };
        left.walk(&self.work).is_none() || left.nameless(pids).is_none()
    }
}

struct Room {
    bytes: u64,
    entries: u64,
}

impl Room {
    fn take(&mut self, bytes: u64) -> Option<()> {
        self.bytes = self.bytes.checked_sub(bytes)?;
        self.entries = self.entries.checked_sub(1)?;
        Some(())
    }

    /// `None` as soon as the limit is exceeded. Folders wait in a list as paths. Each is opened
    /// from the top or from its parent without following links, even if folders are renamed during
    /// the walk.
    fn walk(&mut self, work: &Path) -> Option<()> {
        let way = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(top) = rustix::fs::openat(CWD, work, way, Mode::empty()) else {
            return Some(());
        };
        let mut waiting = vec![PathBuf::from(".")];
        let mut last: Option<(PathBuf, OwnedFd)> = None;
        while let Some(path) = waiting.pop() {
            // No program needs folders deeper than the longest path.
            if path.as_os_str().len() > LONGEST {
                return None;
            }
            // Opened from the parent folder if that was the last one: otherwise, deep nesting would
            // cost the square of its depth.
            let near = last.as_ref().and_then(|(above, folder)| {
                let is_above = path.parent()?.as_os_str() == above.as_os_str();
                Some((folder, path.file_name()?)).filter(|_| is_above)
            });
            let (from, way) = near.unwrap_or((&top, path.as_os_str()));
            let open = |flags| {
                let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
                let flags = flags | OFlags::DIRECTORY | OFlags::CLOEXEC;
                rustix::fs::openat2(from, way, flags, Mode::empty(), inside)
            };
            let folder = match open(OFlags::RDONLY) {
                Err(Errno::ACCESS) => {
                    // Closed to the same user: opened by the entry for just this folder.
                    let Ok(closed) = open(OFlags::PATH) else {
                        continue;
                    };
                    let entry = format!("/proc/self/fd/{}", closed.as_raw_fd());
                    let _ = rustix::fs::chmod(entry, Mode::RWXU);
                    open(OFlags::RDONLY)
                }
                opened => opened,
            };
            let Ok(folder) = folder else {
                continue;
            };
            for entry in Dir::read_from(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                if name == c"." || name == c".." {
                    continue;
                }
                let Ok(stat) = rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
                    continue;
                };
                let blocks = u64::try_from(stat.st_blocks).unwrap_or(0);
                self.take(blocks.saturating_mul(512))?;
                if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
                    waiting.push(path.join(OsStr::from_bytes(name.to_bytes())));
                }
            }
            last = Some((path, folder));
        }
        Some(())
    }

    /// Open files without a name, each counted once.
    fn nameless(&mut self, pids: &[u32]) -> Option<()> {
        let mut seen = HashSet::new();
        for &pid in pids {
            let open = fs::read_dir(folder_of(pid).join("fd"));
            for file in open.into_iter().flatten().flatten() {
                let Ok(file) = fs::metadata(file.path()) else {
                    continue;
                };
                if file.is_file() && file.nlink() == 0 && seen.insert((file.dev(), file.ino())) {
                    self.take(file.blocks().saturating_mul(512))?;
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// Whether the folder, with the unnamed files these processes hold open, is full. Other tests
    /// of this process hold such files too.
    fn is_full_with(work: &Path, disk: u64, entries: u64, processes: &[u32]) -> bool {
        let limits = ResourceLimits {
            disk,
            entries,
            ..ResourceLimits::default()
        };
        Disk::new(work, &limits).is_full(processes)
    }

    fn is_full(work: &Path, disk: u64, entries: u64) -> bool {
        is_full_with(work, disk, entries, &[])
    }

    #[test]
    fn everything_in_the_folder_counts_once() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("large"), vec![1; 1 << 20]).unwrap();
        let work = tempfile::tempdir().unwrap();
        assert!(!is_full(work.path(), 0, 0));
        fs::create_dir_all(work.path().join("a/b")).unwrap();
        fs::write(work.path().join("a/b/c"), vec![1; 200_000]).unwrap();
        symlink(outside.path(), work.path().join("away")).unwrap();
        symlink("/", work.path().join("a/root")).unwrap();
        assert!(!is_full(work.path(), 400_000, 5));
        assert!(is_full(work.path(), 400_000, 4));
        assert!(is_full(work.path(), 190_000, 5));
        // An unreadable folder counts too.
        fs::set_permissions(work.path().join("a"), fs::Permissions::from_mode(0o300)).unwrap();
        assert!(is_full(work.path(), 190_000, 5));
        assert!(!is_full(&work.path().join("nowhere"), 0, 0));
    }

    #[test]
    fn a_file_without_a_name_counts_too() {
        let work = tempfile::tempdir().unwrap();
        let mut file = tempfile::tempfile_in(work.path()).unwrap();
        // More than all other tests leave open.
        file.write_all(&vec![1; 3 << 20]).unwrap();
        let me = [std::process::id()];
        assert!(is_full_with(work.path(), 2 << 20, 100, &me));
        assert!(!is_full_with(work.path(), 1 << 30, 100, &me));
    }
}
