//! All that can happen to the screen.

use ratatui::crossterm::event::{KeyEvent, MouseEvent};

use super::worker::Report;

/// One thing that happened.
#[derive(Debug)]
pub(crate) enum Input {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// An engine has thought.
    Report(Report),
    /// The system wants us to end.
    Leave,
}
