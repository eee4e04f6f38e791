//! Taking batches from the queues.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use futures_util::StreamExt as _;
use tokio::task::JoinSet;
use tracing::debug;

use super::{News, Worker};
use crate::ClusterError;
use crate::link::Found;
use crate::wire::level_consumer;

/// Duration of one request for work.
const QUESTION: Duration = Duration::from_secs(30);
/// The same for several servers: the one with the request may disappear unnoticed.
const SHORT_QUESTION: Duration = Duration::from_secs(5);
/// Pause before a failed request is repeated.
const AGAIN: Duration = Duration::from_millis(500);
/// The longest pause after trouble.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

impl Worker {
    /// Takes batches until the worker should end, then waits for those in progress.
    pub(super) async fn pull_all(self: &Arc<Self>) -> Result<(), ClusterError> {
        self.wait_for_streams().await?;
        self.tell(News::Waiting);
        let mut pulling = JoinSet::new();
        for level in 0..=self.level {
            let worker = Arc::clone(self);
            pulling.spawn(async move { worker.pull_level(level).await });
        }
        let mut ended = Ok(());
        while let Some(one) = pulling.join_next().await {
            if let Ok(Err(error)) = one {
                // A worker that one queue refuses is refused by all.
                self.ending.leave.store(true, Ordering::Relaxed);
                self.woken.notify_waiters();
                ended = Err(error);
            }
        }
        // A game in progress holds permits.
        let all = self.options.cores.len().max(1) as u32;
        let _all = self.tables.acquire_many(all).await;
        ended
    }

    /// The stream of jobs, if an organiser with this protocol version made it. With another
    /// version, a worker that accepts the organiser's binary waits for it.
    async fn jobs(&self) -> Result<Option<Found>, ClusterError> {
        match self.link.jobs().await {
            Err(error @ ClusterError::Protocol { .. }) if self.updating.is_some() => {
                let cause = format!("{error}; waiting for it to offer its floe");
                let is_new = {
                    let mut state = self.state.lock();
                    let is_new = state.trouble.as_ref() != Some(&cause);
                    state.trouble = Some(cause.clone());
                    is_new
                };
                if is_new {
                    self.tell(News::Refuses { cause });
                    self.announce().await;
                }
                Ok(None)
            }
            found => found,
        }
    }

    /// Waits until an organiser with this protocol version has made the streams.
    async fn wait_for_streams(&self) -> Result<(), ClusterError> {
        let mut is_told = false;
        while self.jobs().await?.is_none() && !self.is_leaving() {
            if !is_told && self.state.lock().trouble.is_none() {
                self.tell(News::NoOrganiser);
                is_told = true;
            }
            tokio::select! {
                () = tokio::time::sleep(AGAIN) => {}
                () = self.woken.notified() => {}
            }
        }
        Ok(())
    }

    /// Takes batches from one queue.
    async fn pull_level(self: Arc<Self>, level: u8) -> Result<(), ClusterError> {
        let mut playing = JoinSet::new();
        let mut consumer = None;
        let question = match self.link.is_one_of_several() {
            true => SHORT_QUESTION,
            false => QUESTION,
        };
        while !self.is_leaving() {
            // A core is free.
            tokio::select! {
                permit = self.tables.acquire() => drop(permit),
                () = self.woken.notified() => continue,
            }
            self.pause_after_trouble().await;
            while playing.try_join_next().is_some() {}
            let queue = match &consumer {
                Some(queue) => queue,
                None => match self.consumer(level).await? {
                    Some(found) => consumer.insert(found),
                    None => {
                        tokio::time::sleep(AGAIN).await;
                        continue;
                    }
                },
            };
            let message = tokio::select! {
                message = next(queue, question) => message,
                // This very queue may have blocked the connection.
                () = self.link.connected.notified() => {
                    consumer = None;
                    continue;
                }
                () = self.renewed.notified() => {
                    consumer = None;
                    continue;
                }
                () = self.woken.notified() => continue,
            };
            match message {
                // The queue may have been replaced.
                Ok(None) => consumer = None,
                Ok(Some(message)) => {
                    match Arc::clone(&self.tables).try_acquire_owned() {
                        Ok(permit) => {
                            let worker = Arc::clone(&self);
                            playing.spawn(worker.take(message, permit));
                        }
                        // Another queue was faster, so other workers should play this batch.
                        Err(_) => {
                            let _ = message.ack_with(AckKind::Nak(None)).await;
                        }
                    }
                    tokio::task::yield_now().await;
                }
                Err(error) => {
                    debug!(level, error, "no work");
                    // An organiser of another version may have replaced the stream.
                    consumer = None;
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
        while playing.join_next().await.is_some() {}
        Ok(())
    }

    async fn pause_after_trouble(&self) {
        let failure_log = self.failure_log.load(Ordering::Relaxed);
        if failure_log > 0 {
            tokio::select! {
                () = tokio::time::sleep(pause_after(failure_log)) => {}
                () = self.woken.notified() => {}
            }
        }
    }

    async fn consumer(&self, level: u8) -> Result<Option<PullConsumer>, ClusterError> {
        let Some(stream) = self.jobs().await? else {
            return Ok(None);
        };
        let name = level_consumer(level);
        let found = stream.get_consumer::<pull::Config>(&name).await;
        Ok(found.ok())
    }
}

/// A worker's pause after this many failures in a row.
pub(super) fn pause_after(failure_log: u32) -> Duration {
    Duration::from_secs(1 << failure_log.saturating_sub(1).min(6)).min(LONGEST_PAUSE)
}

/// The next batch of a queue; `None` if none comes for a while.
async fn next(queue: &PullConsumer, question: Duration) -> Result<Option<Message>, String> {
    let asked = queue.batch().max_messages(1).expires(question).messages();
    let mut messages = asked.await.map_err(|e| e.to_string())?;
    let message = messages.next().await.transpose();
    message.map_err(|e| e.to_string())
}
