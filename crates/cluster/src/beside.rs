//! Files an organiser stores next to the records: the ID of its run, and the workers it banned.
//!
//! | file | what |
//! |---|---|
//! | `NAME.cluster.json` | the run of the records `NAME.jsonl` |
//! | `cluster.bans` | bans and their ends, a line of JSON each; they hold for every contest of the folder |

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::error::ClusterError;
use crate::link::host_name;
use crate::wire::{is_word, random_id, sha256};

/// Name of the file of bans, in the folder of the records.
const BANS: &str = "cluster.bans";

/// The ID of an organiser's games in the cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunId {
    pub(crate) run: String,
    /// Hash of the machine and the path: a copy of the folder gets an ID of its own.
    origin: String,
}

impl RunId {
    /// The stored ID if these games are resumed here, else a new random one. Also returns the
    /// earlier ID whose leftovers to remove.
    pub(crate) fn open(
        records: &Path,
        resumes: bool,
    ) -> Result<(RunId, Option<String>), ClusterError> {
        let path = records.with_extension("cluster.json");
        let origin = origin_of(records);
        // If the file cannot be read, only results in transit are lost, and those games are played
        // again.
        let stored = fs::read(&path).ok();
        let stored = stored.and_then(|text| serde_json::from_slice::<RunId>(&text).ok());
        let stored = stored.filter(|id| id.origin == origin && is_word(&id.run));
        match stored {
            Some(id) if resumes => Ok((id, None)),
            stored => {
                let run = random_id()?;
                let id = RunId { run, origin };
                write(&path, &id).map_err(|e| ClusterError::file(&path, e))?;
                Ok((id, stored.map(|id| id.run)))
            }
        }
    }
}

fn origin_of(records: &Path) -> String {
    let machine = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let path = records
        .canonicalize()
        .or_else(|_| std::path::absolute(records));
    let path = path.unwrap_or_else(|_| records.to_owned());
    let text = format!("{}\0{machine}\0{}", host_name(), path.display());
    sha256(text.as_bytes())[..16].to_owned()
}

/// Writes a file atomically.
fn write(path: &Path, id: &RunId) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    serde_json::to_writer(&mut file, id)?;
    file.write_all(b"\n")?;
    file.persist(path)?;
    Ok(())
}

/// The reason and the time of a ban.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ban {
    /// The reason.
    pub reason: String,
    /// The time, in seconds since 1970.
    pub since: u64,
}

/// A line of the file of bans.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    worker: String,
    when: u64,
    /// `None` ends a ban.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// The banned workers of a folder. Lines are only appended, so that an organiser and `floe cluster
/// ban` cannot lose each other's lines.
#[derive(Debug, Clone)]
pub struct Bans {
    path: PathBuf,
}

impl Bans {
    /// The bans of the folder that has these records.
    pub fn beside(records: &Path) -> Bans {
        Bans {
            path: records.with_file_name(BANS),
        }
    }

    /// The bans of this folder.
    pub fn of(folder: &Path) -> Bans {
        Bans {
            path: folder.join(BANS),
        }
    }

    /// The file of the bans.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bans in force, by worker.
    pub fn read(&self) -> Result<BTreeMap<String, Ban>, ClusterError> {
        let mut bans = BTreeMap::new();
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(bans),
            Err(error) => return Err(ClusterError::file(&self.path, error)),
        };
        for (number, line) in text.lines().enumerate() {
            // The rest of a line that a full disk cut off.
            if line.trim().is_empty() {
                continue;
            }
            let Line {
                worker,
                when,
                reason,
            } = serde_json::from_str(line).map_err(|error| {
                let cause = format!(
                    "line {}: {error}; correct the line or delete it",
                    number + 1
                );
                ClusterError::file(&self.path, cause)
            })?;
            match reason {
                Some(reason) => bans.insert(
                    worker,
                    Ban {
                        reason,
                        since: when,
                    },
                ),
                None => bans.remove(&worker),
            };
        }
        Ok(bans)
    }

    /// Bans a worker; `false` if it was banned already.
    pub fn ban(&self, worker: &str, reason: &str) -> Result<bool, ClusterError> {
        if !is_word(worker) {
            return Err(ClusterError::Name(worker.to_owned()));
        }
        if self.read()?.contains_key(worker) {
            return Ok(false);
        }
        self.append(worker, Some(reason))?;
        Ok(true)
    }

    /// Ends a ban; `false` if there was none.
    pub fn unban(&self, worker: &str) -> Result<bool, ClusterError> {
        if !self.read()?.contains_key(worker) {
            return Ok(false);
        }
        self.append(worker, None)?;
        Ok(true)
    }

    fn append(&self, worker: &str, reason: Option<&str>) -> Result<(), ClusterError> {
        let when = SystemTime::now().duration_since(UNIX_EPOCH);
        let line = Line {
            worker: worker.to_owned(),
            when: when.map_or(0, |time| time.as_secs()),
            reason: reason.map(str::to_owned),
        };
        let named = |error: io::Error| ClusterError::file(&self.path, error);
        let text = serde_json::to_string(&line).map_err(|e| named(e.into()))? + "\n";
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.path);
        file.and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_keeps_its_id_and_no_other_has_it() {
        let home = tempfile::tempdir().unwrap();
        let records = home.path().join("cup.jsonl");
        let (first, leftover) = RunId::open(&records, true).unwrap();
        assert_eq!(leftover, None);
        assert_eq!(
            RunId::open(&records, true).unwrap(),
            (first.clone(), None),
            "it is resumed"
        );
        let (anew, leftover) = RunId::open(&records, false).unwrap();
        assert_eq!(leftover.as_ref(), Some(&first.run));
        assert_ne!(anew, first);

        let copy = tempfile::tempdir().unwrap();
        let name = "cup.cluster.json";
        fs::copy(home.path().join(name), copy.path().join(name)).unwrap();
        let (copied, leftover) = RunId::open(&copy.path().join("cup.jsonl"), true).unwrap();
        assert_ne!(copied.run, anew.run);
        assert_eq!(leftover, None, "the other one is still played");
        fs::write(home.path().join(name), "{").unwrap();
        let (again, _) = RunId::open(&records, true).unwrap();
        assert_ne!(again, anew);
    }

    #[test]
    fn bans_last_until_they_end() {
        let home = tempfile::tempdir().unwrap();
        let bans = Bans::beside(&home.path().join("cup.jsonl"));
        assert!(bans.read().unwrap().is_empty());
        assert!(bans.ban("liar", "game 7 has another result").unwrap());
        assert!(!bans.ban("liar", "again").unwrap());
        assert!(bans.ban("lab-7", "too hot").unwrap());
        let stored = Bans::of(home.path()).read().unwrap();
        let names: Vec<&String> = stored.keys().collect();
        assert_eq!(names, ["lab-7", "liar"]);
        assert_eq!(stored["liar"].reason, "game 7 has another result");
        assert!(bans.unban("liar").unwrap());
        assert!(!bans.unban("liar").unwrap());
        assert_eq!(bans.read().unwrap().len(), 1);
        assert!(matches!(bans.ban("a b", "x"), Err(ClusterError::Name(_))));
        fs::write(bans.path(), "{\"worker\"\n").unwrap();
        let error = bans.read().unwrap_err().to_string();
        assert!(
            error.contains("line 1") && error.contains("cluster.bans"),
            "{error}"
        );
    }
}
