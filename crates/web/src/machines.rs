//! The machines that play a contest's games, as a cluster reports them. Pages know nothing of
//! clusters: the embedding program passes functions.

use std::fmt;
use std::sync::Arc;

/// Returns the current machines, and does what the organiser wants of them.
#[derive(Clone)]
pub struct MachineSource {
    now: Arc<dyn Fn() -> Machines + Send + Sync>,
    act: Arc<Act>,
}

/// Does what is wanted of the worker of this name, and says what was done, or why it was not.
type Act = dyn Fn(&str, MachineAction) -> Result<String, String> + Send + Sync;

impl MachineSource {
    /// A source that calls `now` for every page, which must not block, and `act` with a worker's
    /// name, which may. What `act` returns is shown: what was done, or why it was not.
    pub fn new(
        now: impl Fn() -> Machines + Send + Sync + 'static,
        act: impl Fn(&str, MachineAction) -> Result<String, String> + Send + Sync + 'static,
    ) -> MachineSource {
        MachineSource {
            now: Arc::new(now),
            act: Arc::new(act),
        }
    }

    pub(crate) fn now(&self) -> Machines {
        (self.now)()
    }

    pub(crate) fn act(&self, worker: &str, action: MachineAction) -> Result<String, String> {
        (self.act)(worker, action)
    }
}

/// What the organiser wants of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MachineAction {
    /// Its results do not count from now on, for this reason.
    Ban(String),
    /// Its results count again.
    Unban,
    /// It finishes its games and leaves.
    Drain,
    /// Its key is removed.
    Remove,
}

impl fmt::Debug for MachineSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MachineSource")
    }
}

/// The machines of a cluster.
#[derive(Debug, Clone, Default)]
pub struct Machines {
    /// The addresses of the cluster's servers.
    pub server: String,
    /// Why the data is incomplete, if it is.
    pub problem: Option<String>,
    /// Batches waiting, batches in progress, results to be received.
    pub queue: (u64, u64, u64),
    /// The contests in progress, highest priority first.
    pub contests: Vec<ContestShare>,
    /// The workers, by name.
    pub workers: Vec<WorkerLine>,
}

/// A contest in progress on the machines.
#[derive(Debug, Clone, Default)]
pub struct ContestShare {
    /// The contest's name.
    pub name: String,
    /// The name of the contest's priority.
    pub priority: &'static str,
    /// The contest's weight among contests of the same priority.
    pub weight: u32,
    /// The contest's share of the games in progress, in percent.
    pub share: u32,
    /// Games received, and games received per hour.
    pub games: u64,
    /// Games an hour.
    pub games_an_hour: u64,
    /// Games that were requested and did not come yet.
    pub out: u64,
}

/// A worker.
#[derive(Debug, Clone, Default)]
pub struct WorkerLine {
    /// The worker's name.
    pub name: String,
    /// Cores the worker plays on.
    pub cores: usize,
    /// The level of the worker's sandbox.
    pub sandbox: u8,
    /// Its speed.
    pub speed: WorkerSpeed,
    /// Games an hour since it started.
    pub games_an_hour: u64,
    /// Programs' faults in the worker's games.
    pub faults: u64,
    /// Refused results.
    pub refused: u32,
    /// Seconds since the last message.
    pub silent_s: u64,
    /// The version of floe.
    pub version: String,
    /// The reason for a ban, if there is one.
    pub banned: Option<String>,
    /// Whether the worker was heard of: a banned one is listed in any case.
    pub is_known: bool,
    /// Whether its key is in a configuration that can be changed here.
    pub has_key: bool,
    /// What it does.
    pub state: WorkerState,
    /// The worker's games now, or why it plays none.
    pub now: String,
}

/// A worker's speed.
#[derive(Debug, Clone, Default)]
pub struct WorkerSpeed {
    /// Against the reference, or in positions a second if there is none.
    pub text: String,
    /// The same in percent of the reference, or of the fastest worker.
    pub percent: u32,
    /// Whether a contest names a reference.
    pub has_reference: bool,
}

/// What a worker does, or why the organiser should look at it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WorkerState {
    /// It plays.
    Playing,
    /// It has no games.
    #[default]
    Waiting,
    /// It takes no more games.
    Leaving,
    /// It has another floe than the organiser.
    Outdated,
    /// It has not been heard of for a while.
    Silent,
    /// Its machine fails.
    Trouble,
}
