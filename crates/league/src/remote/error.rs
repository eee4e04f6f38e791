use floe_arena::store::StoreError;
use thiserror::Error;

use crate::folder::LeagueError;
use crate::submission::SubmitError;

/// Longest label of a program, in characters.
pub(super) const WORD: usize = 60;

/// The reason why a remote program cannot play, or why its message is refused.
#[derive(Debug, Error)]
pub enum RemoteError {
    /// The league does not allow remote programs.
    #[error("this league accepts no remote programs; use `floe submit`")]
    NotHere,
    /// The label is not allowed.
    #[error("a label has 1 to {WORD} visible characters")]
    Word,
    /// The participant has no such connection.
    #[error("there is no such connection any more; connect again")]
    Gone,
    /// The message does not fit the game in progress.
    #[error("{0}")]
    OutOfTurn(String),
    /// The participant may not submit now.
    #[error(transparent)]
    Submit(#[from] SubmitError),
    /// The file of games cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The league cannot be read or changed.
    #[error(transparent)]
    League(#[from] LeagueError),
    /// The system gives no random bits or no thread.
    #[error("{0}")]
    System(String),
}
