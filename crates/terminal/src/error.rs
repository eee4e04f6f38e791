//! Errors of games in the terminal.

use std::io;
use std::path::PathBuf;

use floe_arena::seat::SeatError;
use floe_games::record::{Mismatch, ReadError};
use floe_games::{MoveError, NoTimeControl, StartError};
use thiserror::Error;

/// A record without a game that the terminal can show or resume.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The record's clock cannot be read.
    #[error(transparent)]
    Clock(#[from] NoTimeControl),
    /// The record contradicts the rules.
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
    /// A game cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Record {
        /// The file of the game.
        path: PathBuf,
        /// The error.
        cause: RecordError,
    },
    /// A given record contains no valid game.
    #[error(transparent)]
    BadRecord(#[from] RecordError),
    /// A file cannot be appended to.
    #[error("cannot write to {}: {cause}", path.display())]
    Write {
        /// The file of the game.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// The followed file cannot be read.
    #[error(transparent)]
    Follow(#[from] ReadError),
    /// The terminal lacks something that a full screen needs.
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
    /// Line mode is for games.
    #[error("line mode has no puzzles; use `floe puzzle`")]
    LinesHaveNoPuzzles,
    /// The start position cannot be made.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The seat cannot be used.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// The game refused a move of an engine or program.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A puzzle cannot be used.
    #[error("cannot show this puzzle: {0}")]
    Puzzle(String),
    /// An opponent cannot continue.
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
