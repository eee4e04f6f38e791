use std::ffi::OsString;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Seat;
use floe_sandbox::{Launch, MachineFailure, SupervisorPool};
use floe_sandbox::{Layers, Support};

/// Where programs run: which layers are closed around them, and who closes them.
///
/// Cheap to clone; the clones share the helpers that wait.
#[derive(Debug, Clone)]
pub struct Sandbox {
    pub(super) layers: Layers,
    pub(super) helper: PathBuf,
    pub(super) pool: Option<SupervisorPool>,
    /// The cores for programs; all cores if empty.
    pub(super) cores: Vec<usize>,
    /// Whether these cores belong to one seat alone, so that it may use them during an opponent's
    /// turn.
    pub(super) can_ponder: bool,
}

/// The reason why the sandbox cannot be used.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The machine does not reach the required sandbox level.
    #[error(
        "the sandbox reaches level {reached} here, and level {required} is required; `floe doctor` \
         says what is missing"
    )]
    TooWeak {
        /// The level reached.
        reached: u8,
        /// The level required.
        required: u8,
    },
    /// Programs cannot be started at all.
    #[error("programs cannot be started here: {0}")]
    Nothing(String),
    /// The helpers cannot be started.
    #[error(transparent)]
    Helpers(#[from] MachineFailure),
}

impl Sandbox {
    /// The best sandbox of this machine, with `programs` helpers ready, if it reaches the required
    /// level. Tries every layer, which takes a few dozen milliseconds. `helper` is the binary that
    /// calls [`helper_main`](floe_sandbox::helper_main) first; empty for the running binary.
    pub fn find(helper: &Path, required: u8, programs: usize) -> Result<Sandbox, SandboxError> {
        Sandbox::with_most(helper, required, Layers::ALL, programs)
    }

    /// A sandbox of exactly this level, for measurements: see [`find`](Sandbox::find).
    pub fn at_level(helper: &Path, level: u8, programs: usize) -> Result<Sandbox, SandboxError> {
        Sandbox::with_most(helper, level, Layers::up_to(level), programs)
    }

    fn with_most(
        helper: &Path,
        required: u8,
        most: Layers,
        programs: usize,
    ) -> Result<Sandbox, SandboxError> {
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
        let layers = layers.and(most);
        let mut sandbox = Sandbox::with_layers(helper, layers);
        if programs > 0 {
            sandbox.pool = Some(SupervisorPool::new(helper, layers, programs)?);
        }
        Ok(sandbox)
    }

    /// A sandbox with these layers, not tested, and without ready helpers.
    pub fn with_layers(helper: &Path, layers: Layers) -> Sandbox {
        Sandbox {
            layers,
            helper: helper.to_owned(),
            pool: None,
            cores: Vec::new(),
            can_ponder: false,
        }
    }

    /// A sandbox for tables without programs.
    pub fn none() -> Sandbox {
        Sandbox::with_layers(Path::new(""), Layers::NONE)
    }

    /// The same sandbox on these cores alone.
    #[must_use]
    pub fn on_cores(&self, cores: &[usize]) -> Sandbox {
        Sandbox {
            cores: cores.to_vec(),
            can_ponder: false,
            ..self.clone()
        }
    }

    /// The sandboxes of a game's seats on these cores. Seats that ponder get a core each, starting
    /// with the last cores, and the others share the rest. With fewer cores than seats, no seat
    /// ponders, because it would take its opponents' time.
    #[must_use]
    pub fn at_table(&self, seats: &[Seat]) -> Vec<Sandbox> {
        let mut shared = self.cores.clone();
        let mut own: Vec<Option<usize>> = vec![None; seats.len()];
        if shared.len() >= seats.len().max(2) {
            for (own, _) in own.iter_mut().zip(seats).filter(|(_, seat)| seat.ponders()) {
                *own = shared.pop();
            }
        }
        let sandbox = |own: Option<usize>| Sandbox {
            can_ponder: own.is_some(),
            ..self.on_cores(own.as_ref().map_or(&shared, std::slice::from_ref))
        };
        own.into_iter().map(sandbox).collect()
    }

    /// The cores of a game that no seat has alone, for engines in this process.
    pub(crate) fn shared_cores(&self, seats: &[Seat]) -> Vec<usize> {
        let table = self.at_table(seats);
        let is_shared = |core: &&usize| {
            let mut own = table.iter().filter(|seat| seat.can_ponder);
            own.all(|seat| !seat.cores.contains(core))
        };
        self.cores.iter().filter(is_shared).copied().collect()
    }

    /// A command in this sandbox, in a private folder, with read access to these files besides the
    /// system's.
    pub(crate) fn launch(&self, command: Vec<OsString>, readable: &[PathBuf]) -> Launch {
        Launch {
            readable: readable.to_vec(),
            layers: self.layers,
            cores: self.cores.clone(),
            helper: self.helper.clone(),
            pool: self.pool.clone(),
            ..Launch::of(command)
        }
    }

    /// The layers around every program.
    pub fn layers(&self) -> Layers {
        self.layers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_ponders_has_a_core_alone_or_does_not_ponder() {
        let game = floe_games::find("gamma").unwrap();
        let table = |cores: &[usize], words: &[&str]| -> (Vec<(Vec<usize>, bool)>, Vec<usize>) {
            let read = |word: &&str| Seat::read(word, game, "/".as_ref()).unwrap();
            let seats: Vec<Seat> = words.iter().map(read).collect();
            let sandbox = Sandbox::none().on_cores(cores);
            let parts = sandbox.at_table(&seats).into_iter();
            let parts = parts.map(|part| (part.cores, part.can_ponder)).collect();
            (parts, sandbox.shared_cores(&seats))
        };
        let (thinks_on, waits) = ("line:ponder=yes /bin/cat", "line:/bin/cat");
        let all = |cores: &[usize]| (cores.to_vec(), false);
        let own = |core| (vec![core], true);
        assert_eq!(
            table(&[4, 5], &[thinks_on, waits]),
            (vec![own(5), all(&[4])], vec![4])
        );
        assert_eq!(
            table(&[4, 5, 6], &[thinks_on, waits, thinks_on]),
            (vec![own(6), all(&[4]), own(5)], vec![4])
        );
        assert_eq!(
            table(&[4, 5], &[thinks_on, thinks_on]),
            (vec![own(5), own(4)], vec![])
        );
        // No seat ponders, not enough cores, and none known.
        assert_eq!(
            table(&[4, 5], &[waits, "greedy"]),
            (vec![all(&[4, 5]); 2], vec![4, 5])
        );
        assert_eq!(
            table(&[4], &[thinks_on, waits]),
            (vec![all(&[4]); 2], vec![4])
        );
        assert_eq!(table(&[], &[thinks_on]), (vec![all(&[])], vec![]));
    }
}
