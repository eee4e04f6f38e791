//! The socket: connections in, limited in number and in patience.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::Layer;

use crate::client::counted;
use crate::state::App;

/// Most connections at the same time.
const CONNECTIONS: usize = 8192;
/// Most connections from one address, so that one client cannot take all.
const OF_ADDRESS: usize = CONNECTIONS / 2;
/// Time limit for a client to send its headers.
const HEADERS: Duration = Duration::from_secs(10);
/// Interval at which old clients are removed.
const FORGET: Duration = Duration::from_secs(60);

/// Serves the pages on a listener until `stop` is done; then accepts no more connections and ends.
/// Nothing is lost, not even if the server is killed: every turn is in its record.
pub async fn serve(
    listener: TcpListener,
    app: App,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    make_room();
    let router = crate::app(app.clone());
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    let is_behind_proxy = app.is_behind_proxy();
    let addresses = Arc::new(Addresses::default());
    // Read contests before the first request.
    let early = app.clone();
    tokio::spawn(async move { early.contests().all().await });
    let mut forget = tokio::time::interval(FORGET);
    tokio::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => return Ok(()),
            _ = forget.tick() => app.rates().forget(),
            connection = listener.accept() => {
                // An error of one client, such as a closed connection, is ignored; without free
                // descriptors, the server can only wait a little.
                let Ok((stream, client)) = connection else {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                };
                let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else {
                    continue;
                };
                // A proxy carries all clients' connections.
                let most = if is_behind_proxy { CONNECTIONS } else { OF_ADDRESS };
                let Some(share) = Addresses::take(&addresses, counted(client.ip()), most) else {
                    continue;
                };
                let answering = answering(stream, client, router.clone());
                tokio::spawn(async move {
                    answering.await;
                    drop((slot, share));
                });
            }
        }
    }
}

/// Number of connections by address.
#[derive(Default)]
struct Addresses(Mutex<HashMap<IpAddr, usize>>);

/// A connection of an address, counted until this is dropped.
struct Share {
    addresses: Arc<Addresses>,
    of: IpAddr,
}

impl Addresses {
    /// Counts one more connection of this address, unless it has reached its limit.
    fn take(addresses: &Arc<Addresses>, of: IpAddr, most: usize) -> Option<Share> {
        let mut counts = addresses.0.lock();
        let count = counts.entry(of).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        drop(counts);
        let addresses = Arc::clone(addresses);
        Some(Share { addresses, of })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut counts = self.addresses.0.lock();
        if let Entry::Occupied(mut count) = counts.entry(self.of) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

/// Raises the limit of descriptors to the number that connections need: many systems give a process
/// a thousand by default.
fn make_room() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        // Games, leagues and their indexes need files too.
        let wanted = 2 * CONNECTIONS as u64;
        let wanted = limit.maximum.map_or(wanted, |most| most.min(wanted));
        if limit.current.is_some_and(|now| now < wanted) {
            limit.current = Some(wanted);
            if let Err(error) = setrlimit(Resource::Nofile, limit) {
                tracing::debug!(%error, "there is room for few connections");
            }
        }
    }
}

/// The task that answers a connection. There may be many connections, so it stores little.
fn answering(
    stream: TcpStream,
    client: SocketAddr,
    router: Router,
) -> impl Future<Output = ()> + Send {
    let _ = stream.set_nodelay(true);
    let with_client = axum::Extension(ConnectInfo(client)).layer(router);
    let service = TowerToHyperService::new(with_client);
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), service);
    let connection = Box::pin(connection);
    async move {
        // A disconnecting client is no error.
        if let Err(error) = connection.await {
            tracing::debug!(%client, %error, "a connection ended early");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_share_and_gives_it_back() {
        let addresses = Arc::new(Addresses::default());
        let [one, other] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().unwrap());
        let take = |of| Addresses::take(&addresses, of, 2);
        let held = [take(one), take(one)];
        assert!(held.iter().all(Option::is_some));
        assert!(take(one).is_none());
        assert!(take(other).is_some());
        drop(held);
        assert!(addresses.0.lock().is_empty());
        assert!(take(one).is_some());
    }
}
