//! If a server takes batches and delivers none, or does not answer for a stream, the stream is
//! replaced, and its contents are published again.

use std::sync::atomic::Ordering;

use floe_arena::runner::RunnerError;

use super::super::inbox::Incoming;
use super::super::queue::Queue;
use super::super::streams::Suspicion;
use super::Run;
use crate::ClusterError;
use crate::link::Link;
use crate::wire::{JOBS, RESULTS, StreamKind};

/// Suspicions about the streams.
#[derive(Debug, Default)]
pub(super) struct Stalls {
    jobs: Suspicion,
    results: Suspicion,
    /// Whether a result arrived since the last check of the queue.
    pub(super) result_came: bool,
    /// The stream that is being replaced.
    renewing: Option<StreamKind>,
}

impl Run<'_, '_> {
    /// Checks whether the server delivers what it has.
    pub(super) fn suspect(&mut self, queue: &Queue) {
        let is_kept_back = self.is_kept_back(queue);
        self.stalls.jobs.note(is_kept_back);
        let has_result = std::mem::take(&mut self.stalls.result_came);
        self.stalls.results.note(queue.waiting > 0 && !has_result);
        self.renew_stalled();
    }

    /// The server is alive but does not answer for this stream.
    pub(super) fn is_stuck(&mut self, kind: StreamKind) {
        match kind == JOBS {
            true => self.stalls.jobs.note(true),
            false => self.stalls.results.note(true),
        }
        self.renew_stalled();
    }

    /// Whether batches wait although an idle worker could play them.
    fn is_kept_back(&self, queue: &Queue) -> bool {
        let Some(out) = self.batches.waiting(&queue.delivered) else {
            return false;
        };
        let able = self.able(&self.jobs(&out.games));
        let not = self.failure_log.who_may_not(&out.games, &able);
        let workers = self.organiser.workers.lock();
        let mut workers = workers.at_work();
        workers.any(|worker| {
            let is_idle = worker.holds.is_empty() && worker.trouble.is_none();
            is_idle && able.contains(&worker.name) && !not.contains(&worker.name)
        })
    }

    fn renew_stalled(&mut self) {
        if self.stalls.renewing.is_some() {
            return;
        }
        let patience = self.organiser.options.patience;
        let (kind, what) = if self.stalls.jobs.is_ripe(patience) {
            (JOBS, "hands out no games although workers wait for them")
        } else if self.stalls.results.is_ripe(patience) {
            (RESULTS, "hands out no results although it has some")
        } else {
            return;
        };
        let mut workers = self.organiser.workers.lock();
        workers.remark(format!(
            "the server {what}: its stream is being replaced, and what was in it is published again"
        ));
        drop(workers);
        self.stalls.renewing = Some(kind);
        self.organiser.renew(self.inbox, kind);
    }

    /// A stream was replaced, or could not be.
    pub(super) fn is_renewed(
        &mut self,
        kind: StreamKind,
        made: Result<u64, ClusterError>,
    ) -> Result<(), RunnerError> {
        let result_came = self.stalls.result_came;
        self.results_wait = false;
        self.stalls = Stalls {
            result_came,
            ..Stalls::default()
        };
        let generation = match made {
            Ok(generation) => generation,
            Err(error) => {
                self.report_not_taken(&error.to_string());
                return Ok(());
            }
        };
        let streams = &self.organiser.streams;
        let known = match kind == JOBS {
            true => &streams.jobs,
            false => &streams.results,
        };
        known.store(generation, Ordering::Relaxed);
        let mut workers = self.organiser.workers.lock();
        workers.remark(format!("the stream {} is in use", kind.stream(generation)));
        drop(workers);
        // Batches name the result stream they use.
        let keys: Vec<String> = self.batches.out.keys().cloned().collect();
        for key in keys {
            self.send_again(&key)?;
        }
        Ok(())
    }
}

impl super::Organiser {
    /// Replaces a stream; a message reports the result.
    fn renew(&self, inbox: &super::Inbox, kind: StreamKind) {
        let address = self.options.address.clone();
        inbox.spawn(&self.runtime, async move {
            // The main connection may be blocked by the stream, so use a new one.
            let made = match Link::connect(&address).await {
                Ok(link) => link.renew(kind).await,
                Err(error) => Err(error),
            };
            Incoming::Renewed(kind, made)
        });
    }
}
