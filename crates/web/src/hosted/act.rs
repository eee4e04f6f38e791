use std::io;

use floe_games::{EventError, MoveError};
use thiserror::Error;

/// Why something is not done.
#[derive(Debug, Error)]
pub(crate) enum ActError {
    #[error("the game is over")]
    Over,
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("the game has gone on since; the page shows it as it is now")]
    Stale,
    #[error("that is not a seat of yours")]
    NotYours,
    #[error("this cannot be taken back")]
    NoWayBack,
    #[error("no seat is free")]
    NoSeat,
    #[error("a turn cannot be given up here")]
    NoGivingUp,
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Event(#[from] EventError),
    #[error("cannot save the game: {0}")]
    Record(#[from] io::Error),
}
