//! Messages between organisers and workers, and their subjects.
//!
//! | subject | content | stored in |
//! |---|---|---|
//! | `floe.jobs.GENERATION.LEVEL.RUN.KEY` | a [`Batch`] to be played where the sandbox reaches that level | the stream of [`JOBS`], until it is acknowledged |
//! | `floe.results.GENERATION.RUN.NAME.KEY` | a [`UnitResult`] of the worker of that name | the stream of [`RESULTS`], until the organiser has it in its file |
//! | `floe.worker.NAME` | an [`Announcement`], every few seconds | not stored |
//! | `floe.control.all`, `floe.control.NAME` | an [`Order`] to every worker, or to one | not stored |
//! | `floe.run.RUN` | [`RunNews`] of an organiser, every second | not stored |
//! | `floe.event.RUN` | a [`LiveEvent`](floe_arena::live::LiveEvent), while that run is watched | not stored |
//!
//! Streams have generations: a server whose disk was full may never again answer for a stream, nor delete
//! it, nor let another stream have its subjects. The stream that replaces it has others.
//!
//! Jobs and results are JSON, compressed: the games of a unit repeat each other.
//!
//! A worker's messages have its name in the subject. If keys have names, the server lets each worker
//! publish only under its own name. So the organiser trusts the subject, and refuses a message that
//! names another worker.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Read as _;

use data_encoding::HEXLOWER;
use floe_arena::job::Job;
use floe_arena::speed::Speeds;
use floe_games::record::{Entrant, Record};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ClusterError;

/// The version of everything in this module. A worker with another version gets no work.
pub const PROTOCOL: u32 = 3;

/// Streams with one purpose; the latest generation is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamKind {
    name: &'static str,
    subject: &'static str,
}

/// Streams of jobs, each a work queue.
pub const JOBS: StreamKind = StreamKind {
    name: "FLOE_JOBS",
    subject: "floe.jobs",
};
/// Streams of results, a message for each unit.
pub const RESULTS: StreamKind = StreamKind {
    name: "FLOE_RESULTS",
    subject: "floe.results",
};

impl StreamKind {
    /// The name of a generation's stream.
    pub fn stream(self, generation: u64) -> String {
        format!("{}_{generation}", self.name)
    }

    /// Every subject of a generation.
    pub fn subjects(self, generation: u64) -> String {
        format!("{}.{generation}.>", self.subject)
    }

    /// The generation of a stream of this kind, by its name.
    ///
    /// ```
    /// use floe_cluster::wire::{JOBS, RESULTS};
    /// assert_eq!(JOBS.generation(&JOBS.stream(3)), Some(3));
    /// assert_eq!(JOBS.generation(&RESULTS.stream(3)), None);
    /// ```
    pub fn generation(self, stream: &str) -> Option<u64> {
        let number = stream.strip_prefix(self.name)?.strip_prefix('_')?;
        number.parse().ok()
    }
}
/// The bucket of programs in the object store.
pub const PROGRAMS: &str = "FLOE_PROGRAMS";
/// The highest level of the sandbox.
pub const MOST_LEVEL: u8 = 3;

/// The largest message after decompression: no valid message is larger.
const MOST_BYTES: u64 = 256 << 20;
/// Messages are small and many: a higher level takes longer and gains little.
const COMPRESSION: i32 = 1;

/// Several games that travel together: whole units, about ten seconds' worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// The sender's [`PROTOCOL`].
    pub protocol: u32,
    /// The run of the games.
    pub run: String,
    /// Identifies the batch in its run.
    pub key: String,
    /// Random ID of the organiser process that published the batch; results return it.
    pub session: String,
    /// The generation of the result stream.
    pub results: u64,
    /// Silence after which the organiser gives the games to another worker, in milliseconds.
    pub patience_ms: u64,
    /// The games; those of one unit follow each other.
    pub jobs: Vec<Job>,
    /// The programs of the seats, by [`program_key`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub programs: BTreeMap<String, PackedProgram>,
    /// The requirements on the machine.
    pub needs: Needs,
    /// Workers that may not play the batch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not: Vec<String>,
    /// Whether the run is watched, so that the worker publishes live events.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_watched: bool,
}

/// The prefix of the keys of spot checks.
pub const AGAIN: &str = "again-";

impl Batch {
    /// The key of a unit's result: the ID of its first game, so that the rest of a partly played
    /// unit has another key. Spot checks have keys of their own.
    pub fn result_key(&self, unit: &[Job]) -> String {
        match unit.first() {
            Some(job) if !self.key.starts_with(AGAIN) => job.opening.id.clone(),
            _ => self.key.clone(),
        }
    }
}

/// A program in the object store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedProgram {
    /// The name of the program's object: the SHA-256 of its bytes, in hexadecimal.
    pub object: String,
    /// The command's text in the folder it is unpacked to.
    pub word: String,
}

/// The requirements of a batch.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Needs {
    /// The least level of the sandbox.
    pub sandbox: u8,
    /// The required machine speed, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<SpeedRule>,
}

/// The required machine speed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpeedRule {
    /// Positions per second on the reference machine, in this game.
    pub reference: u64,
    /// The treatment of other machines.
    pub others: OtherMachines,
}

/// The treatment of machines that are faster or slower than the reference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OtherMachines {
    /// They play if their speed is within this percentage of the reference's.
    WithinPercent(u32),
    /// They play, and the time limit of a move is scaled by the ratio of the speeds.
    ScaleTime,
}

impl SpeedRule {
    /// The time of a move on a machine of this speed, in percent; `None` if it may not play.
    ///
    /// ```
    /// use floe_cluster::wire::{OtherMachines, SpeedRule};
    /// let rule = |others| SpeedRule { reference: 1000, others };
    /// assert_eq!(rule(OtherMachines::WithinPercent(10)).time_percent(950), Some(100));
    /// assert_eq!(rule(OtherMachines::WithinPercent(10)).time_percent(800), None);
    /// assert_eq!(rule(OtherMachines::ScaleTime).time_percent(800), Some(125));
    /// ```
    pub fn time_percent(&self, speed: u64) -> Option<u32> {
        let ratio = speed.max(1) as f64 / self.reference.max(1) as f64;
        match self.others {
            OtherMachines::WithinPercent(band) => {
                ((ratio - 1.0).abs() * 100.0 <= f64::from(band)).then_some(100)
            }
            OtherMachines::ScaleTime => Some((100.0 / ratio).round().clamp(1.0, 10_000.0) as u32),
        }
    }
}

/// The results of a unit's games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnitResult {
    /// The sender's [`PROTOCOL`].
    pub protocol: u32,
    /// The worker that played the games.
    pub worker: String,
    /// The signature of the worker's engines, by [`Speeds::signature`]; empty if unknown.
    pub signature: String,
    /// [`Batch::session`] of the batch: a result of an earlier one may be outdated.
    #[serde(default)]
    pub session: String,
    /// The results of the games, in order.
    pub games: Vec<GameResult>,
    /// Time taken, in milliseconds.
    pub took_ms: u64,
}

/// The result of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    /// The hash of the played job.
    pub job: String,
    /// The game's outcome.
    pub outcome: GameOutcome,
}

/// The outcome of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameOutcome {
    /// The game was played.
    Record(Box<Record>),
    /// This worker could not play the game, through no fault of its players. The organiser decides
    /// whether other workers try.
    SetAside {
        /// The game's id.
        id: String,
        /// The reason.
        cause: String,
        /// The object of a program that the store lacks or has damaged: the organiser uploads it
        /// again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing: Option<String>,
    },
}

/// A worker's announcement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Announcement {
    /// [`PROTOCOL`] of the worker.
    pub protocol: u32,
    /// The worker's name.
    pub name: String,
    /// The version of floe.
    pub floe: String,
    /// Cores the worker plays on.
    pub cores: usize,
    /// The level of the worker's sandbox.
    pub sandbox: u8,
    /// The machine class, for its speed.
    pub class: String,
    /// The machine's speed.
    pub speeds: Speeds,
    /// Games played since the worker started.
    pub games: u64,
    /// Seconds since the worker started; 0 if unknown.
    #[serde(default)]
    pub up_s: u64,
    /// The games in progress: a run, and the first game of the unit.
    pub playing: Vec<Playing>,
    /// Batches the worker holds; an idle worker holds none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<HeldBatch>,
    /// Whether the worker takes no more work.
    pub is_leaving: bool,
    /// The failure that keeps it from playing, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// If it takes updates, the kind of machine it runs on ([`update::machine`](crate::update::machine)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updates: Option<String>,
}

/// An organiser's own binary, offered to a worker. [`update`](crate::update) signs and checks offers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Offer {
    /// The worker's version of floe.
    pub version: String,
    /// The kind of machine the binary is for.
    pub machine: String,
    /// The SHA-256 of the binary's bytes, which is also its object's name.
    pub sha256: String,
    /// The organiser's signature of all these fields, in hexadecimal.
    pub signature: String,
}

/// A game under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Playing {
    /// The run of the game.
    pub run: String,
    /// The game's ID.
    pub game: String,
    /// The players.
    pub seats: Vec<String>,
}

/// A batch that a worker holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HeldBatch {
    /// The run of the batch.
    pub run: String,
    /// The [`Batch::key`].
    pub key: String,
}

/// An organiser's announcement of its run while it has games to play. It is for other organisers,
/// which share the workers, and for people who look after the cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunNews {
    /// The run.
    pub run: String,
    /// The name of the run's contest.
    pub name: String,
    /// Runs of a higher priority come first.
    pub priority: u8,
    /// The run's weight among runs of the same priority.
    pub weight: u32,
    /// Concurrent games the run could use now; 0 once the run ends.
    pub wants: usize,
    /// Games requested and not received yet.
    pub out: usize,
    /// Games received, and in how many seconds.
    pub games: u64,
    /// Seconds since the first game was requested.
    pub seconds: u64,
    /// The name of the game, such as `gamma`.
    pub game: String,
    /// Positions searched per second on the reference machine, if speed matters.
    pub reference: Option<u64>,
    /// What each worker did for the run.
    pub workers: BTreeMap<String, WorkerTally>,
    /// Banned workers, with the reasons.
    pub banned: BTreeMap<String, String>,
}

impl RunNews {
    /// The run's weight, at least 1.
    pub fn weight(&self) -> f64 {
        f64::from(self.weight.max(1))
    }
}

/// What a worker did for a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerTally {
    /// Games that counted.
    pub games: u64,
    /// Faults of programs in them.
    pub faults: u64,
    /// Results that were refused.
    pub refused: u32,
}

/// An order to workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Order to a worker: announce yourself now.
    Announce,
    /// Order to a worker: finish the games in progress and leave.
    Leave,
    /// Order to workers: discard the games of this run.
    Drop {
        /// The run.
        run: String,
    },
    /// A stream was replaced: look for the latest generation.
    Renewed,
    /// Order to workers: publish live events of this run's games for a while.
    Watch {
        /// The run.
        run: String,
    },
    /// Offer to a worker: this binary may replace yours.
    Update(Offer),
}

/// The subject of a batch; `*` matches any level, run or key.
pub fn job_subject(generation: u64, level: impl Display, run: &str, key: &str) -> String {
    format!("{}.{generation}.{level}.{run}.{key}", JOBS.subject)
}

/// The subject of a worker's result; `*` matches any worker.
pub fn result_subject(generation: impl Display, run: &str, worker: &str, key: &str) -> String {
    format!("{}.{generation}.{run}.{worker}.{key}", RESULTS.subject)
}

/// The worker whose result a subject is of, and its key.
///
/// ```
/// use floe_cluster::wire::{result_subject, sender_and_key};
/// assert_eq!(sender_and_key(&result_subject(1, "a1", "lab-7", "12")), Some(("lab-7", "12")));
/// assert_eq!(sender_and_key("floe.results.1.a1.12"), None);
/// ```
pub fn sender_and_key(subject: &str) -> Option<(&str, &str)> {
    let words = subject.strip_prefix(RESULTS.subject)?.strip_prefix('.')?;
    let mut words = words.split('.').skip(2);
    match (words.next(), words.next(), words.next()) {
        (Some(worker), Some(key), None) => Some((worker, key)),
        _ => None,
    }
}

/// The subject under which a worker announces itself.
pub fn worker_subject(name: &str) -> String {
    format!("floe.worker.{name}")
}

/// The worker that announces itself on a subject.
pub fn announcer(subject: &str) -> &str {
    subject.strip_prefix("floe.worker.").unwrap_or_default()
}

/// The subject of orders to one worker.
pub fn control_subject(name: &str) -> String {
    format!("floe.control.{name}")
}

/// The subject of orders to all workers.
pub const CONTROL_ALL: &str = "floe.control.all";

/// The subject of an organiser's announcements of its run; `*` matches any run.
pub fn run_subject(run: &str) -> String {
    format!("floe.run.{run}")
}

/// The subject of events in a run's games.
pub fn event_subject(run: &str) -> String {
    format!("floe.event.{run}")
}

/// The name of the consumer of jobs that need this level.
pub fn level_consumer(level: u8) -> String {
    format!("level-{level}")
}

/// Identifies a job: the SHA-256 of its JSON.
pub fn job_hash(job: &Job) -> String {
    HEXLOWER.encode(&job_digest(job))
}

/// The bytes of [`job_hash`].
pub(crate) fn job_digest(job: &Job) -> [u8; 32] {
    Sha256::digest(serde_json::to_vec(job).unwrap_or_default()).into()
}

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// A random ID that fits into a subject.
pub(crate) fn random_id() -> Result<String, ClusterError> {
    let mut bytes = [0; 16];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|e| ClusterError::Start(std::io::Error::other(e.to_string())))?;
    Ok(sha256(&bytes)[..16].to_owned())
}

/// A message as it is sent.
///
/// ```
/// use floe_cluster::wire::{Order, read, write};
/// let order = Order::Drop { run: "a1".into() };
/// assert_eq!(read::<Order>(&write(&order)?)?, order);
/// assert!(read::<Order>(b"nonsense").is_err());
/// # Ok::<(), floe_cluster::ClusterError>(())
/// ```
pub fn write(message: &impl Serialize) -> Result<Vec<u8>, ClusterError> {
    let message_error = |cause: &dyn std::fmt::Display| ClusterError::Message(cause.to_string());
    let json = serde_json::to_vec(message).map_err(|e| message_error(&e))?;
    zstd::bulk::compress(&json, COMPRESSION).map_err(|e| message_error(&e))
}

/// Reads what [`write()`] wrote.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ClusterError> {
    let message_error = |cause: &dyn std::fmt::Display| ClusterError::Message(cause.to_string());
    let mut json = Vec::new();
    let plain = zstd::Decoder::with_buffer(bytes).map_err(|e| message_error(&e))?;
    let read = plain.take(MOST_BYTES).read_to_end(&mut json);
    read.map_err(|e| message_error(&e))?;
    serde_json::from_slice(&json).map_err(|e| message_error(&e))
}

/// The games of a batch by units.
pub fn units(jobs: &[Job]) -> impl Iterator<Item = &[Job]> {
    jobs.chunk_by(|one, next| one.opening.pair == next.opening.pair)
}

/// Identifies a program: its hash and its seat spec. `None` for other seats.
pub fn program_key(entrant: &Entrant) -> Option<String> {
    let hash = entrant.sha256.as_ref()?;
    Some(format!("{hash} {}", entrant.seat))
}

/// Whether a name may be one part of a subject.
pub fn is_word(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !name.is_empty() && name.len() <= 64 && name.chars().all(is_plain)
}
