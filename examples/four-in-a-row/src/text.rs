//! The file: a line `1` or `2`, who moves, then the rows from the top, `.`, `1` or `2` each.

use floe_rules::text::{TextLine, lines};
use floe_rules::{ParseError, Player, Square};

use crate::position::Rack;

/// The longest side of a board.
pub(crate) const LONGEST: u32 = 26;

pub(crate) fn write(rack: &Rack) -> String {
    let mut text = format!("{}\n", rack.mover);
    for row in rack.discs.chunks(rack.width as usize).rev() {
        text.extend(row.iter().map(|&disc| glyph(disc)));
        text.push('\n');
    }
    text
}

pub(crate) fn glyph(disc: Option<Player>) -> char {
    match disc.map(Player::number) {
        None => '.',
        Some(1) => '1',
        Some(_) => '2',
    }
}

pub(crate) fn read(text: &str) -> Result<Rack, ParseError> {
    let mut lines = lines(text);
    let head = lines.next().unwrap_or(TextLine {
        number: 1,
        text: "",
    });
    let mover = match head.text.trim() {
        "1" => Player::new(0),
        "2" => Player::new(1),
        _ => {
            return Err(ParseError::new(
                head.number,
                1,
                "expected who moves, `1` or `2`",
            ));
        }
    };
    let mut rows = Vec::new();
    for line in lines {
        rows.push(read_row(&line)?);
        if rows[0].len() != rows[rows.len() - 1].len() {
            return Err(line.error_at_end("the rows are not equally long"));
        }
    }
    let (width, height) = (rows.first().map_or(0, Vec::len), rows.len());
    let is_side = |side: usize| (1..=LONGEST as usize).contains(&side);
    if !is_side(width) || !is_side(height) {
        return Err(head.error_at_end("expected 1 to 26 rows of 1 to 26 fields"));
    }
    let mut rack = Rack::empty(width as u32, height as u32);
    rack.discs = rows.into_iter().rev().flatten().collect();
    rack.mover = mover;
    check(&mut rack, &head)?;
    Ok(rack)
}

fn read_row(line: &TextLine<'_>) -> Result<Vec<Option<Player>>, ParseError> {
    let field = |(column, letter)| match letter {
        '.' => Ok(None),
        '1' => Ok(Some(Player::new(0))),
        '2' => Ok(Some(Player::new(1))),
        _ => Err(ParseError::new(
            line.number,
            column,
            "expected `.`, `1` or `2`",
        )),
    };
    (1..).zip(line.text.chars()).map(field).collect()
}

/// Finds the winner, and refuses boards that no game leads to.
fn check(rack: &mut Rack, head: &TextLine<'_>) -> Result<(), ParseError> {
    let squares = (0..rack.height).flat_map(|row| (0..rack.width).map(move |column| (column, row)));
    for (column, row) in squares {
        let at = Square::new(column, row);
        let Some(player) = rack.disc(at) else {
            continue;
        };
        let rests = row == 0 || rack.disc(Square::new(column, row - 1)).is_some();
        if !rests {
            return Err(ParseError::new(
                head.number + rack.height - row,
                column + 1,
                format!("the disc on {at} has nothing below it"),
            ));
        }
        if rack.wins(player, at) {
            rack.winner = Some(player);
        }
    }
    let count = |player| {
        rack.discs
            .iter()
            .filter(|&&disc| disc == Some(player))
            .count()
    };
    let [first, second] = [0, 1].map(|seat| count(Player::new(seat)));
    let expected = match first.checked_sub(second) {
        Some(0) => Player::new(0),
        Some(1) => Player::new(1),
        _ => return Err(head.error_at_end("the players have not moved in turn")),
    };
    if expected != rack.mover {
        return Err(head.error_at_end("the discs say that the other player moves"));
    }
    let is_won = |seat| {
        let squares =
            (0..rack.height).flat_map(|row| (0..rack.width).map(move |c| Square::new(c, row)));
        let mut own = squares.filter(|&at| rack.disc(at) == Some(Player::new(seat)));
        own.any(|at| rack.wins(Player::new(seat), at))
    };
    if is_won(0) && is_won(1) || is_won(expected.index() as u32) {
        return Err(head.error_at_end("the game was over before the last disc"));
    }
    Ok(())
}
