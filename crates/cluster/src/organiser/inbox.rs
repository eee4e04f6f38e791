//! Messages to and from the server, in the background.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use floe_arena::live::LiveEvent;
use floe_games::record::Record;
use futures_util::StreamExt as _;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tracing::debug;

use super::Organiser;
use super::queue::{Queue, queue_now};
use super::streams::Generations;
use super::updates::Updates;
use crate::config::read_key;
use crate::error::{ClusterError, refused};
use crate::link::{Address, Health, Link, Lost};
use crate::update;
use crate::wire::{
    JOBS, Order, RESULTS, RunNews, StreamKind, announcer, event_subject, job_subject,
    result_subject, run_subject,
};

/// Pause before a failed request is repeated.
const AGAIN: Duration = Duration::from_millis(300);
/// Results that may wait in the channel: a quarter of a second's. Those beyond it wait on the server.
const WAITING: usize = 512;
/// Failures in a row before they are reported.
const TOLD_AFTER: u32 = 3;
/// Time limit of cleaning up.
const TIDYING: Duration = Duration::from_secs(5);
/// Interval of watch announcements.
const WATCHING: Duration = Duration::from_secs(10);

/// An incoming message.
pub(super) enum Incoming {
    /// The result of a unit.
    Result(Box<Message>),
    /// The server's report on the queue.
    Queue(Queue),
    /// The server has confirmed a batch, with its sequence if it gives one.
    Sent(String, Option<u64>),
    /// The server does not take batches.
    NotTaken(String),
    /// The record of a game played here; `None` if it could not be played.
    Checked(String, Option<Box<Record>>),
    /// The server is alive but does not answer for this stream.
    Stuck(StreamKind),
    /// A stream was replaced with this generation, or the replacement failed.
    Renewed(StreamKind, Result<u64, ClusterError>),
}

/// Held while a batch's result is awaited. Once it is dropped, the batch is not published any more.
pub(super) type Wanted = Arc<()>;

/// Messages that arrive during play.
pub(super) struct Inbox {
    pub(super) incoming: mpsc::Receiver<Incoming>,
    tell: mpsc::SyncSender<Incoming>,
    acks: UnboundedSender<Message>,
    /// Set when the messages are not read any more.
    pub(super) is_over: Arc<AtomicBool>,
}

impl Organiser {
    /// Subscribes to workers' announcements.
    pub(super) fn listen(&self) -> Result<(), ClusterError> {
        let workers = Arc::clone(&self.workers);
        let client = self.link.client.clone();
        let mut health = self.link.health.clone();
        let url = self.options.address.url.clone();
        let known = Arc::clone(&self.workers);
        self.runtime.spawn(async move {
            while health.changed().await.is_ok() {
                let now = health.borrow_and_update().clone();
                let mut known = known.lock();
                match connection_remark(&now, &url) {
                    Some(remark) => known.remark(remark),
                    // No worker could be heard in the meantime.
                    None => known.hear_anew(),
                }
            }
        });
        let wishes = self.offer_updates()?;
        self.runtime.block_on(async {
            let heard = client.subscribe("floe.worker.*").await;
            let mut heard = heard.map_err(refused("send the workers' announcements"))?;
            self.link.order_all(&Order::Announce).await;
            tokio::spawn(async move {
                while let Some(message) = heard.next().await {
                    let sender = announcer(&message.subject);
                    if workers.lock().hear(sender, &message.payload) {
                        let _ = wishes.send(sender.to_owned());
                    }
                }
            });
            let heard = client.subscribe(run_subject("*")).await;
            let mut heard = heard.map_err(refused("send the organisers' announcements"))?;
            let (shares, own) = (Arc::clone(&self.shares), self.run.clone());
            tokio::spawn(async move {
                while let Some(message) = heard.next().await {
                    if let Ok(news) = serde_json::from_slice::<RunNews>(&message.payload)
                        && news.run != own
                    {
                        shares.lock().hear(news);
                    }
                }
            });
            Ok(())
        })
    }

    /// Offers this binary to workers sent through the channel, if there is a key to sign it.
    fn offer_updates(&self) -> Result<UnboundedSender<String>, ClusterError> {
        let (wish, wishes) = unbounded_channel();
        if let Some(key) = &self.options.address.key {
            let (link, workers) = (self.link.clone(), Arc::clone(&self.workers));
            self.workers.lock().offers = Some(update::machine());
            let updates = Updates::new(link, read_key(key)?, workers);
            self.runtime.spawn(updates.run(wishes));
        }
        Ok(wish)
    }

    /// The announcement of this run, which could use this many concurrent games.
    pub(super) fn news(&self, wants: usize) -> RunNews {
        let workers = self.workers.lock();
        let began = workers.began;
        let banned = workers.banned().iter();
        RunNews {
            run: self.run.clone(),
            name: self.options.name(),
            priority: self.options.priority,
            weight: self.options.weight,
            wants,
            out: workers.out,
            games: workers.games,
            seconds: began.map_or(0, |began| began.elapsed().as_secs()),
            game: self.runner.boards.game().name().to_owned(),
            reference: self.options.speed.as_ref().map(|rule| rule.reference),
            workers: workers.tallies(),
            banned: banned
                .map(|(worker, ban)| (worker.clone(), ban.reason.clone()))
                .collect(),
        }
    }

    /// Announces what this run needs.
    pub(super) fn announce_run(&self, news: &RunNews) {
        let client = self.link.client.clone();
        let (subject, json) = (run_subject(&self.run), serde_json::to_vec(news));
        self.runtime.spawn(async move {
            if let Ok(json) = json {
                let _ = client.publish(subject, json.into()).await;
            }
        });
    }

    /// Starts the tasks that carry messages.
    pub(super) fn open_inbox(&self) -> Inbox {
        let (tell, incoming) = mpsc::sync_channel(WAITING);
        let (acks, mut to_ack) = unbounded_channel::<Message>();
        let is_over = Arc::new(AtomicBool::new(false));
        let inbox = Inbox {
            incoming,
            tell,
            acks,
            is_over,
        };
        let _guard = self.runtime.enter();
        tokio::spawn(async move {
            while let Some(message) = to_ack.recv().await {
                let _ = message.ack().await;
            }
        });
        let (link, run, patience) = (self.link.clone(), self.run.clone(), self.options.patience);
        let (tell, is_over) = (inbox.tell.clone(), Arc::clone(&inbox.is_over));
        let streams = Arc::clone(&self.streams);
        tokio::spawn(fetch_results(link, run, streams, tell, is_over));
        let (link, address) = (self.link.clone(), self.options.address.clone());
        let (tell, is_over) = (inbox.tell.clone(), Arc::clone(&inbox.is_over));
        let run = self.run.clone();
        tokio::spawn(look_at_queue(link, address, run, patience, tell, is_over));
        let live = self.runner.live.clone();
        let (link, run) = (self.link.clone(), self.run.clone());
        let is_over = Arc::clone(&inbox.is_over);
        tokio::spawn(forward_events(link, run, live, is_over));
        inbox
    }

    /// Publishes a batch until the server confirms it, as long as the batch is wanted. A batch that is
    /// already stored is not published twice.
    pub(super) fn send(
        &self,
        inbox: &Inbox,
        level: u8,
        key: String,
        bytes: Vec<u8>,
        wanted: &Wanted,
    ) {
        let (link, run) = (self.link.clone(), self.run.clone());
        let streams = Arc::clone(&self.streams);
        let (tell, is_over) = (inbox.tell.clone(), Arc::clone(&inbox.is_over));
        let wanted = Arc::downgrade(wanted);
        self.runtime.spawn(async move {
            let mut failures = 0;
            while !is_over.load(Ordering::Relaxed) && wanted.strong_count() > 0 {
                let generation = streams.jobs.load(Ordering::Relaxed);
                let subject = job_subject(generation, level, &run, &key);
                let message = PublishMessage::build()
                    .expected_last_subject_sequence(0)
                    .payload(bytes.clone().into());
                let sent = match link.streams.send_publish(subject.clone(), message).await {
                    Ok(sent) => tokio::select! {
                        sent = sent.into_future() => sent.map(|sent| sent.sequence),
                        // The request or the answer may be lost.
                        () = link.connected.notified() => continue,
                    },
                    Err(error) => Err(error),
                };
                let error = match sent {
                    Ok(sequence) => {
                        let incoming = Incoming::Sent(key, Some(sequence));
                        hand_over(&tell, incoming, &is_over).await;
                        return;
                    }
                    Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => {
                        hand_over(&tell, Incoming::Sent(key, None), &is_over).await;
                        return;
                    }
                    Err(error) => error,
                };
                debug!(subject, %error, "a batch did not get through");
                failures += 1;
                let mut cause = error.to_string();
                if error.kind() == PublishErrorKind::StreamNotFound {
                    match streams.prepare(&link).await {
                        Ok(()) => continue,
                        Err(error) => cause = error.to_string(),
                    }
                }
                // A single failure may come from a server that has just started.
                if failures == TOLD_AFTER {
                    hand_over(&tell, Incoming::NotTaken(cause), &is_over).await;
                }
                tokio::time::sleep(AGAIN).await;
            }
        });
    }

    /// Removes a batch that is published under another key from the queue.
    pub(super) fn withdraw(&self, key: &str) {
        let (link, run, key) = (self.link.clone(), self.run.clone(), key.to_owned());
        self.runtime.spawn(async move {
            if let Ok(Some(jobs)) = link.find(JOBS).await {
                let filter = job_subject(jobs.generation, "*", &run, &key);
                let _ = jobs.purge().filter(filter).await;
            }
        });
    }

    /// Removes everything of a run from the server, and tells workers to drop it.
    pub(super) fn clear(&self, run: &str) {
        let link = &self.link;
        let tidying = async {
            if let Ok(Some(jobs)) = link.find(JOBS).await {
                let filter = job_subject(jobs.generation, "*", run, "*");
                let _ = jobs.purge().filter(filter).await;
            }
            let order = Order::Drop {
                run: run.to_owned(),
            };
            link.order_all(&order).await;
            if let Ok(Some(results)) = link.find(RESULTS).await {
                let _ = results.delete_consumer(run).await;
                let filter = result_subject(results.generation, run, "*", "*");
                let _ = results.purge().filter(filter).await;
            }
            let _ = link.client.flush().await;
        };
        let _ = self
            .runtime
            .block_on(async { tokio::time::timeout(TIDYING, tidying).await });
    }
}

impl Inbox {
    /// Runs a task in the background, which sends a message when it is done.
    pub(super) fn spawn(
        &self,
        runtime: &Runtime,
        work: impl Future<Output = Incoming> + Send + 'static,
    ) {
        let (tell, is_over) = (self.tell.clone(), Arc::clone(&self.is_over));
        runtime.spawn(async move {
            let incoming = work.await;
            hand_over(&tell, incoming, &is_over).await;
        });
    }

    /// Acknowledges a result that is stored or not needed.
    pub(super) fn acknowledge(&self, message: Message) {
        // Without a receiver, the organiser is ending; repeated results are dropped later.
        let _ = self.acks.send(message);
    }
}

/// Passes a message on without blocking the runtime; `false` if messages are not read any more. An
/// unread result is returned for the next reader.
async fn hand_over(
    tell: &mpsc::SyncSender<Incoming>,
    incoming: Incoming,
    is_over: &AtomicBool,
) -> bool {
    let mut incoming = incoming;
    while !is_over.load(Ordering::Relaxed) {
        match tell.try_send(incoming) {
            Ok(()) => return true,
            Err(mpsc::TrySendError::Disconnected(back)) => {
                incoming = back;
                break;
            }
            Err(mpsc::TrySendError::Full(back)) => {
                incoming = back;
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
    }
    if let Incoming::Result(message) = incoming {
        let _ = message.ack_with(AckKind::Nak(None)).await;
    }
    false
}

/// Receives results, across failures of the connection and the server.
async fn fetch_results(
    link: Link,
    run: String,
    streams: Arc<Generations>,
    tell: mpsc::SyncSender<Incoming>,
    is_over: Arc<AtomicBool>,
) {
    while !is_over.load(Ordering::Relaxed) {
        let generation = streams.results.load(Ordering::Relaxed);
        let messages = match result_consumer(&link, &run).await {
            Ok(consumer) => consumer.messages().await.map_err(|e| e.to_string()),
            Err(cause) => Err(cause),
        };
        let Ok(mut messages) = messages else {
            debug!(error = messages.err(), "no results can be fetched");
            let _ = link.prepare().await;
            tokio::time::sleep(AGAIN).await;
            continue;
        };
        loop {
            let message = tokio::select! {
                // It repeats its request after a lost connection. Dropping it would delay messages
                // in transit until the server sends them again.
                message = messages.next() => message,
                () = tokio::time::sleep(AGAIN) => {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    // A server whose disk was full blocks requests for results of a lost stream.
                    if streams.results.load(Ordering::Relaxed) != generation {
                        break;
                    }
                    continue;
                }
            };
            match message {
                Some(Ok(message)) => {
                    if !hand_over(&tell, Incoming::Result(Box::new(message)), &is_over).await {
                        return;
                    }
                }
                Some(Err(error)) => {
                    debug!(%error, "results stopped coming");
                    break;
                }
                None => break,
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn result_consumer(link: &Link, run: &str) -> Result<PullConsumer, String> {
    let stream = link.find(RESULTS).await.map_err(|e| e.to_string())?;
    let stream = stream.ok_or("there is no stream of results")?;
    let made = stream.create_consumer(pull::Config {
        durable_name: Some(run.to_owned()),
        filter_subject: result_subject(stream.generation, run, "*", "*"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(30),
        max_ack_pending: 20_000,
        ..pull::Config::default()
    });
    made.await.map_err(|e| e.to_string())
}

/// Polls which batches are queued, over its own connection: a server whose disk was full blocks
/// every connection that uses a lost stream. If only the main connection is blocked, replaces it.
async fn look_at_queue(
    main: Link,
    address: Address,
    run: String,
    patience: Duration,
    tell: mpsc::SyncSender<Incoming>,
    is_over: Arc<AtomicBool>,
) {
    let mut link = Link::connect(&address).await.ok();
    let every = (patience / 2).clamp(Duration::from_millis(500), Duration::from_secs(15));
    loop {
        tokio::time::sleep(every).await;
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let now = match &link {
            Some(link) => queue_now(link, &run).await,
            None => Err(None),
        };
        let incoming = match now {
            Ok(queue) => {
                main.unblock().await;
                Incoming::Queue(queue)
            }
            Err(stuck) => {
                // This connection may be blocked by the stream, so use a new one.
                link = Link::connect(&address).await.ok();
                match stuck {
                    Some(kind) => Incoming::Stuck(kind),
                    None => continue,
                }
            }
        };
        if !hand_over(&tell, incoming, &is_over).await {
            return;
        }
    }
}

/// The remark on the connection; `None` if the connection is up.
fn connection_remark(health: &Health, url: &str) -> Option<String> {
    Some(match health.lost.as_ref()? {
        Lost::Network => {
            format!("the server at {url} cannot be reached; trying again until it answers")
        }
        Lost::Key => format!(
            "the server at {url} does not know this key any more; trying again in case it is let in \
             again (`floe cluster config` makes keys)"
        ),
    })
}

/// Forwards live events of the workers' games to local watchers, and requests them while there are
/// watchers.
async fn forward_events(
    link: Link,
    run: String,
    live: floe_arena::live::Broadcast,
    is_over: Arc<AtomicBool>,
) {
    while !is_over.load(Ordering::Relaxed) {
        if !live.is_listened_to() {
            tokio::time::sleep(AGAIN).await;
            continue;
        }
        let Ok(mut events) = link.client.subscribe(event_subject(&run)).await else {
            return;
        };
        let mut asked: Option<Instant> = None;
        while live.is_listened_to() && !is_over.load(Ordering::Relaxed) {
            if asked.is_none_or(|when| when.elapsed() > WATCHING) {
                link.order_all(&Order::Watch { run: run.clone() }).await;
                asked = Some(Instant::now());
            }
            let event = tokio::time::timeout(Duration::from_secs(1), events.next()).await;
            if let Ok(Some(message)) = event
                && let Ok(event) = serde_json::from_slice::<LiveEvent>(&message.payload)
            {
                live.publish(|| event);
            }
        }
    }
}
