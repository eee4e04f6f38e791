//! Publishing results and live events.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use floe_arena::job::Job;
use floe_arena::live::Broadcast;
use tracing::{debug, warn};

use super::{News, Worker};
use crate::wire::{self, Batch, GameOutcome, RESULTS, UnitResult, event_subject, result_subject};

/// Pause before an unconfirmed result is published again.
const AGAIN: Duration = Duration::from_millis(500);
/// Failures in a row before they are reported.
const TOLD_AFTER: u32 = 3;

/// The place where a result is published.
#[derive(Debug, Clone)]
pub(super) struct Place {
    generation: u64,
    run: String,
    key: String,
}

impl Place {
    /// The place for the result of a unit.
    pub(super) fn of(batch: &Batch, unit: &[Job]) -> Place {
        Place {
            generation: batch.results,
            run: batch.run.clone(),
            key: batch.result_key(unit),
        }
    }
}

impl Worker {
    /// Publishes a result until the server confirms it, or it is not needed any more.
    pub(super) async fn publish(
        &self,
        place: Place,
        result: UnitResult,
        stop: &AtomicBool,
    ) -> bool {
        let (mut place, mut result) = (place, result);
        let mut failures = 0;
        loop {
            let subject =
                result_subject(place.generation, &place.run, &self.options.name, &place.key);
            let bytes = match wire::write(&result) {
                Ok(bytes) => bytes,
                Err(error) => {
                    warn!(%error, "a result cannot be written");
                    return false;
                }
            };
            let message = PublishMessage::build()
                .expected_last_subject_sequence(0)
                .payload(bytes.into());
            let sent = self
                .link
                .streams
                .send_publish(subject.clone(), message)
                .await;
            let sent = match sent {
                Ok(sent) => tokio::select! {
                    sent = sent.into_future() => sent.map(|_| ()),
                    // The result or the answer may be lost. The stream may have blocked the
                    // connection.
                    () = self.link.connected.notified() => {
                        place.generation = self.latest_results(place.generation).await;
                        continue;
                    }
                },
                Err(error) => Err(error),
            };
            let sent = sent.map_err(|error| (error.kind(), error.to_string()));
            match sent {
                // A wrong sequence means that an earlier attempt arrived.
                Ok(()) | Err((PublishErrorKind::WrongLastSequence, _)) => {
                    if failures >= TOLD_AFTER {
                        self.state.lock().trouble = None;
                        self.announce().await;
                    }
                    return true;
                }
                Err((PublishErrorKind::MaxPayloadExceeded, _)) => {
                    for game in &mut result.games {
                        if let GameOutcome::Record(record) = &game.outcome {
                            game.outcome = GameOutcome::SetAside {
                                id: record.opening.id.clone(),
                                cause: "its record is larger than max_payload of the server".into(),
                                missing: None,
                            };
                        }
                    }
                }
                Err((_, cause)) => {
                    debug!(subject, cause, "a result did not get through");
                    failures += 1;
                    if failures == TOLD_AFTER {
                        self.note_not_taken(cause).await;
                    }
                    // The stream may have been replaced.
                    place.generation = self.latest_results(place.generation).await;
                    let hands_back = self.ending.hand_back.load(Ordering::Relaxed);
                    if hands_back || stop.load(Ordering::Relaxed) {
                        return false;
                    }
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
    }

    /// The generation for results; the known one if the server does not answer.
    async fn latest_results(&self, known: u64) -> u64 {
        let latest = self.link.latest(RESULTS).await.ok().flatten();
        latest.unwrap_or(known)
    }

    /// Reports that the server accepts no results; the worker tries again.
    async fn note_not_taken(&self, cause: String) {
        let cause = format!("the server takes no results ({cause}); is its disk full?");
        self.state.lock().trouble = Some(cause.clone());
        self.tell(News::NotTaken { cause });
        self.announce().await;
    }

    /// Publishes live events of a batch's games to watchers, from the start of the games in
    /// progress, unless they are published already.
    pub(super) fn forward(&self, run: &str, live: &Broadcast) {
        if live.is_listened_to() {
            return;
        }
        let events = live.subscribe();
        let (client, subject) = (self.link.client.clone(), event_subject(run));
        let runtime = tokio::runtime::Handle::current();
        // Ends with the broadcast.
        tokio::task::spawn_blocking(move || {
            for event in events {
                if let Ok(json) = serde_json::to_vec(&*event) {
                    let _ = runtime.block_on(client.publish(subject.clone(), json.into()));
                }
            }
        });
    }
}
