//! The layout of the screen.

use floe_rules::View;
use ratatui::layout::Rect;

use super::window::{Grid, Zoom, fitting};

/// The smallest terminal in which a game can be played.
pub(crate) const LEAST: (u16, u16) = (40, 12);
/// Least width of the panel next to a board.
const PANEL: u16 = 34;
/// The panel's largest width.
const WIDEST_PANEL: u16 = 52;
/// Width of the panel next to a part of a large board.
const SLIM_PANEL: u16 = 16;

/// The parts of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) title: Rect,
    /// The players and everything else: next to the board, or a few lines above it.
    pub(crate) panel: Rect,
    /// Whether the panel is next to the board.
    pub(crate) is_wide: bool,
    pub(crate) board: Rect,
    /// The line with the next action, or the last lines of the panel.
    pub(crate) message: Rect,
    /// The keys.
    pub(crate) keys: Rect,
}

/// The parts of a screen of this size, with `lines` lines for the players if they do not fit next
/// to the board; `None` if it is too small.
pub(crate) fn screen(area: Rect, lines: usize, view: Option<&View>, zoom: Zoom) -> Option<Layout> {
    if area.width < LEAST.0 || area.height < LEAST.1 {
        return None;
    }
    let row = |y: u16, height: u16| Rect::new(area.x, area.y + y, area.width, height);
    let last = area.height - 1;
    let is_wide = area.width >= PANEL + 38 && area.height >= 16;
    let mut layout = Layout {
        title: row(0, 1),
        panel: row(1, 1),
        is_wide,
        board: row(1, last - 2),
        message: row(last - 1, 1),
        keys: row(last, 1),
    };
    if !is_wide {
        let lines = (lines.clamp(1, 5) as u16).min(area.height.saturating_sub(10).max(1));
        layout.panel = row(1, lines);
        layout.board = row(1 + lines, last - 2 - lines);
        return Some(layout);
    }
    let mut panel = (u32::from(area.width) * 13 / 30) as u16;
    panel = panel.clamp(PANEL, WIDEST_PANEL);
    let Some(view) = view else {
        return Some(layout);
    };
    let room = last - 2;
    let fit = |panel: u16, lines: u16| fitting(view, area.width - panel, lines, zoom);
    let (at, size, mut needed) = fit(panel, room);
    let (high_at, high_size, high_needed) = fit(panel, room + 1);
    // The sentence moves into the panel if the board can then have its outlines.
    let is_beside = high_at < at && high_size.grid == Grid::Outline;
    if is_beside {
        needed = high_needed;
    } else if size.is_least() {
        let (_, slim_size, slim_needed) = fit(SLIM_PANEL, room);
        if slim_size.is_least() {
            (panel, needed) = (SLIM_PANEL, slim_needed);
        }
    }
    let left = area.width - panel;
    let spare = u32::from(room).saturating_sub(needed);
    let top = if spare >= 2 { 2 } else { 1 };
    let bottom = match (is_beside, spare >= 4) {
        (true, _) => last,
        (false, true) => last - 2,
        (false, false) => last - 1,
    };
    layout.board = Rect::new(area.x, area.y + top, left, bottom - top);
    layout.panel = Rect::new(area.x + left, area.y + top, panel, bottom - top);
    layout.message = match is_beside {
        true => Rect::new(area.x + left, area.y + last - 4, panel, 3),
        false => row(bottom, 1),
    };
    if is_beside {
        layout.panel.height -= 5;
        layout.panel.y += 1;
    }
    Some(layout)
}

impl Layout {
    /// Whether the panel contains the sentence with the next action.
    pub(crate) fn has_message_beside(&self) -> bool {
        self.message.height > 1
    }

    /// Whether the panel is next to a part of a large board.
    pub(crate) fn is_slim(&self) -> bool {
        self.is_wide && self.panel.width == SLIM_PANEL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_terminals_are_refused_and_narrow_ones_stack() {
        let screen =
            |width, height| screen(Rect::new(0, 0, width, height), 2, None, Zoom::default());
        assert_eq!(screen(39, 30), None);
        assert_eq!(screen(100, 11), None);
        assert!(!screen(40, 15).unwrap().is_wide);
        assert!(screen(80, 24).unwrap().is_wide);
    }
}
