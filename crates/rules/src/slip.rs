//! Simple mistakes that make an answer wrong, and the answer as it was meant.
//!
//! A slip is a guess. Before reporting one, the caller undoes it in the program's answers, and asks
//! the rules whether they are then right.

use crate::Square;

/// A simple mistake that makes a program's answers wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Slip {
    /// More is written than the answer.
    ExtraText,
    /// The keyword before the move is missing.
    NoWord,
    /// Columns are written as capital letters.
    Capitals,
    /// The column after `z` is not written `aa`.
    LettersPastZ,
    /// Columns are written as numbers.
    NumberedColumns,
    /// Rows count from the top, from one.
    RowsFromTop,
    /// Rows are counted from the top, from zero.
    RowsFromTopAndZero,
    /// The column and the row are exchanged.
    SwappedAxes,
    /// Rows are counted from zero.
    RowsFromZero,
    /// Columns are one too far to the right: `b` is used for the first.
    ColumnsFromOne,
    /// Rows are one too high.
    RowsTooHigh,
    /// The answer repeats the letter of the question instead of the next player's.
    SameLetter,
    /// The first line of the answer is missing.
    NoFirstLine,
    /// The answer contains blanks.
    Blanks,
    /// Lines do not end in a newline alone.
    CarriageReturns,
    /// The move is another player's.
    OtherPlayer,
    /// The program's penguins or its line have another player's number.
    OtherNumber,
}

impl Slip {
    /// Whether the slip concerns coordinates, so that one answer alone may fit by chance.
    pub const fn is_of_coordinates(self) -> bool {
        matches!(
            self,
            Slip::RowsFromTop
                | Slip::RowsFromTopAndZero
                | Slip::SwappedAxes
                | Slip::RowsFromZero
                | Slip::ColumnsFromOne
                | Slip::RowsTooHigh
        )
    }

    /// The program's mistake, in a sentence that begins after `it`.
    pub const fn cause(self) -> &'static str {
        match self {
            Slip::ExtraText => "writes more than its answer to standard output",
            Slip::NoWord => "writes its move without `move` before it",
            Slip::Capitals => "writes columns as capital letters",
            Slip::LettersPastZ => "does not continue with `aa` after column `z`",
            Slip::NumberedColumns => "writes columns as numbers, not as letters",
            Slip::RowsFromTop => "counts rows from the top",
            Slip::RowsFromTopAndZero => "counts rows from the top, and from 0",
            Slip::SwappedAxes => "exchanges x and y, columns and rows",
            Slip::RowsFromZero => "counts rows from 0",
            Slip::ColumnsFromOne => "is one column too far to the right",
            Slip::RowsTooHigh => "is one row too high",
            Slip::SameLetter => {
                "repeats the letter it was given, and does not write the next player's"
            }
            Slip::NoFirstLine => "leaves out the first line, the next player's letter",
            Slip::Blanks => "puts blanks between the characters of a row",
            Slip::CarriageReturns => "does not end its lines with a newline alone (CRLF)",
            Slip::OtherPlayer => "makes the other player's move",
            Slip::OtherNumber => "writes another player's number for its own",
        }
    }

    /// Advice, in a sentence without a full stop.
    pub const fn advice(self) -> &'static str {
        match self {
            Slip::ExtraText => "write debugging output to standard error",
            Slip::NoWord => "write `move`, a blank and the move on one line",
            Slip::Capitals => "write columns in lower case: `d3`",
            Slip::LettersPastZ => "name column 27 `aa`, column 28 `ab`, and so on",
            Slip::NumberedColumns => "write a letter for the column and a number for the row: `d3`",
            Slip::RowsFromTop | Slip::RowsFromTopAndZero => {
                "count rows from the bottom: the last row of the text is row 1"
            }
            Slip::SwappedAxes => "write the column first, then the row",
            Slip::RowsFromZero => "count rows from 1: add one",
            Slip::ColumnsFromOne => "begin with column `a`: subtract one",
            Slip::RowsTooHigh => "count rows from 1: subtract one",
            Slip::SameLetter | Slip::NoFirstLine => {
                "write the letter of the player who moves next on the first line"
            }
            Slip::Blanks => "write the characters of a row without blanks",
            Slip::CarriageReturns => "end each line with `\\n` alone, without `\\r`",
            Slip::OtherPlayer => "find out which player you are before you move",
            Slip::OtherNumber => {
                "take your number from the line with your own ID; if there is none, take the lowest \
                 free number"
            }
        }
    }
}

/// A move as it would be written without each of the slips that a move can have, on a board of
/// this size. They need not be legal moves, or moves at all.
///
/// ```
/// use floe_rules::{Slip, respelt};
/// let all = respelt("c2", 5, 8);
/// assert!(all.contains(&(Slip::RowsFromTop, "c7".to_owned())));
/// assert!(all.contains(&(Slip::SwappedAxes, "b3".to_owned())));
/// assert_eq!(respelt("{1", 30, 8)[0], (Slip::LettersPastZ, "aa1".to_owned()));
/// ```
pub fn respelt(text: &str, width: u32, height: u32) -> Vec<(Slip, String)> {
    let (width, height) = (i64::from(width), i64::from(height));
    let letters = |c: char| match c {
        'a'..='z' => Some(c as i64 - 'a' as i64),
        _ => None,
    };
    let capitals = |c: char| match c {
        'A'..='Z' => Some(c as i64 - 'A' as i64),
        _ => letters(c),
    };
    let past_z = |c: char| match c {
        'A'..='Z' if width > 26 => Some(c as i64 - 'A' as i64 + 26),
        '{'..='\u{ff}' => Some(c as i64 - 'a' as i64),
        _ => letters(c),
    };
    let same = |at| at;
    let mut all: Vec<(Slip, Option<String>)> = vec![
        (Slip::LettersPastZ, rewrite(text, past_z, same)),
        (Slip::Capitals, rewrite(text, capitals, same)),
        (Slip::NumberedColumns, from_numbers(text, same)),
    ];
    let changes: [(Slip, &dyn Fn(At) -> At); 6] = [
        (Slip::RowsFromTop, &|(x, y)| (x, height + 1 - y)),
        (Slip::RowsFromTopAndZero, &|(x, y)| (x, height - y)),
        (Slip::SwappedAxes, &|(x, y)| (y - 1, x + 1)),
        (Slip::RowsFromZero, &|(x, y)| (x, y + 1)),
        (Slip::ColumnsFromOne, &|(x, y)| (x - 1, y)),
        (Slip::RowsTooHigh, &|(x, y)| (x, y - 1)),
    ];
    all.extend(changes.map(|(slip, change)| (slip, rewrite(text, letters, change))));
    let is_new = |(slip, meant): (Slip, Option<String>)| Some((slip, meant.filter(|m| m != text)?));
    all.into_iter().filter_map(is_new).collect()
}

/// A column from 0, and a row as written.
type At = (i64, i64);

/// The text with each square, read by `letter`, changed; `None` if there is no square, or one
/// leaves the board at the left or the bottom.
fn rewrite(
    text: &str,
    letter: impl Fn(char) -> Option<i64>,
    change: impl Fn(At) -> At,
) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut count = 0;
    while let Some(c) = rest.chars().next() {
        let name: String = rest.chars().take_while(|&c| letter(c).is_some()).collect();
        let digits = &rest[name.len()..];
        let number = digits.len()
            - digits
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .len();
        if name.is_empty() || number == 0 {
            let skipped = if name.is_empty() {
                c.len_utf8()
            } else {
                name.len()
            };
            out.push_str(&rest[..skipped]);
            rest = &rest[skipped..];
            continue;
        }
        // `ab` is column 28; any other single character is the column with its code.
        let column = match name.chars().all(|c| c.is_ascii_lowercase()) {
            true => {
                let next = |n: i64, c: char| Some(n.checked_mul(26)? + letter(c)? + 1);
                name.chars().try_fold(0, next)? - 1
            }
            false => name.chars().try_fold(None, |_, c| letter(c).map(Some))??,
        };
        let row: i64 = digits[..number].parse().ok()?;
        out.push_str(&square(change((column, row)))?);
        rest = &digits[number..];
        count += 1;
    }
    (count > 0).then_some(out)
}

/// The text with each pair of numbers read as column and row, both from 1 or both from 0.
fn from_numbers(text: &str, change: impl Fn(At) -> At) -> Option<String> {
    let is_digit = |c: char| c.is_ascii_digit();
    if text.contains(|c: char| c.is_alphabetic()) {
        return None;
    }
    let mut numbers = Vec::new();
    for word in text
        .split(|c: char| !is_digit(c))
        .filter(|word| !word.is_empty())
    {
        numbers.push(word.parse::<i64>().ok()?);
    }
    let squares: Option<Vec<String>> = match numbers.len() {
        2 | 4 => numbers
            .chunks(2)
            .map(|pair| square(change((pair[0], pair[1] + 1))))
            .collect(),
        _ => None,
    };
    Some(squares?.join("-"))
}

fn square((column, row): At) -> Option<String> {
    let column = u32::try_from(column).ok()?;
    let row = u32::try_from(row - 1).ok()?;
    Some(Square::new(column, row).to_string())
}
