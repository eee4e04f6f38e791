//! Text parsing with exact places, shared by every parser of the crate.

use std::borrow::Cow;

use thiserror::Error;

/// Something wrong in a text: where, what, and what to do about it.
///
/// Lines and columns count from 1; columns count characters, not bytes.
///
/// ```
/// use floe_rules::ParseError;
/// let error = ParseError::new(2, 5, "not a number").with_help("use digits");
/// assert_eq!(error.to_string(), "2:5: not a number");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{line}:{column}: {cause}")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The column of the first wrong character, from 1.
    pub column: u32,
    /// Number of wrong characters; at least 1.
    pub width: u32,
    /// The cause, in lower case and without a full stop.
    pub cause: Cow<'static, str>,
    /// Advice; empty if the cause suffices.
    pub help: Cow<'static, str>,
}

impl ParseError {
    /// An error about one character.
    pub fn new(line: u32, column: u32, cause: impl Into<Cow<'static, str>>) -> Self {
        ParseError {
            line,
            column,
            width: 1,
            cause: cause.into(),
            help: Cow::Borrowed(""),
        }
    }

    /// The same error about `width` characters (at least one).
    #[must_use]
    pub fn with_width(mut self, width: u32) -> Self {
        self.width = width.max(1);
        self
    }

    /// The same error with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = help.into();
        self
    }

    /// The same error, placed in a larger text that contains this one at `line`, `column`.
    #[must_use]
    pub fn moved_to(mut self, line: u32, column: u32) -> Self {
        if self.line == 1 {
            self.column = self.column.saturating_add(column - 1);
        }
        self.line = self.line.saturating_add(line - 1);
        self
    }
}

/// All that a reader has to say about one text.
///
/// *Errors* make the text unreadable. *Remarks* are about things the rules would not produce but
/// that can be read and played on with.
///
/// ```
/// use floe_rules::{ParseError, Report};
/// let mut report = Report::new();
/// report.error(ParseError::new(3, 1, "later"));
/// report.error(ParseError::new(1, 7, "sooner"));
/// assert_eq!(report.into_first_error().unwrap().cause, "sooner");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    /// Errors that make the text unreadable, in order of discovery.
    pub errors: Vec<ParseError>,
    /// Oddities in a readable text.
    pub remarks: Vec<ParseError>,
}

impl Report {
    /// An empty report.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes an error.
    pub fn error(&mut self, error: ParseError) {
        self.errors.push(error);
    }

    /// Notes a remark.
    pub fn remark(&mut self, remark: ParseError) {
        self.remarks.push(remark);
    }

    /// The first error by place in the text.
    pub fn into_first_error(self) -> Option<ParseError> {
        self.errors.into_iter().min_by_key(|e| (e.line, e.column))
    }
}

/// One line of a text, without its line ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextLine<'a> {
    /// The line's number, from 1.
    pub number: u32,
    /// The line's text, without `\n` or `\r\n`.
    pub text: &'a str,
}

impl<'a> TextLine<'a> {
    /// The words of the line, split at runs of white space, each with its column.
    pub fn words(self) -> impl Iterator<Item = Word<'a>> {
        let mut rest = self.text;
        let mut column = 1;
        std::iter::from_fn(move || {
            let blank = rest.len() - rest.trim_start().len();
            column += chars(&rest[..blank]);
            rest = &rest[blank..];
            if rest.is_empty() {
                return None;
            }
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let word = Word {
                line: self.number,
                column,
                text: &rest[..end],
            };
            column += word.width();
            rest = &rest[end..];
            Some(word)
        })
    }

    /// The column just after the last character other than white space.
    pub fn end_column(self) -> u32 {
        chars(self.text.trim_end()) + 1
    }

    /// Whether the line is only white space.
    pub fn is_blank(self) -> bool {
        self.text.trim().is_empty()
    }

    /// An error just after the end of the line's text.
    pub fn error_at_end(self, cause: impl Into<Cow<'static, str>>) -> ParseError {
        ParseError::new(self.number, self.end_column(), cause)
    }
}

/// A run of characters without white space, and where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word's line, from 1.
    pub line: u32,
    /// The column of the word's first character, from 1.
    pub column: u32,
    /// The word itself.
    pub text: &'a str,
}

impl Word<'_> {
    /// The word's length in characters.
    pub fn width(self) -> u32 {
        chars(self.text)
    }

    /// An error about the whole word.
    pub fn error(self, cause: impl Into<Cow<'static, str>>) -> ParseError {
        ParseError::new(self.line, self.column, cause).with_width(self.width())
    }
}

/// The lines of a text; a final newline ends the last line and starts no other. A line may end in
/// a carriage return too, the last one also without a newline.
///
/// ```
/// use floe_rules::text::lines;
/// let words: Vec<_> = lines("a b\r\n  c\n").flat_map(|line| line.words()).collect();
/// assert_eq!((words[2].line, words[2].column, words[2].text), (2, 3, "c"));
/// ```
pub fn lines(text: &str) -> impl Iterator<Item = TextLine<'_>> {
    (1..).zip(text.lines()).map(|(number, text)| TextLine {
        number,
        text: text.strip_suffix('\r').unwrap_or(text),
    })
}

/// Number of characters in `text`, as a width or a step in columns.
pub fn chars(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

/// Whether a character is printable: no control character, none that is invisible or changes the
/// writing direction, none that breaks lines unexpectedly.
pub fn is_visible(c: char) -> bool {
    let hides = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    !c.is_control() && !hides
}

/// A stranger's text made safe to print: what cannot be seen is written as an escape, but for tabs
/// and the ends of lines.
///
/// ```
/// use floe_rules::text::visible;
/// assert_eq!(visible("ab\tc\n"), "ab\tc\n");
/// assert_eq!(visible("\u{202e}evil\u{1b}[2J"), "\\u{202e}evil\\u{1b}[2J");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_fine = |c: char| is_visible(c) || c == '\n' || c == '\t';
    if text.chars().all(is_fine) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_fine(c) {
            true => shown.push(c),
            false => shown.extend(c.escape_unicode()),
        }
    }
    shown.into()
}

/// A number with its noun, in the singular or plural.
///
/// ```
/// use floe_rules::text::count;
/// assert_eq!([count(1, "line"), count(2, "line")], ["1 line", "2 lines"]);
/// ```
pub fn count(number: u32, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// `word` as an error message quotes it: whole, or its first characters if it is long.
///
/// ```
/// assert_eq!(floe_rules::text::quoted("@x"), "`@x`");
/// ```
pub fn quoted(word: &str) -> String {
    const MOST: usize = 20;
    let mut out = String::from("`");
    out.extend(word.chars().take(MOST).flat_map(char::escape_debug));
    if word.chars().nth(MOST).is_some() {
        out.push('…');
    }
    out.push('`');
    out
}

/// The text in `bytes`, or where it stops being UTF-8.
///
/// ```
/// let error = floe_rules::text::decode(b"ab\xff").unwrap_err();
/// assert_eq!((error.line, error.column), (1, 3));
/// ```
pub fn decode(bytes: &[u8]) -> Result<&str, ParseError> {
    std::str::from_utf8(bytes).map_err(|e| {
        let good = std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default();
        let line = good.bytes().filter(|&b| b == b'\n').count() + 1;
        let last = good.rsplit('\n').next().unwrap_or_default();
        ParseError::new(
            u32::try_from(line).unwrap_or(u32::MAX),
            chars(last) + 1,
            format!("byte 0x{:02x} is not UTF-8 text", bytes[e.valid_up_to()]),
        )
    })
}

/// An error as people and editors read it: `name:line:column: cause`, then the line with carets
/// under the place, then the help if there is any. Ends with a newline.
///
/// ```
/// use floe_rules::{ParseError, text};
/// let error = ParseError::new(1, 3, "not a colour").with_help("use one of @ # + . *");
/// assert_eq!(text::explain(&error, "board.txt", "@#x"), "\
/// board.txt:1:3: not a colour
///   | @#x
///   |   ^
///   = use one of @ # + . *
/// ");
/// ```
pub fn explain(error: &ParseError, name: &str, source: &str) -> String {
    const MOST: usize = 100; // characters of a line that are shown
    let mut out = format!("{name}:{error}\n");
    let line = source
        .split('\n')
        .nth(error.line as usize - 1)
        .unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let column = error.column as usize - 1;
    // A long line is shown from shortly before the error.
    let skipped = if column < MOST { 0 } else { column - MOST / 2 };
    let shown: String = line
        .chars()
        .skip(skipped)
        .take(MOST)
        .map(in_one_column)
        .collect();
    if !shown.is_empty() {
        let mark = if skipped > 0 { "…" } else { "" };
        let indent = column - skipped + mark.chars().count();
        let room = (MOST + skipped).saturating_sub(column).max(1);
        let carets = "^".repeat((error.width as usize).clamp(1, room));
        out.push_str(&format!("  | {mark}{shown}\n  | {:indent$}{carets}\n", ""));
    }
    if !error.help.is_empty() {
        out.push_str(&format!("  = {}\n", error.help));
    }
    out
}

/// A printable character that takes exactly one column.
fn in_one_column(c: char) -> char {
    match c {
        '\t' => ' ',
        c if !is_visible(c) => '�',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_columns() {
        let line = TextLine {
            number: 3,
            text: "  ab\tżółw  c ",
        };
        let words: Vec<_> = line.words().map(|w| (w.column, w.text)).collect();
        assert_eq!(words, [(3, "ab"), (6, "żółw"), (12, "c")]);
        assert_eq!(line.end_column(), 13);
    }

    #[test]
    fn bytes_that_are_no_text_are_located() {
        let error = decode(b"ab\nc\xffd").unwrap_err();
        assert_eq!((error.line, error.column), (2, 2));
        assert_eq!(decode("ąb".as_bytes()), Ok("ąb"));
    }

    #[test]
    fn an_inner_error_moves_with_its_text() {
        let inner = ParseError::new(1, 3, "bad");
        assert_eq!(inner.clone().moved_to(5, 10).to_string(), "5:12: bad");
        assert_eq!(
            ParseError { line: 2, ..inner }.moved_to(5, 10).to_string(),
            "6:3: bad"
        );
    }

    #[test]
    fn long_words_are_quoted_short() {
        assert_eq!(quoted("a\0b"), "`a\\0b`");
        assert_eq!(quoted(&"x".repeat(30)), format!("`{}…`", "x".repeat(20)));
    }
}
