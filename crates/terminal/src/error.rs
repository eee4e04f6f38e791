//! Errors of games in the terminal.

use std::io;
use std::path::PathBuf;

use floe_arena::seat::SeatError;
use floe_games::record::{Mismatch, ReadError};
use floe_games::{MoveError, NoTimeControl, StartError};
use thiserror::Error;

/// A record that is not a game the terminal can show or resume.
#[derive(Debug, Error)]
pub enum RecordError {
    /// Its clock cannot be read.
    #[error(transparent)]
    Clock(#[from] NoTimeControl),
    /// Its lines contradict the rules.
    #[error(transparent)]
    Replay(#[from] Mismatch),
}

/// The reason why a game could not be played, resumed or shown in the terminal.
#[derive(Debug, Error)]
pub enum TerminalError {
    /// No stored game is unfinished.
    #[error("no unfinished game to resume")]
    NothingToResume,
    /// A file without a game.
    #[error("{} holds no game", .0.display())]
    NoGame(PathBuf),
    /// A game that cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Record {
        /// The file of the game.
        path: PathBuf,
        /// The error.
        cause: RecordError,
    },
    /// A record that was handed over and is not a game.
    #[error(transparent)]
    BadRecord(#[from] RecordError),
    /// A file that cannot be appended to.
    #[error("cannot write to {}: {cause}", path.display())]
    Write {
        /// The file of the game.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// The file that is followed cannot be read.
    #[error(transparent)]
    Follow(#[from] ReadError),
    /// The terminal cannot do what a full screen needs.
    #[error("cannot {action}: {cause}")]
    Screen {
        /// The attempt.
        action: &'static str,
        /// The system's reason.
        cause: io::Error,
    },
    /// Line mode cannot follow games.
    #[error("line mode cannot watch games; use a full-screen terminal")]
    LinesCannotWatch,
    /// A start position that cannot be made.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A seat that cannot be used.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// A move that an engine or program made and the game refused.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// An opponent that cannot play on.
    #[error("{name}: {reason}")]
    Opponent {
        /// The opponent's name.
        name: String,
        /// The failure.
        reason: String,
    },
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}
