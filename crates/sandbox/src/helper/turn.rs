//! The turn: a kernel counter that the caller increments and the supervisor reads when it polls. No
//! process blocks on it, so a turn wakes none.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::{read, write};

/// The caller's end.
#[derive(Debug)]
pub(crate) struct TurnWriter {
    counter: OwnedFd,
    number: TurnNumber,
}

/// The supervisor's end.
pub(super) struct TurnReader {
    counter: OwnedFd,
    number: TurnNumber,
}

/// Number of stops and resumptions: odd while the program must stay stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TurnNumber(u64);

impl TurnWriter {
    /// The turn number of a program that may run.
    pub(crate) fn new() -> rustix::io::Result<TurnWriter> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        Ok(TurnWriter {
            counter: eventfd(0, flags)?,
            number: TurnNumber::default(),
        })
    }

    /// Whether the program must stay stopped.
    pub(crate) fn is_frozen(&self) -> bool {
        self.number.is_frozen()
    }

    /// Announces that the program must stop, or may run again.
    pub(crate) fn change(&mut self) {
        self.number.0 += 1;
        // Fails only if the supervisor has not read the counter for longer than any game.
        let _ = write(&self.counter, &1_u64.to_ne_bytes());
    }
}

impl AsFd for TurnWriter {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.counter.as_fd()
    }
}

impl TurnReader {
    pub(super) fn new(counter: OwnedFd) -> TurnReader {
        TurnReader {
            counter,
            number: TurnNumber::default(),
        }
    }

    /// The caller's latest turn, if changed.
    pub(super) fn news(&mut self) -> Option<TurnNumber> {
        let mut bytes = [0; 8];
        // Reading resets the counter; an unchanged counter cannot be read.
        read(&self.counter, &mut bytes).ok()?;
        self.number.0 += u64::from_ne_bytes(bytes);
        Some(self.number)
    }
}

impl TurnNumber {
    pub(super) fn is_frozen(self) -> bool {
        self.0 % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_read_as_it_was_written() {
        let mut writer = TurnWriter::new().unwrap();
        let mut reader = TurnReader::new(writer.as_fd().try_clone_to_owned().unwrap());
        assert_eq!(reader.news(), None);
        for changes in [1, 1, 2, 3] {
            for _ in 0..changes {
                writer.change();
            }
            let turn = reader.news().unwrap();
            assert_eq!(turn, writer.number);
            assert_eq!(turn.is_frozen(), writer.is_frozen());
            assert_eq!(reader.news(), None);
        }
    }
}
