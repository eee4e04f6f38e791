//! What goes out to the server and comes in from it, behind the organiser's back.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use floe_arena::live::LiveEvent;
use futures_util::StreamExt as _;
use tracing::debug;

use super::Organiser;
use crate::error::{ClusterError, refused};
use crate::link::Link;
use crate::wire::{CONTROL_ALL, JOBS, Order, RESULTS, announcer, event_subject, job_subject};

/// How soon something that failed is tried again.
const AGAIN: Duration = Duration::from_millis(300);
/// How many results may wait to be looked at.
const WAITING: usize = 4096;
/// How long tidying up may take.
const TIDYING: Duration = Duration::from_secs(5);
/// How often workers are told that somebody watches.
const WATCHING: Duration = Duration::from_secs(10);

/// Something that came in.
pub(super) enum Letter {
    /// The result of a unit.
    Result(Box<Message>),
    /// The keys of the batches that are in the queue.
    Queue(HashSet<String>),
    /// A batch is safe with the server.
    Sent(String),
}

/// What comes in while games are played.
pub(super) struct Mail {
    pub(super) letters: mpsc::Receiver<Letter>,
    tell: mpsc::SyncSender<Letter>,
    acks: tokio::sync::mpsc::UnboundedSender<Message>,
    /// Set when nobody reads any more.
    pub(super) is_over: Arc<AtomicBool>,
}

impl Organiser {
    /// Hears who works.
    pub(super) fn listen(&self) -> Result<(), ClusterError> {
        let workers = Arc::clone(&self.workers);
        let client = self.link.client.clone();
        self.runtime.block_on(async {
            let heard = client.subscribe("floe.worker.*").await;
            let mut heard = heard.map_err(refused("let us hear workers"))?;
            let order = serde_json::to_vec(&Order::Announce).unwrap_or_default();
            let _ = client.publish(CONTROL_ALL, order.into()).await;
            tokio::spawn(async move {
                while let Some(message) = heard.next().await {
                    workers
                        .lock()
                        .hear(announcer(&message.subject), &message.payload);
                }
            });
            Ok(())
        })
    }

    /// Starts whoever carries letters.
    pub(super) fn open_mail(&self) -> Mail {
        let (tell, letters) = mpsc::sync_channel(WAITING);
        let (acks, mut to_ack) = tokio::sync::mpsc::unbounded_channel::<Message>();
        let is_over = Arc::new(AtomicBool::new(false));
        let mail = Mail {
            letters,
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
        let (tell, is_over) = (mail.tell.clone(), Arc::clone(&mail.is_over));
        tokio::spawn(fetch_results(link, run, patience, tell, is_over));
        let (link, run) = (self.link.clone(), self.run.clone());
        let (tell, is_over) = (mail.tell.clone(), Arc::clone(&mail.is_over));
        tokio::spawn(look_at_queue(link, run, patience, tell, is_over));
        let live = self.runner.live.clone();
        let (link, run) = (self.link.clone(), self.run.clone());
        let is_over = Arc::clone(&mail.is_over);
        tokio::spawn(forward_events(link, run, live, is_over));
        mail
    }

    /// Publishes a batch, again and again until it is safe. One that is there already is not
    /// published twice.
    pub(super) fn send(&self, mail: &Mail, level: u8, key: String, bytes: Vec<u8>) {
        let subject = job_subject(level, &self.run, &key);
        let (link, patience) = (self.link.clone(), self.options.patience);
        let (tell, is_over) = (mail.tell.clone(), Arc::clone(&mail.is_over));
        self.runtime.spawn(async move {
            while !is_over.load(Ordering::Relaxed) {
                let message = PublishMessage::build()
                    .expected_last_subject_sequence(0)
                    .payload(bytes.clone().into());
                let sent = match link.streams.send_publish(subject.clone(), message).await {
                    Ok(sent) => tokio::select! {
                        sent = sent.into_future() => sent.map(|_| ()),
                        // It may be lost, or the answer.
                        () = link.connected.notified() => continue,
                    },
                    Err(error) => Err(error),
                };
                match sent.map_err(|error| error.kind()) {
                    Ok(()) | Err(PublishErrorKind::WrongLastSequence) => {
                        hand_over(&tell, Letter::Sent(key), &is_over).await;
                        return;
                    }
                    Err(kind) => {
                        debug!(subject, ?kind, "a batch did not get through");
                        if kind == PublishErrorKind::StreamNotFound {
                            let _ = link.prepare(patience).await;
                        }
                        tokio::time::sleep(AGAIN).await;
                    }
                }
            }
        });
    }

    /// Takes back whatever of this run is with the server, and tells workers to leave it.
    pub(super) fn clear(&self) {
        let (link, run) = (&self.link, &self.run);
        let tidying = async {
            if let Ok(jobs) = link.streams.get_stream(JOBS).await {
                let _ = jobs.purge().filter(format!("floe.job.*.{run}.>")).await;
            }
            let order = Order::Drop { run: run.clone() };
            let order = serde_json::to_vec(&order).unwrap_or_default();
            let _ = link.client.publish(CONTROL_ALL, order.into()).await;
            if let Ok(results) = link.streams.get_stream(RESULTS).await {
                let _ = results.delete_consumer(run).await;
                let _ = results.purge().filter(format!("floe.result.{run}.>")).await;
            }
            let _ = link.client.flush().await;
        };
        let _ = self
            .runtime
            .block_on(async { tokio::time::timeout(TIDYING, tidying).await });
    }
}

impl Mail {
    /// Says that a result is in the file, or not wanted.
    pub(super) fn acknowledge(&self, message: Message) {
        // Without a task to take it the organiser is ending, and what comes twice is dropped.
        let _ = self.acks.send(message);
    }
}

/// Hands a letter over without holding up the runtime; false when nobody reads any more. A result that
/// nobody reads goes back, for whoever reads next.
async fn hand_over(tell: &mpsc::SyncSender<Letter>, letter: Letter, is_over: &AtomicBool) -> bool {
    let mut letter = letter;
    while !is_over.load(Ordering::Relaxed) {
        match tell.try_send(letter) {
            Ok(()) => return true,
            Err(mpsc::TrySendError::Disconnected(back)) => {
                letter = back;
                break;
            }
            Err(mpsc::TrySendError::Full(back)) => {
                letter = back;
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
    }
    if let Letter::Result(message) = letter {
        let _ = message.ack_with(AckKind::Nak(None)).await;
    }
    false
}

/// Takes in results, whatever becomes of the connection and the server.
async fn fetch_results(
    link: Link,
    run: String,
    patience: Duration,
    tell: mpsc::SyncSender<Letter>,
    is_over: Arc<AtomicBool>,
) {
    while !is_over.load(Ordering::Relaxed) {
        let messages = match result_consumer(&link, &run).await {
            Ok(consumer) => consumer.messages().await.map_err(|e| e.to_string()),
            Err(cause) => Err(cause),
        };
        let Ok(mut messages) = messages else {
            debug!(error = messages.err(), "no results can be fetched");
            let _ = link.prepare(patience).await;
            tokio::time::sleep(AGAIN).await;
            continue;
        };
        loop {
            let message = tokio::select! {
                // It asks again by itself after a lost connection. Whoever lets go of it loses what is on
                // its way here, until the server sends it again much later.
                message = messages.next() => message,
                () = tokio::time::sleep(AGAIN) => match is_over.load(Ordering::Relaxed) {
                    true => return,
                    false => continue,
                },
            };
            match message {
                Some(Ok(message)) => {
                    if !hand_over(&tell, Letter::Result(Box::new(message)), &is_over).await {
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
    let stream = link.streams.get_stream(RESULTS).await;
    let stream = stream.map_err(|e| e.to_string())?;
    let made = stream.create_consumer(pull::Config {
        durable_name: Some(run.to_owned()),
        filter_subject: format!("floe.result.{run}.>"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(30),
        max_ack_pending: 20_000,
        ..pull::Config::default()
    });
    made.await.map_err(|e| e.to_string())
}

/// Looks now and then which batches are in the queue.
async fn look_at_queue(
    link: Link,
    run: String,
    patience: Duration,
    tell: mpsc::SyncSender<Letter>,
    is_over: Arc<AtomicBool>,
) {
    let every = (patience / 2).clamp(Duration::from_millis(500), Duration::from_secs(15));
    loop {
        tokio::time::sleep(every).await;
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = link.streams.get_stream(JOBS).await else {
            continue;
        };
        let found = stream.info_with_subjects(format!("floe.job.*.{run}.>"));
        let Ok(mut found) = found.await else {
            continue;
        };
        let mut keys = HashSet::new();
        let mut is_whole = true;
        while let Some(subject) = found.next().await {
            match subject {
                Ok((subject, _)) => keys.extend(subject.rsplit('.').next().map(str::to_owned)),
                Err(_) => {
                    is_whole = false;
                    break;
                }
            }
        }
        if is_whole && !hand_over(&tell, Letter::Queue(keys), &is_over).await {
            return;
        }
    }
}

/// Tells whoever watches at home what happens in the games elsewhere, and has it told as long as
/// somebody does.
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
                let order = Order::Watch { run: run.clone() };
                let order = serde_json::to_vec(&order).unwrap_or_default();
                let _ = link.client.publish(CONTROL_ALL, order.into()).await;
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
