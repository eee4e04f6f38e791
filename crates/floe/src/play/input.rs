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
    /// A program is about to sit down behind a sandbox of this level.
    Sandbox(u8),
    /// The system wants us to end.
    Leave,
}
