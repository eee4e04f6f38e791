//! Painting on the text of a position.

use crate::brush::{no_brush, row_of, with_line};
use crate::{Brush, ParseError, Player, Shade, Square};

/// With more players a field is no single character; such boards are written, not painted.
const MOST_PLAYERS: u32 = 9;

/// The numbers of rows and players on the first line.
fn head(text: &str) -> Option<(usize, u32)> {
    let mut words = text.lines().next()?.split_whitespace().skip(2);
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

fn players(text: &str) -> impl Iterator<Item = Player> {
    let count = head(text).map_or(0, |(_, players)| players);
    Player::all(if count <= MOST_PLAYERS { count } else { 0 })
}

pub(super) fn brushes(text: &str) -> Vec<Brush> {
    let mut brushes = vec![Brush::field(".", "free", None, Some(Shade::Plain))];
    brushes.extend(players(text).map(|player| {
        let number = player.to_string();
        Brush::field(&number, format!("player {number}"), Some(player), None)
    }));
    brushes.extend(players(text).map(|player| Brush::turn(player, format!("{player} moves"))));
    brushes.extend(players(text).map(|player| Brush {
        word: format!("golden={player}"),
        label: format!("golden move of {player}"),
        is_on_field: false,
        owner: Some(player),
        shade: None,
    }));
    brushes
}

pub(super) fn paint(text: &str, square: Option<Square>, word: &str) -> Result<String, ParseError> {
    let known = brushes(text).into_iter().find(|brush| brush.word == word);
    let brush = known.ok_or_else(|| no_brush(word))?;
    match (brush.is_on_field, square, brush.owner) {
        (true, Some(square), _) => {
            let rows = head(text).map_or(0, |(rows, _)| rows);
            let (index, line) = row_of(text, 2, rows, square)?;
            let mut fields: Vec<char> = line.trim_end().chars().collect();
            let field = fields.get_mut(square.column as usize);
            let off = || {
                let cause = format!("{square} is not on the board");
                ParseError::new(index as u32 + 1, 1, cause)
            };
            *field.ok_or_else(off)? = word.chars().next().unwrap_or('.');
            Ok(with_line(
                text,
                index,
                &fields.into_iter().collect::<String>(),
            ))
        }
        (false, _, Some(player)) => Ok(with_line(text, 1, &said(text, player, word)?)),
        _ => Err(no_brush(word)),
    }
}

/// The second line with another turn, or with one golden move more or less.
fn said(text: &str, player: Player, word: &str) -> Result<String, ParseError> {
    let line = text.lines().nth(1).unwrap_or_default();
    let (turn, rest) = line.split_once("golden").ok_or_else(|| {
        let help = "line 2 is `turn PLAYER golden PLAYERS…`, such as `turn 1 golden 1 2`";
        ParseError::new(2, 1, "this does not name the players with a golden move").with_help(help)
    })?;
    if word.starts_with("turn=") {
        return Ok(format!("turn {player} golden{rest}"));
    }
    let (golden, out) = match rest.split_once("out") {
        Some((golden, out)) => (golden, format!(" out{out}")),
        None => (rest, String::new()),
    };
    let mut numbers: Vec<u32> = (golden.split_whitespace())
        .filter_map(|number| number.parse().ok())
        .collect();
    match numbers.iter().position(|&number| number == player.number()) {
        Some(at) => {
            numbers.remove(at);
        }
        None => numbers.push(player.number()),
    }
    numbers.sort_unstable();
    let golden: String = numbers.iter().map(|number| format!(" {number}")).collect();
    Ok(format!(
        "{}golden{golden}{}",
        turn.trim_end().to_owned() + " ",
        out.trim_end()
    ))
}
