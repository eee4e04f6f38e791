//! Stored state: the latest choices, and the games as they are played.
//!
//! All of it is in one folder: `$FLOE_HOME`, or `floe` in the folder where the system keeps the
//! state of programs. Without any folder nothing is stored, and everything else works.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::output_file::write_whole;
use crate::streak::{SolvedDays, today};
use crate::texts::t;

/// The file of the latest choices.
const CHOICE: &str = "choice.json";
/// The file of solved puzzles.
const SOLVED: &str = "puzzles.json";

/// The folder.
#[derive(Debug, Clone, Default)]
pub struct Home {
    folder: Option<PathBuf>,
}

/// The latest choices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    pub game: String,
    pub forms: Vec<Form>,
}

/// The latest choices in one game's form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Form {
    pub game: String,
    pub setup: String,
    pub seats: Vec<String>,
}

/// A folder of this user for other long-lived data; it need not exist.
pub fn home_folder(name: &str) -> Option<PathBuf> {
    Some(Home::find().folder?.join(name))
}

impl Home {
    /// The folder with this user's files.
    pub fn find() -> Self {
        Self::from_variables(|name| env::var_os(name).map(PathBuf::from))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<PathBuf>) -> Self {
        let set = |name: &str| variable(name).filter(|path| !path.as_os_str().is_empty());
        let folder = (set("FLOE_HOME"))
            .or_else(|| {
                Some(
                    set("XDG_STATE_HOME")
                        .filter(|p| p.is_absolute())?
                        .join("floe"),
                )
            })
            .or_else(|| Some(set("LOCALAPPDATA")?.join("floe")))
            .or_else(|| Some(set("HOME")?.join(".local/state/floe")));
        Home { folder }
    }

    /// This folder, such as one of a test.
    pub fn at(folder: &Path) -> Self {
        Home {
            folder: Some(folder.to_owned()),
        }
    }

    /// The last choice; nothing if there was none or it cannot be read.
    pub fn recall(&self) -> Memory {
        self.load(CHOICE)
    }

    /// Stores a choice. A failure is ignored, since it should not disturb the user.
    pub fn remember(&self, memory: &Memory) {
        let _ = self.store(CHOICE, memory);
    }

    /// Counts a puzzle that the player solved today. A failure is ignored, as for a choice.
    pub fn note_solved_puzzle(&self) {
        let mut days = self.solved_days();
        days.add(today());
        let _ = self.store(SOLVED, &days);
    }

    /// Puzzles that the player solved on each day.
    pub(crate) fn solved_days(&self) -> SolvedDays {
        self.load(SOLVED)
    }

    /// The stored value of this name; the default if there is none or it cannot be read.
    pub fn load<T: DeserializeOwned + Default>(&self, name: &str) -> T {
        let read = |folder: &PathBuf| fs::read(folder.join(name)).ok();
        let bytes = self.folder.as_ref().and_then(read);
        bytes
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    /// Stores a value under this name, in place of the earlier one.
    pub fn store<T: Serialize>(&self, name: &str, value: &T) -> io::Result<()> {
        let folder = self.folder.as_ref().ok_or_else(no_folder)?;
        fs::create_dir_all(folder)?;
        write_whole(&folder.join(name), &serde_json::to_vec_pretty(value)?)
    }

    /// The saved games, the newest first.
    pub fn saved(&self) -> Vec<PathBuf> {
        let Some(folder) = self.folder.as_ref().map(|folder| folder.join("games")) else {
            return Vec::new();
        };
        let mut numbered: Vec<(u64, PathBuf)> = (fs::read_dir(folder).into_iter().flatten())
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter_map(|path| Some((number(&path)?, path)))
            .collect();
        numbered.sort_by(|a, b| b.cmp(a));
        numbered.into_iter().map(|(_, path)| path).collect()
    }

    /// A path for one more game, in a folder that is there.
    pub fn next_game(&self) -> io::Result<PathBuf> {
        let folder = self.games_folder()?;
        let last = self.saved().first().and_then(|path| number(path));
        Ok(folder.join(format!("{:06}.jsonl", last.unwrap_or(0) + 1)))
    }

    /// Makes sure that a game can be stored, before its first turn.
    pub fn check(&self) -> io::Result<()> {
        let folder = self.games_folder()?;
        // Permissions are not enough: the whole file system may be read-only.
        let probe = tempfile::NamedTempFile::new_in(&folder);
        probe.map(drop).map_err(|error| at(&folder, &error))
    }

    /// The folder of the games, which exists.
    fn games_folder(&self) -> io::Result<PathBuf> {
        let folder = self.folder.as_ref().ok_or_else(no_folder)?;
        let folder = folder.join("games");
        fs::create_dir_all(&folder).map_err(|error| at(&folder, &error))?;
        Ok(folder)
    }
}

/// The advice of every message about a game that cannot be stored.
pub(crate) fn set_home() -> String {
    t!("set FLOE_HOME to a folder that you can write to")
}

/// The error where no folder is known.
fn no_folder() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "there is no folder for games")
}

/// The error, with the folder that it is about.
fn at(folder: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
}

fn number(path: &Path) -> Option<u64> {
    let is_game = path.extension().is_some_and(|ending| ending == "jsonl");
    is_game
        .then(|| path.file_stem()?.to_str()?.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_first_that_is_named() {
        let home = |set: &[(&str, &str)]| {
            let value = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| v.into());
            Home::from_variables(value).folder
        };
        assert_eq!(home(&[]), None);
        assert_eq!(home(&[("HOME", "/a")]), Some("/a/.local/state/floe".into()));
        let state = [("HOME", "/a"), ("XDG_STATE_HOME", "/b")];
        assert_eq!(home(&state), Some("/b/floe".into()));
        assert_eq!(home(&[("FLOE_HOME", "/c"), state[1]]), Some("/c".into()));
        assert_eq!(home(&[("FLOE_HOME", "")]), None);
    }

    #[test]
    fn a_choice_is_remembered_and_games_are_numbered() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(&folder.path().join("floe"));
        assert_eq!(home.recall(), Memory::default());
        let memory = Memory {
            game: "gamma".to_owned(),
            ..Memory::default()
        };
        home.remember(&memory);
        assert_eq!(home.recall(), memory);
        let first = home.next_game().unwrap();
        assert!(first.ends_with("games/000001.jsonl"));
        fs::write(&first, "").unwrap();
        assert!(home.next_game().unwrap().ends_with("games/000002.jsonl"));
        assert_eq!(home.saved(), [first]);
        assert!(Home::default().next_game().is_err());
    }

    #[test]
    fn a_home_that_takes_no_games_says_so_before_the_first_turn() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        home.check().unwrap();
        assert_eq!(home.saved(), [] as [PathBuf; 0]);
        let left: Vec<_> = fs::read_dir(folder.path().join("games")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");

        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Home::at(&file).check().unwrap_err().to_string();
        assert!(error.contains("file/games: "), "{error}");
        let error = Home::default().check().unwrap_err().to_string();
        assert_eq!(error, "there is no folder for games");
    }
}
