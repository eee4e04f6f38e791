//! Reviews a game turn by turn, with the engine's evaluations.

use std::collections::HashMap;
use std::sync::mpsc::Sender;
use std::time::Duration;

use floe_games::Play;
use floe_games::record::Record;
use floe_rules::Square;
use floe_search::{Kind, Spec};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::analysis::Analysis;
use crate::draw::board::Mark;
use crate::draw::window::Zoom;
use crate::input::{Answer, Input, Purpose, ThinkReport};
use crate::scene::Scene;
use crate::screen::{Screen, squares_in};
use crate::session::Session;
use crate::texts::t;
use crate::thinker::{Effort, Mind, Thinker};
use crate::trail::Trail;

/// A game under review.
pub(crate) struct Review {
    pub(crate) session: Session,
    /// Number of turns before the shown position.
    pub(crate) at: usize,
    pub(crate) view: Scene,
    /// The game at that turn.
    pub(crate) play: Play,
    trail: Trail,
    pub(crate) analysis: Analysis,
    pub(crate) shows_evaluation: bool,
    pub(crate) shows_help: bool,
    pub(crate) zoom: Zoom,
    /// The record, if the game is being watched.
    pub(crate) watched: Option<Record>,
    /// The game to return to.
    pub(crate) game: Option<Box<Screen>>,
    /// The expected moves that are shown instead of the game.
    pub(crate) line: Option<ShownLine>,
    /// The reply to the last key, and whether it is good news.
    pub(crate) reply: Option<(String, bool)>,
    /// The thinker for a game that is not on the screen.
    thinker: Option<Thinker>,
}

/// Expected moves from a position of the game, as far as they are played on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShownLine {
    /// Number of turns before the first move.
    pub(crate) from: usize,
    pub(crate) moves: Vec<String>,
    /// Number of moves played on the board: at least one.
    pub(crate) at: usize,
}

/// The effect of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reviewed {
    Nothing,
    Leave,
    Theme,
    /// Play on from the shown position.
    Branch,
    /// Write the shown position to a file.
    Export,
}

impl Review {
    /// Reviews a game from its first turn; the engine starts to evaluate it.
    pub(crate) fn new(session: Session, inbox: Sender<Input>) -> Self {
        let thinker = Thinker::new(session.game(), Mind::Adviser(Spec::from(Kind::Floe)), inbox);
        let play = session.play_at(0);
        let mut review = Review {
            at: 0,
            view: Scene::new(play.position()),
            play,
            trail: Trail::new(&session),
            analysis: Analysis::new(&session),
            session,
            shows_evaluation: true,
            shows_help: false,
            zoom: Zoom::default(),
            watched: None,
            game: None,
            line: None,
            reply: None,
            thinker: Some(thinker),
        };
        review.think_on();
        review
    }

    /// Shows a watched game after this many turns, without an engine.
    pub(crate) fn watching(session: Session, record: Record, at: usize) -> Self {
        let play = session.play_at(0);
        let mut analysis = Analysis::new(&session);
        analysis.stop();
        let mut review = Review {
            at: 0,
            view: Scene::new(play.position()),
            play,
            trail: Trail::new(&session),
            analysis,
            session,
            shows_evaluation: false,
            shows_help: false,
            zoom: Zoom::default(),
            watched: Some(record),
            game: None,
            line: None,
            reply: None,
            thinker: None,
        };
        review.go(at);
        review
    }

    /// The review of a game on the screen; its adviser keeps evaluating and reports here.
    pub(crate) fn of(game: Box<Screen>) -> Self {
        let session = game.session.clone();
        let play = session.play_at(0);
        Review {
            at: 0,
            view: Scene::new(play.position()),
            play,
            trail: (game.trail.clone()).unwrap_or_else(|| Trail::new(&session)),
            analysis: game.analysis.clone(),
            session,
            shows_evaluation: true,
            shows_help: false,
            zoom: game.zoom,
            watched: None,
            game: Some(game),
            line: None,
            reply: None,
            thinker: None,
        }
    }

    /// Evaluates the next position.
    fn think_on(&mut self) {
        let thinker = match (&mut self.thinker, &mut self.game) {
            (Some(thinker), _) => thinker,
            (None, Some(game)) => game.adviser(),
            (None, None) => return,
        };
        let Some(turn) = self.analysis.next_position() else {
            return;
        };
        let position = self.trail.at(&self.session, turn).position();
        let effort = Effort::For(self.analysis.effort());
        thinker.think(
            Purpose::Analysis(turn),
            position.clone_position(),
            effort,
            Duration::ZERO,
        );
    }

    /// Adds an evaluation.
    pub(crate) fn report(&mut self, report: ThinkReport) {
        let Purpose::Analysis(turn) = report.purpose else {
            return;
        };
        if let Ok(Answer::Thought(thought)) = report.answer {
            self.analysis.note(turn, thought);
        }
        self.think_on();
    }

    /// Takes in a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Reviewed {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Reviewed::Leave;
        }
        if self.shows_help {
            self.shows_help = false;
            return Reviewed::Nothing;
        }
        self.reply = None;
        if self.line.is_some() && self.line_key(key.code) {
            return Reviewed::Nothing;
        }
        let last = self.session.turns().len();
        match key.code {
            KeyCode::Left | KeyCode::Up | KeyCode::Char('h' | 'k') => {
                self.go(self.at.saturating_sub(1));
            }
            KeyCode::Right | KeyCode::Down => self.go(self.at + 1),
            KeyCode::Enter if self.watched.is_none() => return Reviewed::Branch,
            KeyCode::Char('l' | 'j' | ' ') => self.go(self.at + 1),
            KeyCode::PageUp => self.go(self.at.saturating_sub(10)),
            KeyCode::PageDown => self.go(self.at + 10),
            KeyCode::Home => self.go(0),
            KeyCode::End => self.go(last),
            KeyCode::Char('t' | ']') => self.go_to_turning_point(true),
            KeyCode::Char('[') => self.go_to_turning_point(false),
            KeyCode::Char('v') => self.begin_line(),
            KeyCode::Char('e' | 'X') if self.watched.is_none() => return Reviewed::Export,
            KeyCode::Char('E') => self.shows_evaluation = !self.shows_evaluation,
            KeyCode::Char('+' | '=') => self.zoom = self.zoom.by(1),
            KeyCode::Char('-') => self.zoom = self.zoom.by(-1),
            KeyCode::Char('z') => self.zoom = self.zoom.toggled(),
            KeyCode::Char('T') => return Reviewed::Theme,
            KeyCode::F(1) => self.shows_help = true,
            KeyCode::Char('q') | KeyCode::Esc => return Reviewed::Leave,
            _ => {}
        }
        Reviewed::Nothing
    }

    /// Number of turns before the line that is worth a look: the better moves instead of the shown
    /// one, or the best moves from here.
    pub(crate) fn line_from(&self) -> Option<usize> {
        let last = self.at.checked_sub(1);
        let lost = last.filter(|&last| self.analysis.loss(last).is_some_and(|loss| loss > 0));
        let from = lost.unwrap_or(self.at);
        let is_known = self.shows_evaluation && !self.analysis.line(from).is_empty();
        is_known.then_some(from)
    }

    /// Plays the first move of the line on the board.
    fn begin_line(&mut self) {
        let Some(from) = self.line_from() else {
            self.reply = Some((t!("No better line is known here."), false));
            return;
        };
        let moves = self.analysis.line(from).to_vec();
        self.show_line(ShownLine { from, moves, at: 1 });
    }

    /// Steps through the line, or ends it; whether that is all the key does.
    fn line_key(&mut self, code: KeyCode) -> bool {
        let Some(mut line) = self.line.take() else {
            return false;
        };
        match code {
            KeyCode::Char('v' | 'l' | 'j' | ' ') | KeyCode::Right | KeyCode::Down => {
                line.at = (line.at + 1).min(line.moves.len());
            }
            KeyCode::Left | KeyCode::Up | KeyCode::Char('h' | 'k') => {
                line.at = line.at.saturating_sub(1);
            }
            code => {
                self.go(self.at);
                return code == KeyCode::Esc;
            }
        }
        match line.at {
            0 => self.go(self.at),
            _ => self.show_line(line),
        }
        true
    }

    /// Shows the position after the played moves of a line.
    fn show_line(&mut self, mut line: ShownLine) {
        let mut play = self.trail.at(&self.session, line.from).clone();
        let made = (line.moves[..line.at].iter()).take_while(|mv| play.make(mv).is_ok());
        line.at = made.count();
        self.view = Scene::new(play.position());
        self.play = play;
        self.line = Some(line);
    }

    /// Shows the position after this many turns.
    pub(crate) fn go(&mut self, turns: usize) {
        self.line = None;
        self.at = turns.min(self.session.turns().len());
        self.play = self.trail.at(&self.session, self.at).clone();
        self.view = Scene::new(self.play.position());
    }

    /// Goes to the next or previous turning point.
    fn go_to_turning_point(&mut self, forward: bool) {
        let mut turns: Vec<usize> = (self.analysis.turning_points(5).iter())
            .map(|turning| turning.turn + 1)
            .collect();
        turns.sort_unstable();
        let next = match forward {
            true => turns.iter().find(|&&turn| turn > self.at).or(turns.first()),
            false => (turns.iter().rev().find(|&&turn| turn < self.at)).or(turns.last()),
        };
        if let Some(&turn) = next {
            self.go(turn);
        }
    }

    /// The squares of the last move, of the better move, and of the best move now.
    pub(crate) fn marked(&self) -> HashMap<Square, Mark> {
        let mut marks = HashMap::new();
        let on_board = |square: &Square| self.view.cell(*square).is_some();
        let mut mark = |text: &str, mark: Mark| {
            for square in squares_in(text).into_iter().filter(on_board) {
                marks.insert(square, mark);
            }
        };
        if let Some(line) = &self.line {
            mark(&line.moves[line.at.saturating_sub(1)], Mark::Better);
            return marks;
        }
        let best = |turn: usize| {
            let worth = self.analysis.worth(turn).filter(|_| self.shows_evaluation);
            worth.and_then(|worth| worth.best.as_ref())
        };
        if let Some(best) = best(self.at) {
            mark(best, Mark::Hint);
        }
        let Some(last) = self.at.checked_sub(1) else {
            return marks;
        };
        let played = self.session.turns()[last].text();
        let loss = self.analysis.loss(last).filter(|&loss| loss > 0);
        match (loss, best(last)) {
            (Some(_), Some(better)) => {
                mark(better, Mark::Better);
                mark(played, Mark::Played);
            }
            _ => mark(played, Mark::Last),
        }
        marks
    }

    /// The square to keep visible on a large board.
    pub(crate) fn focus(&self) -> Square {
        let last = self
            .at
            .checked_sub(1)
            .map(|last| &self.session.turns()[last]);
        let squares = last.map(|step| squares_in(step.text())).unwrap_or_default();
        let middle = Square::new(self.view.width / 2, self.view.height / 2);
        squares.last().copied().unwrap_or(middle)
    }

    /// The game to return to, with all evaluations.
    pub(crate) fn back(&mut self) -> Option<Box<Screen>> {
        let mut game = self.game.take()?;
        game.analysis = self.analysis.clone();
        Some(game)
    }
}
