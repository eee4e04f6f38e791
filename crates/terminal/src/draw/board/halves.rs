//! Two squares in one character, one above the other, distinguished by colour.

use floe_rules::{Shade, Square};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Style};

use super::super::signs;
use super::super::window::Window;
use super::{BoardDrawing, Mark, Pen};

impl BoardDrawing<'_> {
    pub(super) fn halves(&self, window: &Window, pen: &Pen, buffer: &mut Buffer) {
        for row in (0..window.rows).step_by(2) {
            for column in 0..window.columns {
                let upper = window.square_in(self.view, column, row);
                let is_seen = row + 1 < window.rows;
                let lower = (window.square_in(self.view, column, row + 1)).filter(|_| is_seen);
                let at = (window.x + column, window.y + row / 2);
                let (sign, style) = self.pair(upper, lower);
                pen.char(buffer, at, sign, style);
            }
        }
    }

    fn pair(&self, upper: Option<Square>, lower: Option<Square>) -> (char, Style) {
        let grounds = [upper, lower].map(|square| self.ground(square?));
        for (square, other) in [(upper, grounds[1]), (lower, grounds[0])] {
            let Some(square) = square else { continue };
            let Some(cell) = self.cell(square) else {
                continue;
            };
            // A piece's sign takes both squares.
            if let (Some(owner), true) = (cell.owner, self.view.drawing.piece.is_some()) {
                let style = self.theme.player_line(owner);
                let style = other.map_or(style, |ground| style.bg(ground));
                return (signs::seat(owner, self.unicode), style);
            }
            let is_marked = matches!(
                self.mark(square),
                Some(Mark::Target | Mark::Hint | Mark::Gain | Mark::Played | Mark::Better)
            );
            if let (true, Some(sign)) = (is_marked, self.mark_sign(square)) {
                let style = self.theme.role(crate::theme::Role::Mark);
                let ground = grounds[0].or(grounds[1]);
                let style = match ground {
                    Some(ground) => Style::new().fg(self.theme.ink()).bg(ground),
                    None => style,
                };
                return (sign, style);
            }
        }
        match grounds {
            [None, None] => (' ', Style::new()),
            [Some(up), None] => ('▀', Style::new().fg(up)),
            [None, Some(low)] => ('▄', Style::new().fg(low)),
            [Some(up), Some(low)] if up == low => ('█', Style::new().fg(up)),
            [Some(up), Some(low)] => ('▀', Style::new().fg(up).bg(low)),
        }
    }

    fn mark_sign(&self, square: Square) -> Option<char> {
        self.mark(square)?.sign(self.unicode)
    }

    /// The colour of a square; none for water and for free ground.
    fn ground(&self, square: Square) -> Option<Color> {
        let cell = self.cell(square)?;
        match (cell.owner, cell.shade) {
            (Some(owner), _) => self.theme.player(owner).bg,
            (None, Shade::Void) => None,
            (None, Shade::Plain) => self.theme.free_ground(),
            (None, _) => self.theme.cell(cell).bg,
        }
    }
}
