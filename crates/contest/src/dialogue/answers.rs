//! Typed answers, read as numbers.

use std::fmt::Display;
use std::ops::RangeInclusive;

use floe_rules::text::quoted;

/// A range such as `2-9`, for a question.
pub fn range<T: Display>(range: &RangeInclusive<T>) -> String {
    format!("{}-{}", range.start(), range.end())
}

/// The one number in an answer, or why it cannot be used.
///
/// ```
/// use floe_contest::dialogue::number;
/// assert_eq!(number("3", 1..=5), Ok(3));
/// assert_eq!(number("0", 1..=5).unwrap_err(), "0 is too small: type a number from 1 to 5.");
/// ```
pub fn number(answer: &str, range: RangeInclusive<u32>) -> Result<u32, String> {
    let (least, most) = (range.start(), range.end());
    if answer.is_empty() {
        return Err(format!("Type a number from {least} to {most}."));
    }
    let is_negative = answer.strip_prefix('-').is_some_and(is_digits);
    if !is_digits(answer) && !is_negative {
        let word = quoted(answer);
        return Err(format!(
            "{word} is not a number: type one from {least} to {most}."
        ));
    }
    match answer.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => {
            let is_small = is_negative || answer.parse::<u32>().is_ok_and(|n| n < *least);
            let fault = if is_small { "small" } else { "large" };
            let answer = shortened(answer);
            Err(format!(
                "{answer} is too {fault}: type a number from {least} to {most}."
            ))
        }
    }
}

/// All numbers in an answer, whatever is between them: `3 4`, `3,4`, `(3, 4)`, `x=3 y=4`, `3 4 -> 3
/// 7`. Or the part that is not a number.
pub fn numbers(answer: &str) -> Result<Vec<u32>, String> {
    let is_between = |c: char| c.is_whitespace() || ",;:()[]xyXY=/>".contains(c);
    let words = answer.split(is_between).filter(|word| !word.is_empty());
    let words = words.filter(|word| !["-", "--"].contains(word));
    let mut numbers = Vec::new();
    for word in words {
        match word.parse() {
            Ok(number) if is_digits(word) => numbers.push(number),
            _ if word.strip_prefix('-').is_some_and(is_digits) => {
                return Err(format!("{} is less than 0.", shortened(word)));
            }
            _ if is_digits(word) => return Err(format!("{} is too large.", shortened(word))),
            _ => return Err(format!("{} is not a number.", quoted(word))),
        }
    }
    Ok(numbers)
}

/// Columns and rows: `8 6`, `8x6`, or `8` for a square.
pub fn size(answer: &str, range: RangeInclusive<u32>) -> Result<(u32, u32), String> {
    let (least, most) = (range.start(), range.end());
    let expected = format!("Type columns and rows, {least} to {most} each, such as `10 8`.");
    let numbers = numbers(answer).map_err(|why| format!("{why} {expected}"))?;
    let (columns, rows) = match numbers[..] {
        [side] => (side, side),
        [columns, rows] => (columns, rows),
        _ => return Err(expected),
    };
    for (what, number) in [("columns", columns), ("rows", rows)] {
        if !range.contains(&number) {
            let fault = if number < *least { "few" } else { "many" };
            return Err(format!("{number} {what} are too {fault}. {expected}"));
        }
    }
    Ok((columns, rows))
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

/// A number as printed back, of any length.
fn shortened(word: &str) -> String {
    let mut out: String = word.chars().take(12).collect();
    if out.len() < word.len() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_every_dress() {
        for text in [
            "3 4", "3,4", " 3 ,\t4 ", "(3, 4)", "x=3 y=4", "X 3 Y 4", "3;4", "3/4", "03 004",
            "x3y4",
        ] {
            assert_eq!(numbers(text), Ok(vec![3, 4]), "{text}");
        }
        for text in ["1 2 3 4", "1 2 -> 3 4", "1,2 3,4", "(1 2) - (3 4)"] {
            assert_eq!(numbers(text), Ok(vec![1, 2, 3, 4]), "{text}");
        }
        assert_eq!(numbers(""), Ok(vec![]));
        assert_eq!(numbers("3 b").unwrap_err(), "`b` is not a number.");
        assert_eq!(numbers("3 -1").unwrap_err(), "-1 is less than 0.");
        assert_eq!(numbers("3 1.5").unwrap_err(), "`1.5` is not a number.");
        assert_eq!(
            numbers("99999999999999").unwrap_err(),
            "999999999999… is too large."
        );
    }

    #[test]
    fn one_number_in_its_bounds() {
        assert_eq!(number("09", 2..=9), Ok(9));
        for (text, why) in [
            ("1", "1 is too small"),
            ("-3", "-3 is too small"),
            ("10", "10 is too large"),
            ("99999999999999", "999999999999… is too large"),
            ("two", "`two` is not a number"),
            ("2 3", "`2 3` is not a number"),
            ("+2", "`+2` is not a number"),
        ] {
            assert!(number(text, 2..=9).unwrap_err().starts_with(why), "{text}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("8", 4..=20), Ok((8, 8)));
        assert_eq!(size("8x6", 4..=20), Ok((8, 6)));
        assert_eq!(size("20 4", 4..=20), Ok((20, 4)));
        for (text, why) in [
            ("3 8", "3 columns are too few."),
            ("8 21", "21 rows are too many."),
            ("", "Type columns and rows"),
            ("1 2 3", "Type columns and rows"),
            ("big", "`big` is not a number. Type columns and rows"),
        ] {
            assert!(size(text, 4..=20).unwrap_err().starts_with(why), "{text}");
        }
    }
}
