//! A worker takes batches of games, plays them as the runner of one machine does, and publishes the
//! results.
//!
//! It takes a batch only when a core is free, and only from the queues whose sandbox level it can
//! enforce. While it plays it sends heartbeats to the server; a worker that is silent for too long
//! loses its batch to another one, and the organiser drops its late results. The result of each
//! unit is published under a subject of its own, where a second one of this worker is refused, and
//! only when all are safe is the batch acknowledged.
//!
//! A machine failure, such as a full disk, is no result: the worker reports it to the organiser,
//! which lets others try, and pauses, longer each time.

mod cores;
mod news;
mod play;
mod publish;
mod pull;
mod scaled;
mod updating;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use floe_arena::live::Broadcast;
use floe_arena::runner::CorePool;
use floe_arena::seat::Sandbox;
use floe_arena::speed::{Speeds, machine_class};
use floe_sandbox::Support;
use futures_util::StreamExt as _;
use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore};

pub use self::cores::HeldCores;
pub use self::news::News;
pub use self::updating::Update;
use self::updating::Updating;
use crate::error::{ClusterError, refused};
use crate::link::{Address, Link};
use crate::programs::Cache;
use crate::update;
use crate::wire::{
    Announcement, CONTROL_ALL, HeldBatch, Order, PROTOCOL, Playing, control_subject, worker_subject,
};

/// Interval of a worker's announcements.
pub const ANNOUNCED_EVERY: Duration = Duration::from_secs(5);
/// Shortest and longest interval of announcements while the worker holds batches of an organiser
/// with a short worker timeout.
const LEAST_ANNOUNCED: Duration = Duration::from_millis(100);
/// How long the events of a run are published after the last request.
const WATCHED_FOR: Duration = Duration::from_secs(30);
/// Time that a remark about refused games stays after the last of them.
const REFUSED_FOR: Duration = Duration::from_secs(20);
/// Interval between checks of flags.
const LOOK: Duration = Duration::from_millis(50);

/// The options of a worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The cluster's address.
    pub address: Address,
    /// The worker's name: letters, digits, `-` and `_`.
    pub name: String,
    /// The cores the worker plays on.
    pub cores: Vec<usize>,
    /// The folder for programs.
    pub cache: PathBuf,
    /// The binary that calls [`helper_main`](floe_sandbox::helper_main) first; empty for the
    /// running binary.
    pub helper: PathBuf,
    /// Interval between measurements of the machine's speed, made between two batches.
    pub measured_every: Duration,
    /// The organiser's public key, if the worker takes the organiser's binary in place of its own.
    pub update_key: Option<PathBuf>,
    /// Binaries that the worker was updated from and does not accept again, by their SHA-256.
    pub left: Vec<String>,
}

/// The end of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Games the worker played.
    pub games: u64,
    /// The organiser's binary, to start in place of this one.
    pub update: Option<Update>,
}

/// Default interval between measurements.
pub const MEASURED_EVERY: Duration = Duration::from_secs(300);

/// Flags that end a worker.
#[derive(Debug, Clone, Default)]
pub struct Ending {
    /// Finish the games in progress, and take no more.
    pub leave: Arc<AtomicBool>,
    /// Hand the games in progress back at once.
    pub hand_back: Arc<AtomicBool>,
}

/// Receives the messages.
type Tell = Arc<dyn Fn(News) + Send + Sync>;

/// A worker's state, shared by its tasks.
struct Worker {
    options: WorkerOptions,
    link: Link,
    ending: Ending,
    tell: Tell,
    cache: Cache,
    /// The state of updates, if the worker accepts the organiser's binary.
    updating: Option<Updating>,
    sandbox: Sandbox,
    level: u8,
    /// The machine's speed, and when it was measured.
    speeds: Mutex<(Speeds, Instant)>,
    class: String,
    pool: CorePool,
    /// A permit for every free core.
    tables: Arc<Semaphore>,
    games: AtomicU64,
    /// When the worker started.
    began: Instant,
    /// Batches in a row that failed because of the machine.
    failure_log: AtomicU32,
    /// Woken when the worker should end.
    woken: Notify,
    /// Woken when the worker has taken a batch.
    taken: Notify,
    /// Woken when a stream was replaced.
    renewed: Notify,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    playing: Vec<Playing>,
    /// The batches in progress.
    under_way: Vec<UnderWay>,
    /// The batches held, with the worker timeout of their organisers.
    holds: Vec<(HeldBatch, Duration)>,
    /// Watched runs, with the end of the watch.
    watched: HashMap<String, Instant>,
    /// Runs whose games were played here.
    runs: Vec<String>,
    trouble: Option<String>,
    /// The last remark about refused games, and when the last of them came.
    refusal: Option<(String, Instant)>,
}

/// A batch in progress.
struct UnderWay {
    run: String,
    /// Cancels the batch.
    stop: Arc<AtomicBool>,
    /// Live events of the batch's games; stored, for late watchers.
    live: Broadcast,
}

impl State {
    /// The failure that keeps the worker from playing. Refused games keep returning: if none came
    /// for a while, they are gone.
    fn trouble_now(&self) -> Option<String> {
        let refusal = self.refusal.as_ref();
        let refusal = refusal.filter(|(_, when)| when.elapsed() < REFUSED_FOR);
        let refusal = refusal.map(|(cause, _)| cause.clone());
        self.trouble.clone().or(refusal)
    }
}

/// Works until ended. First finds and reports the machine's capabilities.
pub fn run(
    options: &WorkerOptions,
    ending: &Ending,
    tell: impl Fn(News) + Send + Sync + 'static,
) -> Result<Ended, ClusterError> {
    let updating = match &options.update_key {
        Some(key) => Some(Updating::new(key, &options.cache, &options.left)?),
        None => None,
    };
    let support = Support::probe(&options.helper);
    for (name, layer) in [
        ("limits and a watchdog", &support.limits),
        ("files (Landlock)", &support.landlock),
        ("system calls (seccomp)", &support.seccomp),
        ("namespaces", &support.namespaces),
        ("a control group", &support.cgroup),
    ] {
        let missing = layer.as_ref().err().map(|missing| missing.why.clone());
        tell(News::Layer { name, missing });
    }
    let sandbox = Sandbox::find(&options.helper, 0, options.cores.len() * 2);
    let sandbox = sandbox.map_err(|e| ClusterError::Start(std::io::Error::other(e)))?;
    let speeds = Speeds::measure();
    let level = sandbox.layers().level();
    tell(News::Ready {
        name: options.name.clone(),
        cores: options.cores.len(),
        sandbox: level,
        speeds: speeds.clone(),
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let ended = runtime.block_on(async {
        let link = Link::connect(&options.address).await?;
        let worker = Arc::new(Worker {
            options: options.clone(),
            link,
            ending: ending.clone(),
            tell: Arc::new(tell),
            cache: Cache::new(&options.cache),
            updating,
            sandbox,
            level,
            speeds: Mutex::new((speeds, Instant::now())),
            class: machine_class(),
            pool: CorePool::of(options.cores.clone()),
            tables: Arc::new(Semaphore::new(options.cores.len().max(1))),
            games: AtomicU64::new(0),
            began: Instant::now(),
            failure_log: AtomicU32::new(0),
            woken: Notify::new(),
            taken: Notify::new(),
            renewed: Notify::new(),
            state: Mutex::default(),
        });
        let games = worker.work().await?;
        let update = worker.updating.as_ref().and_then(Updating::ready);
        Ok(Ended {
            games,
            // A worker that was told to stop does not start again.
            update: update.filter(|_| !worker.is_ended()),
        })
    });
    // No game is being played, so hanging network operations must not delay the end.
    runtime.shutdown_timeout(Duration::from_millis(200));
    ended
}

impl Worker {
    async fn work(self: &Arc<Self>) -> Result<u64, ClusterError> {
        let client = &self.link.client;
        let subscribed = refused("send the orders for workers");
        let own = client.subscribe(control_subject(&self.options.name)).await;
        let own = own.map_err(subscribed)?;
        let all = client.subscribe(CONTROL_ALL).await;
        let all = all.map_err(refused("send the orders for workers"))?;
        let mut orders = futures_util::stream::select(own, all);
        let worker = Arc::clone(self);
        let hearing = tokio::spawn(async move {
            while let Some(message) = orders.next().await {
                if let Ok(order) = serde_json::from_slice(&message.payload) {
                    worker.obey(order).await;
                }
            }
        });
        let worker = Arc::clone(self);
        let announcing = tokio::spawn(async move {
            loop {
                worker.announce().await;
                worker.wait_to_announce(Instant::now()).await;
            }
        });
        let worker = Arc::clone(self);
        let looking = tokio::spawn(async move { worker.look_at_connection().await });
        let worker = Arc::clone(self);
        let ending = tokio::spawn(async move { worker.look_for_the_end().await });
        let ended = self.pull_all().await;
        hearing.abort();
        announcing.abort();
        looking.abort();
        ending.abort();
        let games = self.games.load(Ordering::Relaxed);
        if let Err(error) = &ended {
            self.state.lock().trouble = Some(error.to_string());
        }
        self.announce().await;
        let _ = tokio::time::timeout(Duration::from_secs(2), client.flush()).await;
        if ended.is_ok() {
            self.tell(News::Left { games });
        }
        ended.map(|()| games)
    }

    /// Waits until the next announcement: three times within the worker timeout of every organiser
    /// whose batches are held.
    async fn wait_to_announce(&self, last: Instant) {
        loop {
            let every = {
                let state = self.state.lock();
                let patience = state.holds.iter().map(|(_, patience)| *patience / 3);
                let every = patience.min().unwrap_or(ANNOUNCED_EVERY);
                every.clamp(LEAST_ANNOUNCED, ANNOUNCED_EVERY)
            };
            let Some(left) = every.checked_sub(last.elapsed()) else {
                return;
            };
            tokio::select! {
                () = tokio::time::sleep(left) => return,
                () = self.taken.notified() => {}
            }
        }
    }

    /// Reports when the connection is lost, and when it is restored.
    async fn look_at_connection(&self) {
        let mut health = self.link.health.clone();
        let mut before = None;
        while health.changed().await.is_ok() {
            let now = health.borrow_and_update().lost.clone();
            match (&before, &now) {
                (Some(_), None) => self.tell(News::Connected),
                (_, Some(why)) if before != now => self.tell(News::Lost { why: why.clone() }),
                _ => {}
            }
            before = now;
        }
    }

    /// Wakes waiting tasks once the worker ends, and cancels games that are handed back.
    async fn look_for_the_end(&self) {
        let (mut is_told, mut has_handed_back) = (false, false);
        loop {
            tokio::time::sleep(LOOK).await;
            if self.is_leaving() {
                if !is_told {
                    self.tell(News::Leaving);
                    self.announce().await;
                    is_told = true;
                }
                self.woken.notify_waiters();
            }
            if self.ending.hand_back.load(Ordering::Relaxed) {
                for batch in &self.state.lock().under_way {
                    batch.stop.store(true, Ordering::Relaxed);
                }
                if !has_handed_back {
                    self.tell(News::HandingBack);
                    has_handed_back = true;
                }
            }
        }
    }

    async fn obey(self: &Arc<Self>, order: Order) {
        match order {
            Order::Update(offer) => self.consider(offer),
            Order::Announce => self.announce().await,
            Order::Renewed => self.renewed.notify_waiters(),
            Order::Leave => self.ending.leave.store(true, Ordering::Relaxed),
            Order::Drop { run } => {
                for batch in self
                    .state
                    .lock()
                    .under_way
                    .iter()
                    .filter(|one| one.run == run)
                {
                    batch.stop.store(true, Ordering::Relaxed);
                }
            }
            Order::Watch { run } => {
                let until = Instant::now() + WATCHED_FOR;
                let mut state = self.state.lock();
                for batch in state.under_way.iter().filter(|one| one.run == run) {
                    self.forward(&run, &batch.live);
                }
                state.watched.insert(run, until);
            }
        }
    }

    /// Announces the worker. No answer is needed.
    async fn announce(&self) {
        let announcement = {
            let state = self.state.lock();
            Announcement {
                protocol: PROTOCOL,
                name: self.options.name.clone(),
                floe: env!("CARGO_PKG_VERSION").to_owned(),
                cores: self.options.cores.len(),
                sandbox: self.level,
                class: self.class.clone(),
                speeds: self.speeds(),
                games: self.games.load(Ordering::Relaxed),
                up_s: self.began.elapsed().as_secs(),
                playing: state.playing.clone(),
                holds: state.holds.iter().map(|(batch, _)| batch.clone()).collect(),
                is_leaving: self.is_leaving(),
                trouble: state.trouble_now(),
                updates: self.updating.as_ref().map(|_| update::machine()),
            }
        };
        if let Ok(json) = serde_json::to_vec(&announcement) {
            let subject = worker_subject(&self.options.name);
            let _ = self.link.client.publish(subject, json.into()).await;
        }
    }

    /// The last measured speed of this machine.
    fn speeds(&self) -> Speeds {
        self.speeds.lock().0.clone()
    }

    /// Measures the speed again if it is time to, on this thread's cores: a machine may get hot, or
    /// do other work.
    fn measure_again(&self) {
        {
            let mut known = self.speeds.lock();
            if known.1.elapsed() < self.options.measured_every {
                return;
            }
            // Updated now, so that the other tasks do not measure too.
            known.1 = Instant::now();
        }
        let speeds = Speeds::measure();
        let mut known = self.speeds.lock();
        *known = (speeds.clone(), Instant::now());
        drop(known);
        self.tell(News::Measured { speeds });
    }

    /// Whether the worker takes no more games: it was told to stop, or another binary is to be
    /// started.
    fn is_leaving(&self) -> bool {
        let is_ready = |updating: &Updating| updating.ready().is_some();
        self.is_ended() || self.updating.as_ref().is_some_and(is_ready)
    }

    /// Whether the worker was told to stop.
    fn is_ended(&self) -> bool {
        self.ending.leave.load(Ordering::Relaxed) || self.ending.hand_back.load(Ordering::Relaxed)
    }

    fn tell(&self, news: News) {
        (self.tell)(news);
    }
}

/// A unique name: the host name, and a random number.
pub fn default_name() -> String {
    let number = getrandom::u32().unwrap_or_else(|_| std::process::id());
    format!("{}-{:04x}", crate::link::host_name(), number & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_are_not_taken_are_told_while_they_come() {
        let mut state = State::default();
        assert_eq!(state.trouble_now(), None);
        state.refusal = Some(("too slow".into(), Instant::now()));
        assert_eq!(state.trouble_now().as_deref(), Some("too slow"));
        let Some(long_ago) = Instant::now().checked_sub(REFUSED_FOR) else {
            return;
        };
        state.refusal = Some(("too slow".into(), long_ago));
        assert_eq!(state.trouble_now(), None);
        state.trouble = Some("no space left".into());
        assert_eq!(state.trouble_now().as_deref(), Some("no space left"));
    }
}
