//! The other end of a live socket.

use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::net::UnixStream;
use std::path::Path;

use super::LiveEvent;
use super::socket::{BEAT, within_reach};

/// The longest line that is read.
const LONGEST: u64 = 4 * 1024 * 1024;

/// What another process tells by its [`LiveSocket`](super::LiveSocket): its games under way from their beginnings,
/// and then what happens. After [`LiveEvent::Missed`] the games under way come anew.
///
/// Ends when that process does, or tells nothing that can be read.
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
        // Whoever is there shows it more often than this.
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
