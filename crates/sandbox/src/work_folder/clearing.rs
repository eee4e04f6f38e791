//! Removes the files that a program left, of any kind.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, Dir, Mode, OFlags};
use rustix::io::Errno;

/// Flags to open a folder, never through a link.
pub(super) const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
const OPEN: Mode = Mode::RWXU;

/// Removes everything in a folder: folders without permissions, and folders nested deeper than any
/// stack or path. Only one folder is open at a time, and the way up is stored as names. If another
/// process moves the folders, it stops with an error and removes nothing else.
pub(super) fn empty(top: impl AsFd) -> rustix::io::Result<()> {
    let mut here = enter(top, c".")?;
    let mut way = Vec::new();
    loop {
        match clear(&here)? {
            Some(below) => {
                let up = identity(&here)?;
                here = enter(&here, &below)?;
                way.push((below, up));
            }
            None => {
                let Some((name, up)) = way.pop() else {
                    return Ok(());
                };
                here = rustix::fs::openat(&here, c"..", FOLDER, Mode::empty())?;
                if identity(&here)? != up {
                    return Err(Errno::STALE);
                }
                rustix::fs::unlinkat(&here, &name, AtFlags::REMOVEDIR)?;
            }
        }
    }
}

/// The identity of a folder on this machine.
fn identity(folder: &OwnedFd) -> rustix::io::Result<impl PartialEq + use<>> {
    let stat = rustix::fs::fstat(folder)?;
    Ok((stat.st_dev, stat.st_ino))
}

/// Opens a folder in a folder, and makes its entries removable.
fn enter(here: impl AsFd, name: &CStr) -> rustix::io::Result<OwnedFd> {
    let folder = match rustix::fs::openat(&here, name, FOLDER, Mode::empty()) {
        Err(Errno::ACCESS) => {
            unlock(&here, name)?;
            rustix::fs::openat(&here, name, FOLDER, Mode::empty())?
        }
        other => other?,
    };
    rustix::fs::fchmod(&folder, OPEN)?;
    Ok(folder)
}

/// Makes a folder openable. It is opened as a path first, since its name could be replaced with a
/// link.
#[cfg(target_os = "linux")]
fn unlock(here: impl AsFd, name: &CStr) -> rustix::io::Result<()> {
    use std::os::fd::AsRawFd;
    let folder = rustix::fs::openat(here, name, FOLDER | OFlags::PATH, Mode::empty())?;
    rustix::fs::chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), OPEN)
}

#[cfg(not(target_os = "linux"))]
fn unlock(here: impl AsFd, name: &CStr) -> rustix::io::Result<()> {
    rustix::fs::chmodat(here, name, OPEN, AtFlags::SYMLINK_NOFOLLOW)
}

/// Removes files and empty folders; returns the first folder that is not empty.
fn clear(folder: &OwnedFd) -> rustix::io::Result<Option<CString>> {
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
            Ok(()) => {}
            Err(Errno::ISDIR | Errno::PERM) => {
                match rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR) {
                    Ok(()) => {}
                    Err(Errno::NOTEMPTY | Errno::EXIST) => return Ok(Some(name.to_owned())),
                    Err(error) => return Err(error),
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}
