//! The other end of a live socket.

use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::net::UnixStream;
use std::path::Path;

use super::LiveEvent;
use super::socket::{BEAT, within_reach};

/// The longest line that is read.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Reads another process's [`LiveSocket`](super::LiveSocket): its games in progress from their
/// beginnings, then further events. After [`LiveEvent::Missed`] the games in progress are sent
/// again.
///
/// Ends when that process does, or sends something unreadable.
#[derive(Debug)]
pub struct LiveReader {
    from: BufReader<UnixStream>,
    line: Vec<u8>,
}

impl LiveReader {
    /// Connects to the socket at this path. One that was left behind is
    /// [refused](io::ErrorKind::ConnectionRefused).
    pub fn connect(path: &Path) -> io::Result<LiveReader> {
        let stream = within_reach(path, |path| UnixStream::connect(path))?;
        // A process that is alive sends more often than this.
        stream.set_read_timeout(Some(BEAT * 10))?;
        Ok(LiveReader {
            from: BufReader::new(stream),
            line: Vec::new(),
        })
    }
}

impl Iterator for LiveReader {
    type Item = LiveEvent;

    fn next(&mut self) -> Option<LiveEvent> {
        loop {
            self.line.clear();
            let mut limited = (&mut self.from).take(LONGEST);
            let read = limited.read_until(b'\n', &mut self.line);
            match self.line.split_last() {
                Some((b'\n', [])) => {}
                Some((b'\n', line)) if read.is_ok() => return serde_json::from_slice(line).ok(),
                _ => return None,
            }
        }
    }
}
