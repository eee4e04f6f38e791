//! Where strangers' programs are built and checked: the sandbox, found out once.

use std::path::{Path, PathBuf};

use floe_arena::seat::{Sandbox, SandboxError};
use floe_sandbox::Layers;

/// Where strangers' programs are built and checked. Cheap to clone.
#[derive(Debug, Clone)]
pub struct BuildSandbox {
    sandbox: Sandbox,
    helper: PathBuf,
}

impl BuildSandbox {
    /// The best this machine gives, if it reaches the level that is required. `helper` is the
    /// binary that calls [`helper_main`](floe_sandbox::helper_main) first; empty for the one that
    /// is running.
    pub fn find(helper: &Path, required: u8) -> Result<BuildSandbox, SandboxError> {
        Ok(BuildSandbox {
            sandbox: Sandbox::find(helper, required, 1)?,
            helper: helper.to_owned(),
        })
    }

    /// The layers around whatever runs here.
    pub fn layers(&self) -> Layers {
        self.sandbox.layers()
    }

    /// Where programs are checked and play.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    pub(crate) fn helper(&self) -> &PathBuf {
        &self.helper
    }
}
