//! The streams that an organiser uses. A server whose disk was full may name a stream and never again
//! answer for it: such a stream is replaced.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::error::ClusterError;
use crate::link::{Address, Link};
use crate::wire::{JOBS, RESULTS, StreamKind};

/// How long a stream is suspected before it is replaced: within a minute, whatever the worker
/// timeout.
const LEAST: Duration = Duration::from_secs(5);
const MOST: Duration = Duration::from_secs(25);
/// Suspicions in a row before a stream is replaced.
const TIMES: u32 = 3;
/// Pause before a stream that did not answer is asked for again.
const AGAIN: Duration = Duration::from_millis(300);

/// The generations of the streams in use.
#[derive(Debug)]
pub(super) struct Generations {
    pub(super) jobs: AtomicU64,
    pub(super) results: AtomicU64,
}

impl Generations {
    /// Makes missing streams, and notes the generations.
    pub(super) async fn prepare(&self, link: &Link) -> Result<(), ClusterError> {
        link.prepare().await?;
        for (kind, known) in [(JOBS, &self.jobs), (RESULTS, &self.results)] {
            if let Some(found) = link.find(kind).await? {
                known.store(found.generation, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

/// Whether the server is suspected of keeping a stream's contents to itself.
#[derive(Debug, Default)]
pub(super) struct Suspicion {
    since: Option<Instant>,
    times: u32,
}

impl Suspicion {
    pub(super) fn note(&mut self, is_suspect: bool) {
        if !is_suspect {
            *self = Suspicion::default();
            return;
        }
        self.since.get_or_insert_with(Instant::now);
        self.times += 1;
    }

    pub(super) fn is_ripe(&self, patience: Duration) -> bool {
        let least = (patience * 5).clamp(LEAST, MOST);
        let is_old = self.since.is_some_and(|since| since.elapsed() >= least);
        is_old && self.times >= TIMES
    }
}

/// A connection, and streams that answer.
pub(super) struct Prepared {
    pub(super) link: Link,
    pub(super) streams: Generations,
    /// The replaced streams, a line each.
    pub(super) remarks: Vec<String>,
}

/// Connects, makes missing streams, and replaces each stream that does not answer.
pub(super) async fn connect(
    address: &Address,
    patience: Duration,
) -> Result<Prepared, ClusterError> {
    let streams = Generations {
        jobs: AtomicU64::new(1),
        results: AtomicU64::new(1),
    };
    let mut suspicion = Suspicion::default();
    let (mut suspect, mut replaced) = (None, Vec::new());
    let mut remarks = Vec::new();
    loop {
        // A stream that does not answer may block every connection that asked for it.
        let link = Link::connect(address).await?;
        let error = match streams.prepare(&link).await {
            Ok(()) => {
                return Ok(Prepared {
                    link,
                    streams,
                    remarks,
                });
            }
            Err(error) => error,
        };
        let Some(kind) = silent_kind(&error).filter(|kind| !replaced.contains(kind)) else {
            return Err(error);
        };
        if suspect.replace(kind) != Some(kind) {
            suspicion = Suspicion::default();
        }
        suspicion.note(true);
        if !suspicion.is_ripe(patience) {
            tokio::time::sleep(AGAIN).await;
            continue;
        }
        let generation = Link::connect(address).await?.renew(kind).await?;
        remarks.push(format!(
            "{error}; the stream {} replaces it",
            kind.stream(generation)
        ));
        replaced.push(kind);
    }
}

/// The kind of stream that the server does not answer for, if that is the error.
fn silent_kind(error: &ClusterError) -> Option<StreamKind> {
    let ClusterError::Silent { stream, .. } = error else {
        return None;
    };
    let mut kinds = [JOBS, RESULTS].into_iter();
    kinds.find(|kind| kind.generation(stream).is_some())
}
