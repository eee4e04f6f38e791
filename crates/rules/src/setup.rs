//! The text of a setup: a size and `word=value` pairs, separated by commas.

use std::str::FromStr;

use crate::ParseError;
use crate::text::{chars, quoted};

/// One part of a setup, with its column.
#[derive(Debug, Clone, Copy)]
pub struct SetupPart<'a> {
    /// The column of the part's first character, from 1.
    pub column: u32,
    /// The part as written.
    pub text: &'a str,
    /// The part's content.
    pub entry: SetupEntry<'a>,
}

/// The content of one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupEntry<'a> {
    /// `10x8`: columns, then rows.
    Size(u32, u32),
    /// `word=value`.
    Pair(&'a str, &'a str),
}

/// Splits a setup such as `10x8,players=3` into its parts; blank text has none.
///
/// ```
/// use floe_rules::setup::{SetupEntry, parts};
/// let parts: Vec<_> = parts("10x8,players=3").collect::<Result<_, _>>()?;
/// assert_eq!(parts[0].entry, SetupEntry::Size(10, 8));
/// assert_eq!(parts[1].entry, SetupEntry::Pair("players", "3"));
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
pub fn parts(text: &str) -> impl Iterator<Item = Result<SetupPart<'_>, ParseError>> {
    let mut column = 1;
    text.split(',')
        .filter(move |_| !text.trim().is_empty())
        .map(move |raw| {
            let lead = raw.len() - raw.trim_start().len();
            let start = column + chars(&raw[..lead]);
            column += chars(raw) + 1;
            let text = raw.trim();
            let entry = match text.split_once('=') {
                Some((word, value)) => SetupEntry::Pair(word.trim(), value.trim()),
                None => size(text).ok_or_else(|| {
                    ParseError::new(
                        1,
                        start,
                        format!("expected a size or word=value, not {}", quoted(text)),
                    )
                    .with_width(chars(text))
                    .with_help("a setup looks like `10x8,players=3`")
                })?,
            };
            Ok(SetupPart {
                column: start,
                text,
                entry,
            })
        })
}

fn size(text: &str) -> Option<SetupEntry<'_>> {
    let (columns, rows) = text.split_once('x')?;
    Some(SetupEntry::Size(digits(columns)?, digits(rows)?))
}

/// A number in digits alone: no sign.
fn digits<T: FromStr>(text: &str) -> Option<T> {
    let plain = text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

impl SetupPart<'_> {
    /// An error about the whole part.
    pub fn error(&self, cause: impl Into<std::borrow::Cow<'static, str>>) -> ParseError {
        ParseError::new(1, self.column, cause).with_width(chars(self.text))
    }

    /// An error about a word the game does not know.
    pub fn unknown(&self, known: &'static str) -> ParseError {
        self.error(format!("unknown setting {}", quoted(self.text)))
            .with_help(known)
    }

    /// The value as a number, in digits alone.
    pub fn number<T: FromStr>(&self, value: &str) -> Result<T, ParseError> {
        digits(value)
            .ok_or_else(|| self.error(format!("{} is not a number in range", quoted(value))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_know_their_columns() {
        let parts: Vec<_> = parts("10x8, players=3").map(Result::unwrap).collect();
        assert_eq!(parts[0].entry, SetupEntry::Size(10, 8));
        assert_eq!(parts[1].entry, SetupEntry::Pair("players", "3"));
        assert_eq!(parts[1].column, 7);
    }

    #[test]
    fn numbers_have_no_signs() {
        for text in ["+5x5", "5x-5", "5x"] {
            let error = parts(text).next().unwrap().unwrap_err();
            assert!(error.cause.starts_with("expected a size"), "{text}");
        }
        let part = parts("players=+3").next().unwrap().unwrap();
        assert!(part.number::<u32>("+3").is_err());
        assert_eq!(part.number::<u32>("3"), Ok(3));
    }

    #[test]
    fn blank_text_has_no_parts_and_an_empty_part_is_an_error() {
        assert_eq!(parts(" ").count(), 0);
        assert_eq!(parts("4x4,,a=1").nth(1).unwrap().unwrap_err().column, 5);
    }
}
