//! Ports for servers that are killed and started again: the system must not lend them to connections
//! in between, so they are below those it chooses itself.

use std::net::TcpListener;
use std::process;
use std::sync::atomic::{AtomicU16, Ordering};

/// How far the port of the servers among themselves is above that of clients.
const ROUTE_PORT: u16 = 2000;
/// Between the ports of well-known services and those that the system chooses, with room for routes.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;

/// How many ports were tried in this process.
static TRIED: AtomicU16 = AtomicU16::new(0);

/// A port that is free, and so is the one that a server uses for others.
pub(crate) fn free_port() -> u16 {
    loop {
        // Other processes begin elsewhere.
        let begin = (process::id() * 31 % u32::from(COUNT)) as u16;
        let tried = TRIED.fetch_add(1, Ordering::Relaxed);
        let port = FIRST + begin.wrapping_add(tried) % COUNT;
        let is_free = |port| TcpListener::bind(("127.0.0.1", port)).is_ok();
        if is_free(port) && is_free(port + ROUTE_PORT) {
            return port;
        }
    }
}
