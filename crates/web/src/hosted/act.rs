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
    #[error("the game has changed; the page shows the current position")]
    Stale,
    #[error("this seat is not yours")]
    NotYours,
    #[error("this move cannot be undone")]
    NoWayBack,
    #[error("no seat is free")]
    NoSeat,
    #[error("passing is not possible here")]
    NoGivingUp,
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Event(#[from] EventError),
    #[error("cannot save the game: {0}")]
    Record(#[from] io::Error),
}
