//! The board: squares in a window, outlines of areas, coordinates at the left and below.
//!
//! Content comes first, marks second: every square has a column of its own for marks, on the
//! background, and no mark covers what is on the square. Everything is readable without colour.

mod frames;
mod halves;

use std::collections::{HashMap, HashSet};

use floe_rules::{Cell, Player, Shade, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::signs;
use super::window::{Grid, Window};
use crate::board::column_name;
use crate::scene::Scene;
use crate::theme::{Role, Theme};

/// The mark of a square; later ones take precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// The last move changed the square.
    Last,
    /// The piece here can be picked up.
    Movable,
    /// A legal move is here.
    Target,
    /// The chosen move would gain the square.
    Gain,
    /// The hint is about the square.
    Hint,
    /// The played move, which lost something.
    Played,
    /// The better move.
    Better,
    /// The piece here is picked up.
    Lifted,
}

impl Mark {
    /// The character in the column for marks, if the mark has one.
    pub(crate) fn sign(self, unicode: bool) -> Option<char> {
        let (sign, ascii) = match self {
            Mark::Movable => return None,
            Mark::Last => ('◦', 'o'),
            Mark::Target => ('·', '.'),
            Mark::Gain => ('•', 'o'),
            Mark::Hint => ('!', '!'),
            Mark::Played => ('✗', 'x'),
            Mark::Better => ('✓', '+'),
            Mark::Lifted => ('▸', '*'),
        };
        Some(if unicode { sign } else { ascii })
    }

    fn role(self) -> Role {
        match self {
            Mark::Played => Role::Bad,
            Mark::Better => Role::Good,
            _ => Role::Mark,
        }
    }
}

/// Everything on the board besides its squares.
#[derive(Default)]
pub(crate) struct Decoration {
    pub(crate) marks: HashMap<Square, Mark>,
    pub(crate) cursor: Option<Square>,
    /// Squares in motion: drawn as they were, or as they are in between.
    pub(crate) moving: HashMap<Square, Cell>,
    /// Whether the squares of the last move flash.
    pub(crate) is_flashing: bool,
    /// Free squares that the player to move cannot use, drawn faintly.
    pub(crate) dimmed: HashSet<Square>,
    /// Start squares, marked with a letter.
    pub(crate) homes: HashMap<Square, char>,
    /// Squares taken by a special move.
    pub(crate) stars: HashSet<Square>,
}

/// A board with all its marks.
pub(crate) struct BoardDrawing<'a> {
    pub(crate) view: &'a Scene,
    pub(crate) on: Decoration,
    pub(crate) theme: Theme,
    pub(crate) unicode: bool,
}

impl BoardDrawing<'_> {
    /// Draws the part of the board in the window.
    pub(crate) fn draw(&self, window: &Window, area: Rect, buffer: &mut Buffer) {
        let pen = Pen { area };
        self.edges(window, &pen, buffer);
        match window.size.grid {
            Grid::Half => self.halves(window, &pen, buffer),
            Grid::Outline => self.outlines(window, &pen, buffer),
            _ => {}
        }
        if window.size.grid != Grid::Half {
            for row in 0..window.rows {
                for column in 0..window.columns {
                    self.square(window, (column, row), &pen, buffer);
                }
            }
        }
        self.cursor(window, &pen, buffer);
        self.arrows(window, &pen, buffer);
    }

    fn square(&self, window: &Window, (column, row): (u16, u16), pen: &Pen, buffer: &mut Buffer) {
        let Some(square) = window.square_in(self.view, column, row) else {
            return;
        };
        let Some(cell) = self.cell(square) else {
            return;
        };
        let size = window.size;
        let at = (window.x + column * size.wide, window.y + row * size.high);
        match size.grid {
            Grid::Tile => self.tile(square, cell, at, pen, buffer),
            Grid::Row => self.in_a_row(square, cell, at, pen, buffer),
            Grid::Outline => self.in_an_area(square, cell, window, at, pen, buffer),
            Grid::Block => self.block(square, cell, window, at, pen, buffer),
            Grid::Char | Grid::Half => {
                let mut text = self.glyph(square, cell);
                if let (None, Some(mark)) = (cell.owner, self.mark(square)) {
                    let is_shown = !matches!(mark, Mark::Target | Mark::Movable);
                    text = mark.sign(self.unicode).filter(|_| is_shown).unwrap_or(text);
                }
                let mut style = self.style(square, cell);
                if matches!(self.mark(square), Some(Mark::Target | Mark::Lifted)) {
                    style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
                }
                pen.char(buffer, at, text, style);
            }
        }
    }

    pub(super) fn cell(&self, square: Square) -> Option<&Cell> {
        self.on
            .moving
            .get(&square)
            .or_else(|| self.view.cell(square))
    }

    pub(super) fn mark(&self, square: Square) -> Option<Mark> {
        self.on.marks.get(&square).copied()
    }

    /// The style of a square's content.
    pub(super) fn style(&self, square: Square, cell: &Cell) -> Style {
        let is_void = cell.shade == Shade::Void && cell.owner.is_none();
        let mut style = match is_void {
            true => self.theme.role(Role::Faint),
            false => self.theme.cell(cell),
        };
        if self.on.dimmed.contains(&square) {
            style = self.theme.dimmed();
        }
        if self.on.is_flashing && self.mark(square) == Some(Mark::Last) && !is_void {
            style = style.add_modifier(Modifier::REVERSED);
        }
        style
    }

    /// One character for the content of a square.
    pub(super) fn glyph(&self, square: Square, cell: &Cell) -> char {
        match (cell.owner, cell.shade) {
            (Some(owner), Shade::Hue(_)) => {
                let home = self.on.homes.get(&square).copied();
                let shade = signs::shading(owner, self.unicode);
                home.or(shade)
                    .unwrap_or_else(|| signs::seat(owner, self.unicode))
            }
            (Some(owner), _) => signs::seat(owner, self.unicode),
            (None, Shade::Void) => match self.mark(square) {
                Some(Mark::Last) => Mark::Last.sign(self.unicode).unwrap_or(' '),
                _ if self.unicode => ' ',
                _ => '~',
            },
            (None, Shade::Plain) if cell.glyph == '.' && self.unicode => '·',
            _ => self.shown(cell.glyph),
        }
    }

    /// Three characters for the content of a square.
    pub(super) fn three(&self, square: Square, cell: &Cell) -> String {
        let emblem = self.view.drawing.level.and_then(|emblem| emblem.narrow);
        match (cell.owner, cell.shade, emblem.filter(|_| self.unicode)) {
            (Some(owner), ..) if self.view.drawing.piece.is_some() => {
                format!("({})", signs::seat(owner, self.unicode))
            }
            (None, Shade::Level(level @ 1..=3), Some(emblem)) => {
                let all: String = std::iter::repeat_n(emblem, level.into()).collect();
                format!("{all:<3}")
            }
            _ => format!(" {} ", self.glyph(square, cell)),
        }
    }

    /// A column for marks, then the content.
    fn in_a_row(
        &self,
        square: Square,
        cell: &Cell,
        (x, y): (u16, u16),
        pen: &Pen,
        buffer: &mut Buffer,
    ) {
        let text = self.three(square, cell);
        pen.text(buffer, x + 1, y, &text, self.style(square, cell));
        // A square that a piece has left already looks different.
        let is_left = cell.shade == Shade::Void && cell.owner.is_none();
        let mark = self
            .mark(square)
            .filter(|mark| *mark != Mark::Last || !is_left);
        self.put_mark(mark, (x, y), pen, buffer);
    }

    pub(super) fn put_mark(
        &self,
        mark: Option<Mark>,
        at: (u16, u16),
        pen: &Pen,
        buffer: &mut Buffer,
    ) {
        if let Some((mark, sign)) = mark.and_then(|mark| Some((mark, mark.sign(self.unicode)?))) {
            pen.char(buffer, at, sign, self.theme.role(mark.role()));
        }
    }

    /// A filled block; the last column of its first line is for marks.
    fn block(
        &self,
        square: Square,
        cell: &Cell,
        window: &Window,
        (x, y): (u16, u16),
        pen: &Pen,
        buffer: &mut Buffer,
    ) {
        let size = window.size;
        let style = self.style(square, cell);
        let is_hue = matches!(cell.shade, Shade::Hue(_));
        let fill = match (cell.owner, is_hue) {
            (Some(owner), true) => signs::shading(owner, self.unicode),
            _ => None,
        };
        let line: String = std::iter::repeat_n(fill.unwrap_or(' '), size.wide.into()).collect();
        // Only a colour fills the background of the whole square.
        let ground = if is_hue { style } else { Style::new() };
        for dy in 0..size.high {
            pen.text(buffer, x, y + dy, &line, ground);
        }
        let (mx, my) = (x + size.middle(), y + size.centre());
        let home = self.on.homes.get(&square).filter(|_| is_hue);
        match (home, fill) {
            (Some(&letter), _) => {
                let is_right = square.column * 2 >= self.view.width && size.wide == 2;
                let style = style.add_modifier(Modifier::BOLD);
                pen.char(buffer, (mx + u16::from(is_right), my), letter, style);
            }
            (None, Some(_)) => {}
            (None, None) if is_hue => pen.char(buffer, (mx, my), self.shown(cell.glyph), style),
            (None, None) => pen.char(buffer, (mx, my), self.glyph(square, cell), style),
        }
        if let (Some(owner), true, None) = (cell.owner, is_hue, fill) {
            // Without shading, the owner's number follows the colour.
            let sign = signs::seat(owner, self.unicode);
            pen.char(buffer, (mx + 1, my), sign, style);
            return;
        }
        let mark = self.mark(square).filter(|mark| match mark {
            Mark::Last => !is_hue,
            Mark::Target => !self.view.has_hues,
            _ => true,
        });
        let Some((mark, sign)) = mark.and_then(|mark| Some((mark, mark.sign(self.unicode)?)))
        else {
            return;
        };
        let role = match is_hue {
            true => style.add_modifier(Modifier::BOLD),
            false => self.theme.role(mark.role()),
        };
        pen.char(buffer, (mx + 1, my), sign, role);
    }

    /// The brackets around the square under the cursor; tiles have a heavy frame instead.
    fn cursor(&self, window: &Window, pen: &Pen, buffer: &mut Buffer) {
        let Some((x, y)) = (self.on.cursor).and_then(|at| window.place(self.view, at)) else {
            return;
        };
        let style = self.theme.role(Role::Mark).add_modifier(Modifier::BOLD);
        let size = window.size;
        let (left, right) = match size.grid {
            Grid::Tile => return,
            Grid::Char => {
                if let Some(cell) = buffer.cell_mut((x, y)) {
                    cell.modifier |= Modifier::REVERSED | Modifier::BOLD;
                }
                return;
            }
            Grid::Row => (x, x + 4),
            Grid::Outline | Grid::Block => {
                let middle = x + size.middle();
                (middle.saturating_sub(1), middle + 1)
            }
            Grid::Half => (x.saturating_sub(1), x + 1),
        };
        let y = y + size.centre();
        pen.char(buffer, (left, y), '[', style);
        pen.char(buffer, (right, y), ']', style);
    }

    fn shown(&self, glyph: char) -> char {
        match glyph {
            c if c.is_control() || (!self.unicode && !c.is_ascii()) => '?',
            c => c,
        }
    }

    /// The names of columns and rows.
    fn edges(&self, window: &Window, pen: &Pen, buffer: &mut Buffer) {
        let faint = self.theme.role(Role::Faint);
        let strong = self.theme.role(Role::Strong);
        let (_, bottom) = window.end();
        let size = window.size;
        let labels = (self.view.height.to_string().len()).max(2);
        let style_of = |is_here: bool| if is_here { strong } else { faint };
        let every = if size.grid == Grid::Half { 10 } else { 1 };
        for row in 0..window.rows {
            let Some(square) = window.square_in(self.view, 0, row) else {
                continue;
            };
            // If squares are small, only round numbers have space.
            let Some((_, y)) = window.place(self.view, square.at(window.left)) else {
                continue;
            };
            if (square.row + 1) % every != 0 {
                continue;
            }
            let is_here = self
                .on
                .cursor
                .is_some_and(|cursor| cursor.row == square.row);
            let name = format!("{:>labels$}", square.row + 1);
            let x = pen.area.x + u16::from(size.grid == Grid::Tile);
            pen.text(buffer, x, y + size.centre(), &name, style_of(is_here));
        }
        let longest = column_name(self.view.width.saturating_sub(1)).len() as u16;
        let step = match size.wide {
            1 => 10,
            wide => usize::from(longest / wide) + 1,
        };
        for column in (0..window.columns).step_by(step) {
            let at = window.left + u32::from(column);
            let is_here = self.on.cursor.is_some_and(|cursor| cursor.column == at);
            let x = window.x + column * size.wide + size.middle();
            let name = column_name(at);
            pen.text(buffer, x, bottom, &name, style_of(is_here));
        }
    }

    /// Arrows where the board continues: left and right below it, up and down next to the rows.
    fn arrows(&self, window: &Window, pen: &Pen, buffer: &mut Buffer) {
        let (right, bottom) = window.end();
        let style = self.theme.role(Role::Key);
        let signs = if self.unicode {
            ['◀', '▶', '▲', '▼']
        } else {
            ['<', '>', '^', 'v']
        };
        let x = window.x.saturating_sub(1);
        let places = [
            (window.left > 0, (x, bottom)),
            (
                window.left + u32::from(window.columns) < self.view.width,
                (right.saturating_sub(1), bottom),
            ),
            (window.top > 0, (x, window.y)),
            (
                window.top + u32::from(window.rows) < self.view.height,
                (x, bottom.saturating_sub(1)),
            ),
        ];
        for (sign, (_, at)) in signs.into_iter().zip(places).filter(|(_, (more, _))| *more) {
            pen.char(buffer, at, sign, style);
        }
    }

    /// The owner of a square, for outlines.
    pub(super) fn owner(&self, square: Option<Square>) -> Option<Player> {
        self.cell(square?)?.owner
    }
}

/// A square of the same row in another column.
trait InColumn {
    fn at(self, column: u32) -> Square;
}

impl InColumn for Square {
    fn at(self, column: u32) -> Square {
        Square::new(column, self.row)
    }
}

/// Writes text clipped to the board's area.
pub(super) struct Pen {
    pub(super) area: Rect,
}

impl Pen {
    pub(super) fn text(&self, buffer: &mut Buffer, x: u16, y: u16, text: &str, style: Style) {
        if y < self.area.y || y >= self.area.bottom() || x < self.area.x || x >= self.area.right() {
            return;
        }
        let room = usize::from(self.area.right() - x);
        buffer.set_stringn(x, y, text, room, style);
    }

    pub(super) fn char(&self, buffer: &mut Buffer, (x, y): (u16, u16), c: char, style: Style) {
        self.text(buffer, x, y, c.encode_utf8(&mut [0; 4]), style);
    }
}
