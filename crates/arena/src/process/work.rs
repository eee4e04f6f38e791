//! The directory a program works in.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A working directory: somebody else's, or a private one that goes with this value.
#[derive(Debug)]
pub(crate) struct Work {
    path: PathBuf,
    private: Option<TempDir>,
}

impl Work {
    pub(crate) fn new(given: Option<&Path>) -> io::Result<Work> {
        match given {
            Some(path) => Ok(Work {
                path: path.canonicalize()?,
                private: None,
            }),
            None => {
                let private = tempfile::Builder::new().prefix("floe-work-").tempdir()?;
                Ok(Work {
                    path: private.path().canonicalize()?,
                    private: Some(private),
                })
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if self.private.is_some() {
            // What cannot be emptied stays; the removal that follows tries once more.
            #[cfg(unix)]
            let _ = clearing::empty(&self.path);
        }
    }
}

#[cfg(unix)]
mod clearing {
    use std::ffi::CString;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, Dir, Mode, OFlags};
    use rustix::io::Errno;

    /// Removes everything in a folder that a program was free to fill: folders nobody may enter, and
    /// folders in folders deeper than any stack or path. One folder is open at a time, and the way up
    /// is kept as names. Nobody else is at work here any more, so "up" is where we came from.
    pub(super) fn empty(top: &Path) -> rustix::io::Result<()> {
        let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = Mode::from_raw_mode(0o700);
        rustix::fs::chmod(top, open)?;
        let mut here = rustix::fs::open(top, folder, Mode::empty())?;
        let mut way: Vec<CString> = Vec::new();
        loop {
            match clear(&here)? {
                Some(below) => {
                    rustix::fs::chmodat(&here, &below, open, AtFlags::empty())?;
                    here = rustix::fs::openat(&here, &below, folder, Mode::empty())?;
                    way.push(below);
                }
                None => {
                    let Some(name) = way.pop() else { return Ok(()) };
                    here = rustix::fs::openat(&here, c"..", folder, Mode::empty())?;
                    rustix::fs::unlinkat(&here, &name, AtFlags::REMOVEDIR)?;
                }
            }
        }
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
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn whatever_a_program_left_goes_with_it() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("keep"), "x").unwrap();
        let work = Work::new(None).unwrap();
        let path = work.path().to_owned();
        fs::create_dir_all(path.join("a/b/c")).unwrap();
        fs::create_dir(path.join("a/empty")).unwrap();
        fs::write(path.join("a/b/file"), "x").unwrap();
        symlink(outside.path(), path.join("a/link")).unwrap();
        symlink(outside.path(), path.join("link")).unwrap();
        fs::set_permissions(path.join("a/b"), Permissions::from_mode(0o0)).unwrap();
        fs::set_permissions(path.join("a"), Permissions::from_mode(0o0)).unwrap();
        drop(work);
        assert!(!path.exists());
        assert!(outside.path().join("keep").exists());
    }

    #[test]
    fn a_given_directory_stays() {
        let given = tempfile::tempdir().unwrap();
        fs::write(given.path().join("state"), "x").unwrap();
        drop(Work::new(Some(given.path())).unwrap());
        assert!(given.path().join("state").exists());
    }
}
