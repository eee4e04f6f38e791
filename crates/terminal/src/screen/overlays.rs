//! Keys for boxes over the board: questions, the result, prompts, help.

use ratatui::crossterm::event::KeyCode;

use super::{Asks, Overlay, Prompt, Screen, ScreenRequest};

/// Longest path that can be typed.
const LONGEST_PATH: usize = 4096;
/// Turning points of the result.
const MOST_POINTS: usize = 3;

impl Screen {
    pub(super) fn overlay_key(
        &mut self,
        overlay: &Overlay,
        code: KeyCode,
    ) -> Option<ScreenRequest> {
        match (overlay, code) {
            (Overlay::Quit, KeyCode::Char('y' | 'Y' | 'q') | KeyCode::Enter) => {
                return Some(ScreenRequest::Leave);
            }
            (Overlay::New, KeyCode::Char('y' | 'Y' | 'n') | KeyCode::Enter) => {
                return Some(ScreenRequest::New);
            }
            (Overlay::GiveUp, KeyCode::Char('y' | 'Y' | 'c') | KeyCode::Enter) => {
                self.overlay = None;
                return self.give_up();
            }
            (Overlay::GiveUp, _) => self.overlay = None,
            (Overlay::Quit | Overlay::New, KeyCode::Char('N') | KeyCode::Esc) => {
                self.overlay = self.is_over().then_some(Overlay::Result);
            }
            (Overlay::Quit | Overlay::New, KeyCode::Char('s')) if !self.is_saved => {
                self.ask(Asks::Save);
            }
            (Overlay::Quit, KeyCode::Char('n')) => {
                self.overlay = self.is_over().then_some(Overlay::Result);
            }
            (Overlay::Result, code) => return self.result_key(code),
            (Overlay::Help(line), KeyCode::Down | KeyCode::Char('j')) => {
                self.overlay = Some(Overlay::Help(line.saturating_add(1)));
            }
            (Overlay::Help(line), KeyCode::Up | KeyCode::Char('k')) => {
                self.overlay = Some(Overlay::Help(line.saturating_sub(1)));
            }
            (Overlay::Help(_), _) => self.overlay = None,
            _ => {}
        }
        None
    }

    /// Keys of the screen at the end of a game.
    fn result_key(&mut self, code: KeyCode) -> Option<ScreenRequest> {
        self.message = None;
        let points = self.turning_points();
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.point = self.point.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => {
                self.point = (self.point + 1).min(points.len().saturating_sub(1));
            }
            KeyCode::Enter => {
                // The key of the last move may be repeated before the user sees the result.
                let point = points.get(self.point).map(|point| point.turn);
                let turn = point.filter(|_| self.analysis.is_complete())?;
                return Some(ScreenRequest::Branch(turn));
            }
            KeyCode::Char('r' | 'v') => return Some(ScreenRequest::Review),
            KeyCode::Char('a') => return Some(ScreenRequest::Rematch),
            KeyCode::Char('n') => return Some(ScreenRequest::New),
            KeyCode::Char('s') => self.ask(Asks::Save),
            KeyCode::Char('x' | 'X') => self.ask(Asks::Export),
            KeyCode::Char('q') => return Some(ScreenRequest::Leave),
            KeyCode::Char('u') => return self.take_back(),
            KeyCode::Char('T') => return Some(ScreenRequest::Theme),
            KeyCode::Esc | KeyCode::Char(' ') => self.overlay = None,
            _ => {}
        }
        None
    }

    /// The worst moves: those of the only person, or of all players.
    pub(crate) fn turning_points(&self) -> Vec<floe_games::review::TurningPoint> {
        let own = self.session.own_player();
        let is_listed = |point: &floe_games::review::TurningPoint| {
            !self.session.is_you(own) || point.mover == own
        };
        let all = self.analysis.turning_points(usize::MAX);
        all.into_iter()
            .filter(is_listed)
            .take(MOST_POINTS)
            .collect()
    }

    pub(super) fn type_key(&mut self, mut prompt: Prompt, code: KeyCode) -> Option<ScreenRequest> {
        match code {
            KeyCode::Esc => {
                self.overlay = self.is_over().then_some(Overlay::Result);
                return None;
            }
            KeyCode::Enter => {
                self.overlay = self.is_over().then_some(Overlay::Result);
                let text = prompt.text.trim().to_owned();
                return match prompt.asks {
                    _ if text.is_empty() => None,
                    Asks::Save => Some(ScreenRequest::Save(text)),
                    Asks::Export => Some(ScreenRequest::Export(text)),
                    Asks::Move => self.play(&text),
                };
            }
            KeyCode::Backspace => drop(prompt.text.pop()),
            KeyCode::Char(c) if prompt.is_proposal => prompt.text = c.to_string(),
            KeyCode::Char(c) if prompt.text.len() < LONGEST_PATH => prompt.text.push(c),
            _ => {}
        }
        prompt.is_proposal = false;
        self.overlay = Some(Overlay::Prompt(prompt));
        None
    }
}
