//! The last bytes of a stream.

use std::collections::VecDeque;

/// The last bytes written, and a count of all bytes.
#[derive(Debug)]
pub(super) struct Ring {
    bytes: VecDeque<u8>,
    room: usize,
    total: u64,
}

impl Ring {
    pub(super) fn new(room: usize) -> Ring {
        Ring {
            bytes: VecDeque::new(),
            room,
            total: 0,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let kept = &bytes[bytes.len().saturating_sub(self.room)..];
        let over = (self.bytes.len() + kept.len()).saturating_sub(self.room);
        self.bytes.drain(..over);
        self.bytes.extend(kept);
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn to_vec(&self) -> Vec<u8> {
        self.after(0)
    }

    /// The bytes after the first `first`, if they are still stored.
    pub(super) fn after(&self, first: u64) -> Vec<u8> {
        let new = usize::try_from(self.total.saturating_sub(first)).unwrap_or(usize::MAX);
        let old = self.bytes.len().saturating_sub(new);
        self.bytes.range(old..).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_the_end() {
        for chunk in 1..20 {
            let mut ring = Ring::new(7);
            let all: Vec<u8> = (0..100).collect();
            for (n, part) in all.chunks(chunk).enumerate() {
                ring.push(part);
                let so_far = &all[..((n + 1) * chunk).min(100)];
                assert_eq!(ring.to_vec(), &so_far[so_far.len().saturating_sub(7)..]);
                assert_eq!(ring.total(), so_far.len() as u64);
                for first in 0..=so_far.len() {
                    let rest = &so_far[first.max(so_far.len().saturating_sub(7))..];
                    assert_eq!(ring.after(first as u64), rest);
                }
            }
        }
    }
}
