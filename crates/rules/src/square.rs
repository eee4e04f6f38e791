use std::fmt;
use std::str::FromStr;

use crate::ParseError;

/// A field of any board, as records, screens and bots name it: column letters, then the row
/// number counted from the bottom. `a1` is the bottom-left field; after `z` comes `aa`.
///
/// ```
/// use floe_rules::Square;
/// assert_eq!(Square::new(3, 6).to_string(), "d7");
/// assert_eq!("aa10".parse(), Ok(Square::new(26, 9)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// Columns from the left edge, from zero.
    pub column: u32,
    /// Rows from the bottom edge, from zero.
    pub row: u32,
}

impl Square {
    /// The square in this column and row, counted from the bottom left.
    pub const fn new(column: u32, row: u32) -> Self {
        Square { column, row }
    }

    /// Reads a square off the front of `text`; gives what follows it too.
    ///
    /// Columns in the error count characters of `text` from 1.
    pub fn read_prefix(text: &str) -> Result<(Self, &str), ParseError> {
        const EXPECTED: &str = "a square is column letters and a row number, such as `d7`";
        let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
        if letters == 0 {
            return Err(ParseError::new(1, 1, "expected a column letter").with_help(EXPECTED));
        }
        let (name, rest) = text.split_at(letters);
        let column = name
            .bytes()
            .try_fold(0u32, |n, b| {
                n.checked_mul(26)?.checked_add(u32::from(b - b'a') + 1)
            })
            .ok_or_else(|| ParseError::new(1, 1, "the column is too far to the right"))?
            - 1;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let at = u32::try_from(letters).unwrap_or(u32::MAX).saturating_add(1);
        if digits == 0 {
            return Err(ParseError::new(1, at, "expected a row number").with_help(EXPECTED));
        }
        let (number, rest) = rest.split_at(digits);
        match number.parse::<u32>() {
            Ok(0) => Err(ParseError::new(1, at, "rows count from 1")),
            Ok(n) if !number.starts_with('0') => Ok((Square::new(column, n - 1), rest)),
            Ok(_) => Err(ParseError::new(1, at, "a row number has no leading zeros")),
            Err(_) => Err(ParseError::new(1, at, "the row is too far up")),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Seven letters are enough for any u32 column, and ten digits for any row. They are written
        // from the last to the first into one buffer, since a large board has many squares.
        let mut text = [0u8; 17];
        let mut start = text.len();
        let mut row = u64::from(self.row) + 1;
        while row > 0 {
            start -= 1;
            text[start] = b'0' + (row % 10) as u8;
            row /= 10;
        }
        let mut column = u64::from(self.column) + 1;
        while column > 0 {
            start -= 1;
            text[start] = b'a' + ((column - 1) % 26) as u8;
            column = (column - 1) / 26;
        }
        f.write_str(std::str::from_utf8(&text[start..]).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (square, rest) = Square::read_prefix(text)?;
        if rest.is_empty() {
            return Ok(square);
        }
        let at = text.len() - rest.len() + 1;
        Err(ParseError::new(
            1,
            u32::try_from(at).unwrap_or(u32::MAX),
            "text after the square",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_carry_on_after_z_with_aa() {
        for (column, name) in [(0, "a1"), (25, "z1"), (26, "aa1"), (51, "az1"), (52, "ba1")] {
            assert_eq!(Square::new(column, 0).to_string(), name);
            assert_eq!(name.parse(), Ok(Square::new(column, 0)));
        }
        for square in [
            Square::new(701, 0),
            Square::new(702, 9),
            Square::new(u32::MAX - 1, 7),
        ] {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
    }

    #[test]
    fn bad_squares_say_where() {
        for (text, column, cause) in [
            ("", 1, "expected a column letter"),
            ("7", 1, "expected a column letter"),
            ("d", 2, "expected a row number"),
            ("d0", 2, "rows count from 1"),
            ("d07", 2, "a row number has no leading zeros"),
            ("d7x", 3, "text after the square"),
            ("d99999999999", 2, "the row is too far up"),
            ("zzzzzzzzz1", 1, "the column is too far to the right"),
        ] {
            let error = text.parse::<Square>().unwrap_err();
            assert_eq!(
                (error.column, error.cause.as_ref()),
                (column, cause),
                "{text:?}"
            );
        }
    }
}
