//! The connection to the server, and the streams on it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event};
use tokio::sync::Notify;

use crate::config::{inbox_of, read_key};
use crate::error::{ClusterError, refused};
use crate::wire::{JOBS, MOST_LEVEL, PROGRAMS, PROTOCOL, RESULTS, level_consumer};

/// How long an answer of the server may take.
const ANSWER: Duration = Duration::from_secs(5);
/// Jobs and results that nobody came for are forgotten after so long.
const FORGOTTEN: Duration = Duration::from_secs(7 * 24 * 3600);
/// How many unacknowledged batches there may be: more than machines have tables.
const MOST_PENDING: i64 = 200_000;
/// How many workers may wait for work.
const MOST_WAITING: i64 = 100_000;

/// Where a cluster is, and who we are there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// The server, such as `nats://host`.
    pub url: String,
    /// The file of our key; none where the server asks for none.
    pub key: Option<PathBuf>,
}

/// A connection to a cluster's server. It comes back by itself when it is lost.
#[derive(Debug, Clone)]
pub struct Link {
    /// For what nobody keeps.
    pub client: Client,
    /// For streams and objects.
    pub streams: Context,
    /// Told whenever the connection is there again: what was asked of the server before is
    /// forgotten there.
    pub connected: Arc<Notify>,
}

impl Link {
    /// Connects.
    pub async fn connect(address: &Address) -> Result<Link, ClusterError> {
        let connected = Arc::new(Notify::new());
        let told = Arc::clone(&connected);
        let options = ConnectOptions::new()
            .name("floe")
            .request_timeout(Some(ANSWER))
            .connection_timeout(ANSWER)
            // A network that is gone without a word is noticed after three of them.
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|attempt| {
                let attempt = attempt.min(6) as u32;
                Duration::from_millis(50 << attempt).min(Duration::from_secs(2))
            })
            .event_callback(move |event| {
                tracing::debug!(%event, "the server");
                if matches!(event, Event::Connected) {
                    told.notify_waiters();
                }
                std::future::ready(())
            });
        let options = match &address.key {
            Some(path) => {
                let key = read_key(path)?;
                // What the server answers to such a worker nobody else may hear.
                let options = match key.worker() {
                    Some(name) => options.custom_inbox_prefix(inbox_of(name)),
                    None => options,
                };
                options.nkey(key.seed())
            }
            None => options,
        };
        let client = options.connect(address.url.as_str()).await;
        let client = client.map_err(|error| ClusterError::Connect {
            url: address.url.clone(),
            cause: error.to_string(),
        })?;
        let streams = jetstream::context::ContextBuilder::new()
            .timeout(ANSWER)
            .ack_timeout(ANSWER)
            .max_ack_inflight(10_000)
            .build(client.clone());
        Ok(Link {
            client,
            streams,
            connected,
        })
    }

    /// Makes the streams there have to be, where they are not there, and the consumers of jobs,
    /// which give a job to somebody else after `ack_wait` without a word.
    pub async fn prepare(&self, ack_wait: Duration) -> Result<(), ClusterError> {
        let jobs = Config {
            name: JOBS.to_owned(),
            subjects: vec!["floe.job.>".to_owned()],
            description: Some(format!("floe protocol {PROTOCOL}")),
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            max_age: FORGOTTEN,
            ..Config::default()
        };
        let results = Config {
            name: RESULTS.to_owned(),
            subjects: vec!["floe.result.>".to_owned()],
            ..jobs.clone()
        };
        let stream = match self.streams.get_stream(JOBS).await {
            Ok(stream) => {
                let theirs = protocol_of(&stream);
                if theirs > PROTOCOL {
                    let ours = PROTOCOL;
                    return Err(ClusterError::Protocol { theirs, ours });
                }
                if theirs < PROTOCOL {
                    // What organisers of an older version left is theirs to publish again.
                    let made = stream.purge().await;
                    made.map_err(refused("empty the stream of jobs"))?;
                    let made = self.streams.update_stream(jobs).await;
                    made.map_err(refused("change the stream of jobs"))?;
                }
                stream
            }
            Err(_) => {
                let made = self.streams.create_stream(jobs).await;
                made.map_err(refused("make the stream of jobs"))?
            }
        };
        let made = self.streams.get_or_create_stream(results).await;
        made.map_err(refused("make the stream of results"))?;
        for level in 0..=MOST_LEVEL {
            let name = level_consumer(level);
            let made = stream
                .create_consumer(pull::Config {
                    durable_name: Some(name.clone()),
                    filter_subject: format!("floe.job.{level}.>"),
                    ack_policy: AckPolicy::Explicit,
                    ack_wait,
                    max_ack_pending: MOST_PENDING,
                    max_waiting: MOST_WAITING,
                    ..pull::Config::default()
                })
                .await;
            made.map_err(refused("make a consumer of jobs"))?;
        }
        if self.streams.get_object_store(PROGRAMS).await.is_err() {
            let made = self
                .streams
                .create_object_store(jetstream::object_store::Config {
                    bucket: PROGRAMS.to_owned(),
                    description: Some("programs, by SHA-256".to_owned()),
                    ..Default::default()
                })
                .await;
            made.map_err(refused("make the store of programs"))?;
        }
        Ok(())
    }

    /// The stream of jobs, if an organiser has been here and speaks as we do.
    pub async fn jobs(&self) -> Result<Option<Stream>, ClusterError> {
        let Ok(stream) = self.streams.get_stream(JOBS).await else {
            return Ok(None);
        };
        match protocol_of(&stream) {
            PROTOCOL => Ok(Some(stream)),
            theirs => Err(ClusterError::Protocol {
                theirs,
                ours: PROTOCOL,
            }),
        }
    }
}

/// The version of the protocol that a stream's description names.
fn protocol_of(stream: &Stream) -> u32 {
    let text = stream.cached_info().config.description.as_deref();
    let number = text.and_then(|text| text.strip_prefix("floe protocol "));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// What this machine is called.
pub fn host_name() -> String {
    let read = |path: &str| std::fs::read_to_string(Path::new(path)).ok();
    let name = read("/proc/sys/kernel/hostname").or_else(|| std::env::var("HOSTNAME").ok());
    let name = name.unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.trim().chars().take(32).map(plain).collect();
    match name.is_empty() {
        true => "machine".to_owned(),
        false => name,
    }
}
