//! Where one is on a board that does not fit: a small map of it.

use floe_rules::{Square, View};
use ratatui::text::{Line, Span};

use super::Skin;
use super::layout::Window;
use crate::theme::Role;

/// Largest size of the map in characters, to the right and down.
const MOST: (u32, u32) = (24, 6);

/// The map, if a part of the board is out of sight: what is seen, and where the cursor is.
pub(super) fn lines(
    view: &View,
    window: &Window,
    cursor: Square,
    skin: Skin,
) -> Vec<Line<'static>> {
    if window.shows_all(view) {
        return Vec::new();
    }
    // A character is about twice as high as wide.
    let shrink = (view.width.div_ceil(MOST.0))
        .max(view.height.div_ceil(MOST.1 * 2))
        .max(1);
    let (wide, high) = (shrink, shrink * 2);
    let (columns, rows) = (view.width.div_ceil(wide), view.height.div_ceil(high));
    let from_top = view.height.saturating_sub(1 + cursor.row);
    let here = (cursor.column / wide, from_top / high);
    let (left, right) = (window.left, window.left + u32::from(window.columns));
    let (top, bottom) = (window.top, window.top + u32::from(window.rows));
    let mut lines = Vec::new();
    for row in 0..rows {
        let mut line = Line::from(Span::raw(" "));
        for column in 0..columns {
            let (x, y) = (column * wide, row * high);
            let is_seen = x < right && x + wide > left && y < bottom && y + high > top;
            line.push_span(match (here == (column, row), is_seen) {
                (true, _) => skin.span(skin.sign("◆", "@"), Role::Key),
                (false, true) => skin.span(skin.sign("▒", "#"), Role::Text),
                (false, false) => skin.span(skin.sign("·", "."), Role::Faint),
            });
        }
        lines.push(line);
    }
    lines
}
