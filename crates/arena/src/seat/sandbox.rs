use std::path::{Path, PathBuf};

use thiserror::Error;

use floe_sandbox::{KeeperPool, ResourceLimits, Trouble};
use floe_sandbox::{Layers, Support};

/// Where programs run: which layers are closed around them, and who closes them.
///
/// Cheap to clone; the clones share the helpers that wait.
#[derive(Debug, Clone)]
pub struct Sandbox {
    pub(super) layers: Layers,
    pub(super) helper: PathBuf,
    pub(super) pool: Option<KeeperPool>,
    /// ResourceLimits besides time and memory, which are the limits of a game.
    pub(super) limits: ResourceLimits,
    /// The cores programs are kept to; all if there are none.
    pub(super) cores: Vec<usize>,
}

/// Why there is no sandbox to play on.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The machine cannot give what is required.
    #[error(
        "the sandbox reaches level {reached} here, and level {required} is required; `floe doctor` \
         says what is missing"
    )]
    TooWeak {
        /// What it reaches.
        reached: u8,
        /// What is required.
        required: u8,
    },
    /// Programs cannot be started at all.
    #[error("programs cannot be started here: {0}")]
    Nothing(String),
    /// The helpers cannot be started.
    #[error(transparent)]
    Helpers(#[from] Trouble),
}

impl Sandbox {
    /// The best sandbox this machine gives, with `programs` helpers ready, if it reaches the
    /// level that is required. Tries every layer by using it, which takes a few dozen
    /// milliseconds. `helper` is the binary that calls
    /// [`helper_main`](floe_sandbox::helper_main) first; empty for the one that is running.
    pub fn find(helper: &Path, required: u8, programs: usize) -> Result<Sandbox, SandboxError> {
        let support = Support::probe(helper);
        if let Err(missing) = &support.base {
            return Err(SandboxError::Nothing(missing.why.clone()));
        }
        let layers = support.layers();
        if layers.level() < required {
            return Err(SandboxError::TooWeak {
                reached: layers.level(),
                required,
            });
        }
        let mut sandbox = Sandbox::with_layers(helper, layers);
        if programs > 0 {
            sandbox.pool = Some(KeeperPool::new(helper, layers, programs)?);
        }
        Ok(sandbox)
    }

    /// A sandbox with these layers, untried, and no helpers ready.
    pub fn with_layers(helper: &Path, layers: Layers) -> Sandbox {
        Sandbox {
            layers,
            helper: helper.to_owned(),
            pool: None,
            limits: ResourceLimits::default(),
            cores: Vec::new(),
        }
    }

    /// A sandbox for tables without programs.
    pub fn none() -> Sandbox {
        Sandbox::with_layers(Path::new(""), Layers::NONE)
    }

    /// The same sandbox with other limits; time and memory come from the limits of each game.
    #[must_use]
    pub fn with_limits(mut self, limits: ResourceLimits) -> Sandbox {
        self.limits = limits;
        self
    }

    /// The same sandbox on these cores alone.
    #[must_use]
    pub fn on_cores(&self, cores: &[usize]) -> Sandbox {
        Sandbox {
            cores: cores.to_vec(),
            ..self.clone()
        }
    }

    /// The layers around every program.
    pub fn layers(&self) -> Layers {
        self.layers
    }
}
