//! Bytes of a keyboard, read as keys.

/// A key with a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// One field up.
    Up,
    /// One field down.
    Down,
    /// One field to the right.
    Right,
    /// One field to the left.
    Left,
    /// The space bar: take the field.
    Take,
    /// `G`: take the field by the golden move.
    Golden,
    /// `C`: give the turn up.
    GiveUp,
    /// Ctrl-D: end the game.
    End,
}

/// A reader of keys, a byte at a time.
///
/// An arrow is `ESC [` or `ESC O` and a letter, perhaps with a shift or control key in between
/// (`ESC [ 1 ; 5 C`). Any other ESC is dropped, and the byte after it counts as a key. No bytes
/// are kept: of all that can stand inside an arrow, only its last letter could be a key by itself.
///
/// ```
/// use floe_contest::gamma::interactive::{Decoder, Key};
/// let mut decoder = Decoder::default();
/// let keys: Vec<Key> = b"\x1b\x1b[Ax \x1bg".iter().filter_map(|&b| decoder.key(b)).collect();
/// assert_eq!(keys, [Key::Up, Key::Take, Key::Golden]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decoder {
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    #[default]
    Plain,
    /// After ESC.
    Escape,
    /// After `ESC [` or `ESC O`: an arrow's letter comes, or `1`.
    Bracket,
    /// After `ESC [ 1`.
    One,
    /// After `ESC [ 1 ;`.
    Semicolon,
    /// After `ESC [ 1 ;` and a digit: an arrow's letter comes.
    Modifier,
}

impl Decoder {
    /// The key that this byte completes, if any. O(1).
    pub fn key(&mut self, byte: u8) -> Option<Key> {
        let before = std::mem::take(&mut self.place);
        self.place = match (before, byte) {
            (_, 0x1b) => Place::Escape,
            (Place::Escape, b'[' | b'O') => Place::Bracket,
            (Place::Bracket, b'1') => Place::One,
            (Place::One, b';') => Place::Semicolon,
            (Place::Semicolon, b'2'..=b'8') => Place::Modifier,
            (Place::Bracket | Place::Modifier, b'A') => return Some(Key::Up),
            (Place::Bracket | Place::Modifier, b'B') => return Some(Key::Down),
            (Place::Bracket | Place::Modifier, b'C') => return Some(Key::Right),
            (Place::Bracket | Place::Modifier, b'D') => return Some(Key::Left),
            (_, b' ') => return Some(Key::Take),
            (_, b'g' | b'G') => return Some(Key::Golden),
            (_, b'c' | b'C') => return Some(Key::GiveUp),
            (_, 0x04) => return Some(Key::End),
            _ => Place::Plain,
        };
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Another reading of the rule, of all bytes at once.
    fn naive(mut bytes: &[u8]) -> Vec<Key> {
        let mut keys = Vec::new();
        let arrow = |letter: &u8| match letter {
            b'A' => Some(Key::Up),
            b'B' => Some(Key::Down),
            b'C' => Some(Key::Right),
            b'D' => Some(Key::Left),
            _ => None,
        };
        while let Some((first, rest)) = bytes.split_first() {
            let found = match bytes {
                [
                    0x1b,
                    b'[' | b'O',
                    b'1',
                    b';',
                    b'2'..=b'8',
                    letter,
                    rest @ ..,
                ] => arrow(letter).map(|key| (key, rest)),
                [0x1b, b'[' | b'O', letter, rest @ ..] => arrow(letter).map(|key| (key, rest)),
                _ => None,
            };
            if let Some((key, rest)) = found {
                keys.push(key);
                bytes = rest;
                continue;
            }
            keys.extend(match first {
                b' ' => Some(Key::Take),
                b'g' | b'G' => Some(Key::Golden),
                b'c' | b'C' => Some(Key::GiveUp),
                0x04 => Some(Key::End),
                _ => None,
            });
            bytes = rest;
        }
        keys
    }

    proptest! {
        #[test]
        fn bytes_read_one_by_one_as_the_naive_twin_reads_them_all(
            telling in proptest::collection::vec(
                proptest::sample::select(&b"\x1b\x1b\x1b[[[[O1;5ABCDgG c\x04x\xff"[..]),
                0..60,
            ),
            any in proptest::collection::vec(any::<u8>(), 0..60),
        ) {
            prop_assert_eq!(keys(&telling), naive(&telling));
            prop_assert_eq!(keys(&any), naive(&any));
        }
    }

    fn keys(bytes: &[u8]) -> Vec<Key> {
        let mut decoder = Decoder::default();
        bytes.iter().filter_map(|&b| decoder.key(b)).collect()
    }

    #[test]
    fn every_key_in_either_case() {
        use Key::{Down, End, GiveUp, Golden, Left, Right, Take, Up};
        assert_eq!(
            keys(b" gGcC\x04"),
            [Take, Golden, Golden, GiveUp, GiveUp, End]
        );
        assert_eq!(
            keys(b"\x1b[A\x1b[B\x1b[C\x1b[D"),
            [Up, Down, Right, Left],
            "the common arrow keys"
        );
        assert_eq!(keys(b"\x1bOA\x1bOD"), [Up, Left], "application arrows");
        assert_eq!(keys(b"\x1b[1;5C\x1b[1;2A"), [Right, Up], "with control");
    }

    #[test]
    fn all_other_bytes_are_ignored() {
        let others: Vec<u8> = (0..=u8::MAX)
            .filter(|b| !b" gGcC\x04\x1b".contains(b))
            .collect();
        assert_eq!(keys(&others), []);
        assert_eq!(keys("ąęćż日本\u{1f427}".as_bytes()), []);
    }

    #[test]
    fn an_escape_that_starts_no_arrow_is_dropped_and_the_next_byte_counts() {
        use Key::{End, GiveUp, Golden, Right, Take};
        assert_eq!(keys(b"\x1b "), [Take]);
        assert_eq!(keys(b"\x1bg"), [Golden]);
        assert_eq!(keys(b"\x1bC"), [GiveUp]);
        assert_eq!(keys(b"\x1b\x04"), [End]);
        assert_eq!(keys(b"\x1b[ "), [Take]);
        assert_eq!(keys(b"\x1b[[C"), [GiveUp]);
        assert_eq!(keys(b"\x1b[\x1b[C"), [Right]);
        assert_eq!(keys(b"\x1b[1 "), [Take]);
        assert_eq!(keys(b"\x1b[1;g"), [Golden]);
        assert_eq!(keys(b"\x1b[3~"), [], "delete");
        assert_eq!(keys(b"\x1b[15~"), [], "F5");
    }

    #[test]
    fn a_hundred_thousand_escapes_do_no_harm() {
        let mut bytes = vec![0x1b; 100_000];
        assert_eq!(keys(&bytes), []);
        bytes.extend(b"[C");
        assert_eq!(keys(&bytes), [Key::Right]);
    }

    #[test]
    fn an_arrow_may_come_in_pieces() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.key(0x1b), None);
        assert_eq!(decoder.key(b'['), None);
        assert_eq!(decoder.key(b'D'), Some(Key::Left));
        assert_eq!(decoder, Decoder::default());
    }
}
