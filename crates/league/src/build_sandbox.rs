//! The sandbox in which untrusted programs are built and checked; found once.

use std::path::{Path, PathBuf};

use floe_arena::seat::{Sandbox, SandboxError};
use floe_sandbox::Layers;

use crate::folder::{League, LeagueError};

/// The sandbox in which untrusted programs are built and checked. Cheap to clone.
#[derive(Debug, Clone)]
pub struct BuildSandbox {
    sandbox: Sandbox,
    helper: PathBuf,
}

impl BuildSandbox {
    /// The best sandbox of this machine, if it reaches the required level. `helper` is the binary
    /// that calls [`helper_main`](floe_sandbox::helper_main) first; empty for the running binary.
    pub fn find(helper: &Path, required: u8) -> Result<BuildSandbox, SandboxError> {
        Ok(BuildSandbox {
            sandbox: Sandbox::find(helper, required, 1)?,
            helper: helper.to_owned(),
        })
    }

    /// The same for the programs of a league, with the level of its description.
    pub fn of(league: &League, helper: &Path) -> Result<BuildSandbox, LeagueError> {
        Ok(BuildSandbox {
            sandbox: league.sandbox(helper, 1)?,
            helper: helper.to_owned(),
        })
    }

    /// The layers of the sandbox.
    pub fn layers(&self) -> Layers {
        self.sandbox.layers()
    }

    /// The sandbox in which programs are checked and play.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    pub(crate) fn helper(&self) -> &PathBuf {
        &self.helper
    }
}

impl League {
    /// The best sandbox of this machine, with `programs` helpers ready, if it reaches the level that
    /// this league requires: see [`Sandbox::find`].
    pub fn sandbox(&self, helper: &Path, programs: usize) -> Result<Sandbox, LeagueError> {
        let required = self.description().sandbox;
        Sandbox::find(helper, required, programs).map_err(|error| match error {
            SandboxError::TooWeak { reached, .. } => LeagueError::TooWeak { error, reached },
            error => LeagueError::Sandbox(error),
        })
    }
}
