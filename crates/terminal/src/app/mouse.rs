//! The mouse: clicks on keys, lines and squares, and the wheel.

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::{App, Stage};
use crate::draw::spots::ClickAction;
use crate::screen::Overlay;

/// Squares per step of the mouse wheel.
const WHEEL: i32 = 3;

impl App {
    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        let at = Position::new(mouse.column, mouse.row);
        let press = |code| KeyEvent::new(code, KeyModifiers::NONE);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => match self.spots.at(at) {
                Some(ClickAction::Key(code)) => self.key(press(code)),
                Some(ClickAction::Row(row)) => {
                    if let Stage::NewGame(form) = &mut self.stage {
                        let chosen = form.click(row);
                        self.take_choice(chosen);
                    } else if let Stage::Games(list) = &mut self.stage {
                        let is_again = list.row == row;
                        list.row = row;
                        if is_again {
                            self.open_kept();
                        }
                    }
                }
                None => self.click_board(at),
            },
            MouseEventKind::Down(MouseButton::Right) => {
                if let Stage::Game(screen) = &mut self.stage {
                    screen.lifted = None;
                }
            }
            MouseEventKind::ScrollUp if self.scrolls() => self.key(press(KeyCode::Up)),
            MouseEventKind::ScrollDown if self.scrolls() => self.key(press(KeyCode::Down)),
            kind => {
                let is_shifted = mouse.modifiers.contains(KeyModifiers::SHIFT);
                match (kind, is_shifted) {
                    (MouseEventKind::ScrollUp, false) => self.scroll(0, -WHEEL),
                    (MouseEventKind::ScrollDown, false) => self.scroll(0, WHEEL),
                    (MouseEventKind::ScrollUp, true) => self.scroll(-WHEEL, 0),
                    (MouseEventKind::ScrollDown, true) => self.scroll(WHEEL, 0),
                    (MouseEventKind::ScrollLeft, _) => self.scroll(-WHEEL, 0),
                    (MouseEventKind::ScrollRight, _) => self.scroll(WHEEL, 0),
                    _ => {}
                }
            }
        }
    }

    /// Scrolls the board.
    fn scroll(&mut self, right: i32, down: i32) {
        if let (Some(area), Stage::Game(screen)) = (self.board_area(), &mut self.stage)
            && screen.overlay.is_none()
        {
            screen.scroll(area, right, down);
        }
    }

    /// Whether the mouse wheel scrolls the current activity.
    fn scrolls(&self) -> bool {
        match &self.stage {
            Stage::NewGame(_) | Stage::Games(_) | Stage::Review(_) => true,
            Stage::Tour(_) | Stage::Puzzles(_) => false,
            Stage::Game(screen) => matches!(screen.overlay, Some(Overlay::Help(_))),
        }
    }

    fn click_board(&mut self, at: Position) {
        let area = self.board_area();
        let (Some(area), Some(screen)) = (area, self.stage.board()) else {
            return;
        };
        // The clicked square stays under the pointer.
        screen.hold(area);
        let Some(square) = screen.window(area).square(&screen.view, at) else {
            return;
        };
        let request = screen.click(square);
        match (&mut self.stage, request) {
            (Stage::Puzzles(round), request) => round.take(request.as_ref()),
            (_, Some(request)) => self.grant(request),
            (_, None) => {}
        }
    }
}
