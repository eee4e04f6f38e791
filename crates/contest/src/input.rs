//! Reading a whole text from an untrusted source: never more of it than a correct one can have.
//!
//! `/dev/zero`, a pipe without an end or a film by mistake is refused after the first bytes that no
//! text has, or once it is too long, with the place of the error.

use std::io::{self, ErrorKind, Read};

use floe_rules::ParseError;
use floe_rules::text::decode;

/// Bytes read and checked at a time.
const BLOCK: usize = 64 * 1024;
/// Some editors write a byte order mark before the first line.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The reason why a text was not read.
#[derive(Debug)]
pub enum Unread {
    /// Reading fails.
    Failed(io::Error),
    /// The text is certainly wrong: the error, and the bytes read so far.
    Wrong(ParseError, Vec<u8>),
}

/// Reads everything, but no more than `most` bytes.
///
/// ```
/// use floe_contest::input::{Unread, read_at_most};
/// assert_eq!(read_at_most(&b"2 2\n"[..], 10).unwrap(), b"2 2\n");
/// let Err(Unread::Wrong(error, _)) = read_at_most(std::io::repeat(b'x'), 10) else { panic!() };
/// assert_eq!(error.to_string(), "1:11: the text is longer than 10 bytes");
/// let Err(Unread::Wrong(error, _)) = read_at_most(std::io::repeat(0), 10) else { panic!() };
/// assert_eq!(error.to_string(), "1:1: byte 0x00 is not text");
/// ```
pub fn read_at_most(mut from: impl Read, most: usize) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::new();
    let mut block = [0; BLOCK];
    loop {
        let length = match from.read(&mut block) {
            Ok(0) => return Ok(bytes),
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(Unread::Failed(error)),
        };
        let room = most - bytes.len();
        let fresh = &block[..length.min(room)];
        if let Some(at) = fresh.iter().position(|&byte| byte == 0) {
            bytes.extend_from_slice(&fresh[..at]);
            return Err(wrong_here(bytes, "byte 0x00 is not text".to_owned()));
        }
        bytes.extend_from_slice(fresh);
        if length > room {
            let cause = format!("the text is longer than {most} bytes");
            return Err(wrong_here(bytes, cause));
        }
    }
}

/// An error just after the bytes that were read.
fn wrong_here(bytes: Vec<u8>, cause: String) -> Unread {
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let last = bytes.rsplit(|&byte| byte == b'\n').next().unwrap_or(&bytes);
    let place = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
    let columns = String::from_utf8_lossy(last).chars().count();
    let error = ParseError::new(place(lines), place(columns), cause);
    Unread::Wrong(error, bytes)
}

/// The text of these bytes, without the byte order mark that may stand before it.
///
/// ```
/// use floe_contest::input::text;
/// assert_eq!(text(b"\xef\xbb\xbf1 1\r\n"), Ok("1 1\r\n"));
/// let error = text(b"1 1\r10\r").unwrap_err();
/// assert_eq!(error.to_string(), "1:4: a line ends in a carriage return alone");
/// ```
pub fn text(bytes: &[u8]) -> Result<&str, ParseError> {
    let text = decode(bytes)?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    match text.split_once('\r') {
        Some((first, rest)) if !text.contains('\n') && !rest.trim().is_empty() => {
            let column = u32::try_from(first.chars().count() + 1).unwrap_or(u32::MAX);
            let cause = "a line ends in a carriage return alone";
            Err(ParseError::new(1, column, cause)
                .with_help("save the file with the line ends of Unix (LF) or Windows (CR LF)"))
        }
        _ => Ok(text),
    }
}
