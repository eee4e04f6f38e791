//! The connection to the server, and the streams on it.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event};
use futures_util::StreamExt as _;
use tokio::sync::{Notify, watch};

use crate::config::{COPIES, inbox_of, read_key};
use crate::error::{ClusterError, PORT, refused, silent};
use crate::wire::{
    CONTROL_ALL, JOBS, MOST_LEVEL, Order, PROGRAMS, PROTOCOL, RESULTS, StreamKind, job_subject,
    level_consumer,
};

/// Releases of nats-server with which all tests of this crate passed.
pub const KNOWN_SERVERS: [&str; 1] = ["2.9.10"];

/// Time limit of the server's answers.
const ANSWER: Duration = Duration::from_secs(5);
/// Retention of unclaimed jobs and results.
const FORGOTTEN: Duration = Duration::from_secs(7 * 24 * 3600);
/// Most unacknowledged batches: more than the concurrent games of all machines.
const MOST_PENDING: i64 = 200_000;
/// Most workers that may wait for work.
const MOST_WAITING: i64 = 100_000;

/// Time for new servers to find each other, and the pause between two tries.
const SETTLING: Duration = Duration::from_secs(20);
const SETTLED: Duration = Duration::from_millis(300);

/// Silence of a worker after which the server gives its batch to another one. Organisers notice
/// earlier, by their own worker timeout.
const ACK_WAIT: Duration = Duration::from_secs(3600);

/// The cluster's address, and this program's key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// The server, such as `nats://host`.
    pub url: String,
    /// The file of our key; none where the server asks for none.
    pub key: Option<PathBuf>,
}

/// A connection to a cluster's server, which reconnects when lost.
#[derive(Debug, Clone)]
pub struct Link {
    /// For messages that no stream stores.
    pub client: Client,
    /// The interface for streams and objects.
    pub streams: Context,
    /// Notified whenever the connection is back: the server has forgotten earlier requests.
    pub connected: Arc<Notify>,
    /// The state of the connection.
    pub health: watch::Receiver<Health>,
}

/// The state of a connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Health {
    /// Why the connection is lost, if it is.
    pub lost: Option<Lost>,
    /// The last request that the server refused to this key.
    pub denied: Option<String>,
}

/// Why the connection is lost. It is retried in every case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// The server cannot be reached.
    Network,
    /// The server does not know the key any more.
    Key,
}

impl Health {
    /// Takes in an event of the connection.
    fn note(&mut self, event: &Event) {
        let text = event.to_string().to_lowercase();
        let is_key = text.contains("authorization violation") || text.contains("authentication");
        match event {
            Event::Connected => self.lost = None,
            Event::ServerError(_) if text.contains("permissions violation") => {
                self.denied = Some(text);
            }
            Event::ServerError(_) | Event::ClientError(_) if is_key => self.lost = Some(Lost::Key),
            // A server that drops a key reports this before it closes the connection.
            Event::Disconnected | Event::ClientError(_) if self.lost.is_none() => {
                self.lost = Some(Lost::Network);
            }
            _ => {}
        }
    }
}

/// The addresses of a cluster's servers, from what a user writes: one or several with commas between,
/// each with port 4232 if it names none.
///
/// ```
/// use floe_cluster::link::servers;
/// assert_eq!(servers("nats://host")?, ["nats://host:4232"]);
/// assert_eq!(servers("tls://a:4222,b")?, ["tls://a:4222", "nats://b:4232"]);
/// assert!(servers("nats://").is_err());
/// # Ok::<(), floe_cluster::ClusterError>(())
/// ```
pub fn servers(url: &str) -> Result<Vec<String>, ClusterError> {
    let one = |address: &str| {
        let address = address.trim();
        let (scheme, rest) = address.split_once("://").unwrap_or(("nats", address));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        let host = host.trim_end_matches('/');
        // The colons of an IPv6 address are within brackets.
        let after = host.rsplit_once(']').map_or(host, |(_, after)| after);
        match (host.is_empty(), after.contains(':')) {
            (true, _) => Err(ClusterError::Connect {
                url: url.to_owned(),
                cause: "the address has no host; write one such as nats://host".to_owned(),
            }),
            (false, true) => Ok(format!("{scheme}://{}", rest.trim_end_matches('/'))),
            (false, false) => Ok(format!("{scheme}://{}:{PORT}", rest.trim_end_matches('/'))),
        }
    };
    url.split(',').map(one).collect()
}

impl Link {
    /// Connects.
    pub async fn connect(address: &Address) -> Result<Link, ClusterError> {
        let connected = Arc::new(Notify::new());
        let told = Arc::clone(&connected);
        let (health, heard) = watch::channel(Health::default());
        let options = ConnectOptions::new()
            .name("floe")
            .request_timeout(Some(ANSWER))
            .connection_timeout(ANSWER)
            // A dead network is noticed after three missed pings.
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|attempt| {
                let attempt = attempt.min(6) as u32;
                Duration::from_millis(50 << attempt).min(Duration::from_secs(2))
            })
            .event_callback(move |event| {
                tracing::debug!(%event, "the server");
                health.send_modify(|health| health.note(&event));
                if matches!(event, Event::Connected) {
                    told.notify_waiters();
                }
                std::future::ready(())
            });
        let options = match &address.key {
            Some(path) => {
                let key = read_key(path)?;
                // No other worker may receive the server's answers to this one.
                let options = match key.worker() {
                    Some(name) => options.custom_inbox_prefix(inbox_of(name)),
                    None => options,
                };
                options.nkey(key.seed())
            }
            None => options,
        };
        let client = options.connect(servers(&address.url)?).await;
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
            health: heard,
        })
    }

    /// The release of the server.
    pub fn server_version(&self) -> String {
        self.client.server_info().version
    }

    /// Whether the server is one of several, which hold copies of everything.
    pub fn is_one_of_several(&self) -> bool {
        self.client.server_info().cluster.is_some()
    }

    /// Number of copies a stream should have.
    fn copies(&self) -> usize {
        match self.is_one_of_several() {
            true => COPIES,
            false => 1,
        }
    }

    /// Makes the missing streams, and the consumers of jobs. If several servers have just started,
    /// waits until they have found each other.
    pub async fn prepare(&self) -> Result<(), ClusterError> {
        let start = Instant::now();
        loop {
            match self.prepare_now().await {
                Err(ClusterError::Server { .. } | ClusterError::Silent { .. })
                    if self.is_one_of_several() && start.elapsed() < SETTLING =>
                {
                    tokio::time::sleep(SETTLED).await;
                }
                prepared => return prepared,
            }
        }
    }

    async fn prepare_now(&self) -> Result<(), ClusterError> {
        let stream = match self.find(JOBS).await? {
            Some(stream) => {
                let theirs = protocol_of(&stream);
                if theirs > PROTOCOL {
                    let ours = PROTOCOL;
                    return Err(ClusterError::Protocol { theirs, ours });
                }
                if theirs < PROTOCOL {
                    // Organisers of an older version must publish their jobs again.
                    let made = stream.purge().await;
                    made.map_err(refused("empty the stream of jobs"))?;
                    let config = stream_config(JOBS, stream.generation, self.copies());
                    let made = self.streams.update_stream(config).await;
                    made.map_err(refused("change the stream of jobs"))?;
                }
                stream
            }
            None => self.make(JOBS, 1).await?,
        };
        self.add_copies(JOBS, &stream).await;
        match self.find(RESULTS).await? {
            Some(results) => self.add_copies(RESULTS, &results).await,
            None => drop(self.make(RESULTS, 1).await?),
        }
        make_consumers(&stream).await?;
        self.prepare_store().await
    }

    async fn make(&self, kind: StreamKind, generation: u64) -> Result<Found, ClusterError> {
        let start = Instant::now();
        loop {
            let config = stream_config(kind, generation, self.copies());
            let error = match self.streams.get_or_create_stream(config).await {
                Ok(stream) => return Ok(Found { stream, generation }),
                Err(error) => error,
            };
            let has_one_copy = self.copies() == 1;
            if has_one_copy || start.elapsed() > SETTLING {
                // One of several servers is away for long. Games are still played; the next
                // organiser adds the copies.
                let config = stream_config(kind, generation, 1);
                let stream = match has_one_copy {
                    true => Err(error),
                    false => self.streams.get_or_create_stream(config).await,
                };
                let stream = stream.map_err(refused("make a stream"))?;
                return Ok(Found { stream, generation });
            }
            tokio::time::sleep(SETTLED).await;
        }
    }

    /// Adds copies to a stream that was made while a server was away.
    async fn add_copies(&self, kind: StreamKind, stream: &Found) {
        let copies = self.copies();
        if stream.cached_info().config.num_replicas < copies {
            let config = stream_config(kind, stream.generation, copies);
            if let Err(error) = self.streams.update_stream(config).await {
                tracing::debug!(%error, "no copies of a stream");
            }
        }
    }

    /// Makes the store of programs if it is missing.
    pub async fn prepare_store(&self) -> Result<(), ClusterError> {
        if self.streams.get_object_store(PROGRAMS).await.is_err() {
            let made = self
                .streams
                .create_object_store(jetstream::object_store::Config {
                    bucket: PROGRAMS.to_owned(),
                    description: Some("programs, by SHA-256".to_owned()),
                    num_replicas: self.copies(),
                    ..Default::default()
                })
                .await;
            made.map_err(refused("make the store of programs"))?;
        }
        Ok(())
    }

    /// Replaces a stream that delivers nothing with the next generation, which is returned. Its
    /// contents are lost: organisers publish them again.
    pub async fn renew(&self, kind: StreamKind) -> Result<u64, ClusterError> {
        let latest = self.latest(kind).await?.unwrap_or(0);
        let made = self.make(kind, latest + 1).await?;
        if kind == JOBS {
            make_consumers(&made).await?;
        }
        self.order_all(&Order::Renewed).await;
        // A server whose disk was full does not answer this until it is restarted.
        let _ = self.streams.delete_stream(kind.stream(latest)).await;
        Ok(made.generation)
    }

    /// Reconnects if the server does not answer over this connection, which a lost stream may block. The
    /// client notices only a server that sends nothing either.
    pub async fn unblock(&self) {
        if self.latest(JOBS).await.is_err() && self.health.borrow().lost.is_none() {
            tracing::debug!("a blocked connection is replaced");
            let _ = self.client.force_reconnect().await;
        }
    }

    /// Whether the store of programs exists.
    pub async fn has_store(&self) -> Result<bool, ClusterError> {
        let wanted = format!("OBJ_{PROGRAMS}");
        let mut names = self.streams.stream_names();
        while let Some(name) = names.next().await {
            if name.map_err(refused("name its streams"))? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sends an order to all connected workers.
    pub async fn order_all(&self, order: &Order) {
        let order = serde_json::to_vec(order).unwrap_or_default();
        let _ = self.client.publish(CONTROL_ALL, order.into()).await;
    }

    /// The latest generation of a stream, if the stream exists.
    pub async fn latest(&self, kind: StreamKind) -> Result<Option<u64>, ClusterError> {
        let mut names = self.streams.stream_names();
        let mut latest = None;
        while let Some(name) = names.next().await {
            let name = name.map_err(refused("name its streams"))?;
            latest = latest.max(kind.generation(&name));
        }
        Ok(latest)
    }

    /// The stream of a kind, in its latest generation.
    pub async fn find(&self, kind: StreamKind) -> Result<Option<Found>, ClusterError> {
        let Some(generation) = self.latest(kind).await? else {
            return Ok(None);
        };
        let name = kind.stream(generation);
        let stream = self.streams.get_stream(&name).await;
        let stream = stream.map_err(silent(name))?;
        Ok(Some(Found { stream, generation }))
    }

    /// The stream of jobs, if an organiser with this protocol version made it.
    pub async fn jobs(&self) -> Result<Option<Found>, ClusterError> {
        // A server that does not answer now may answer later.
        let Ok(Some(stream)) = self.find(JOBS).await else {
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

/// A stream, and its generation.
#[derive(Debug, Clone)]
pub struct Found {
    stream: Stream,
    /// The generation.
    pub generation: u64,
}

impl Deref for Found {
    type Target = Stream;

    fn deref(&self) -> &Stream {
        &self.stream
    }
}

fn stream_config(kind: StreamKind, generation: u64, copies: usize) -> Config {
    Config {
        name: kind.stream(generation),
        subjects: vec![kind.subjects(generation)],
        description: Some(format!("floe protocol {PROTOCOL}")),
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        max_age: FORGOTTEN,
        num_replicas: copies,
        ..Config::default()
    }
}

/// Makes the job consumers, one per sandbox level.
async fn make_consumers(stream: &Found) -> Result<(), ClusterError> {
    for level in 0..=MOST_LEVEL {
        let name = level_consumer(level);
        let made = stream
            .create_consumer(pull::Config {
                durable_name: Some(name.clone()),
                filter_subject: job_subject(stream.generation, level, "*", "*"),
                ack_policy: AckPolicy::Explicit,
                ack_wait: ACK_WAIT,
                max_ack_pending: MOST_PENDING,
                max_waiting: MOST_WAITING,
                ..pull::Config::default()
            })
            .await;
        made.map_err(silent(JOBS.stream(stream.generation)))?;
    }
    Ok(())
}

/// The protocol version in a stream's description.
fn protocol_of(stream: &Stream) -> u32 {
    let text = stream.cached_info().config.description.as_deref();
    let number = text.and_then(|text| text.strip_prefix("floe protocol "));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The host name of this machine.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_key_is_told_from_a_lost_network() {
        let mut health = Health::default();
        health.note(&Event::Disconnected);
        assert_eq!(health.lost, Some(Lost::Network));
        let refused = async_nats::ClientError::Other("authorization violation".into());
        health.note(&Event::ClientError(refused));
        assert_eq!(health.lost, Some(Lost::Key));
        health.note(&Event::Disconnected);
        assert_eq!(health.lost, Some(Lost::Key));
        health.note(&Event::Connected);
        assert_eq!(health, Health::default());
    }
}
