//! Where everything stands on the screen: pure arithmetic, the same for drawing and for the mouse.

use floe_rules::{Square, View};
use ratatui::layout::{Position, Rect};

/// The least terminal in which a game can be played.
pub(crate) const LEAST: (u16, u16) = (40, 12);
/// Width of the panel next to a board.
const PANEL: u16 = 32;

/// The size of a drawn field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    /// Columns of a field without its lines.
    pub(crate) width: u16,
    /// Rows of a field without its lines.
    pub(crate) height: u16,
    /// Whether there are lines between fields.
    pub(crate) has_lines: bool,
}

/// The sizes a board is drawn in by itself, the largest first.
const SIZES: [Size; 4] = [
    Size::new(7, 3, true),
    Size::new(3, 1, true),
    Size::new(3, 1, false),
    Size::new(2, 1, false),
];

/// One character for a field: as much of a large board as there can be.
const LEAST_SIZE: Size = Size::new(1, 1, false);

/// The requested size of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zoom {
    /// This many sizes larger than what fits.
    Fitting(i8),
    /// One character for a field; and what it was before.
    Least(i8),
}

impl Default for Zoom {
    fn default() -> Self {
        Zoom::Fitting(0)
    }
}

impl Zoom {
    /// This many sizes larger.
    pub(crate) fn by(self, sizes: i8) -> Self {
        match self {
            Zoom::Fitting(larger) => Zoom::Fitting((larger + sizes).clamp(-3, 3)),
            Zoom::Least(before) => Zoom::Fitting(before),
        }
    }

    /// One character for a field, or as it was before.
    pub(crate) fn toggled(self) -> Self {
        match self {
            Zoom::Fitting(larger) => Zoom::Least(larger),
            Zoom::Least(before) => Zoom::Fitting(before),
        }
    }
}

impl Size {
    const fn new(width: u16, height: u16, has_lines: bool) -> Self {
        Size {
            width,
            height,
            has_lines,
        }
    }

    /// From one field to the next, to the right and down.
    pub(crate) fn pitch(self) -> (u16, u16) {
        let line = u16::from(self.has_lines);
        (self.width + line, self.height + line)
    }
}

/// The parts of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) title: Rect,
    /// The players and all else: beside the board, or a few lines above it.
    pub(crate) panel: Rect,
    /// Whether the panel is next to the board.
    pub(crate) is_wide: bool,
    pub(crate) board: Rect,
    /// The instruction or error.
    pub(crate) message: Rect,
    /// The keys.
    pub(crate) keys: Rect,
}

/// The parts of a screen of this size, with `lines` lines for the players if there is no room next
/// to the board; `None` if it is too small.
pub(crate) fn screen(area: Rect, lines: usize) -> Option<Layout> {
    if area.width < LEAST.0 || area.height < LEAST.1 {
        return None;
    }
    let row = |y: u16, height: u16| Rect::new(area.x, area.y + y, area.width, height);
    let is_wide = area.width >= PANEL + 38 && area.height >= 16;
    let bottom = area.height - 2;
    let (panel, board) = if is_wide {
        let left = area.width - PANEL;
        let mut board = row(1, bottom - 1);
        board.width = left;
        let panel = Rect::new(area.x + left, area.y + 1, PANEL, bottom - 1);
        (panel, board)
    } else {
        let lines = (lines.clamp(1, 5) as u16).min(area.height.saturating_sub(10).max(1));
        (row(1, lines), row(1 + lines, bottom - 1 - lines))
    };
    Some(Layout {
        title: row(0, 1),
        panel,
        is_wide,
        board,
        message: row(bottom, 1),
        keys: row(bottom + 1, 1),
    })
}

/// The part of a board that is seen, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) size: Size,
    /// The first field, lines and frame included.
    pub(crate) x: u16,
    pub(crate) y: u16,
    /// The first column seen.
    pub(crate) left: u32,
    /// The first row seen, counted from the top.
    pub(crate) top: u32,
    /// Visible columns and rows.
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    /// Whether the contest's own numbers stand on the other two edges.
    pub(crate) has_numbers: bool,
}

impl Window {
    /// The window of a board in an area: as large as fits, moved by `zoom` sizes, scrolled so
    /// that `cursor` is seen.
    pub(crate) fn new(view: &View, area: Rect, cursor: Square, zoom: Zoom) -> Self {
        let labels = view.height.to_string().len() as u16 + 1;
        let numbers = view.drawing.numbering.is_some();
        let right = (view.height.max(1) - 1).to_string().len() as u16 + 1;
        // Columns and rows that are not fields: names, frame, numbers.
        let around = |has_numbers: bool| {
            let (more_x, more_y) = if has_numbers { (right, 1) } else { (0, 0) };
            (labels + 2 + more_x, 3 + more_y)
        };
        let fits = |size: Size, has_numbers: bool| {
            let (x, y) = around(has_numbers);
            let (wide, high) = size.pitch();
            let less = u32::from(size.has_lines);
            view.width * u32::from(wide) + u32::from(x) <= u32::from(area.width) + less
                && view.height * u32::from(high) + u32::from(y) <= u32::from(area.height) + less
        };
        let fitting = SIZES.iter().position(|&size| fits(size, false));
        let narrow = |size: Size| {
            view.width * u32::from(size.width) + u32::from(around(false).0) > area.width.into()
        };
        let chosen = fitting.unwrap_or_else(|| match narrow(SIZES[2]) {
            true => 3,
            false => 2,
        });
        let size = match zoom {
            Zoom::Least(_) => LEAST_SIZE,
            Zoom::Fitting(larger) => {
                let chosen = chosen as i32 - i32::from(larger);
                SIZES[chosen.clamp(0, SIZES.len() as i32 - 1) as usize]
            }
        };
        let has_numbers = numbers && fits(size, true);
        let (around_x, around_y) = around(has_numbers);
        let (wide, high) = size.pitch();
        let less = u16::from(size.has_lines);
        let seen = |room: u16, pitch: u16, all: u32| {
            let most = room.saturating_add(less) / pitch;
            u32::from(most.max(1)).min(all) as u16
        };
        let columns = seen(area.width.saturating_sub(around_x), wide, view.width);
        let rows = seen(area.height.saturating_sub(around_y), high, view.height);
        let start = |at: u32, seen: u16, all: u32| {
            let seen = u32::from(seen);
            at.saturating_sub(seen / 2).min(all.saturating_sub(seen))
        };
        let from_top = view.height.saturating_sub(1 + cursor.row);
        // A board that fits stands in the middle of its room, one column nearer to the left.
        let used_x = columns * wide + around_x - less;
        let used_y = rows * high + around_y - less;
        Window {
            size,
            x: area.x + labels + 1 + area.width.saturating_sub(used_x) / 2,
            y: area.y + 1 + u16::from(has_numbers) + area.height.saturating_sub(used_y) / 2,
            left: start(cursor.column, columns, view.width),
            top: start(from_top, rows, view.height),
            columns,
            rows,
            has_numbers,
        }
    }

    /// The same window with this first column and row, or the nearest there are.
    pub(crate) fn at(self, view: &View, (left, top): (u32, u32)) -> Self {
        Window {
            left: left.min(view.width.saturating_sub(self.columns.into())),
            top: top.min(view.height.saturating_sub(self.rows.into())),
            ..self
        }
    }

    /// The first column and row of the window nearest to this one in which the cursor is seen,
    /// with a little around it.
    pub(crate) fn following(&self, view: &View, cursor: Square) -> (u32, u32) {
        let start = |first: u32, seen: u16, at: u32, all: u32| {
            let seen = u32::from(seen);
            let around = 2.min(seen.saturating_sub(1) / 2);
            let least = (at + around + 1).saturating_sub(seen);
            let most = at.saturating_sub(around);
            first
                .clamp(least.min(most), most)
                .min(all.saturating_sub(seen))
        };
        let from_top = view.height.saturating_sub(1 + cursor.row);
        (
            start(self.left, self.columns, cursor.column, view.width),
            start(self.top, self.rows, from_top, view.height),
        )
    }

    /// The square nearest to this one that is seen.
    pub(crate) fn nearest(&self, view: &View, square: Square) -> Square {
        let right = (self.left + u32::from(self.columns)).saturating_sub(1);
        let top = view.height.saturating_sub(1 + self.top);
        let bottom = view.height.saturating_sub(self.top + u32::from(self.rows));
        Square::new(
            square.column.clamp(self.left, right.max(self.left)),
            square.row.clamp(bottom.min(top), top),
        )
    }

    /// Whether the whole board is visible.
    pub(crate) fn shows_all(&self, view: &View) -> bool {
        u32::from(self.columns) >= view.width && u32::from(self.rows) >= view.height
    }

    /// Where the fields end, one past the last column and row.
    pub(crate) fn end(&self) -> (u16, u16) {
        let (wide, high) = self.size.pitch();
        let less = u16::from(self.size.has_lines);
        (
            self.x + self.columns * wide - less,
            self.y + self.rows * high - less,
        )
    }

    /// The squares that are seen.
    pub(crate) fn squares(&self, view: &View) -> impl Iterator<Item = Square> + use<> {
        let (left, columns) = (self.left, u32::from(self.columns));
        let bottom = view.height.saturating_sub(self.top + u32::from(self.rows));
        let top = view.height.saturating_sub(self.top);
        (bottom..top).flat_map(move |row| (left..left + columns).map(move |c| Square::new(c, row)))
    }

    /// The square drawn at a place of the screen.
    pub(crate) fn square(&self, view: &View, at: Position) -> Option<Square> {
        let (wide, high) = self.size.pitch();
        let column = at.x.checked_sub(self.x)? / wide;
        let row = at.y.checked_sub(self.y)? / high;
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let from_top = self.top + u32::from(row);
        let row = view.height.checked_sub(1 + from_top)?;
        Some(Square::new(self.left + u32::from(column), row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(width: u32, height: u32) -> View {
        let game = floe_games::find("gamma").unwrap();
        game.start(&format!("{width}x{height}"), 0).unwrap().view()
    }

    #[test]
    fn every_square_that_is_seen_is_found_by_the_mouse() {
        for (columns, rows) in [(10, 10), (50, 50), (1, 1), (200, 3)] {
            let view = view(columns, rows);
            for area in [Rect::new(3, 2, 90, 40), Rect::new(0, 1, 40, 9)] {
                for cursor in [Square::new(0, 0), Square::new(columns - 1, rows - 1)] {
                    let zooms = [-1, 0, 1].map(Zoom::Fitting);
                    for zoom in zooms.into_iter().chain([Zoom::Least(0)]) {
                        let window = Window::new(&view, area, cursor, zoom);
                        let (right, bottom) = window.end();
                        assert!(right < area.right() && bottom < area.bottom(), "{window:?}");
                        let mut found = Vec::new();
                        for y in 0..area.bottom() {
                            for x in 0..area.right() {
                                found.extend(window.square(&view, Position::new(x, y)));
                            }
                        }
                        assert!(found.contains(&cursor), "{window:?}");
                        found.sort_by_key(|s| (s.row, s.column));
                        found.dedup();
                        assert_eq!(
                            found.len(),
                            usize::from(window.columns) * usize::from(window.rows)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_window_follows_the_cursor_no_further_than_it_must() {
        let view = view(50, 50);
        let area = Rect::new(0, 0, 40, 20);
        let start = Window::new(&view, area, Square::new(25, 25), Zoom::default());
        let corner = (start.left, start.top);
        let follow = |cursor| start.following(&view, cursor);
        // Anywhere inside, nothing moves.
        assert_eq!(follow(Square::new(25, 25)), corner);
        let right = start.left + u32::from(start.columns) - 1;
        assert_eq!(follow(Square::new(right - 2, 25)), corner);
        // At the edge, as far as the cursor went.
        assert_eq!(follow(Square::new(right, 25)), (corner.0 + 2, corner.1));
        assert_eq!(
            follow(Square::new(start.left, 25)),
            (corner.0 - 2, corner.1)
        );
        // The board's own edges stop it.
        assert_eq!(follow(Square::new(0, 49)), (0, 0));
        let end = (50 - u32::from(start.columns), 50 - u32::from(start.rows));
        assert_eq!(follow(Square::new(49, 0)), end);
        assert_eq!(
            start
                .at(&view, (99, 99))
                .following(&view, Square::new(49, 0)),
            end
        );
        let seen = start.at(&view, (0, 0));
        let nearest = seen.nearest(&view, Square::new(49, 0));
        assert_eq!(nearest.column + 1, u32::from(seen.columns));
        assert_eq!(nearest.row, 50 - u32::from(seen.rows));
    }

    #[test]
    fn small_terminals_are_refused_and_narrow_ones_stack() {
        assert_eq!(screen(Rect::new(0, 0, 39, 30), 2), None);
        assert_eq!(screen(Rect::new(0, 0, 100, 11), 2), None);
        assert!(!screen(Rect::new(0, 0, 40, 15), 2).unwrap().is_wide);
        assert!(screen(Rect::new(0, 0, 80, 24), 2).unwrap().is_wide);
    }
}
