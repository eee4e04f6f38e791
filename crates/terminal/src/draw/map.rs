//! A small map of a large board: how much is left where, and the visible part.

use floe_rules::{Shade, Square, View};
use ratatui::text::{Line, Span};

use super::Skin;
use super::window::Window;
use crate::theme::Role;

/// Largest size of the map in characters.
const MOST: (u32, u32) = (14, 7);
/// Squares examined per character of the map, in each direction.
const SAMPLES: u32 = 3;

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
    let wide = (view.width.div_ceil(MOST.0)).max(view.height.div_ceil(MOST.1 * 2));
    let wide = wide.max(1);
    let high = wide * 2;
    let (columns, rows) = (view.width.div_ceil(wide), view.height.div_ceil(high));
    let from_top = view.height.saturating_sub(1 + cursor.row);
    let here = (cursor.column / wide, from_top / high);
    let left = window.left / wide;
    let right = (window.left + u32::from(window.columns)).div_ceil(wide) - 1;
    let top = window.top / high;
    let bottom = (window.top + u32::from(window.rows)).div_ceil(high) - 1;
    let frame = |column: u32, row: u32| {
        let (is_left, is_right) = (column == left, column == right);
        let (is_top, is_bottom) = (row == top, row == bottom);
        if column < left || column > right || row < top || row > bottom {
            return None;
        }
        Some(match (is_left, is_right, is_top, is_bottom) {
            (true, _, true, _) => skin.sign("┏", "+"),
            (_, true, true, _) => skin.sign("┓", "+"),
            (true, _, _, true) => skin.sign("┗", "+"),
            (_, true, _, true) => skin.sign("┛", "+"),
            (true, ..) | (_, true, ..) => skin.sign("┃", "|"),
            (_, _, true, _) | (_, _, _, true) => skin.sign("━", "="),
            _ => return None,
        })
    };
    let mut lines = Vec::new();
    for row in 0..rows {
        let mut line = Line::default();
        for column in 0..columns {
            let span: Span<'static> = match (here == (column, row), frame(column, row)) {
                (true, _) => skin.span(skin.sign("◆", "@"), Role::Mark),
                (false, Some(frame)) => skin.span(frame, Role::Key),
                (false, None) => {
                    let text = density(view, (column * wide, row * high), (wide, high), skin);
                    skin.span(text, Role::Faint)
                }
            };
            line.push_span(span);
        }
        lines.push(line);
    }
    lines
}

/// The share of a part of the board that is free.
fn density(view: &View, from: (u32, u32), size: (u32, u32), skin: Skin) -> &'static str {
    let (mut all, mut free) = (0, 0);
    for y in 0..SAMPLES {
        for x in 0..SAMPLES {
            let column = from.0 + x * size.0 / SAMPLES;
            let from_top = from.1 + y * size.1 / SAMPLES;
            let Some(row) = view.height.checked_sub(1 + from_top) else {
                continue;
            };
            let Some(cell) = view.cell(Square::new(column, row)) else {
                continue;
            };
            all += 1;
            free += usize::from(cell.owner.is_none() && cell.shade != Shade::Void);
        }
    }
    let signs = match skin.unicode {
        true => ["·", "░", "▒", "▓", "█"],
        false => [" ", ".", ":", "%", "#"],
    };
    signs[(free * 4).div_ceil(all.max(1)).min(4)]
}
