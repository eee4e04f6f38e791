use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::process::{Limits, Stable, Trouble};
use crate::sandbox::{Layers, Support};

/// Where programs run: which layers are closed around them, and who closes them.
///
/// Cheap to clone; the clones share the helpers that wait.
#[derive(Debug, Clone)]
pub struct Ground {
    pub(super) layers: Layers,
    pub(super) helper: PathBuf,
    pub(super) stable: Option<Stable>,
    /// Limits besides time and memory, which are the terms of a game.
    pub(super) limits: Limits,
    /// The cores programs are kept to; all if there are none.
    pub(super) cores: Vec<usize>,
}

/// Why there is no ground to play on.
#[derive(Debug, Error)]
pub enum GroundError {
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

impl Ground {
    /// The best ground this machine gives, with `programs` helpers ready, if it reaches the
    /// level that is required. Tries every layer by using it, which takes a few dozen
    /// milliseconds. `helper` is the binary that calls
    /// [`helper_main`](crate::sandbox::helper_main) first; empty for the one that is running.
    pub fn find(helper: &Path, required: u8, programs: usize) -> Result<Ground, GroundError> {
        let support = Support::probe(helper);
        if let Err(missing) = &support.base {
            return Err(GroundError::Nothing(missing.why.clone()));
        }
        let layers = support.layers();
        if layers.level() < required {
            return Err(GroundError::TooWeak {
                reached: layers.level(),
                required,
            });
        }
        let mut ground = Ground::with_layers(helper, layers);
        if programs > 0 {
            ground.stable = Some(Stable::new(helper, layers, programs)?);
        }
        Ok(ground)
    }

    /// A ground with these layers, untried, and no helpers ready.
    pub fn with_layers(helper: &Path, layers: Layers) -> Ground {
        Ground {
            layers,
            helper: helper.to_owned(),
            stable: None,
            limits: Limits::default(),
            cores: Vec::new(),
        }
    }

    /// A ground for tables without programs.
    pub fn none() -> Ground {
        Ground::with_layers(Path::new(""), Layers::NONE)
    }

    /// The same ground with other limits; time and memory come from the terms of each game.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Ground {
        self.limits = limits;
        self
    }

    /// The same ground on these cores alone.
    #[must_use]
    pub fn on_cores(&self, cores: &[usize]) -> Ground {
        Ground {
            cores: cores.to_vec(),
            ..self.clone()
        }
    }

    /// The layers around every program.
    pub fn layers(&self) -> Layers {
        self.layers
    }
}
