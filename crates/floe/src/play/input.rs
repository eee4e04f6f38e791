//! All that can happen to the screen.

use floe_games::record::Record;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};

use super::thinker::ThinkReport;

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
