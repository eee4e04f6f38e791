//! A program's files in a folder of their own, so that it can read these and nothing beside them.
//!
//! They are copied, not linked: a second name for a file would have its owner and mode, which
//! another user may not be able to use, and would change with the file while a game is played.
//! Where the file system can, a copy shares its blocks with the original until one of them changes.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::work_folder::{CopiesFolder, copies_folder};

/// System folders, readable by every program without a copy.
pub(crate) const SYSTEM: &[&str] = &["/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin"];
/// Limits of a folder to copy: number of files, and bytes.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 2 << 30;

/// Whether a file belongs to the system: every program may read it in place, and none is copied.
pub fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// An entry of a folder that a program may read as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// The entry's full path.
    pub path: PathBuf,
    /// The target, if the entry is a link: another entry of the folder, or a system file.
    pub link: Option<PathBuf>,
}

/// The reason why a program may not use a folder.
#[derive(Debug, Error)]
pub enum FolderError {
    /// A part of the folder cannot be read.
    #[error("{}: {cause}", path.display())]
    Unreadable {
        /// The part.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// A link in the folder leads to a file outside.
    #[error("{} leads out of the folder, to {}; put the file itself there", path.display(), to.display())]
    LeadsOut {
        /// The link.
        path: PathBuf,
        /// The target of the link.
        to: PathBuf,
    },
    /// The folder is too large to be copied.
    #[error(
        "{} has more than {MOST_FILES} files or {} GiB; name a smaller folder, or files",
        .0.display(),
        MOST_BYTES >> 30
    )]
    TooLarge(PathBuf),
}

/// Everything in a folder, in order. The path must be absolute, with links resolved. Refuses links
/// out of the folder, except to system files: the folder's author may not be allowed to read their
/// targets. Entries other than files, folders and links are skipped.
pub fn list_folder(folder: &Path) -> Result<Vec<FolderEntry>, FolderError> {
    let mut entries = Vec::new();
    let mut bytes = 0;
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let fail = |path: &Path, cause| FolderError::Unreadable {
            path: path.to_owned(),
            cause,
        };
        for entry in fs::read_dir(&next).map_err(|e| fail(&next, e))? {
            let entry = entry.map_err(|e| fail(&next, e))?;
            let path = entry.path();
            let data = entry.metadata().map_err(|e| fail(&path, e))?;
            if data.is_dir() {
                open.push(path);
            } else if data.is_file() {
                bytes += data.len();
                entries.push(FolderEntry { path, link: None });
            } else if data.is_symlink() {
                let link = Some(read_link(&path, folder)?);
                entries.push(FolderEntry { path, link });
            }
            if entries.len() + open.len() > MOST_FILES || bytes > MOST_BYTES {
                return Err(FolderError::TooLarge(folder.to_owned()));
            }
        }
    }
    entries.sort();
    Ok(entries)
}

/// The target of a link, as written in the copy.
fn read_link(path: &Path, folder: &Path) -> Result<PathBuf, FolderError> {
    let fail = |cause| FolderError::Unreadable {
        path: path.to_owned(),
        cause,
    };
    let text = fs::read_link(path).map_err(fail)?;
    let to = path.canonicalize().map_err(fail)?;
    if is_of_system(&to) {
        return Ok(to);
    }
    match to.starts_with(folder) && text.is_relative() {
        true => Ok(text),
        false => Err(FolderError::LeadsOut {
            path: path.to_owned(),
            to,
        }),
    }
}

/// A program's files in a folder of their own, which goes with this value.
///
/// ```
/// use floe_sandbox::{Launch, ProgramCopy, ProgramFiles};
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("bot.py"), "print('hello')")?;
/// std::fs::write(folder.path().join("key"), "secret")?;
/// let found = ProgramFiles::find(["python3", "bot.py"], folder.path());
/// let copy = ProgramCopy::make("any-name", &found.files, &[])?;
/// let launch = Launch {
///     readable: vec![copy.folder().to_owned()],
///     ..Launch::of(found.command.iter().map(|word| copy.place_of(word)))
/// };
/// assert_eq!(launch.command[1], copy.folder().join("bot.py"));
/// assert!(!copy.folder().join("key").exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ProgramCopy {
    copies: CopiesFolder,
    /// The common parent of all files; the copies lie below the folder of this value.
    top: PathBuf,
    originals: Vec<PathBuf>,
}

impl ProgramCopy {
    /// Copies these files and the contents of folders to a folder of this name in a private place.
    /// The paths must be absolute, with links resolved. Files keep their places relative to each
    /// other. Every user who knows the path may read the copies, and none may write them. System
    /// files stay where they are.
    pub fn make(name: &str, files: &[PathBuf], more: &[FolderEntry]) -> io::Result<ProgramCopy> {
        let all = files.iter().chain(more.iter().map(|entry| &entry.path));
        let originals: Vec<PathBuf> = all.filter(|path| !is_of_system(path)).cloned().collect();
        let top = common_folder(&originals);
        let copies = copies_folder(name)?;
        let copy = ProgramCopy {
            copies,
            top,
            originals,
        };
        for file in files.iter().filter(|file| !is_of_system(file)) {
            copy.add(file)?;
        }
        for entry in more {
            match &entry.link {
                None => copy.add(&entry.path)?,
                Some(to) => copy.add_link(&entry.path, to)?,
            }
        }
        Ok(copy)
    }

    fn add(&self, file: &Path) -> io::Result<()> {
        let to = self.place(file)?;
        if to.exists() {
            return Ok(());
        }
        let told =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", file.display()));
        fs::copy(file, &to).map_err(told)?;
        open_to_all(&to, false)
    }

    #[cfg(unix)]
    fn add_link(&self, link: &Path, to: &Path) -> io::Result<()> {
        match std::os::unix::fs::symlink(to, self.place(link)?) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            other => other,
        }
    }

    #[cfg(not(unix))]
    fn add_link(&self, link: &Path, _: &Path) -> io::Result<()> {
        fs::copy(link, self.place(link)?).map(|_| ())
    }

    /// The path of a file's copy; its folder exists.
    fn place(&self, file: &Path) -> io::Result<PathBuf> {
        let below = file.strip_prefix(&self.top).map_err(io::Error::other)?;
        if below.has_root() {
            let file = file.display();
            return Err(io::Error::other(format!(
                "{file} lies apart from the other files"
            )));
        }
        let mut to = self.folder().to_owned();
        let mut names = below.components();
        let name = names.next_back();
        for folder in names {
            to.push(folder);
            match fs::create_dir(&to) {
                Ok(()) => open_to_all(&to, true)?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        to.extend(name);
        Ok(to)
    }

    /// The folder of the copies.
    pub fn folder(&self) -> &Path {
        self.copies.path()
    }

    /// The path of the copy of the file that a word names; the word itself if it names none.
    pub fn place_of(&self, word: &std::ffi::OsStr) -> OsString {
        let path = Path::new(word);
        let is_copied = self.originals.iter().any(|original| original == path);
        match path.strip_prefix(&self.top) {
            Ok(below) if is_copied => self.folder().join(below).into(),
            _ => word.to_owned(),
        }
    }

    /// The copies of these files, in the same order; for system files, their own paths.
    pub fn places(&self, files: &[PathBuf]) -> Vec<PathBuf> {
        let place = |file: &PathBuf| self.place_of(file.as_os_str()).into();
        files.iter().map(place).collect()
    }
}

/// Lets all users read a copy, and enter or execute it: programs may run as another user. The owner
/// may change folders; no user may change files.
#[cfg(unix)]
fn open_to_all(path: &Path, is_folder: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = fs::metadata(path)?.permissions();
    let can_run = permissions.mode() & 0o111 != 0;
    permissions.set_mode(match (is_folder, can_run) {
        (true, _) => 0o755,
        (false, true) => 0o555,
        (false, false) => 0o444,
    });
    fs::set_permissions(path, permissions)
}

#[cfg(not(unix))]
fn open_to_all(_: &Path, _: bool) -> io::Result<()> {
    Ok(())
}

/// The innermost folder that contains all of these files.
fn common_folder(files: &[PathBuf]) -> PathBuf {
    let mut folders = files.iter().filter_map(|file| file.parent());
    let Some(mut common) = folders.next() else {
        return PathBuf::new();
    };
    for folder in folders {
        while !folder.starts_with(common) {
            let Some(above) = common.parent() else {
                return PathBuf::new();
            };
            common = above;
        }
    }
    common.to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn below(folder: &Path) -> Vec<String> {
        let entries = list_folder(folder).unwrap();
        let names = entries.iter().map(|entry| {
            let name = entry.path.strip_prefix(folder).unwrap();
            name.to_str().unwrap().to_owned()
        });
        names.collect()
    }

    #[test]
    fn files_keep_their_places_and_nothing_else_comes_along() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        fs::create_dir(home.join("data")).unwrap();
        for name in ["bot", "data/weights", "key"] {
            fs::write(home.join(name), name).unwrap();
        }
        fs::set_permissions(home.join("bot"), fs::Permissions::from_mode(0o700)).unwrap();
        fs::set_permissions(home.join("data/weights"), fs::Permissions::from_mode(0o600)).unwrap();
        let files = ["bot", "data/weights"].map(|name| home.join(name));
        let copy = ProgramCopy::make("name", &files, &[]).unwrap();
        assert_eq!(below(copy.folder()), ["bot", "data/weights"]);
        assert_eq!(copy.places(&files)[1], copy.folder().join("data/weights"));
        let mode = |name: &str| {
            let data = copy.folder().join(name).metadata().unwrap();
            data.permissions().mode() & 0o777
        };
        assert_eq!(
            (mode("bot"), mode("data/weights"), mode("")),
            (0o555, 0o444, 0o755)
        );
        let word = home.join("key").into_os_string();
        assert_eq!(copy.place_of(&word), word);
        let was = copy.folder().to_owned();
        drop(copy);
        assert!(!was.parent().unwrap().exists());
    }

    #[test]
    fn files_of_the_system_stay_where_they_are() {
        let system = Path::new("/usr/bin/env").canonicalize().unwrap();
        let copy = ProgramCopy::make("name", std::slice::from_ref(&system), &[]).unwrap();
        assert_eq!(below(copy.folder()), [""; 0]);
        assert_eq!(copy.places(std::slice::from_ref(&system)), [system]);
    }

    #[test]
    fn a_whole_folder_comes_with_links_that_stay_in_it() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        fs::create_dir(home.join("lib")).unwrap();
        fs::write(home.join("lib/one"), "1").unwrap();
        symlink("lib", home.join("lib64")).unwrap();
        symlink("/usr/bin/env", home.join("tool")).unwrap();
        let copy = ProgramCopy::make("name", &[], &list_folder(&home).unwrap()).unwrap();
        assert_eq!(fs::read(copy.folder().join("lib64/one")).unwrap(), b"1");
        assert!(copy.folder().join("tool").is_symlink());
        symlink("/etc/passwd", home.join("stolen")).unwrap();
        let error = list_folder(&home).unwrap_err();
        assert!(matches!(error, FolderError::LeadsOut { .. }), "{error}");
    }
}
