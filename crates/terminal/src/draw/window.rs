//! The visible part of a board, and the size of its squares: pure arithmetic, shared by drawing and
//! the mouse.

use floe_rules::{Shade, Square, View};
use ratatui::layout::{Position, Rect};

/// The way a square is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grid {
    /// A tile with its own frame; marks are in the corner.
    Tile,
    /// A column for marks, then three columns for the content.
    Row,
    /// Outlines around areas, on lines between the squares.
    Outline,
    /// A filled block; the last column is for marks.
    Block,
    /// One character per square.
    Char,
    /// Half a character for a square.
    Half,
}

/// The size of a drawn square: the distance to the next, to the right and down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) grid: Grid,
    pub(crate) wide: u16,
    pub(crate) high: u16,
}

impl Size {
    const TILE: Size = Size::new(Grid::Tile, 6, 3);
    const ROW: Size = Size::new(Grid::Row, 4, 1);
    const PAIR: Size = Size::new(Grid::Block, 2, 1);
    const CHAR: Size = Size::new(Grid::Char, 1, 1);
    const HALF: Size = Size::new(Grid::Half, 1, 1);

    const fn new(grid: Grid, wide: u16, high: u16) -> Self {
        Size { grid, wide, high }
    }

    /// The possible sizes of a board, largest first.
    fn of(view: &View, has_halves: bool) -> [Size; 4] {
        let last = if has_halves { Size::HALF } else { Size::CHAR };
        let is_hue = |cell: &floe_rules::Cell| matches!(cell.shade, Shade::Hue(_));
        if view.cells.first().is_some_and(is_hue) {
            let block = |wide, high| Size::new(Grid::Block, wide, high);
            return [block(6, 3), block(4, 2), Size::PAIR, last];
        }
        if view.drawing.is_outlined {
            let outline = |wide, high| Size::new(Grid::Outline, wide, high);
            return [outline(8, 4), outline(4, 2), Size::PAIR, last];
        }
        [Size::TILE, Size::ROW, Size::PAIR, last]
    }

    /// Whether only a part of a large board needs to be visible.
    pub(crate) fn is_least(self) -> bool {
        matches!(self.grid, Grid::Char | Grid::Half)
    }

    /// Columns and lines besides the squares: the last line or bracket.
    fn rest(self) -> (u16, u16) {
        match self.grid {
            Grid::Outline => (1, 1),
            Grid::Row => (1, 0),
            _ => (0, 0),
        }
    }

    /// Columns between the names of rows and the first square.
    fn gap(self) -> u16 {
        1 + u16::from(self.grid == Grid::Tile)
    }

    /// Rows of squares in a line of characters.
    fn rows_per_line(self) -> u32 {
        if self.grid == Grid::Half { 2 } else { 1 }
    }

    /// Columns and lines for this many squares.
    fn room(self, columns: u32, rows: u32) -> (u32, u32) {
        let (more_x, more_y) = self.rest();
        (
            columns * u32::from(self.wide) + u32::from(more_x),
            rows.div_ceil(self.rows_per_line()) * u32::from(self.high) + u32::from(more_y),
        )
    }

    /// The column of a square above its name.
    pub(crate) fn middle(self) -> u16 {
        match self.grid {
            Grid::Outline => self.wide / 2,
            Grid::Row => 2,
            _ => (self.wide - 1) / 2,
        }
    }

    /// The line of a square next to its name.
    pub(crate) fn centre(self) -> u16 {
        match self.grid {
            Grid::Outline => self.high / 2,
            _ => (self.high - 1) / 2,
        }
    }
}

/// The requested size of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Zoom {
    /// Steps above the size that fits.
    larger: i8,
    /// One character per square, whatever fits.
    is_least: bool,
    /// Whether two squares may share a character, one above the other, distinguished by colour.
    pub(crate) has_halves: bool,
}

impl Default for Zoom {
    fn default() -> Self {
        Zoom {
            larger: 0,
            is_least: false,
            has_halves: true,
        }
    }
}

impl Zoom {
    /// As large as fits; two squares share a character only if `has_halves`.
    pub(crate) fn fitting(has_halves: bool) -> Self {
        Zoom {
            has_halves,
            ..Zoom::default()
        }
    }

    /// The same zoom, this many steps larger.
    pub(crate) fn by(self, sizes: i8) -> Self {
        Zoom {
            larger: match self.is_least {
                true => self.larger,
                false => (self.larger + sizes).clamp(-3, 3),
            },
            is_least: false,
            ..self
        }
    }

    /// One character per square, or the zoom before.
    pub(crate) fn toggled(self) -> Self {
        Zoom {
            is_least: !self.is_least,
            ..self
        }
    }
}

/// The largest size in which the whole board fits into this many columns and lines, by its index
/// among all sizes, and its lines with the names of columns.
pub(crate) fn fitting(view: &View, columns: u16, lines: u16, zoom: Zoom) -> (usize, Size, u32) {
    let sizes = Size::of(view, zoom.has_halves);
    let labels = u32::from(labels(view));
    let fits = |size: &Size| {
        let (x, y) = size.room(view.width, view.height);
        x + labels + u32::from(size.gap()) <= columns.into() && y < lines.into()
    };
    let found = sizes.iter().position(fits).unwrap_or(sizes.len() - 1);
    let size = sizes[found];
    (found, size, size.room(view.width, view.height).1 + 1)
}

/// Columns of the rows' names.
fn labels(view: &View) -> u16 {
    (view.height.to_string().len() as u16).max(2)
}

/// The visible part of the board, and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) size: Size,
    /// The first square.
    pub(crate) x: u16,
    pub(crate) y: u16,
    /// The first visible column.
    pub(crate) left: u32,
    /// The first visible row, counted from the top.
    pub(crate) top: u32,
    /// Visible columns and rows.
    pub(crate) columns: u16,
    pub(crate) rows: u16,
}

impl Window {
    /// The window of a board in an area: as large as fits, changed by `zoom`, scrolled so that
    /// `cursor` is visible.
    pub(crate) fn new(view: &View, area: Rect, cursor: Square, zoom: Zoom) -> Self {
        let (chosen, ..) = fitting(view, area.width, area.height, zoom);
        let sizes = Size::of(view, zoom.has_halves);
        let chosen = (chosen as i32 - i32::from(zoom.larger)).clamp(0, sizes.len() as i32 - 1);
        let size = match zoom.is_least {
            true => Size::CHAR,
            false => sizes[chosen as usize],
        };
        let around = labels(view) + size.gap();
        let (more_x, more_y) = size.rest();
        let seen = |room: u16, pitch: u16, all: u32| u32::from((room / pitch).max(1)).min(all);
        let columns = seen(
            area.width.saturating_sub(around + more_x),
            size.wide,
            view.width,
        );
        let lines = area.height.saturating_sub(1 + more_y) / size.high;
        let rows = (u32::from(lines.max(1)) * size.rows_per_line()).min(view.height);
        let start = |at: u32, seen: u32, all: u32| {
            at.saturating_sub(seen / 2).min(all.saturating_sub(seen))
        };
        let from_top = view.height.saturating_sub(1 + cursor.row);
        Window {
            size,
            x: area.x + around,
            y: area.y,
            left: start(cursor.column, columns, view.width),
            top: start(from_top, rows, view.height),
            columns: columns as u16,
            rows: rows as u16,
        }
    }

    /// The same window with this first column and row, or the nearest possible.
    pub(crate) fn at(self, view: &View, (left, top): (u32, u32)) -> Self {
        Window {
            left: left.min(view.width.saturating_sub(self.columns.into())),
            top: top.min(view.height.saturating_sub(self.rows.into())),
            ..self
        }
    }

    /// The first column and row of the nearest window in which the cursor is visible, with a little
    /// space around it.
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

    /// The visible square nearest to this one.
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

    /// One past the last column and line of the squares.
    pub(crate) fn end(&self) -> (u16, u16) {
        let (wide, high) = self.size.room(self.columns.into(), self.rows.into());
        (self.x + wide as u16, self.y + high as u16)
    }

    /// The visible squares.
    pub(crate) fn squares(&self, view: &View) -> impl Iterator<Item = Square> + use<> {
        let (left, columns) = (self.left, u32::from(self.columns));
        let bottom = view.height.saturating_sub(self.top + u32::from(self.rows));
        let top = view.height.saturating_sub(self.top);
        (bottom..top).flat_map(move |row| (left..left + columns).map(move |c| Square::new(c, row)))
    }

    /// The square of a visible column and row, both counted from the top left.
    pub(crate) fn square_in(&self, view: &View, column: u16, row: u16) -> Option<Square> {
        let from_top = self.top + u32::from(row);
        let row = view.height.checked_sub(1 + from_top)?;
        let column = self.left + u32::from(column);
        (column < view.width).then(|| Square::new(column, row))
    }

    /// The first column and line of a square, if visible.
    pub(crate) fn place(&self, view: &View, square: Square) -> Option<(u16, u16)> {
        let from_top = view.height.checked_sub(1 + square.row)?;
        let column = u16::try_from(square.column.checked_sub(self.left)?).ok()?;
        let row = u16::try_from(from_top.checked_sub(self.top)?).ok()?;
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let line = row / self.size.rows_per_line() as u16;
        Some((
            self.x + column * self.size.wide,
            self.y + line * self.size.high,
        ))
    }

    /// The square drawn at a place of the screen; of two in one character, the upper one.
    pub(crate) fn square(&self, view: &View, at: Position) -> Option<Square> {
        let column = at.x.checked_sub(self.x)? / self.size.wide;
        let line = at.y.checked_sub(self.y)? / self.size.high;
        let row = line * self.size.rows_per_line() as u16;
        if column >= self.columns || row >= self.rows {
            return None;
        }
        self.square_in(view, column, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(game: &str, width: u32, height: u32) -> View {
        let game = floe_games::find(game).unwrap();
        game.start(&format!("{width}x{height}"), 0).unwrap().view()
    }

    #[test]
    fn every_square_that_is_seen_is_found_by_the_mouse() {
        for (columns, rows) in [(10, 10), (50, 50), (12, 1), (200, 3)] {
            for game in ["penguins", "gamma", "flood"] {
                let view = view(game, columns, rows);
                for area in [Rect::new(3, 2, 90, 40), Rect::new(0, 1, 40, 9)] {
                    for cursor in [Square::new(0, 0), Square::new(columns - 1, rows - 1)] {
                        let zoom = Zoom::fitting(false);
                        for zoom in [zoom.by(-1), zoom, zoom.by(1), zoom.toggled()] {
                            let window = Window::new(&view, area, cursor, zoom);
                            let (right, bottom) = window.end();
                            let is_inside = right <= area.right() && bottom < area.bottom();
                            assert!(is_inside || window.columns == 1 || window.rows == 1);
                            let mut found = Vec::new();
                            for y in 0..bottom {
                                for x in 0..right {
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
    }

    #[test]
    fn a_window_follows_the_cursor_no_further_than_it_must() {
        let view = view("gamma", 50, 50);
        let area = Rect::new(0, 0, 40, 20);
        let zoom = Zoom::fitting(false);
        let start = Window::new(&view, area, Square::new(25, 25), zoom);
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
        let seen = start.at(&view, (0, 0));
        let nearest = seen.nearest(&view, Square::new(49, 0));
        assert_eq!(nearest.column + 1, u32::from(seen.columns));
        assert_eq!(nearest.row, 50 - u32::from(seen.rows));
    }

    #[test]
    fn boards_are_drawn_as_large_as_fits() {
        let size = |game: &str, side: u32, columns: u16, lines: u16| {
            let view = view(game, side, side);
            fitting(&view, columns, lines, Zoom::default()).1.grid
        };
        assert_eq!(size("penguins", 10, 46, 21), Grid::Row);
        assert_eq!(size("penguins", 10, 68, 37), Grid::Tile);
        assert_eq!(size("gamma", 10, 46, 22), Grid::Outline);
        assert_eq!(size("flood", 20, 46, 21), Grid::Block);
        assert_eq!(size("flood", 50, 64, 21), Grid::Half);
    }
}
