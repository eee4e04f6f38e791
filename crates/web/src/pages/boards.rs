//! The boards a form offers: each with a picture of it, and how long a game on it takes.

use std::collections::BTreeMap;
use std::sync::Arc;

use floe_games::json::{Picture, default_size, setup_of};
use floe_games::{AnyGame, AnyPosition};
use floe_rules::Values;
use parking_lot::Mutex;

use super::data;
use crate::error::WebError;

/// The most turns that are tried out to find the length of a game.
const LONGEST: usize = 400;
/// The seconds that a person takes for a move, roughly.
const SECONDS_A_MOVE: usize = 10;
/// The sides of a small and a large board, compared with the default one.
const SIZES: [(&str, f64); 3] = [("Small", 0.6), ("Default", 1.0), ("Large", 1.6)];

/// A board to choose.
pub(super) struct Board {
    pub(super) label: String,
    /// Columns x rows.
    pub(super) size: String,
    /// The settings by words of this board, as `style=island`, separated by spaces.
    pub(super) words: String,
    pub(super) minutes: usize,
    /// A position, for a script to draw.
    pub(super) picture: String,
}

/// The boards of a game, made once: those of three sizes, and one for every style that is not the
/// default one.
pub(super) fn of(game: &'static dyn AnyGame) -> Result<Arc<Vec<Board>>, WebError> {
    static KNOWN: Mutex<BTreeMap<&str, Arc<Vec<Board>>>> = Mutex::new(BTreeMap::new());
    if let Some(boards) = KNOWN.lock().get(game.name()) {
        return Ok(Arc::clone(boards));
    }
    let default = default_size(game);
    let sized = SIZES.map(|(label, factor)| {
        let words = words(game, None);
        Board::of(game, label.to_owned(), scaled(&default, factor), words)
    });
    let styles = game.settings().iter().flat_map(|setting| {
        let (word, default) = (setting.word, setting.default);
        let values: &[&str] = match &setting.values {
            Values::Words(values) => values,
            Values::Number(_) => &[],
        };
        let others = values.iter().filter(move |value| **value != default);
        others.map(move |value| (word, *value))
    });
    let styled = styles.map(|(word, value)| {
        let words = words(game, Some((word, value)));
        Board::of(game, capitalised(value), default.clone(), words)
    });
    let boards: Result<Vec<Board>, WebError> = sized.into_iter().chain(styled).collect();
    let boards = Arc::new(boards?);
    KNOWN.lock().insert(game.name(), Arc::clone(&boards));
    Ok(boards)
}

/// The size of a small board.
pub(super) fn small(game: &dyn AnyGame) -> String {
    scaled(&default_size(game), SIZES[0].1)
}

impl Board {
    fn of(
        game: &'static dyn AnyGame,
        label: String,
        size: String,
        words: String,
    ) -> Result<Board, WebError> {
        let said = |word: &str| match word {
            "size" => Some(size.as_str()),
            word => (words.split(' ')).find_map(|pair| pair.strip_prefix(word)?.strip_prefix('=')),
        };
        let setup = setup_of(game, said);
        let start = game.start(&setup, 1).map_err(WebError::ours)?;
        let (middle, length) = middle(&*start);
        // A board that begins empty looks like any other.
        let shown = match is_plain(&*start) {
            true => &*middle,
            false => &*start,
        };
        Ok(Board {
            minutes: minutes(length, start.players()),
            picture: data(&Picture::from(shown.view()))?,
            label,
            size,
            words,
        })
    }
}

/// The settings by words with this one changed.
fn words(game: &dyn AnyGame, changed: Option<(&str, &str)>) -> String {
    let all = game.settings().iter();
    let by_words = all.filter(|setting| matches!(setting.values, Values::Words(_)));
    let pairs = by_words.map(|setting| {
        let value = changed.filter(|(word, _)| *word == setting.word);
        format!(
            "{}={}",
            setting.word,
            value.map_or(setting.default, |one| one.1)
        )
    });
    pairs.collect::<Vec<_>>().join(" ")
}

/// A size with both sides longer or shorter.
fn scaled(size: &str, factor: f64) -> String {
    let side = |side: &str| {
        let side: f64 = side.trim().parse().unwrap_or(10.0);
        (side * factor).round().max(4.0) as u32
    };
    let (columns, rows) = size.split_once('x').unwrap_or((size, size));
    format!("{}x{}", side(columns), side(rows))
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Whether all fields of a position look the same.
fn is_plain(position: &dyn AnyPosition) -> bool {
    let cells = position.view().cells;
    cells.windows(2).all(|two| two[0] == two[1])
}

/// A position of mid-game, which shows more than the first one; and the length of the whole game.
pub(super) fn middle(start: &dyn AnyPosition) -> (Box<dyn AnyPosition>, usize) {
    let length = played(&mut *start.clone_position(), LONGEST);
    let mut position = start.clone_position();
    played(&mut *position, length * 11 / 20);
    (position, length)
}

/// How long a game of this many turns takes a person against engines, in minutes, rounded up.
pub(super) fn minutes(turns: usize, players: u32) -> usize {
    let own = turns.div_ceil(players.max(1) as usize);
    (own * SECONDS_A_MOVE).div_ceil(60).max(1)
}

/// Makes up to this number of moves, each one of those that gain most at once, here and there on the
/// board; how many there were up to the last that gained anything.
fn played(position: &mut dyn AnyPosition, turns: usize) -> usize {
    let mut length = 0;
    for turn in 0..turns {
        let mut choices = position.choices();
        let most = choices.iter().map(|choice| choice.gain).max();
        choices.retain(|choice| Some(choice.gain) == most && choice.special.is_none());
        let chosen = choices.get((turn * 7 + 3) % choices.len().max(1));
        let Some(chosen) = chosen.filter(|one| position.play(&one.notation).is_ok()) else {
            break;
        };
        if chosen.gain > 0 {
            length = turn + 1;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_of_every_game_can_be_begun() {
        for game in floe_games::games() {
            let boards = of(game).unwrap();
            assert!(boards.len() >= 3, "{game:?}");
            let short = boards.iter().map(|board| board.minutes).min();
            assert_eq!(
                boards[0].minutes,
                short.unwrap(),
                "{game:?}: small is shortest"
            );
            for board in boards.iter() {
                assert!(board.minutes <= 60, "{game:?} {}", board.label);
                assert!(board.picture.contains("shades"), "{game:?} {}", board.label);
            }
        }
    }

    #[test]
    fn a_style_is_a_board_of_its_own() {
        let boards = of(floe_games::find("penguins").unwrap()).unwrap();
        let island = boards.last().unwrap();
        assert_eq!(
            (island.label.as_str(), island.size.as_str()),
            ("Island", "10x10")
        );
        assert_eq!(island.words, "style=island");
        assert_eq!(boards[0].words, "style=uniform");
        assert_ne!(island.picture, boards[1].picture);
    }

    #[test]
    fn minutes_are_rounded_up() {
        assert_eq!([1, 12, 13, 60].map(|turns| minutes(turns, 2)), [1, 1, 2, 5]);
    }
}
