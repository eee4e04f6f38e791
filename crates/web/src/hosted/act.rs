use std::io;

use floe_games::{EventError, MoveError};
use thiserror::Error;

/// The reason why an action is refused.
#[derive(Debug, Error)]
pub(crate) enum ActError {
    #[error("the game is over")]
    Over,
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("the game has continued since; the page shows its current state")]
    Stale,
    #[error("that seat is not yours")]
    NotYours,
    #[error("this cannot be undone")]
    NoWayBack,
    #[error("no seat is free")]
    NoSeat,
    #[error("this game has no passing")]
    NoGivingUp,
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Event(#[from] EventError),
    #[error("cannot save the game: {0}")]
    Record(#[from] io::Error),
}
