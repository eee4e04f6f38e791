//! Live events for other processes of this user: a socket next to the records.
//!
//! A process that connects receives, as lines of JSON, the events so far of the games in progress,
//! and then further events. The socket is for watching, and lossy on purpose: games that come
//! faster than a person can follow are left out whole, a slow reader misses events and learns how
//! many, and a reader that stops reading is disconnected. No game ever waits for a reader.
//!
//! Only its owner can use the socket. It appears complete or not at all, and is removed at the end.
//! A socket that a killed process left behind does not answer, and the next process replaces it.

use std::collections::HashSet;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use floe_games::record::RecordLine;
use tracing::debug;

use super::{Broadcast, LiveEvent, Pace, Subscribers, socket_path};

/// Most readers at once.
const READERS: usize = 8;
/// Most time that a reader may block this process.
const PATIENCE: Duration = Duration::from_secs(20);
/// Interval of heartbeats on an idle line.
pub(super) const BEAT: Duration = Duration::from_secs(1);
/// Interval of progress events.
const PROGRESS: Duration = Duration::from_millis(500);

/// A socket that sends a [`Broadcast`] to other processes of this user, until it is dropped.
///
/// ```
/// use floe_arena::live::{Broadcast, LiveEvent, LiveReader, LiveSocket};
/// use floe_games::record::RecordLine;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("cup.live");
/// let broadcast = Broadcast::default();
/// let socket = LiveSocket::open(&path, &broadcast)?;
/// let begins = LiveEvent::Line { game: "1".into(), line: RecordLine::Game(Default::default()) };
/// broadcast.publish(|| begins.clone());
/// // In another process:
/// let mut events = LiveReader::connect(&path)?;
/// assert_eq!(events.next(), Some(begins));
/// drop(socket);
/// assert!(!path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LiveSocket {
    path: PathBuf,
    /// Identifies this process's socket, in case another process replaced the file.
    inode: (u64, u64),
    is_closed: Arc<AtomicBool>,
}

impl LiveSocket {
    /// The socket of a file of records, at its [`socket_path`]. If no socket can be made, games are
    /// played and recorded without it.
    pub fn beside(records: &Path, broadcast: &Broadcast) -> Option<LiveSocket> {
        let socket = LiveSocket::open(&socket_path(records), broadcast);
        socket
            .inspect_err(
                |error| debug!(%error, "cannot open the live socket: no other process can watch"),
            )
            .ok()
    }

    /// Creates a socket at this path, in place of an abandoned one.
    pub fn open(path: &Path, broadcast: &Broadcast) -> io::Result<LiveSocket> {
        let is_socket = |data: fs::Metadata| data.file_type().is_socket();
        if !fs::symlink_metadata(path).map_or(true, is_socket) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // The socket moves to its path only after its permissions are set.
        let hidden = tempfile::Builder::new()
            .prefix(".live")
            .tempdir_in(folder)?;
        let made = hidden.path().join("socket");
        let listener = within_reach(&made, |path| UnixListener::bind(path))?;
        fs::set_permissions(&made, Permissions::from_mode(0o600))?;
        let data = fs::symlink_metadata(&made)?;
        fs::rename(&made, path)?;
        broadcast.remember();
        let socket = LiveSocket {
            path: path.to_owned(),
            inode: (data.dev(), data.ino()),
            is_closed: Arc::default(),
        };
        // A reader's thread does not keep the broadcast alive.
        let telling = Source {
            broadcast: Arc::downgrade(&broadcast.0),
            is_closed: Arc::clone(&socket.is_closed),
        };
        thread::Builder::new()
            .name("live".to_owned())
            .spawn(move || let_in(&listener, &telling))?;
        Ok(socket)
    }
}

/// The source of events, as long as it exists.
#[derive(Clone)]
struct Source {
    broadcast: Weak<Subscribers>,
    is_closed: Arc<AtomicBool>,
}

impl Source {
    fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }
}

impl Drop for LiveSocket {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Release);
        let is_ours = fs::symlink_metadata(&self.path)
            .is_ok_and(|data| (data.dev(), data.ino()) == self.inode);
        if is_ours {
            // Wakes the thread that accepts readers.
            let _ = within_reach(&self.path, |path| UnixStream::connect(path));
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Calls `act` with a short path to a socket, since systems limit its length: a long path goes
/// through its open folder.
pub(super) fn within_reach<T>(path: &Path, act: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
    match (act(path), path.parent(), path.file_name()) {
        (Err(error), Some(folder), Some(name)) if error.kind() == io::ErrorKind::InvalidInput => {
            let folder = File::open(folder)?;
            let short = Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string());
            act(&short.join(name))
        }
        (other, _, _) => other,
    }
}

/// Takes readers in.
fn let_in(listener: &UnixListener, source: &Source) {
    let readers = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        if source.is_closed() {
            return;
        }
        let Ok(stream) = stream else {
            thread::sleep(BEAT);
            continue;
        };
        if readers.fetch_add(1, Ordering::AcqRel) >= READERS {
            readers.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let (source, count) = (source.clone(), Arc::clone(&readers));
        let serve = move || {
            let cause = send_all(&stream, &source);
            debug!(?cause, "a reader of live events is gone");
            count.fetch_sub(1, Ordering::AcqRel);
        };
        let thread = thread::Builder::new().name("live reader".to_owned());
        if thread.spawn(serve).is_err() {
            readers.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// Sends all events to one reader, until the reader leaves or the games end.
fn send_all(stream: &UnixStream, source: &Source) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    // Readers send nothing.
    stream.shutdown(std::net::Shutdown::Read)?;
    let mut telling = Telling {
        to: BufWriter::new(stream),
        sent: HashSet::new(),
        pace: Pace::default(),
        progress: None,
    };
    while let Some(broadcast) = source.broadcast.upgrade().map(Broadcast) {
        let (events, missed) = broadcast.subscribe_counting();
        drop(broadcast);
        if telling.all(&events, &missed, source)? {
            break;
        }
        // Events were omitted, so the games in progress are sent again from their starts.
        telling.sent.clear();
        telling.pace = Pace::default();
    }
    Ok(())
}

struct Telling<'a> {
    to: BufWriter<&'a UnixStream>,
    /// Games whose opening was sent.
    sent: HashSet<String>,
    pace: Pace,
    progress: Option<Instant>,
}

impl Telling<'_> {
    /// Whether the games are over; if not, events were omitted.
    fn all(
        &mut self,
        events: &Receiver<Arc<LiveEvent>>,
        missed: &AtomicU64,
        source: &Source,
    ) -> io::Result<bool> {
        loop {
            let event = match events.try_recv() {
                Ok(event) => event,
                Err(_) => {
                    self.to.flush()?;
                    if source.is_closed() {
                        return Ok(true);
                    }
                    match events.recv_timeout(BEAT) {
                        Ok(event) => event,
                        Err(RecvTimeoutError::Disconnected) => return Ok(true),
                        // Without further events, nothing else would report the gap.
                        Err(RecvTimeoutError::Timeout) if missed.load(Ordering::Acquire) > 0 => {
                            let events = missed.load(Ordering::Acquire);
                            Arc::new(LiveEvent::Missed { events })
                        }
                        Err(RecvTimeoutError::Timeout) => {
                            self.to.write_all(b"\n")?;
                            continue;
                        }
                    }
                }
            };
            if self.is_wanted(&event) {
                serde_json::to_writer(&mut self.to, &*event)?;
                self.to.write_all(b"\n")?;
            }
            if matches!(&*event, LiveEvent::Missed { .. }) {
                return Ok(false);
            }
        }
    }

    /// Whether to send this event. A game is sent from its start or not at all.
    fn is_wanted(&mut self, event: &LiveEvent) -> bool {
        let is_wanted = match event {
            LiveEvent::Line { game, line } => match line {
                RecordLine::Game(_) => self.pace.has_time() && self.sent.insert(game.clone()),
                RecordLine::End(_) => self.sent.remove(game),
                RecordLine::Move(_) | RecordLine::Back(_) | RecordLine::Fault(_) => {
                    self.sent.contains(game)
                }
            },
            LiveEvent::Abandoned { game, .. } => self.sent.remove(game),
            LiveEvent::Progress { .. } => {
                let is_due = self.progress.is_none_or(|last| last.elapsed() >= PROGRESS);
                self.progress = if is_due {
                    Some(Instant::now())
                } else {
                    self.progress
                };
                return is_due;
            }
            LiveEvent::Missed { .. } => return true,
        };
        self.pace.lines += u32::from(is_wanted);
        is_wanted
    }
}

#[cfg(test)]
mod tests {
    use floe_games::record::PlayedMove;

    use super::super::LiveReader;
    use super::*;

    fn line(game: u64, line: RecordLine) -> LiveEvent {
        let game = game.to_string();
        LiveEvent::Line { game, line }
    }

    fn begins(game: u64) -> LiveEvent {
        line(game, RecordLine::Game(Box::default()))
    }

    fn moves(game: u64) -> LiveEvent {
        line(game, RecordLine::Move(PlayedMove::default()))
    }

    fn ends(game: u64) -> LiveEvent {
        let end = floe_games::record::End {
            scores: vec![],
            places: vec![],
            reason: floe_games::Reason::Finished,
        };
        line(game, RecordLine::End(end))
    }

    fn open(name: &str) -> (tempfile::TempDir, PathBuf, Broadcast, LiveSocket) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let broadcast = Broadcast::default();
        let socket = LiveSocket::open(&path, &broadcast).unwrap();
        (folder, path, broadcast, socket)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        (entries.map(|entry| entry.unwrap().file_name().into_string().unwrap())).collect()
    }

    #[test]
    fn whoever_comes_late_is_told_the_games_under_way() {
        let (_folder, path, broadcast, _socket) = open("cup.live");
        for event in [begins(1), moves(1), ends(1), begins(2), moves(2)] {
            broadcast.publish(|| event);
        }
        let mut late = LiveReader::connect(&path).unwrap();
        assert_eq!(late.next(), Some(begins(2)));
        assert_eq!(late.next(), Some(moves(2)));
        broadcast.publish(|| ends(2));
        assert_eq!(late.next(), Some(ends(2)));
    }

    #[test]
    fn it_is_its_owners_alone_and_gone_at_the_end() {
        let (folder, path, broadcast, socket) = open("cup.live");
        let mode = fs::symlink_metadata(&path).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(names(folder.path()), ["cup.live"]);
        let mut reader = LiveReader::connect(&path).unwrap();
        drop((socket, broadcast));
        assert_eq!(reader.next(), None);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn one_that_was_left_behind_answers_nobody_and_makes_room() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cup.live");
        drop(UnixListener::bind(&path).unwrap());
        let refused = LiveReader::connect(&path).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
        let broadcast = Broadcast::default();
        let first = LiveSocket::open(&path, &broadcast).unwrap();
        let second = LiveSocket::open(&path, &broadcast).unwrap();
        // The first goes without taking the second along.
        drop(first);
        broadcast.publish(|| begins(1));
        let mut reader = LiveReader::connect(&path).unwrap();
        assert_eq!(reader.next(), Some(begins(1)));
        drop(second);
    }

    #[test]
    fn a_file_that_is_no_socket_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.live");
        fs::write(&path, "precious").unwrap();
        assert!(LiveSocket::beside(&path, &Broadcast::default()).is_none());
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_may_lie_deeper_than_a_sockets_name_is_long() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a".repeat(80)).join("b".repeat(80));
        fs::create_dir_all(&deep).unwrap();
        let path = deep.join("cup.live");
        let broadcast = Broadcast::default();
        let socket = LiveSocket::open(&path, &broadcast).unwrap();
        broadcast.publish(|| begins(1));
        assert_eq!(LiveReader::connect(&path).unwrap().next(), Some(begins(1)));
        drop(socket);
        assert!(names(&deep).is_empty());
    }

    #[test]
    fn a_reader_who_does_not_read_holds_up_nobody_and_is_told_what_was_left_out() {
        let (_folder, path, broadcast, _socket) = open("cup.live");
        broadcast.publish(|| begins(1));
        let mut slow = LiveReader::connect(&path).unwrap();
        assert_eq!(slow.next(), Some(begins(1)));
        // More than the socket and the channel hold together.
        let large = PlayedMove {
            note: "x".repeat(1000),
            ..PlayedMove::default()
        };
        for _ in 0..10_000 {
            broadcast.publish(|| line(1, RecordLine::Move(large.clone())));
        }
        let missed = slow.find(|event| matches!(event, LiveEvent::Missed { .. }));
        assert!(missed.is_some());
        assert_eq!(slow.next(), Some(begins(1)), "the game is sent again");
    }

    #[test]
    fn games_too_fast_for_eyes_are_left_out_whole() {
        let (_folder, path, broadcast, _socket) = open("cup.live");
        broadcast.publish(|| begins(0));
        let mut reader = LiveReader::connect(&path).unwrap();
        assert_eq!(reader.next(), Some(begins(0)));
        for game in 1..1000 {
            for event in [begins(game), moves(game), ends(game)] {
                broadcast.publish(|| event);
            }
        }
        broadcast.publish(|| ends(0));
        let mut open = HashSet::from(["0".to_owned()]);
        let mut lines = 0;
        while !open.is_empty() {
            lines += 1;
            match reader.next().unwrap() {
                LiveEvent::Line { game, line } => match line {
                    RecordLine::Game(_) => assert!(open.insert(game)),
                    RecordLine::End(_) => assert!(open.remove(&game)),
                    _ => assert!(open.contains(&game)),
                },
                other => panic!("{other:?}"),
            }
        }
        assert!(lines < 2999, "{lines}");
    }

    #[test]
    fn readers_beyond_the_number_are_let_go_and_nonsense_ends_a_reading() {
        let (folder, path, broadcast, _socket) = open("cup.live");
        broadcast.publish(|| begins(1));
        let mut readers: Vec<LiveReader> = Vec::new();
        for _ in 0..READERS {
            let mut reader = LiveReader::connect(&path).unwrap();
            assert_eq!(reader.next(), Some(begins(1)));
            readers.push(reader);
        }
        assert_eq!(LiveReader::connect(&path).unwrap().next(), None);
        let other = folder.path().join("other.live");
        let listener = UnixListener::bind(&other).unwrap();
        let mut reader = LiveReader::connect(&other).unwrap();
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"{\"event\":\"flood\"}\n").unwrap();
        assert_eq!(reader.next(), None);
    }
}
