//! The contest's file: a line with the mover's letter, then the board, a line for each row.
//!
//! The contest does not say how many moves were made; here the number may stand after the letter
//! (`J 36`). A letter alone means the first move of that player.

use std::fmt;

use super::colour::COLOURS;
use super::{Board, BoardError, Colour, FloodPosition, J, MOST_MOVES, S, letter};
use crate::text::{TextLine, chars, lines, quoted};
use crate::{ParseError, Player, Report};

const FORM: &str = "line 1 is J or S (who moves), then comes the board, a line for each row";
/// A text with more errors is probably not a board at all.
const MOST_ERRORS: usize = 100;

/// The whole position; the number of moves is omitted if it follows from the letter.
pub(super) fn write(position: &FloodPosition) -> String {
    match position.moves_made() {
        0 | 1 => write_bare(position),
        _ => write_counted(position),
    }
}

/// The position with the number of moves, even if it is zero.
pub(super) fn write_counted(position: &FloodPosition) -> String {
    let (letter, made) = (letter(position.mover()), position.moves_made());
    format!("{letter} {made}\n{}", position.to_board())
}

/// The position in the contest's format.
pub(super) fn write_bare(position: &FloodPosition) -> String {
    format!("{}\n{}", letter(position.mover()), position.to_board())
}

/// Reads a position written by [`write()`] or by hand, and reports all errors.
pub(super) fn parse(text: &str, report: &mut Report) -> Option<FloodPosition> {
    // Errors are counted per text, whatever the report holds already.
    let mut found = Report::new();
    let position = read(text, &mut found);
    report.errors.append(&mut found.errors);
    position
}

fn read(text: &str, report: &mut Report) -> Option<FloodPosition> {
    let mut lines = lines(text);
    let Some(head) = lines.next() else {
        report.error(ParseError::new(1, 1, "the text is empty").with_help(FORM));
        return None;
    };
    let made = read_head(head).map_err(|error| report.error(error)).ok();
    let board = read_board(lines, report);
    FloodPosition::after(&board?, made?)
}

/// The number of moves in the first line.
fn read_head(line: TextLine<'_>) -> Result<u32, ParseError> {
    let mut words = line.words();
    let Some(word) = words.next() else {
        let error = ParseError::new(line.number, 1, "expected `J` or `S`, not a blank line");
        return Err(error.with_help(FORM));
    };
    let player = match word.text {
        "J" => J,
        "S" => S,
        other => {
            let error = word.error(format!("expected `J` or `S`, not {}", quoted(other)));
            return Err(error.with_help(FORM));
        }
    };
    let Some(word) = words.next() else {
        return Ok(player.index() as u32);
    };
    let number = word.text.parse().ok();
    let number = number.filter(|_| word.text.bytes().all(|b| b.is_ascii_digit()));
    let Some(made): Option<u32> = number else {
        let error = word.error(format!("{} is not a number of moves", quoted(word.text)));
        return Err(error.with_help("after the letter, only the number of moves made may follow"));
    };
    if made > MOST_MOVES {
        return Err(word.error(format!("a game has at most {MOST_MOVES} moves, not {made}")));
    }
    if Player::new(made % 2) != player {
        let [mover, other] = [player, player.next(2)].map(letter);
        let error = word.error(format!(
            "after {made} moves {other} is to move, not {mover}"
        ));
        return Err(error.with_help("J moves after an even number of moves, S after an odd one"));
    }
    match words.next() {
        None => Ok(made),
        Some(word) => Err(word.error("text after the number of moves")),
    }
}

/// The board in the lines after the first; `None` exactly if there was an error.
fn read_board<'a>(lines: impl Iterator<Item = TextLine<'a>>, report: &mut Report) -> Option<Board> {
    let before = report.errors.len();
    let mut squares = Vec::new();
    let mut width = None;
    let mut rows = 0;
    let mut is_over = false;
    for line in lines {
        if report.errors.len() >= MOST_ERRORS {
            break;
        }
        if line.is_blank() {
            is_over = true;
        } else if is_over {
            let after = line.words().next();
            report.errors.extend(after.map(|word| {
                word.error("text after the end of the board")
                    .with_help("a blank line ends the board")
            }));
            break;
        } else {
            rows += 1;
            read_row(line, &mut width, &mut squares, report);
        }
    }
    let Some(width) = width else {
        report.error(ParseError::new(2, 1, "there is no board").with_help(FORM));
        return None;
    };
    if report.errors.len() > before {
        return None;
    }
    Board::new(width, squares)
        .map_err(|error| report.error(locate(error, width, rows)))
        .ok()
}

/// Reads a row as long as the first one.
fn read_row(
    line: TextLine<'_>,
    width: &mut Option<u32>,
    squares: &mut Vec<Colour>,
    report: &mut Report,
) {
    let mut wrong: Option<(u32, String)> = None;
    let mut no_colours = |found: Option<(u32, String)>| {
        if let Some((column, found)) = found
            && report.errors.len() < MOST_ERRORS
        {
            let verb = if chars(&found) == 1 {
                "is no colour"
            } else {
                "are no colours"
            };
            let error = ParseError::new(line.number, column, format!("{} {verb}", quoted(&found)));
            report.error(error.with_width(chars(&found)).with_help(COLOURS));
        }
    };
    for (column, character) in (1..).zip(line.text.chars()) {
        match Colour::from_glyph(character) {
            Some(colour) => {
                squares.push(colour);
                no_colours(wrong.take());
            }
            // Neighbouring wrong squares share one error.
            None => wrong
                .get_or_insert_with(|| (column, String::new()))
                .1
                .push(character),
        }
    }
    no_colours(wrong);

    let found = chars(line.text);
    let expected = *width.get_or_insert(found);
    let cause = format!("the row is {found} long, the first one {expected}");
    if found < expected {
        report.error(ParseError::new(line.number, found + 1, cause));
    } else if found > expected {
        let error = ParseError::new(line.number, expected + 1, cause);
        report.error(error.with_width(found - expected));
    }
}

/// The error of a complete board, with its place.
fn locate(error: BoardError, width: u32, rows: u32) -> ParseError {
    match error {
        BoardError::SameCorners(_) => ParseError::new(rows + 1, 1, error.to_string())
            .with_help("J starts at the bottom-left, S at the top-right, in different colours"),
        _ => ParseError::new(2, 1, error.to_string()).with_width(width),
    }
}

/// The text form.
impl fmt::Debug for FloodPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write(self))
    }
}
