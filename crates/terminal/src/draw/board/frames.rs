//! Frames of tiles, and outlines around areas.

use floe_rules::{Cell, Shade, Square};
use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::super::window::Window;
use super::{BoardDrawing, Mark, Pen};
use crate::theme::Role;

/// A frame: corners from the top left clockwise, then the horizontal and vertical line.
type Frame = [char; 6];

const LIGHT: Frame = ['╭', '╮', '╯', '╰', '─', '│'];
const HEAVY: Frame = ['┏', '┓', '┛', '┗', '━', '┃'];
const DOUBLE: Frame = ['╔', '╗', '╝', '╚', '═', '║'];
const ASCII: Frame = ['.', '.', '\'', '\'', '-', '|'];
const ASCII_HEAVY: Frame = ['+', '+', '+', '+', '=', '|'];
const ASCII_DOUBLE: Frame = ['#', '#', '#', '#', '#', '#'];

/// Line joints by direction: up, right, down, left; the last direction changes fastest.
const JOINTS: &str = " ╴╷╮╶─╭┬╵╯│┤╰┴├┼";

impl BoardDrawing<'_> {
    /// A square with a frame of its own. The cursor has a heavy frame, the lifted piece a double
    /// one.
    pub(super) fn tile(
        &self,
        square: Square,
        cell: &Cell,
        (x, y): (u16, u16),
        pen: &Pen,
        buffer: &mut Buffer,
    ) {
        let mark = self.mark(square);
        let is_here = self.on.cursor == Some(square);
        let is_void = cell.shade == Shade::Void && cell.owner.is_none();
        let text = self.three(square, cell);
        let content = match text.trim() {
            text if text.chars().count() == 3 => format!("{text} "),
            text => format!(" {text:<3}"),
        };
        let style = self.style(square, cell);
        let marked = |role| self.theme.role(role);
        let (frame, line) = match (mark, is_here) {
            (Some(Mark::Lifted), _) => (self.frame(&DOUBLE, &ASCII_DOUBLE), marked(Role::Mark)),
            (_, true) => (self.frame(&HEAVY, &ASCII_HEAVY), marked(Role::Mark)),
            _ if is_void => {
                pen.text(buffer, x + 1, y + 1, &content, style);
                return;
            }
            _ => (self.frame(&LIGHT, &ASCII), self.frame_style(cell, style)),
        };
        let across: String = std::iter::repeat_n(frame[4], 4).collect();
        let top = format!("{}{across}{}", frame[0], frame[1]);
        let bottom = format!("{}{across}{}", frame[3], frame[2]);
        pen.text(buffer, x, y, &top, line);
        pen.text(buffer, x, y + 2, &bottom, line);
        pen.char(buffer, (x, y + 1), frame[5], line);
        pen.char(buffer, (x + 5, y + 1), frame[5], line);
        pen.text(buffer, x + 1, y + 1, &content, style);
        let sign = match mark {
            Some(Mark::Target) if self.unicode => Some('•'),
            Some(Mark::Lifted) | None => None,
            Some(mark) => mark.sign(self.unicode),
        };
        if let Some(sign) = sign {
            let role = mark.map_or(Role::Mark, Mark::role);
            pen.char(buffer, (x + 4, y), sign, self.theme.role(role));
        }
    }

    fn frame<'a>(&self, unicode: &'a Frame, ascii: &'a Frame) -> &'a Frame {
        if self.unicode { unicode } else { ascii }
    }

    /// The frame of a tile in the colour of its ice or owner.
    fn frame_style(&self, cell: &Cell, style: Style) -> Style {
        match (cell.owner, style.bg) {
            (Some(owner), _) => self.theme.player_line(owner),
            (None, Some(ground)) => Style::new().fg(self.theme.on_ground(ground)),
            (None, None) => self.theme.role(Role::Faint),
        }
    }

    /// The content of a square between the lines of outlines.
    pub(super) fn in_an_area(
        &self,
        square: Square,
        cell: &Cell,
        window: &Window,
        (x, y): (u16, u16),
        pen: &Pen,
        buffer: &mut Buffer,
    ) {
        let size = window.size;
        let (mx, my) = (x + size.middle(), y + size.centre());
        let mark = self.mark(square);
        match cell.owner {
            Some(owner) => {
                let style = self.theme.player_line(owner);
                let style = match self.on.is_flashing && mark == Some(Mark::Last) {
                    true => style.add_modifier(ratatui::style::Modifier::REVERSED),
                    false => style,
                };
                let sign = super::signs::seat(owner, self.unicode);
                pen.char(buffer, (mx, my), sign, style);
                let is_star = self.on.stars.contains(&square);
                if is_star {
                    let star = if self.unicode { '★' } else { '*' };
                    pen.char(buffer, (mx + 1, my), star, self.theme.role(Role::Mark));
                }
                self.put_mark(mark, (mx - 1, my), pen, buffer);
            }
            None if self.on.dimmed.contains(&square) => {
                self.put_mark(mark, (mx - 1, my), pen, buffer);
            }
            None => {
                let (sign, role) = match mark {
                    Some(Mark::Target) => (Mark::Target.sign(self.unicode), Role::Mark),
                    _ => (Some(self.glyph(square, cell)), Role::Faint),
                };
                let style = self.theme.role(role);
                pen.char(buffer, (mx, my), sign.unwrap_or(' '), style);
                let beside = mark.filter(|mark| *mark != Mark::Target);
                self.put_mark(beside, (mx - 1, my), pen, buffer);
            }
        }
    }

    /// The outlines of areas, with their joints.
    pub(super) fn outlines(&self, window: &Window, pen: &Pen, buffer: &mut Buffer) {
        let (wide, high) = (window.size.wide, window.size.high);
        for row in 0..=window.rows {
            for column in 0..=window.columns {
                let at = |dx: i32, dy: i32| {
                    let column = u16::try_from(i32::from(column) + dx).ok()?;
                    let row = u16::try_from(i32::from(row) + dy).ok()?;
                    let is_seen = column < window.columns && row < window.rows;
                    window.square_in(self.view, column, row).filter(|_| is_seen)
                };
                let owner = |dx, dy| self.owner(at(dx, dy));
                let (up_left, up_right) = (owner(-1, -1), owner(0, -1));
                let (low_left, low_right) = (owner(-1, 0), owner(0, 0));
                let arms = [
                    up_left != up_right,
                    up_right != low_right,
                    low_left != low_right,
                    up_left != low_left,
                ];
                let owners = [up_left, up_right, low_left, low_right];
                let style = |owners: &[Option<floe_rules::Player>]| {
                    let owner = owners.iter().flatten().next();
                    owner.map_or(Style::new(), |&owner| self.theme.player_line(owner))
                };
                let (x, y) = (window.x + column * wide, window.y + row * high);
                if arms.contains(&true) {
                    pen.char(buffer, (x, y), self.joint(arms), style(&owners));
                }
                if arms[1] {
                    let line = if self.unicode { "─" } else { "-" };
                    let text = line.repeat(usize::from(wide) - 1);
                    pen.text(buffer, x + 1, y, &text, style(&[up_right, low_right]));
                }
                if arms[2] {
                    let line = if self.unicode { '│' } else { '|' };
                    for dy in 1..high {
                        let style = style(&[low_left, low_right]);
                        pen.char(buffer, (x, y + dy), line, style);
                    }
                }
            }
        }
    }

    fn joint(&self, arms: [bool; 4]) -> char {
        let index = arms.iter().fold(0, |n, &arm| n * 2 + usize::from(arm));
        match (self.unicode, arms) {
            (true, _) => JOINTS.chars().nth(index).unwrap_or(' '),
            (false, [false, _, false, _]) => '-',
            (false, [_, false, _, false]) => '|',
            (false, _) => '+',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_meet_as_they_are() {
        assert_eq!(JOINTS.chars().count(), 16);
        let joint = |up: usize, right: usize, down: usize, left: usize| {
            let index = up * 8 + right * 4 + down * 2 + left;
            JOINTS.chars().nth(index).unwrap()
        };
        assert_eq!(joint(0, 1, 1, 0), '╭');
        assert_eq!(joint(0, 0, 1, 1), '╮');
        assert_eq!(joint(1, 1, 0, 0), '╰');
        assert_eq!(joint(1, 0, 0, 1), '╯');
        assert_eq!(joint(1, 0, 1, 0), '│');
        assert_eq!(joint(0, 1, 0, 1), '─');
        assert_eq!(joint(1, 1, 1, 0), '├');
        assert_eq!(joint(1, 0, 1, 1), '┤');
        assert_eq!(joint(0, 1, 1, 1), '┬');
        assert_eq!(joint(1, 1, 0, 1), '┴');
        assert_eq!(joint(1, 1, 1, 1), '┼');
    }
}
