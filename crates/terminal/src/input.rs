//! All that can happen to the screen.

use std::time::Duration;

use floe_arena::seat::{Decision, Failure};
use floe_games::record::Record;
use floe_search::Thought;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};

/// One thing that happened.
#[derive(Debug)]
pub(crate) enum Input {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// An engine has thought.
    Report(ThinkReport),
    /// A program is about to sit down behind a sandbox of this level.
    Sandbox(u8),
    /// A game was recorded, or has grown, in the file that is watched.
    Recorded(Box<Record>),
    /// The system wants us to end.
    Leave,
}

/// What the thinking is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To move.
    Move,
    /// To help.
    Hint,
    /// To say who is ahead.
    Evaluation,
    /// To look back at the position after so many turns.
    Analysis(usize),
}

/// What came of a job.
#[derive(Debug)]
pub(crate) struct ThinkReport {
    pub(crate) id: u64,
    pub(crate) purpose: Purpose,
    pub(crate) time: Duration,
    pub(crate) answer: Result<Answer, Failure>,
}

/// What somebody came up with.
#[derive(Debug)]
pub(crate) enum Answer {
    /// What an adviser thinks.
    Thought(Thought<String>),
    /// A legal move of somebody at the table.
    Move(Decision),
}
