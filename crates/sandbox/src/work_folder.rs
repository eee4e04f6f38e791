//! The directory a program works in.

#[cfg(unix)]
mod clearing;
#[cfg(unix)]
mod private;
#[cfg(not(unix))]
mod private {
    use std::io;
    use std::path::{Path, PathBuf};

    use tempfile::TempDir;

    /// A private directory, removed on drop.
    #[derive(Debug)]
    pub(super) struct PrivateFolder(TempDir);

    impl PrivateFolder {
        pub(super) fn make(place: &Path) -> io::Result<PrivateFolder> {
            PrivateFolder::furnished(place, "", 0)
        }

        pub(super) fn furnished(place: &Path, _: &str, _: u16) -> io::Result<PrivateFolder> {
            let builder = tempfile::Builder::new()
                .prefix("floe-room-")
                .tempdir_in(place);
            builder.map(PrivateFolder)
        }

        pub(super) fn work(&self) -> PathBuf {
            self.0.path().to_owned()
        }
    }

    pub(super) fn forbids_running(_place: &Path) -> bool {
        false
    }

    pub(super) fn sweep(_place: &Path) {}
}

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use private::PrivateFolder;

/// The directory a program works in: one that the caller owns, or a private one that is removed
/// with this value.
///
/// ```
/// use floe_sandbox::WorkFolder;
/// let work = WorkFolder::private()?;
/// let path = work.path().to_owned();
/// std::fs::write(path.join("in.txt"), "a question")?;
/// drop(work);
/// assert!(!path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WorkFolder {
    path: PathBuf,
    _private: Option<PrivateFolder>,
}

impl WorkFolder {
    /// A new, empty folder, removed on drop. The first one of a process is made after folders left
    /// by killed processes are removed.
    pub fn private() -> io::Result<WorkFolder> {
        let folder = PrivateFolder::make(temporary()?)?;
        Ok(WorkFolder {
            path: folder.work(),
            _private: Some(folder),
        })
    }

    /// An existing folder, which stays. The path must be absolute, with links resolved.
    pub fn given(path: PathBuf) -> WorkFolder {
        WorkFolder {
            path,
            _private: None,
        }
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Hands on the removal of a private one; none if it stays anyway.
    #[cfg(target_os = "linux")]
    pub(crate) fn take_private(&mut self) -> Option<WorkFolder> {
        let private = self._private.take()?;
        Some(WorkFolder {
            path: self.path.clone(),
            _private: Some(private),
        })
    }
}

/// A private folder with copies for programs to read, removed on drop.
#[derive(Debug)]
pub(crate) struct CopiesFolder {
    path: PathBuf,
    _private: PrivateFolder,
}

impl CopiesFolder {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Makes a folder with this name: any user who knows its path can run programs from it, and only
/// its owner can change it.
pub(crate) fn copies_folder(name: &str) -> io::Result<CopiesFolder> {
    let usual = temporary()?;
    let place = match private::forbids_running(usual) {
        false => usual,
        true => lasting().unwrap_or(usual),
    };
    let folder = PrivateFolder::furnished(place, name, 0o755)?;
    Ok(CopiesFolder {
        path: folder.work(),
        _private: folder,
    })
}

/// The other folder for temporary files, for machines on which nothing may be executed in the
/// first; also swept once per process.
fn lasting() -> Option<&'static Path> {
    static PLACE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let place = PLACE.get_or_init(|| {
        let place = Path::new("/var/tmp").canonicalize().ok()?;
        private::sweep(&place);
        (!private::forbids_running(&place)).then_some(place)
    });
    place.as_deref()
}

/// The folder for private directories: found, and swept, once per process.
fn temporary() -> io::Result<&'static Path> {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    if let Some(place) = PLACE.get() {
        return Ok(place);
    }
    let place = std::env::temp_dir().canonicalize()?;
    Ok(PLACE.get_or_init(|| {
        private::sweep(&place);
        place
    }))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// Fills a folder with files that are hard to remove.
    fn litter(path: &Path, outside: &Path) {
        fs::create_dir_all(path.join("a/b/c")).unwrap();
        fs::create_dir(path.join("a/empty")).unwrap();
        fs::write(path.join("a/b/file"), "x").unwrap();
        symlink(outside, path.join("a/link")).unwrap();
        symlink(outside, path.join("link")).unwrap();
        for (folder, mode) in [("a/b/c", 0o400), ("a/b", 0o0), ("a", 0o0)] {
            fs::set_permissions(path.join(folder), Permissions::from_mode(mode)).unwrap();
        }
    }

    #[test]
    fn whatever_a_program_left_goes_with_it() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("keep"), "x").unwrap();
        let work = WorkFolder::private().unwrap();
        let path = work.path().to_owned();
        litter(&path, outside.path());
        drop(work);
        assert!(!path.exists() && !path.parent().unwrap().exists());
        assert!(outside.path().join("keep").exists());
    }

    #[test]
    fn a_given_directory_stays() {
        let given = tempfile::tempdir().unwrap();
        fs::write(given.path().join("state"), "x").unwrap();
        drop(WorkFolder::given(given.path().to_owned()));
        assert!(given.path().join("state").exists());
    }

    #[test]
    fn what_the_dead_left_is_swept_and_what_the_living_have_stays() {
        let place = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("keep"), "x").unwrap();
        let living = PrivateFolder::make(place.path()).unwrap();
        let dead = place.path().join("floe-room-dead");
        fs::create_dir_all(dead.join("work")).unwrap();
        litter(&dead.join("work"), outside.path());
        let link = place.path().join("floe-room-link");
        symlink(outside.path(), &link).unwrap();
        let file = place.path().join("floe-room-file");
        fs::write(&file, "x").unwrap();
        let other = place.path().join("other");
        fs::create_dir(&other).unwrap();
        private::sweep(place.path());
        assert!(!dead.exists());
        assert!(living.work().is_dir());
        assert!(link.is_symlink() && file.exists() && other.exists());
        assert!(outside.path().join("keep").exists());
        let was = living.work();
        drop(living);
        assert!(!was.parent().unwrap().exists());
        private::sweep(&place.path().join("nowhere"));
    }

    #[test]
    fn rooms_are_made_while_others_sweep() {
        let place = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            let makers = [0; 2].map(|_| {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let room = PrivateFolder::make(place.path()).unwrap();
                        fs::write(room.work().join("state"), "x").unwrap();
                    }
                })
            });
            while !makers
                .iter()
                .all(std::thread::ScopedJoinHandle::is_finished)
            {
                private::sweep(place.path());
            }
        });
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
