use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::{Span, Wrong, wrong};
use crate::{Boards, BoardsError, Openings};
use floe_games::{AnyGame, StartError};

/// `[boards]`: the boards to play on.
#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct BoardsText {
    setup: Option<Spanned<String>>,
    seed: Option<u64>,
    pub(in crate::tournament) count: Option<Spanned<u64>>,
    files: Option<Vec<Spanned<String>>>,
    openings: Option<Spanned<OpeningsText>>,
}

/// The start of boards: a word, or a number of moves.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "openings are \"none\", a number of moves, or the name of a file"
)]
enum OpeningsText {
    Number(u64),
    Word(String),
}

/// The most fields of a board: as many as 200 by 200.
const MOST_FIELDS: u64 = 40_000;

/// The boards of a contest, and their number per meeting; `place` is the error's place if there is
/// no table of boards.
pub fn boards(
    text: Option<&Spanned<BoardsText>>,
    place: Span,
    game: &'static dyn AnyGame,
    table: usize,
    folder: &Path,
) -> Result<(Boards, u64), Wrong> {
    let none = BoardsText::default();
    let (part, whole) = match text {
        Some(boards) => (boards.get_ref(), boards.span()),
        None => (&none, place),
    };
    let (boards, at) = match (&part.files, &part.setup) {
        (Some(files), setup) => {
            let words = setup.as_ref().map_or("", |setup| setup.get_ref());
            let mut paths = Vec::new();
            for name in files {
                let path = folder.join(name.get_ref());
                // One file at a time, so that the message names the right one.
                let read = Boards::completed(game, &[&path], words);
                read.map_err(|error| wrong(name.span(), error.to_string(), ""))?;
                paths.push(path);
            }
            let boards = Boards::completed(game, &paths, words);
            let help = "files = [\"board1.txt\", \"board2.txt\"]";
            (
                boards.map_err(|error| wrong(whole.clone(), error.to_string(), help))?,
                whole,
            )
        }
        (None, setup) => {
            let words = setup.as_ref().map_or("", |setup| setup.get_ref());
            let at = setup.as_ref().map_or(whole, Spanned::span);
            (made(game, words, part.seed.unwrap_or(1), table, &at)?, at)
        }
    };
    match boards.players() {
        Some(players) if players as usize == table => {}
        Some(players) => {
            let cause = format!("the board is for {players}, and a table has {table} seats");
            return Err(wrong(at, cause, "table = N says how many sit at a table"));
        }
        None => {
            return Err(wrong(
                at,
                "the boards are for different numbers of players",
                "",
            ));
        }
    }
    let boards = begin(boards, part.openings.as_ref(), &at, folder)?;
    let count = part
        .count
        .as_ref()
        .map_or(boards.count().unwrap_or(1), |n| *n.get_ref());
    if let Some(none) = part
        .count
        .as_ref()
        .filter(|_| !(1..=1 << 32).contains(&count))
    {
        return Err(wrong(none.span(), "boards are counted from 1 to 2^32", ""));
    }
    for board in 0..boards.count().unwrap_or(1) {
        let Ok((position, _)) = boards.open(board) else {
            continue;
        };
        let view = position.view();
        let fields = u64::from(view.width) * u64::from(view.height);
        if fields > MOST_FIELDS {
            let cause = format!("a board of {fields} fields; a tournament has up to {MOST_FIELDS}");
            let help = "`floe match` plays on larger ones";
            return Err(wrong(at, cause, help));
        }
    }
    Ok((boards, count))
}

/// The boards with the configured openings.
fn begin(
    boards: Boards,
    said: Option<&Spanned<OpeningsText>>,
    at: &Span,
    folder: &Path,
) -> Result<Boards, Wrong> {
    let openings = match said.map(Spanned::get_ref) {
        None => Ok(Openings::Suited),
        Some(OpeningsText::Number(moves)) => Openings::read(&moves.to_string(), folder),
        Some(OpeningsText::Word(word)) => Openings::read(word, folder),
    };
    let span = said.map_or_else(|| at.clone(), Spanned::span);
    let openings = openings.map_err(BoardsError::from);
    let boards = openings.and_then(|openings| boards.with_openings(openings));
    boards.map_err(|error| wrong(span, error.to_string(), ""))
}

/// Boards from a setup, which need not state the number of players.
fn made(
    game: &'static dyn AnyGame,
    words: &str,
    seed: u64,
    table: usize,
    at: &Span,
) -> Result<Boards, Wrong> {
    match Boards::made_for(game, words, seed, table) {
        Ok(boards) => Ok(boards),
        Err(BoardsError::Setup(StartError::Unreadable(error))) => {
            // Inside the quotes; escapes are not worth counting.
            let start = at.start + error.column as usize;
            let span = start..start + error.width as usize;
            Err(wrong(
                span,
                error.cause.into_owned(),
                error.help.into_owned(),
            ))
        }
        Err(BoardsError::Setup(StartError::Impossible(error))) => {
            let help = error.help().into_owned();
            Err(wrong(at.clone(), error.to_string(), help))
        }
        Err(error) => Err(wrong(at.clone(), error.to_string(), "")),
    }
}
