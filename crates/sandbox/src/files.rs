//! The files a command names.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::launch::Launch;

/// A command as typed in a folder, with the files it names.
///
/// ```
/// use floe_sandbox::ProgramFiles;
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("bot.py"), "")?;
/// let found = ProgramFiles::find(["python3", "bot.py", "--fast"], folder.path());
/// let script = folder.path().canonicalize()?.join("bot.py");
/// assert_eq!(found.files, [script.clone()]);
/// assert_eq!(found.folders, [folder.path().canonicalize()?]);
/// assert_eq!(found.command, ["python3".into(), script.into_os_string(), "--fast".into()]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramFiles {
    /// The command; words that name files of the folder are full paths.
    pub command: Vec<OsString>,
    /// The command's files, with full paths and links resolved.
    pub files: Vec<PathBuf>,
    /// The folders of these files, in order and each once.
    pub folders: Vec<PathBuf>,
}

impl ProgramFiles {
    /// Looks for files in `folder`. A bare first word is a program of the system, even if a file
    /// has the same name.
    pub fn find<W: Into<OsString>>(
        command: impl IntoIterator<Item = W>,
        folder: &Path,
    ) -> ProgramFiles {
        let mut found = ProgramFiles {
            command: command.into_iter().map(Into::into).collect(),
            ..ProgramFiles::default()
        };
        for (place, word) in found.command.iter_mut().enumerate() {
            if place == 0 && !word.as_encoded_bytes().contains(&b'/') {
                continue;
            }
            let Ok(path) = folder.join(&*word).canonicalize() else {
                continue;
            };
            let Some(home) = path.parent().filter(|_| path.is_file()) else {
                continue;
            };
            found.folders.push(home.to_owned());
            found.files.push(path.clone());
            *word = path.into_os_string();
        }
        found.folders.sort();
        found.folders.dedup();
        found
    }
}

impl From<ProgramFiles> for Launch {
    /// Starts the command, with read access to its folders.
    fn from(found: ProgramFiles) -> Launch {
        Launch {
            readable: found.folders,
            ..Launch::of(found.command)
        }
    }
}
