//! Painting on a state file.

use super::MOST_PLAYERS;
use crate::brush::{no_brush, row_of, with_line};
use crate::{Brush, ParseError, Player, Shade, Square};

/// The number of rows on the first line.
fn rows(text: &str) -> usize {
    let first = text
        .lines()
        .next()
        .and_then(|line| line.split_whitespace().next());
    first.and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// The number of players: those with a line, or those announced on the first line.
fn players(text: &str) -> u32 {
    let announced = (text.lines().next().unwrap_or_default().split_whitespace())
        .find_map(|word| word.strip_prefix("players=")?.parse().ok());
    let lines = text.lines().skip(rows(text).saturating_add(1));
    let numbers = lines.filter_map(|line| line.split_whitespace().nth(1)?.parse().ok());
    let most = numbers.chain(announced).max().unwrap_or(0);
    most.clamp(2, MOST_PLAYERS as u32)
}

pub(super) fn brushes(text: &str) -> Vec<Brush> {
    let mut brushes = vec![Brush::field("00", "water", None, Some(Shade::Void))];
    brushes.extend((1..=3).map(|fish| {
        Brush::field(
            format!("{fish}0"),
            format!("{fish} fish"),
            None,
            Some(Shade::Level(fish)),
        )
    }));
    brushes.extend(Player::all(players(text)).map(|player| {
        Brush::field(
            format!("0{player}"),
            format!("penguin of {player}"),
            Some(player),
            None,
        )
    }));
    brushes.extend(
        Player::all(players(text)).map(|player| Brush::turn(player, format!("{player} moves"))),
    );
    brushes
}

pub(super) fn paint(text: &str, square: Option<Square>, word: &str) -> Result<String, ParseError> {
    let known = brushes(text).into_iter().find(|brush| brush.word == word);
    let brush = known.ok_or_else(|| no_brush(word))?;
    if !brush.is_on_field {
        let line = text.lines().next().unwrap_or_default();
        let others = line
            .split_whitespace()
            .filter(|said| !said.starts_with("turn="));
        let words: Vec<&str> = others.chain([word]).collect();
        return Ok(with_line(text, 0, &words.join(" ")));
    }
    let square = square.ok_or_else(|| no_brush(word))?;
    let (index, line) = row_of(text, 1, rows(text), square)?;
    let mut fields: Vec<&str> = line.split_whitespace().collect();
    let off = || ParseError::new(index as u32 + 1, 1, format!("{square} is not on the board"));
    *fields.get_mut(square.column as usize).ok_or_else(off)? = word;
    let mut painted = with_line(text, index, &fields.join(" "));
    // Every player with a penguin has a line. If no player has one, all players get theirs.
    let has_lines = text.lines().count() > rows(text).saturating_add(1);
    let wanted = match (brush.owner, has_lines) {
        (None, _) => 0,
        (Some(owner), true) => owner.number(),
        (Some(owner), false) => owner.number().max(players(text)),
    };
    for player in Player::all(wanted) {
        let mut lines = painted.lines().skip(rows(text).saturating_add(1));
        let number = player.to_string();
        let is_theirs = |line: &str| line.split_whitespace().nth(1) == Some(number.as_str());
        if !lines.any(is_theirs) {
            painted += &format!("player{player} {player} 0\n");
        }
    }
    Ok(painted)
}
