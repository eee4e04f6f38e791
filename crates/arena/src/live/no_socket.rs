//! On systems without Unix sockets, other processes follow the records instead.

use std::io;
use std::path::Path;

use super::{Broadcast, LiveEvent};

/// Never made on this system.
#[derive(Debug)]
pub struct LiveSocket(());

/// Never made on this system.
#[derive(Debug)]
pub struct LiveReader(());

impl LiveSocket {
    /// Always `None` here.
    pub fn beside(_: &Path, _: &Broadcast) -> Option<LiveSocket> {
        None
    }

    /// Always an error here.
    pub fn open(_: &Path, _: &Broadcast) -> io::Result<LiveSocket> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl LiveReader {
    /// Always an error here.
    pub fn connect(_: &Path) -> io::Result<LiveReader> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Iterator for LiveReader {
    type Item = LiveEvent;

    fn next(&mut self) -> Option<LiveEvent> {
        None
    }
}
