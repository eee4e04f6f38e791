//! Watches a cluster: workers, organisers and queues.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use parking_lot::Mutex;
use tokio::runtime::Runtime;

use crate::error::{ClusterError, refused};
use crate::link::{Address, Link, Lost};
use crate::status::{Queue, by_priority, queues};
use crate::wire::{Announcement, Order, RunNews, announcer, run_subject};

/// Interval between checks of the queue.
const LOOK: Duration = Duration::from_secs(3);
/// Silence after which a worker or a run is removed.
const FORGOTTEN: Duration = Duration::from_secs(3600);
/// Silence after which a run counts as ended.
const OVER: Duration = Duration::from_secs(10);

/// The state of a cluster, from announcements.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Announcements of workers by name, with the time of the last one.
    pub workers: BTreeMap<String, (Announcement, Instant)>,
    runs: BTreeMap<String, (RunNews, Instant)>,
    /// Waiting batches, by the sandbox level they need.
    pub queues: Vec<Queue>,
    /// Results that no organiser has taken in yet.
    pub results: u64,
    /// Why the server cannot be reached, if it cannot.
    pub lost: Option<Lost>,
}

impl Seen {
    /// The runs in progress, highest priority first.
    pub fn runs(&self) -> Vec<RunNews> {
        let runs = self.runs.values();
        let runs = runs.filter(|(_, when)| when.elapsed() < OVER);
        by_priority(runs.map(|(run, _)| run.clone()))
    }

    /// All known runs, including ended ones.
    pub fn all_runs(&self) -> impl Iterator<Item = &RunNews> {
        self.runs.values().map(|(run, _)| run)
    }

    fn forget(&mut self) {
        self.workers
            .retain(|_, (_, when)| when.elapsed() < FORGOTTEN);
        self.runs.retain(|_, (_, when)| when.elapsed() < FORGOTTEN);
    }
}

/// Watches a cluster, with the organiser's key.
#[derive(Debug)]
pub struct Monitor {
    seen: Arc<Mutex<Seen>>,
    /// The tasks end when the runtime is dropped.
    _runtime: Runtime,
}

impl Monitor {
    /// Begins to watch.
    pub fn start(address: &Address) -> Result<Monitor, ClusterError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let seen: Arc<Mutex<Seen>> = Arc::default();
        let link = runtime.block_on(Link::connect(address))?;
        runtime.block_on(hear(&link, &seen))?;
        runtime.spawn(look(link, Arc::clone(&seen)));
        Ok(Monitor {
            seen,
            _runtime: runtime,
        })
    }

    /// The state up to now.
    pub fn seen(&self) -> Seen {
        self.seen.lock().clone()
    }
}

/// Hears workers and organisers.
async fn hear(link: &Link, seen: &Arc<Mutex<Seen>>) -> Result<(), ClusterError> {
    let workers = link.client.subscribe("floe.worker.*").await;
    let mut workers = workers.map_err(refused("send the workers' announcements"))?;
    let runs = link.client.subscribe(run_subject("*")).await;
    let mut runs = runs.map_err(refused("send the organisers' announcements"))?;
    let known = Arc::clone(seen);
    tokio::spawn(async move {
        while let Some(message) = workers.next().await {
            let worker = serde_json::from_slice::<Announcement>(&message.payload).ok();
            let sender = announcer(&message.subject);
            if let Some(worker) = worker.filter(|worker| worker.name == sender) {
                let name = worker.name.clone();
                known.lock().workers.insert(name, (worker, Instant::now()));
            }
        }
    });
    let known = Arc::clone(seen);
    tokio::spawn(async move {
        while let Some(message) = runs.next().await {
            if let Ok(news) = serde_json::from_slice::<RunNews>(&message.payload) {
                let run = news.run.clone();
                known.lock().runs.insert(run, (news, Instant::now()));
            }
        }
    });
    link.order_all(&Order::Announce).await;
    Ok(())
}

/// Polls the queue.
async fn look(link: Link, seen: Arc<Mutex<Seen>>) {
    loop {
        link.unblock().await;
        let (waiting, results, _) = queues(&link).await;
        {
            let mut seen = seen.lock();
            (seen.queues, seen.results) = (waiting, results);
            seen.lost = link.health.borrow().lost.clone();
            seen.forget();
        }
        tokio::time::sleep(LOOK).await;
    }
}
