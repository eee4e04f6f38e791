//! A network that can go away: connections stay, and nothing comes through.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const LOOK: Duration = Duration::from_millis(10);

/// Where requests begin that are not answered; all others of the server begin with `$JS.`.
pub(crate) const NOWHERE: &str = "$NO.";

type Unanswered = Arc<Mutex<Option<&'static str>>>;

pub(crate) struct Proxy {
    port: u16,
    /// The subject whose requests go to [`NOWHERE`].
    unanswered: Unanswered,
    is_gone: Arc<AtomicBool>,
    is_over: Arc<AtomicBool>,
    /// How many connections were made, and how many of them the server does not read any more.
    made: Arc<AtomicU64>,
    unread: Arc<AtomicU64>,
    /// How often connections were reset.
    resets: Arc<AtomicU64>,
}

impl Proxy {
    /// Forwards to this port.
    pub(crate) fn to(port: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Proxy {
            port: listener.local_addr().unwrap().port(),
            unanswered: Unanswered::default(),
            made: Arc::default(),
            unread: Arc::default(),
            is_gone: Arc::default(),
            is_over: Arc::default(),
            resets: Arc::default(),
        };
        listener.set_nonblocking(true).unwrap();
        let (is_gone, is_over) = (Arc::clone(&proxy.is_gone), Arc::clone(&proxy.is_over));
        let resets = Arc::clone(&proxy.resets);
        let unanswered = Arc::clone(&proxy.unanswered);
        let (made, unread) = (Arc::clone(&proxy.made), Arc::clone(&proxy.unread));
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
                            let number = made.fetch_add(1, Ordering::Relaxed);
                            let (unread, unanswered) =
                                (Arc::clone(&unread), Arc::clone(&unanswered));
                            let change = move |block: &mut [u8]| {
                                lose_requests(block, &unanswered);
                                number >= unread.load(Ordering::Relaxed)
                            };
                            forward(from, to, &is_gone, &is_over, &resets, change);
                            forward(back.0, back.1, &is_gone, &is_over, &resets, |_| true);
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

    /// Lets requests of this subject come to nothing. Someone must listen to [`NOWHERE`], or the server
    /// answers that nobody does.
    pub(crate) fn leave_unanswered(&self, subject: &'static str) {
        *self.unanswered.lock().unwrap() = Some(subject);
    }

    /// Lets nothing through to the server any more on the connections there are; what the server says
    /// comes as before.
    pub(crate) fn leave_unread(&self) {
        let made = self.made.load(Ordering::Relaxed);
        self.unread.store(made, Ordering::Relaxed);
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

/// Forwards what `change` lets through.
fn forward(
    mut from: TcpStream,
    mut to: TcpStream,
    is_gone: &Arc<AtomicBool>,
    is_over: &Arc<AtomicBool>,
    resets: &Arc<AtomicU64>,
    change: impl Fn(&mut [u8]) -> bool + Send + 'static,
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
                    if !change(&mut block[..read]) {
                        continue;
                    }
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

/// Sends requests of the subject nowhere.
fn lose_requests(block: &mut [u8], unanswered: &Unanswered) {
    let Some(subject) = *unanswered.lock().unwrap() else {
        return;
    };
    let subject = subject.as_bytes();
    for at in 0..=block.len().saturating_sub(subject.len()) {
        if block[at..].starts_with(subject) {
            block[at..at + NOWHERE.len()].copy_from_slice(NOWHERE.as_bytes());
        }
    }
}
