//! Lines in the form that programs write them, read eight bytes at a time.
//!
//! Nearly every line is a letter, then numbers of a few digits with a single blank before each,
//! then a newline. Read byte by byte such a line costs one or two mispredicted branches per number,
//! since the number of digits is unpredictable. Here a number is found, measured and valued without
//! a branch: of the eight bytes after the blank those before the first that is no digit are shifted
//! to where zeros before them do no harm, and three multiplications add them up.
//!
//! All other lines, right or wrong, are left to the reader of the whole language.

use super::{Command, Taking};

/// The command at the start of `bytes` and the length of its line; `None` if it is not in the
/// common form, or too close to the end of the bytes to decide.
#[inline]
pub(super) fn read(bytes: &[u8]) -> Option<(Command, usize)> {
    let (&letter, _) = bytes.split_first()?;
    match letter {
        b'm' | b'g' => {
            let (player, at) = number(bytes, 1)?;
            let (x, at) = number(bytes, at)?;
            let (y, at) = number(bytes, at)?;
            let taking = Taking { player, x, y };
            let command = if letter == b'm' {
                Command::Move(taking)
            } else {
                Command::Golden(taking)
            };
            ends(bytes, at, command)
        }
        b'b' | b'f' | b'q' => {
            let (player, at) = number(bytes, 1)?;
            let command = match letter {
                b'b' => Command::Busy { player },
                b'f' => Command::Free { player },
                _ => Command::GoldenPossible { player },
            };
            ends(bytes, at, command)
        }
        _ => None,
    }
}

#[inline]
fn ends(bytes: &[u8], at: usize, command: Command) -> Option<(Command, usize)> {
    (bytes.get(at) == Some(&b'\n')).then_some((command, at + 1))
}

/// Reads a blank and a number of one to seven digits, and returns where they end.
#[inline]
fn number(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (blank, rest) = bytes.get(at..)?.split_first()?;
    let eight = u64::from_le_bytes(*rest.first_chunk()?);
    // Digits become 0 to 9; other bytes get a bit in their upper half, directly or when 6 is added.
    // A carry out of a byte only affects later bytes, which are ignored.
    let values = eight ^ (ONES * u64::from(b'0'));
    let others = (values | values.wrapping_add(ONES * 6)) & (ONES * 0xf0);
    let digits = others.trailing_zeros() / 8;
    if *blank != b' ' || digits == 0 || digits == 8 {
        return None;
    }
    // The first digit is in the lowest byte: push the digits up until the last is in the highest.
    let values = values << (64 - 8 * digits);
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8); // in every second byte
    let mask = 0x0000_00ff_0000_00ff;
    let upper = (pairs & mask).wrapping_mul(100 + (1_000_000 << 32));
    let lower = ((pairs >> 16) & mask).wrapping_mul(1 + (10_000 << 32));
    let value = (upper.wrapping_add(lower) >> 32) as u32;
    Some((value, at + 1 + digits as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_up_to_seven_digits() {
        let numbers = (0..20_000_u32)
            .chain((0..10_000_000).step_by(997))
            .chain([9_999_999]);
        for value in numbers {
            for after in [
                " 5555555\n",
                "\n99999999",
                "\0\0\0\0\0\0\0\0",
                "\x7f\x7f\x7f\x7f\x7f\x7f\x7f",
            ] {
                let text = format!(" {value}{after}");
                let end = text.len() - after.len();
                assert_eq!(number(text.as_bytes(), 0), Some((value, end)), "{text:?}");
            }
        }
        assert_eq!(number(b" 0000012 ", 0), Some((12, 8)));
    }

    #[test]
    fn every_byte_after_a_number_ends_it_unless_it_is_a_digit() {
        for byte in 0..=u8::MAX {
            let bytes = [b' ', b'1', b'2', byte, byte, b'3', b' ', b' ', b' ', b' '];
            let expected = if byte.is_ascii_digit() {
                let digit = u32::from(byte - b'0');
                (12_003 + 110 * digit, 6)
            } else {
                (12, 3)
            };
            assert_eq!(number(&bytes, 0), Some(expected), "{byte}");
        }
    }

    #[test]
    fn the_rest_is_left_alone() {
        for bytes in [
            &b"m 1 2 3"[..],
            b"m 1 2 3\n",
            b"m 1 2 3 \n        ",
            b"m  1 2 3\n        ",
            b"m\t1 2 3\n        ",
            b"m 12345678 2 3\n        ",
            b"m 1 2 3\r\n        ",
            b"m -1 2 3\n        ",
            b"x 1 2 3\n        ",
            b"B 1 2 3 4\n        ",
            b"p\n        ",
            b"\n        ",
            b"",
        ] {
            assert_eq!(read(bytes), None, "{}", bytes.escape_ascii());
        }
        let taking = Taking {
            player: 1,
            x: 2,
            y: 3,
        };
        assert_eq!(read(b"m 1 2 3\n        "), Some((Command::Move(taking), 8)));
    }
}
