//! Errors of boards and moves.

use std::collections::TryReserveError;

use thiserror::Error;

/// Why a board cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NewError {
    /// One of the four numbers is zero.
    #[error("width, height, players and areas must all be at least 1")]
    Zero,
    /// Not enough memory for the fields or players.
    #[error("not enough memory for a board of this size")]
    Memory,
}

/// Why a move is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum Refusal {
    /// The player's number is above the number of players.
    #[error("there is no such player")]
    NoSuchPlayer,
    /// The field is not on the board.
    #[error("the field is not on the board")]
    OffBoard,
    /// A plain move on a field that a player holds.
    #[error("the field is taken")]
    Occupied,
    /// It would give the player one area too many.
    #[error("it would make one area too many")]
    TooManyAreas,
    /// A golden move on a free field.
    #[error("the field is free: a golden move takes another player's field")]
    Free,
    /// A golden move on one's own field.
    #[error("the field is already the player's own")]
    Own,
    /// A second golden move.
    #[error("the golden move has been used")]
    GoldenUsed,
    /// A golden move that would leave the victim with too many areas.
    #[error("it would split the other player's area into too many")]
    VictimSplits,
    /// There is not enough memory; the board is as it was.
    #[error("not enough memory")]
    Memory,
}

impl From<TryReserveError> for Refusal {
    fn from(_: TryReserveError) -> Self {
        Refusal::Memory
    }
}
