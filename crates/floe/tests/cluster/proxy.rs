//! A network that can go away: connections stay, and nothing comes through.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

const LOOK: Duration = Duration::from_millis(10);

pub(crate) struct Proxy {
    port: u16,
    is_gone: Arc<AtomicBool>,
    is_over: Arc<AtomicBool>,
    /// How often connections were reset.
    resets: Arc<AtomicU64>,
}

impl Proxy {
    /// Forwards to this port.
    pub(crate) fn to(port: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Proxy {
            port: listener.local_addr().unwrap().port(),
            is_gone: Arc::default(),
            is_over: Arc::default(),
            resets: Arc::default(),
        };
        listener.set_nonblocking(true).unwrap();
        let (is_gone, is_over) = (Arc::clone(&proxy.is_gone), Arc::clone(&proxy.is_over));
        let resets = Arc::clone(&proxy.resets);
        thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                // While the network is gone nobody is let in either.
                if is_gone.load(Ordering::Relaxed) {
                    thread::sleep(LOOK);
                    continue;
                }
                match listener.accept() {
                    Ok((from, _)) => {
                        if let Ok(to) = TcpStream::connect(("127.0.0.1", port)) {
                            let back = (to.try_clone().unwrap(), from.try_clone().unwrap());
                            forward(from, to, &is_gone, &is_over, &resets);
                            forward(back.0, back.1, &is_gone, &is_over, &resets);
                        }
                    }
                    Err(_) => thread::sleep(LOOK),
                }
            }
        });
        proxy
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Ends all connections there are, in the middle of whatever they carry.
    pub(crate) fn reset(&self) {
        self.resets.fetch_add(1, Ordering::Relaxed);
    }

    /// Stops forwarding, or goes on.
    pub(crate) fn set_gone(&self, is_gone: bool) {
        self.is_gone.store(is_gone, Ordering::Relaxed);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn forward(
    mut from: TcpStream,
    mut to: TcpStream,
    is_gone: &Arc<AtomicBool>,
    is_over: &Arc<AtomicBool>,
    resets: &Arc<AtomicU64>,
) {
    let (is_gone, is_over) = (Arc::clone(is_gone), Arc::clone(is_over));
    let resets = Arc::clone(resets);
    let before = resets.load(Ordering::Relaxed);
    from.set_nonblocking(false).unwrap();
    from.set_read_timeout(Some(LOOK)).unwrap();
    thread::spawn(move || {
        let mut block = [0; 16 << 10];
        while !is_over.load(Ordering::Relaxed) && resets.load(Ordering::Relaxed) == before {
            if is_gone.load(Ordering::Relaxed) {
                thread::sleep(LOOK);
                continue;
            }
            match from.read(&mut block) {
                Ok(0) => break,
                Ok(read) => {
                    if to.write_all(&block[..read]).is_err() {
                        break;
                    }
                }
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => break,
            }
        }
        let _ = to.shutdown(std::net::Shutdown::Both);
    });
}
