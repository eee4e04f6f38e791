//! All that can happen to the screen, in one queue.

use ratatui::crossterm::event::{KeyEvent, MouseEvent};

use super::worker::Report;

/// One thing that happened.
#[derive(Debug)]
pub(crate) enum Input {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// The terminal has another size.
    Resize,
    /// An engine has thought.
    Report(Report),
    /// The system wants us to end.
    Leave,
}
