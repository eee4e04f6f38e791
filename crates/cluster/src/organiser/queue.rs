//! The server's report on an organiser's queue.

use std::collections::HashSet;

use async_nats::jetstream::consumer::pull;
use futures_util::StreamExt as _;

use crate::error::ClusterError;
use crate::link::{Found, Link};
use crate::wire::{JOBS, MOST_LEVEL, RESULTS, StreamKind, job_subject, level_consumer};

/// The server's report on the queue.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// The keys of the batches in the queue.
    pub(super) keys: HashSet<String>,
    /// The last delivered sequence by level; 0 if unknown.
    pub(super) delivered: [u64; MOST_LEVEL as usize + 1],
    /// Results of this run that the server has not delivered yet.
    pub(super) waiting: u64,
    /// The generations of the streams of jobs and results.
    pub(super) jobs: u64,
    pub(super) results: u64,
}

/// The stream, else its kind if the server names it and does not answer for it.
async fn answering(link: &Link, kind: StreamKind) -> Result<Found, Option<StreamKind>> {
    match link.find(kind).await {
        Ok(Some(found)) => Ok(found),
        Err(ClusterError::Silent { .. }) => Err(Some(kind)),
        // A missing stream is made where it is needed.
        Ok(None) | Err(_) => Err(None),
    }
}

/// The server's report on the queue, else the stream that it does not answer for, if it answers at
/// all.
pub(super) async fn queue_now(link: &Link, run: &str) -> Result<Queue, Option<StreamKind>> {
    let stream = answering(link, JOBS).await?;
    let mut queue = Queue {
        jobs: stream.generation,
        ..Queue::default()
    };
    // Before the keys: a batch delivered in between still counts as waiting.
    for level in 0..=MOST_LEVEL {
        let name = level_consumer(level);
        if let Ok(consumer) = stream.get_consumer::<pull::Config>(&name).await {
            let delivered = consumer.cached_info().delivered.stream_sequence;
            queue.delivered[usize::from(level)] = delivered;
        }
    }
    let subjects = job_subject(stream.generation, "*", run, "*");
    let found = stream.info_with_subjects(subjects);
    let mut found = found.await.map_err(|_| None)?;
    while let Some(subject) = found.next().await {
        let (subject, _) = subject.map_err(|_| None)?;
        (queue.keys).extend(subject.rsplit('.').next().map(str::to_owned));
    }
    let results = answering(link, RESULTS).await?;
    queue.results = results.generation;
    if let Ok(consumer) = results.get_consumer::<pull::Config>(run).await {
        queue.waiting = consumer.cached_info().num_pending;
    }
    Ok(queue)
}
