//! The contest's dialect: a board in, the board after the move out.

use super::{Colour, FloodPosition, J, Move, letter, slips, text};
use crate::text::{chars, count, quoted};
use crate::{
    Answer, ConformanceCase, Dialect, DialectError, Expect, JUDGES_PROGRAMS, Occasion, ParseError,
    Position, Request, Slip, Square,
};

/// The contest's protocol. The program reads a line with the letter of the player to move, and the
/// board, on standard input. It prints the other letter and the board after its move, and nothing
/// else.
pub(super) struct ContestDialect {
    /// Whether every line, including the last, must end in exactly `\n`, as the contest demands.
    pub(super) is_strict: bool,
}

impl Dialect<FloodPosition> for ContestDialect {
    fn name(&self) -> &'static str {
        if self.is_strict { "strict" } else { "contest" }
    }

    fn request(&self, position: &FloodPosition, _name: Option<&str>) -> Request {
        Request {
            input: text::write_bare(position),
            ..Request::default()
        }
    }

    fn answer(
        &self,
        position: &FloodPosition,
        _name: Option<&str>,
        text: &str,
    ) -> Result<Answer<Move>, DialectError> {
        if !JUDGES_PROGRAMS {
            return Err(DialectError::unread());
        }
        let rows = read_rows(position, text)?;
        let colour = chosen(position, &rows).map_err(DialectError::illegal)?;
        compare(position, &rows, colour).map_err(DialectError::illegal)?;
        if self.is_strict {
            check_endings(text)?;
        }
        Ok(Answer::plain(Move(colour)))
    }

    /// The contest's own files are exact, so reading other line ends is only advice.
    fn trials(&self, _name: Option<&str>) -> Vec<ConformanceCase> {
        if !JUDGES_PROGRAMS {
            return Vec::new();
        }
        const BOARD: &str = "S\n.#+#.*\n@.+*@.\n**#++@\n#@#@.@\n";
        let trial = |case, input: String| ConformanceCase {
            case,
            ask: Request {
                input,
                ..Request::default()
            },
            expect: Expect::Move(BOARD.to_owned()),
            occasion: Occasion::Elsewhere,
            is_advice: true,
        };
        vec![
            trial("lines that end as on Windows", BOARD.replace('\n', "\r\n")),
            trial("no newline at the end", BOARD.trim_end().to_owned()),
        ]
    }

    fn slips(&self, position: &FloodPosition, _name: Option<&str>, text: &str) -> Vec<Slip> {
        if !JUDGES_PROGRAMS {
            return Vec::new();
        }
        slips::slips(position, text, &|position, text| {
            self.answer(position, None, text).is_ok()
        })
    }

    fn square_at(&self, position: &FloodPosition, line: u32, column: u32) -> Option<Square> {
        let (width, height) = (position.graph().width(), position.graph().height());
        let row = (height + 1).checked_sub(line).filter(|&row| row < height)?;
        let column = column.checked_sub(1).filter(|&column| column < width)?;
        Some(Square::new(column, row))
    }

    fn reply(&self, position: &FloodPosition, _name: Option<&str>, mv: Move) -> String {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let other = letter(position.mover().next(2));
        format!("{other}\n{}", after.to_board())
    }
}

/// The colours of the board in an answer of the right letter and shape.
fn read_rows(position: &FloodPosition, text: &str) -> Result<Vec<Vec<Colour>>, ParseError> {
    let (width, height) = (position.graph().width(), position.graph().height());
    let other = letter(position.mover().next(2));
    let form = format!(
        "a line `{other}`, then {} of {}",
        count(height, "line"),
        count(width, "character")
    );
    if text.trim().is_empty() {
        return Err(ParseError::new(1, 1, "the answer is empty").with_help(form));
    }
    let whole = text.strip_suffix('\n').unwrap_or(text);
    let mut lines = (1..).zip(whole.split('\n').map(|l| l.strip_suffix('\r').unwrap_or(l)));

    let (_, head) = lines.next().unwrap_or((1, ""));
    if !head.chars().eq([other]) {
        let cause = format!("expected the letter `{other}` alone, not {}", quoted(head));
        let error = ParseError::new(1, 1, cause).with_width(chars(head));
        return Err(error.with_help(form));
    }
    let mut rows = Vec::with_capacity(height as usize);
    for row in 0..height {
        let Some((number, line)) = lines.next() else {
            let cause = format!("the answer ends after {row} of {}", count(height, "row"));
            return Err(ParseError::new(row + 2, 1, cause).with_help(form));
        };
        rows.push(read_row(number, line, width).map_err(|error| error.with_help(form.clone()))?);
    }
    match lines.next() {
        None => Ok(rows),
        Some((number, line)) => {
            let cause = format!("unexpected text after the last of {}", count(height, "row"));
            let error = ParseError::new(number, 1, cause).with_width(chars(line));
            Err(error.with_help(form))
        }
    }
}

fn read_row(number: u32, line: &str, width: u32) -> Result<Vec<Colour>, ParseError> {
    let mut row = Vec::with_capacity(width as usize);
    for (column, character) in (1..=width).zip(line.chars()) {
        row.push(Colour::from_glyph(character).ok_or_else(|| {
            let cause = format!(
                "{} is no colour",
                quoted(character.encode_utf8(&mut [0; 4]))
            );
            ParseError::new(number, column, cause)
        })?);
    }
    let found = chars(line);
    if found == width {
        return Ok(row);
    }
    let cause = format!(
        "the line has {} instead of {width}",
        count(found, "character")
    );
    let error = ParseError::new(number, found.min(width) + 1, cause);
    Err(error.with_width(found.saturating_sub(width)))
}

/// The colour of the player's corner in the answer, if that colour is legal.
fn chosen(position: &FloodPosition, rows: &[Vec<Colour>]) -> Result<Colour, ParseError> {
    let mover = position.mover();
    let (row, column) = if mover == J {
        (rows.len() - 1, 0)
    } else {
        (0, rows[0].len() - 1)
    };
    let colour = rows[row][column];
    let cause = if colour == position.colour(mover) {
        format!(
            "{}'s corner is still `{colour}`, its own colour",
            letter(mover)
        )
    } else if colour == position.colour(mover.next(2)) {
        let [mover, other] = [mover, mover.next(2)].map(letter);
        format!("{mover}'s corner is `{colour}`, the colour of {other}")
    } else {
        return Ok(colour);
    };
    let [a, b, c] = position.choices();
    let help = format!("{} may choose `{a}`, `{b}` or `{c}`", letter(mover));
    Err(ParseError::new(row as u32 + 2, column as u32 + 1, cause).with_help(help))
}

/// Checks that the answer is the board after that colour is chosen; otherwise returns the first
/// different square.
fn compare(
    position: &FloodPosition,
    rows: &[Vec<Colour>],
    colour: Colour,
) -> Result<(), ParseError> {
    let mut after = position.clone();
    after.play_unchecked(Move(colour));
    let components = after.graph().squares().chunks(rows[0].len());
    let mut first = None;
    let mut differing = 0u32;
    for (row, (found, components)) in rows.iter().zip(components).enumerate() {
        for (column, (&found, &component)) in found.iter().zip(components).enumerate() {
            let expected = after.component_colour(component);
            if found != expected {
                differing += 1;
                first = first.or(Some((row as u32, column as u32, found, expected)));
            }
        }
    }
    let Some((row, column, found, expected)) = first else {
        return Ok(());
    };
    let square = Square::new(column, rows.len() as u32 - 1 - row);
    let cause = format!("square {square} is `{found}`, expected `{expected}`");
    let mover = letter(position.mover());
    let squares = if differing == 1 {
        "square differs"
    } else {
        "squares differ"
    };
    let help = format!("after {mover} chooses `{colour}`, {differing} {squares} from the flood");
    Err(ParseError::new(row + 2, column + 1, cause).with_help(help))
}

/// Checks that every line ends in `\n` alone.
fn check_endings(text: &str) -> Result<(), ParseError> {
    const HELP: &str = "every line ends in a single newline character";
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let body = line.trim_end_matches(['\r', '\n']);
        let cause = match &line[body.len()..] {
            "\n" => continue,
            "" => "the last line does not end in a newline",
            _ => "the line ends in a carriage return",
        };
        return Err(ParseError::new(number, chars(body) + 1, cause).with_help(HELP));
    }
    Ok(())
}
