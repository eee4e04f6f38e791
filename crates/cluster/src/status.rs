//! Looking at a cluster from outside, and sending workers home.

use std::collections::BTreeMap;
use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::stream::{Info, PeerInfo};
use futures_util::StreamExt as _;
use serde::Serialize;
use tokio::runtime::Runtime;

use crate::config::is_name;
use crate::error::{ClusterError, refused};
use crate::link::{Address, KNOWN_SERVERS, Link};
use crate::wire::{
    Announcement, CONTROL_ALL, JOBS, MOST_LEVEL, Order, PROTOCOL, RESULTS, RunNews, announcer,
    control_subject, level_consumer, run_subject, worker_subject,
};

/// Time limit for workers to answer.
const ANSWER: Duration = Duration::from_millis(1500);
/// Silence of a server after which it counts as away. Servers answer each other every second.
const SILENT: Duration = Duration::from_secs(5);

/// The state of a cluster.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// The protocol version of the command that asks.
    pub protocol: u32,
    /// The workers, by name.
    pub workers: Vec<Announcement>,
    /// Waiting batches, by the sandbox level they need.
    pub queues: Vec<Queue>,
    /// Results that no organiser has taken in yet.
    pub results: u64,
    /// The runs in progress, highest priority first.
    pub runs: Vec<RunNews>,
    /// The release of the server.
    pub server: String,
    /// Whether the server's version is one of [`KNOWN_SERVERS`].
    pub is_known_server: bool,
    /// The servers with copies, by name, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<ServerStatus>,
}

/// One of several servers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ServerStatus {
    /// The server's name, such as `floe-1`.
    pub name: String,
    /// Whether the server's copies are complete.
    pub is_current: bool,
    /// Whether the server is away.
    pub is_away: bool,
}

/// Jobs of one level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Queue {
    /// The sandbox level that the jobs need.
    pub sandbox: u8,
    /// Batches in the queue.
    pub waiting: u64,
    /// Batches that workers hold.
    pub taken: u64,
}

/// Asks all workers, and waits a moment for answers.
pub fn status(address: &Address) -> Result<Status, ClusterError> {
    runtime()?.block_on(async {
        let link = Link::connect(address).await?;
        let heard = link.client.subscribe("floe.worker.*").await;
        let heard = heard.map_err(refused("send the workers' announcements"))?;
        order(&link, CONTROL_ALL, &Order::Announce).await?;
        let news = link.client.subscribe(run_subject("*")).await;
        let news = news.map_err(refused("send the organisers' announcements"))?;
        let mut heard = futures_util::stream::select(heard, news);
        let (mut workers, mut runs) = (BTreeMap::new(), BTreeMap::new());
        let listening = async {
            while let Some(message) = heard.next().await {
                if message.subject.starts_with(&run_subject("")) {
                    if let Ok(news) = serde_json::from_slice::<RunNews>(&message.payload) {
                        runs.insert(news.run.clone(), news);
                    }
                    continue;
                }
                let worker = serde_json::from_slice::<Announcement>(&message.payload).ok();
                let sender = announcer(&message.subject);
                if let Some(worker) = worker.filter(|worker| worker.name == sender) {
                    workers.insert(worker.name.clone(), worker);
                }
            }
        };
        let _ = tokio::time::timeout(ANSWER, listening).await;
        if link.health.borrow().denied.is_some() {
            return Err(ClusterError::NotOrganiser);
        }
        let mut status = Status {
            protocol: PROTOCOL,
            workers: workers.into_values().collect(),
            queues: Vec::new(),
            runs: by_priority(runs.into_values()),
            results: 0,
            is_known_server: KNOWN_SERVERS.contains(&link.server_version().as_str()),
            server: link.server_version(),
            servers: Vec::new(),
        };
        (status.queues, status.results, status.servers) = queues(&link).await;
        Ok(status)
    })
}

/// The queues, the number of results, and the servers that hold copies, as far as the server
/// answers.
pub(crate) async fn queues(link: &Link) -> (Vec<Queue>, u64, Vec<ServerStatus>) {
    let (mut queues, mut results, mut servers) = (Vec::new(), 0, Vec::new());
    if let Ok(Some(jobs)) = link.find(JOBS).await {
        servers = servers_of(jobs.cached_info());
        for sandbox in 0..=MOST_LEVEL {
            let name = level_consumer(sandbox);
            if let Ok(queue) = jobs.get_consumer::<pull::Config>(&name).await {
                let info = queue.cached_info();
                queues.push(Queue {
                    sandbox,
                    waiting: info.num_pending,
                    taken: info.num_ack_pending as u64,
                });
            }
        }
    }
    if let Ok(Some(found)) = link.find(RESULTS).await {
        results = found.cached_info().state.messages;
    }
    (queues, results, servers)
}

/// The runs in progress, highest priority first.
pub(crate) fn by_priority(runs: impl Iterator<Item = RunNews>) -> Vec<RunNews> {
    let mut runs: Vec<RunNews> = runs.filter(|run| run.wants > 0 || run.out > 0).collect();
    runs.sort_by(|a, b| (b.priority, b.weight, &a.name).cmp(&(a.priority, a.weight, &b.name)));
    runs
}

/// Each run's share of the workers' games, in percent.
pub fn shares<'a>(workers: impl Iterator<Item = &'a Announcement>) -> BTreeMap<String, u32> {
    let mut games: BTreeMap<String, u32> = BTreeMap::new();
    for playing in workers.flat_map(|worker| &worker.playing) {
        *games.entry(playing.run.clone()).or_default() += 1;
    }
    let all = games.values().sum::<u32>().max(1);
    games
        .values_mut()
        .for_each(|games| *games = *games * 100 / all);
    games
}

/// The servers that have copies of a stream; none if it has no copies.
fn servers_of(stream: &Info) -> Vec<ServerStatus> {
    let Some(cluster) = &stream.cluster else {
        return Vec::new();
    };
    let leader = cluster.leader.iter().map(|name| ServerStatus {
        name: name.clone(),
        is_current: true,
        is_away: false,
    });
    let others = cluster.replicas.iter().map(|peer| ServerStatus {
        name: peer.name.clone(),
        is_current: peer.current,
        is_away: is_away(peer),
    });
    let mut servers: Vec<ServerStatus> = leader.chain(others).collect();
    servers.sort();
    servers
}

/// Whether a server is away. Servers call each other offline only after 2.5 minutes, so count its
/// silence towards the leader of a stream. A leader that never heard the server gives no time.
fn is_away(peer: &PeerInfo) -> bool {
    let is_silent = peer.active > SILENT || !peer.current && peer.active.is_zero();
    peer.offline || is_silent
}

/// Orders a worker to finish its games and leave. Returns whether it answered: a busy worker may
/// answer later, and leaves in any case.
pub fn drain(address: &Address, worker: &str) -> Result<bool, ClusterError> {
    // Other texts would be subjects of other workers, or of all.
    if !is_name(worker) {
        return Err(ClusterError::Name(worker.to_owned()));
    }
    runtime()?.block_on(async {
        let link = Link::connect(address).await?;
        let heard = link.client.subscribe(worker_subject(worker)).await;
        let mut heard = heard.map_err(refused("send the workers' announcements"))?;
        order(&link, &control_subject(worker), &Order::Leave).await?;
        let answered = async {
            while let Some(message) = heard.next().await {
                let answer = serde_json::from_slice::<Announcement>(&message.payload);
                if answer.is_ok_and(|worker| worker.is_leaving) {
                    return true;
                }
            }
            false
        };
        let answered = tokio::time::timeout(ANSWER, answered).await;
        Ok(answered.unwrap_or(false))
    })
}

async fn order(link: &Link, subject: &str, order: &Order) -> Result<(), ClusterError> {
    let json = serde_json::to_vec(order).map_err(|e| ClusterError::Message(e.to_string()))?;
    let sent = link.client.publish(subject.to_owned(), json.into()).await;
    sent.map_err(refused("take an order"))?;
    link.client.flush().await.map_err(refused("take an order"))
}

fn runtime() -> Result<Runtime, ClusterError> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    Ok(builder.enable_all().build()?)
}
