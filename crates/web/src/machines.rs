//! The machines that play a contest's games, as a cluster reports them. Pages know no cluster: the program
//! around them gives a function.

use std::fmt;
use std::sync::Arc;

/// Gives the machines as they are now; must not block.
#[derive(Clone)]
pub struct MachineSource(Arc<dyn Fn() -> Machines + Send + Sync>);

impl MachineSource {
    /// One that calls this function for every page.
    pub fn new(now: impl Fn() -> Machines + Send + Sync + 'static) -> MachineSource {
        MachineSource(Arc::new(now))
    }

    pub(crate) fn now(&self) -> Machines {
        (self.0)()
    }
}

impl fmt::Debug for MachineSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MachineSource")
    }
}

/// The machines of a cluster.
#[derive(Debug, Clone, Default)]
pub struct Machines {
    /// The addresses of its servers.
    pub server: String,
    /// Why little is known, if so.
    pub problem: Option<String>,
    /// Batches that wait, batches that are played, results to be taken in.
    pub queue: (u64, u64, u64),
    /// The contests that are played, first those of the highest priority.
    pub contests: Vec<ContestShare>,
    /// The workers, by name.
    pub workers: Vec<WorkerLine>,
}

/// A contest that is played on the machines.
#[derive(Debug, Clone, Default)]
pub struct ContestShare {
    /// Its name.
    pub name: String,
    /// Its priority, in a word.
    pub priority: &'static str,
    /// Its weight among contests of the same priority.
    pub weight: u32,
    /// The part of the games in progress that are its own, in percent.
    pub share: u32,
    /// Games that came in, and how many in an hour.
    pub games: u64,
    /// Games an hour.
    pub games_an_hour: u64,
    /// Games that were asked for and did not come yet.
    pub out: usize,
}

/// A worker.
#[derive(Debug, Clone, Default)]
pub struct WorkerLine {
    /// Its name.
    pub name: String,
    /// Cores it plays on.
    pub cores: usize,
    /// The level of its sandbox.
    pub sandbox: u8,
    /// Its speed against the reference, or in positions a second if there is none.
    pub speed: String,
    /// Games an hour since it started.
    pub games_an_hour: u64,
    /// Faults of programs in its games.
    pub faults: u64,
    /// Results that were refused.
    pub refused: u32,
    /// Seconds since it was last heard of.
    pub silent_s: u64,
    /// The version of floe.
    pub version: String,
    /// Why its results do not count, if they do not.
    pub banned: Option<String>,
    /// What it does now, or what keeps it from playing.
    pub now: String,
    /// Whether the organiser should look at it.
    pub has_problem: bool,
}
