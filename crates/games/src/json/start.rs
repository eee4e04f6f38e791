//! Positions that visitors request. Their size is checked before anything is allocated.

use crate::{AnyGame, AnyPosition, StartError};
use floe_rules::ParseError;
use floe_rules::setup::{SetupEntry, parts};
use thiserror::Error;

/// The most fields a board on a page may have.
const FIELDS: u64 = 200 * 200;
/// The most seats a game on a page may have.
const SEATS: u32 = 9;

/// The reason why the position cannot be made.
#[derive(Debug, Error)]
pub enum AskedError {
    /// The board is too large.
    #[error("a board on a page has at most {FIELDS} fields")]
    Fields,
    /// There are too many players.
    #[error("a game on a page has at most {SEATS} players")]
    Seats,
    /// The setup makes no position.
    #[error(transparent)]
    Setup(#[from] StartError),
    /// The text is no position.
    #[error("line {}, column {}: {}", .0.line, .0.column, .0.cause)]
    Text(#[from] ParseError),
}

/// The position of a setup and a seed.
pub fn of_setup(
    game: &'static dyn AnyGame,
    setup: &str,
    seed: u64,
) -> Result<Box<dyn AnyPosition>, AskedError> {
    check_setup(game, setup)?;
    checked(game.start(setup, seed)?)
}

/// The position of a text, which has a letter for each field.
pub fn of_text(game: &'static dyn AnyGame, text: &str) -> Result<Box<dyn AnyPosition>, AskedError> {
    checked(game.read(text)?)
}

/// Refuses a setup that asks for too much, before anything is allocated.
fn check_setup(game: &'static dyn AnyGame, setup: &str) -> Result<(), AskedError> {
    let setup = game.setup(setup).map_err(StartError::from)?;
    let for_one = game.setup_for("", 1).unwrap_or_default();
    let seats_word = for_one.split('=').next().unwrap_or_default();
    for part in parts(&setup) {
        match part.map_err(StartError::from)?.entry {
            SetupEntry::Size(columns, rows) => check_size(columns, rows)?,
            SetupEntry::Pair(word, seats) if word == seats_word => check_seats(seats)?,
            SetupEntry::Pair(..) => {}
        }
    }
    Ok(())
}

fn check_size(columns: u32, rows: u32) -> Result<(), AskedError> {
    match u64::from(columns) * u64::from(rows) > FIELDS {
        true => Err(AskedError::Fields),
        false => Ok(()),
    }
}

/// A number that cannot be read counts as too large.
fn check_seats(seats: &str) -> Result<(), AskedError> {
    match seats.parse() {
        Ok(0..=SEATS) => Ok(()),
        Ok(_) | Err(_) => Err(AskedError::Seats),
    }
}

/// Checks the size of a position, however it was made.
fn checked(position: Box<dyn AnyPosition>) -> Result<Box<dyn AnyPosition>, AskedError> {
    let view = position.view();
    check_size(view.width, view.height)?;
    match position.players() > SEATS {
        true => Err(AskedError::Seats),
        false => Ok(position),
    }
}
