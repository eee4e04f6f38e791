//! Inputs of the screen.

use std::time::Duration;

use floe_arena::seat::{Failure, TimedMove};
use floe_games::record::Record;
use floe_search::Thought;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};

/// One input of the screen.
#[derive(Debug)]
pub(crate) enum Input {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// An engine has thought.
    Report(ThinkReport),
    /// A program is about to start in a sandbox of this level.
    Sandbox(u8),
    /// A game in the watched file is new or has grown.
    Recorded(Box<Record>),
    /// The system asks the program to end.
    Leave,
}

/// The purpose of thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Choose a move.
    Move,
    /// Find a hint.
    Hint,
    /// Find who is ahead.
    Evaluation,
    /// Find who was ahead after this many turns.
    Course(usize),
    /// Review the position after this many turns.
    Analysis(usize),
}

/// The result of a job.
#[derive(Debug)]
pub(crate) struct ThinkReport {
    pub(crate) id: u64,
    pub(crate) purpose: Purpose,
    pub(crate) time: Duration,
    pub(crate) answer: Result<Answer, Failure>,
}

/// The answer of an engine or a seat.
#[derive(Debug)]
pub(crate) enum Answer {
    /// An adviser's thought.
    Thought(Thought<String>),
    /// A seat's legal move.
    Move(TimedMove),
}
