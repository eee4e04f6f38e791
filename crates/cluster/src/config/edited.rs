//! Configurations whose keys are edited.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::keys::{Access, write_file};
use super::roster::{AUTHORIZATION, KeyOfWorker, Roster};
use super::servers::ServerFiles;
use crate::ClusterError;

/// The part of a multi-server configuration that contains the servers' secret.
const ROUTES: &str = "nats-route://";

/// The configurations of all servers, which admit the same keys.
#[derive(Debug)]
pub(super) struct EditedConfigs(Vec<EditedConfig>);

impl EditedConfigs {
    pub(super) fn read(folder: &Path) -> Result<EditedConfigs, ClusterError> {
        let files = ServerFiles::found(folder).into_iter();
        let configs = files.map(|files| EditedConfig::read(files.config(folder)));
        Ok(EditedConfigs(configs.collect::<Result<_, _>>()?))
    }

    /// The file of the first.
    pub(super) fn path(&self) -> &Path {
        self.0.first().map_or(Path::new(""), |one| &one.path)
    }

    /// Whether a worker's key has this label.
    pub(super) fn has(&self, label: &str) -> bool {
        let mut workers = self.0.iter().flat_map(|one| &one.roster.workers);
        workers.any(|worker| worker.label == label)
    }

    /// The labels of the workers' keys.
    pub(super) fn labels(&self) -> BTreeSet<String> {
        let workers = self.0.iter().flat_map(|one| &one.roster.workers);
        workers.map(|worker| worker.label.clone()).collect()
    }

    /// Edits the keys of all configurations; if one cannot be written, none is changed.
    pub(super) fn change(
        &self,
        change: impl Fn(&mut Vec<KeyOfWorker>),
    ) -> Result<(), ClusterError> {
        for (at, config) in self.0.iter().enumerate() {
            let mut changed = config.clone();
            change(&mut changed.roster.workers);
            if let Err(error) = changed.write() {
                for before in &self.0[..at] {
                    let _ = before.write();
                }
                return Err(error);
            }
        }
        Ok(())
    }
}

/// A configuration whose keys are edited; everything else stays unchanged.
#[derive(Debug, Clone)]
struct EditedConfig {
    path: PathBuf,
    before: String,
    roster: Roster,
    after: String,
}

impl EditedConfig {
    fn read(path: PathBuf) -> Result<EditedConfig, ClusterError> {
        let text = fs::read_to_string(&path).map_err(|e| ClusterError::file(&path, e))?;
        let fail = |cause: &str| ClusterError::Config {
            path: path.clone(),
            cause: cause.to_owned(),
        };
        let begin = text.find(&format!("\n{AUTHORIZATION}\n"));
        let begin = begin.ok_or_else(|| fail("there is no line `authorization {`"))? + 1;
        let end = text[begin..].find("\n}\n");
        let end = begin + end.ok_or_else(|| fail("the authorization has no end"))? + 3;
        let roster = Roster::read(&text[begin..end]).map_err(|cause| fail(&cause))?;
        Ok(EditedConfig {
            before: text[..begin].to_owned(),
            after: text[end..].to_owned(),
            roster,
            path,
        })
    }

    fn write(&self) -> Result<(), ClusterError> {
        let text = format!("{}{}{}", self.before, self.roster, self.after);
        let access = match self.before.contains(ROUTES) {
            true => Access::Owner,
            false => Access::Everybody,
        };
        write_file(&self.path, &text, access, true)
    }
}
