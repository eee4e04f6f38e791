//! The board: fields in a window, lines and outlines, coordinates on the edges.
//!
//! Everything is readable without colour: marks are signs, outlines are lines, owners are numbers
//! if glyphs do not show them. Colours only add to that.

use std::collections::HashMap;

use floe_rules::{Cell, Numbering, Player, Prospect, Shade, Square, View};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::layout::{Size, Window};
use super::lines::{self, Weight};
use crate::board::column_name;
use crate::scene::Scene;
use crate::theme::{Accent, Role, Theme};

/// The mark of a square; the later ones win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// It changed in the last move.
    Last,
    /// A piece that can be picked up.
    Movable,
    /// A move can be made here.
    Target,
    /// The hint speaks of it.
    Hint,
    /// The piece that is picked up.
    Lifted,
}

impl Mark {
    fn accent(self) -> Accent {
        match self {
            Mark::Last => Accent::Last,
            Mark::Movable => Accent::Movable,
            Mark::Target => Accent::Target,
            Mark::Hint => Accent::Hint,
            Mark::Lifted => Accent::Lifted,
        }
    }
}

/// All that a board shows.
pub(crate) struct BoardDrawing<'a> {
    pub(crate) view: &'a Scene,
    pub(crate) marks: HashMap<Square, Mark>,
    pub(crate) cursor: Option<Square>,
    /// Fields that are drawn as they were, or as they are on the way.
    pub(crate) moving: HashMap<Square, Cell>,
    /// Whether the fields of the last move flash.
    pub(crate) is_flashing: bool,
    pub(crate) theme: Theme,
    pub(crate) unicode: bool,
}

impl BoardDrawing<'_> {
    /// Draws the part of the board that the window shows.
    pub(crate) fn draw(&self, window: &Window, area: Rect, buffer: &mut Buffer) {
        let pen = Pen { area };
        self.edges(window, &pen, buffer);
        self.lattice(window, &pen, buffer);
        for row in 0..window.rows {
            for column in 0..window.columns {
                let square = square_at(self.view, window, column, row);
                let moving = square.and_then(|square| self.moving.get(&square));
                let cell = moving.or(square.and_then(|square| self.view.cell(square)));
                let Some(cell) = cell else {
                    continue;
                };
                let (wide, high) = window.size.pitch();
                let field = Field {
                    cell,
                    mark: square.and_then(|square| self.marks.get(&square).copied()),
                    is_under_cursor: square == self.cursor,
                    tells_owners: self.view.tells_owners || self.theme != Theme::None,
                    shows_prospects: self.view.shows_prospects,
                };
                let place = (window.x + column * wide, window.y + row * high);
                self.field(&field, place, window.size, &pen, buffer);
            }
        }
    }

    fn field(
        &self,
        field: &Field<'_>,
        (x, y): (u16, u16),
        size: Size,
        pen: &Pen,
        buffer: &mut Buffer,
    ) {
        let style = self.field_style(field);
        let rows = self.content(field, size);
        for (row, text) in (0..size.height).zip(&rows) {
            pen.text(buffer, x, y + row, text, style);
        }
        let Some(accent) = field.accent() else {
            return;
        };
        // The signs have a ground of their own; with no room for signs, the field has it.
        let style = self.theme.accent(accent);
        let row = size.height / 2;
        let text = rows.get(usize::from(row)).map_or("", String::as_str);
        let (left, right) = field.signs();
        let last = size.width - 1;
        for (at, c) in (0..).zip(text.chars()) {
            let is_sign = match (at, size.width) {
                (_, 1) => true,
                (at, _) if at == last => c == right || (size.width == 2 && c == left),
                (0, 3..) => c == left,
                _ => false,
            };
            if is_sign {
                pen.text(buffer, x + at, y + row, c.encode_utf8(&mut [0; 4]), style);
            }
        }
    }

    fn field_style(&self, field: &Field<'_>) -> Style {
        let mut style = self.theme.cell(field.cell);
        if let (Prospect::Promised(_), true) = (field.cell.prospect, field.shows_prospects) {
            style = style.add_modifier(Modifier::DIM);
        }
        if field.mark.is_some() {
            style = style.add_modifier(Modifier::BOLD);
        }
        if self.is_flashing && field.mark == Some(Mark::Last) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        match field.is_under_cursor {
            true => self.theme.accent(Accent::Cursor),
            false => style,
        }
    }

    /// The field's characters, row by row, each row as wide as the field.
    fn content(&self, field: &Field<'_>, size: Size) -> Vec<String> {
        let cell = field.cell;
        let glyph = self.shown(cell.glyph);
        let mut text = String::from(glyph);
        match cell.owner {
            Some(owner) if !field.tells_owners => text.push_str(&owner.to_string()),
            None if field.shows_prospects && cell.prospect == Prospect::Contested => {
                text.push(if self.unicode { '°' } else { '\'' });
            }
            None if self.unicode && matches!(cell.shade, Shade::Level(_)) => {
                text.extend(self.view.drawing.level.and_then(|emblem| emblem.narrow));
            }
            _ => {}
        }
        let (left, right) = field.signs();
        if size.width == 1 {
            // Of a free field there is nothing to lose.
            let sign = match (cell.owner, left) {
                (None, '[' | '!' | ':') => left,
                _ => glyph,
            };
            return vec![sign.to_string()];
        }
        if size.width == 2 {
            // The mark gives way to a number that shows the owner of the field.
            let is_number = cell.owner.is_some() && !field.tells_owners;
            let second = match right {
                ' ' => text.chars().nth(1).unwrap_or(' '),
                _ if is_number => text.chars().nth(1).unwrap_or(left),
                _ => left,
            };
            return vec![format!("{glyph}{second}")];
        }
        let bracketed = |middle: &str, width: u16| {
            let room = usize::from(width) - 2;
            let used = middle.chars().count().min(room);
            let before = (room - used) / 2;
            let cut: String = middle.chars().take(room).collect();
            format!(
                "{left}{:before$}{cut}{:after$}{right}",
                "",
                "",
                after = room - used - before
            )
        };
        if size.height == 1 {
            if text.chars().count() == 2 && left == ' ' && size.width == 3 {
                return vec![format!(" {text}")];
            }
            return vec![bracketed(&text, size.width)];
        }
        let blank = " ".repeat(usize::from(size.width));
        let mut rows = vec![blank.clone(), bracketed(&text, size.width), blank];
        let drawing = &self.view.drawing;
        match (cell.owner, cell.shade) {
            (Some(_), _) => {
                if let Some(piece) = drawing.piece {
                    rows[0] = crate::board::centred(piece.wide, usize::from(size.width));
                }
            }
            (None, Shade::Level(level)) => {
                if let Some(emblem) = drawing.level {
                    let drawn: &[bool] = match level {
                        1 => &[false, true, false],
                        2 => &[true, false, true],
                        _ => &[true, true, true],
                    };
                    for (row, (text, &is_drawn)) in rows.iter_mut().zip(drawn).enumerate() {
                        let (number, l, r) = match row {
                            1 => (glyph, left, right),
                            _ => (' ', ' ', ' '),
                        };
                        let emblem = if is_drawn { emblem.wide } else { "" };
                        *text = format!("{l}{number} {emblem:<3}{r}");
                    }
                }
            }
            _ => {}
        }
        rows
    }

    fn shown(&self, glyph: char) -> char {
        match glyph {
            c if c.is_control() || (!self.unicode && !c.is_ascii()) => '?',
            c => c,
        }
    }

    /// The names of columns and rows, and the contest's numbers on the other edges.
    fn edges(&self, window: &Window, pen: &Pen, buffer: &mut Buffer) {
        let faint = self.theme.role(Role::Faint);
        let strong = self.theme.role(Role::Strong);
        let (right, bottom) = window.end();
        let (wide, high) = window.size.pitch();
        let labels = self.view.height.to_string().len() as u16;
        let style_of = |is_here: bool| if is_here { strong } else { faint };
        for row in 0..window.rows {
            let Some(square) = square_at(self.view, window, 0, row) else {
                continue;
            };
            let style = style_of(self.cursor.is_some_and(|cursor| cursor.row == square.row));
            let y = window.y + row * high + window.size.height / 2;
            let name = format!("{:>width$}", square.row + 1, width = usize::from(labels));
            pen.text(buffer, window.x.saturating_sub(labels + 2), y, &name, style);
            if let (Some(numbering), true) = (self.view.drawing.numbering, window.has_numbers) {
                let number = match numbering {
                    Numbering::TopLeft => self.view.height - 1 - square.row,
                    Numbering::BottomLeft => square.row,
                };
                pen.text(buffer, right + 1, y, &format!(" {number}"), style);
            }
        }
        let longest = column_name(self.view.width.saturating_sub(1)).len() as u16;
        let longest = match window.has_numbers {
            true => longest.max(self.view.width.saturating_sub(1).to_string().len() as u16),
            false => longest,
        };
        let step = usize::from(longest / wide) + 1;
        for column in (0..window.columns).step_by(step) {
            let at = window.left + u32::from(column);
            let style = style_of(self.cursor.is_some_and(|cursor| cursor.column == at));
            let middle = window.x + column * wide + window.size.width / 2;
            let name = column_name(at);
            let x = middle.saturating_sub(name.len() as u16 / 2);
            pen.text(buffer, x, bottom + 1, &name, style);
            if window.has_numbers {
                let number = at.to_string();
                let x = middle.saturating_sub(number.len() as u16 / 2);
                pen.text(buffer, x, window.y.saturating_sub(2), &number, style);
            }
        }
    }

    /// The frame and the lines between fields.
    fn lattice(&self, window: &Window, pen: &Pen, buffer: &mut Buffer) {
        let (right, bottom) = window.end();
        let (wide, high) = window.size.pitch();
        let (left, top) = (window.x - 1, window.y - 1);
        for y in top..=bottom {
            for x in left..=right {
                let is_edge = x == left || x == right || y == top || y == bottom;
                let on_line = window.size.has_lines
                    && ((x - left).is_multiple_of(wide) || (y - top).is_multiple_of(high));
                if !(is_edge || on_line) {
                    continue;
                }
                let (c, style) = self.line_at(window, x - left, y - top);
                pen.text(buffer, x, y, c.encode_utf8(&mut [0; 4]), style);
            }
        }
        self.arrows(window, pen, buffer);
    }

    /// The character of the frame or of a line `x`, `y` from the frame's corner.
    fn line_at(&self, window: &Window, x: u16, y: u16) -> (char, Style) {
        let (wide, high) = window.size.pitch();
        let (mut columns, mut rows) = (wide, high);
        if !window.size.has_lines {
            // Only the frame: as if the window were a single field.
            (columns, rows) = (window.columns * wide + 1, window.rows * high + 1);
        }
        let is_inside =
            |(column, row): (i64, i64)| window.size.has_lines || (column, row) == (0, 0);
        let on_column = x.is_multiple_of(columns);
        let on_row = y.is_multiple_of(rows);
        let (column, row) = (i64::from(x / columns), i64::from(y / rows));
        // The lines that could meet here, each between two fields.
        let between = |a, b| {
            self.between(
                window,
                Some(a).filter(|&a| is_inside(a)),
                Some(b).filter(|&b| is_inside(b)),
            )
        };
        let vertical = |row: i64| between((column - 1, row), (column, row));
        let horizontal = |column: i64| between((column, row - 1), (column, row));
        let none = (Weight::None, None, Style::new());
        let (arms, c) = match (on_column, on_row) {
            (true, true) => {
                let arms = [
                    vertical(row - 1),
                    horizontal(column),
                    vertical(row),
                    horizontal(column - 1),
                ];
                (arms, lines::joint(arms.map(|arm| arm.0), self.unicode))
            }
            (true, false) => {
                let arm = vertical(row);
                ([arm, none, none, none], lines::down(arm.0, self.unicode))
            }
            _ => {
                let arm = horizontal(column);
                ([arm, none, none, none], lines::across(arm.0, self.unicode))
            }
        };
        // The first of equally heavy ones: those that fill up have no ground.
        let heaviest = arms.into_iter().rev().max_by_key(|arm| arm.0);
        let (weight, owner, ground) = heaviest.unwrap_or(none);
        let style = match (weight, owner) {
            (Weight::None, _) => ground,
            (_, Some(owner)) => self.theme.player_line(owner),
            (_, None) => self.theme.role(Role::Faint),
        };
        (c, style)
    }

    /// The line between two fields of the window, whose it is, and the ground where there is
    /// none.
    fn between(
        &self,
        window: &Window,
        a: Option<(i64, i64)>,
        b: Option<(i64, i64)>,
    ) -> (Weight, Option<Player>, Style) {
        let is_outlined = self.view.drawing.is_outlined;
        let cell = |at: Option<(i64, i64)>| self.cell_in(window, at?);
        let (a, b) = (cell(a), cell(b));
        match (a, b) {
            (None, None) => (Weight::None, None, Style::new()),
            _ if !window.size.has_lines => (Weight::Light, None, Style::new()),
            (Some(cell), None) | (None, Some(cell)) => match cell.owner {
                Some(owner) if is_outlined => (Weight::Heavy, Some(owner), Style::new()),
                _ => (Weight::Light, None, Style::new()),
            },
            (Some(a), Some(b)) if is_outlined => match (a.owner, b.owner) {
                (None, None) => (Weight::Light, None, Style::new()),
                (one, other) if one == other => (Weight::None, one, self.theme.cell(a)),
                (one, other) => (Weight::Heavy, one.or(other), Style::new()),
            },
            (Some(a), Some(b)) if a.shade == Shade::Void && b.shade == Shade::Void => {
                (Weight::None, None, self.theme.cell(a))
            }
            _ => (Weight::Light, None, Style::new()),
        }
    }

    fn cell_in(&self, window: &Window, (column, row): (i64, i64)) -> Option<&Cell> {
        let column = u16::try_from(column).ok().filter(|&c| c < window.columns)?;
        let row = u16::try_from(row).ok().filter(|&r| r < window.rows)?;
        self.view.cell(square_at(self.view, window, column, row)?)
    }

    /// Arrows on the frame where the board continues.
    fn arrows(&self, window: &Window, pen: &Pen, buffer: &mut Buffer) {
        let (right, bottom) = window.end();
        let (left, top) = (window.x - 1, window.y - 1);
        let middle = ((left + right) / 2, (top + bottom) / 2);
        let style = self.theme.role(Role::Key);
        let signs = if self.unicode {
            ["◀", "▶", "▲", "▼"]
        } else {
            ["<", ">", "^", "v"]
        };
        let places = [
            (window.left > 0, (left, middle.1)),
            (
                window.left + u32::from(window.columns) < self.view.width,
                (right, middle.1),
            ),
            (window.top > 0, (middle.0, top)),
            (
                window.top + u32::from(window.rows) < self.view.height,
                (middle.0, bottom),
            ),
        ];
        for (sign, (_, (x, y))) in signs.into_iter().zip(places).filter(|(_, (more, _))| *more) {
            pen.text(buffer, x, y, sign, style);
        }
    }
}

/// One field and all that is said about it.
struct Field<'a> {
    cell: &'a Cell,
    mark: Option<Mark>,
    is_under_cursor: bool,
    /// Whether the glyph, or a colour, shows the owner.
    tells_owners: bool,
    shows_prospects: bool,
}

impl Field<'_> {
    /// The strongest reason why it stands out.
    fn accent(&self) -> Option<Accent> {
        match self.is_under_cursor {
            true => Some(Accent::Cursor),
            false => self.mark.map(Mark::accent),
        }
    }

    /// The signs on both sides of its content; under the cursor, the right one shows its other
    /// mark.
    fn signs(&self) -> (char, char) {
        let mark = self.mark.map(|mark| mark.accent().signs());
        match (self.is_under_cursor, mark) {
            (true, Some((_, right))) => (Accent::Cursor.signs().0, right),
            (true, None) => Accent::Cursor.signs(),
            (false, mark) => mark.unwrap_or((' ', ' ')),
        }
    }
}

fn square_at(view: &View, window: &Window, column: u16, row: u16) -> Option<Square> {
    let from_top = window.top + u32::from(row);
    let row = view.height.checked_sub(1 + from_top)?;
    let column = window.left + u32::from(column);
    (column < view.width).then(|| Square::new(column, row))
}

/// Writes text that never leaves the board's area.
struct Pen {
    area: Rect,
}

impl Pen {
    fn text(&self, buffer: &mut Buffer, x: u16, y: u16, text: &str, style: Style) {
        if y < self.area.y || y >= self.area.bottom() || x < self.area.x || x >= self.area.right() {
            return;
        }
        let room = usize::from(self.area.right() - x);
        buffer.set_stringn(x, y, text, room, style);
    }
}
