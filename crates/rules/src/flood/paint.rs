//! Painting on the contest's file.

use super::{Colour, J, S, letter};
use crate::brush::{no_brush, row_of, with_line};
use crate::{Brush, ParseError, Shade, Square};

pub(super) fn brushes() -> Vec<Brush> {
    let colour = |(hue, colour): (u8, Colour)| {
        Brush::field(
            colour.to_string(),
            colour.to_string(),
            None,
            Some(Shade::Hue(hue)),
        )
    };
    let turn = |player| Brush::turn(player, format!("{} moves", letter(player)));
    (0..)
        .zip(Colour::ALL)
        .map(colour)
        .chain([J, S].map(turn))
        .collect()
}

pub(super) fn paint(text: &str, square: Option<Square>, word: &str) -> Result<String, ParseError> {
    if let Some(player) = [J, S]
        .into_iter()
        .find(|player| word == format!("turn={player}"))
    {
        return Ok(with_line(text, 0, &letter(player).to_string()));
    }
    let (Some(square), Ok(colour)) = (square, word.parse::<super::Move>()) else {
        return Err(no_brush(word));
    };
    let rows = text.lines().count().saturating_sub(1);
    let (index, line) = row_of(text, 1, rows, square)?;
    let mut fields: Vec<char> = line.trim_end().chars().collect();
    let Some(field) = fields.get_mut(square.column as usize) else {
        return Err(ParseError::new(
            index as u32 + 1,
            1,
            format!("{square} is not on the board"),
        ));
    };
    *field = colour.to_string().chars().next().unwrap_or(*field);
    Ok(with_line(
        text,
        index,
        &fields.into_iter().collect::<String>(),
    ))
}
