//! Keys and the mouse.

use std::time::Duration;

use floe_rules::{Choice, Square};
use floe_search::{Kind, Limits, Spec};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use super::{Asks, Marks, Message, Overlay, Prompt, Screen};
use crate::draw::window::Zoom;
use crate::input::Purpose;
use crate::session::TakenBack;
use crate::texts::{of_game, t};
use crate::thinker::Effort;
use floe_games::Turn;

/// Node limit per move when a game is finished automatically.
const FINISH: u64 = 3_000;
/// Time limit of a hint.
const HINT: Duration = Duration::from_secs(1);

/// Request from the screen to `App`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScreenRequest {
    /// A turn was made: write it to the record.
    Turn,
    /// Turns were undone.
    Back(TakenBack),
    /// These turns were redone.
    Again(Vec<Turn>),
    /// Save the record to this file.
    Save(String),
    /// Save the position to this file.
    Export(String),
    /// Another game.
    New,
    /// Play the same game again with seats exchanged.
    Rematch,
    /// Review the game.
    Review,
    /// Play again from this turn.
    Branch(usize),
    /// Try the next theme.
    Theme,
    Leave,
}

impl Screen {
    /// Takes in a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Option<ScreenRequest> {
        self.motion = None;
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && matches!(key.code, KeyCode::Char('c' | 'd')) {
            if self.overlay == Some(Overlay::Quit) {
                return Some(ScreenRequest::Leave);
            }
            self.overlay = Some(Overlay::Quit);
            return None;
        }
        if key.modifiers.contains(KeyModifiers::ALT) {
            // A terminal sends Alt and a key like Escape followed by the key.
            let plain = |code| KeyEvent::new(code, KeyModifiers::NONE);
            let request = self.key(plain(KeyCode::Esc));
            return request.or_else(|| self.key(plain(key.code)));
        }
        if is_control {
            return None;
        }
        match self.overlay.clone() {
            Some(Overlay::Prompt(prompt)) => self.type_key(prompt, key.code),
            Some(overlay) => self.overlay_key(&overlay, key.code),
            None => self.board_key(key.code),
        }
    }

    /// Keeps the visible part of the board in this area, whatever the cursor does.
    pub(crate) fn hold(&mut self, area: Rect) {
        let window = self.window(area);
        self.corner = Some((window.left, window.top));
    }

    /// Scrolls just far enough that the cursor is visible.
    pub(crate) fn follow(&mut self, area: Rect) {
        self.corner = Some(self.window(area).following(&self.view, self.cursor));
    }

    /// Scrolls by this many fields to the right and down; the cursor stays visible.
    pub(crate) fn scroll(&mut self, area: Rect, right: i32, down: i32) {
        let window = self.window(area);
        let corner = (
            window.left.saturating_add_signed(right),
            window.top.saturating_add_signed(down),
        );
        let window = window.at(&self.view, corner);
        self.corner = Some((window.left, window.top));
        self.cursor = window.nearest(&self.view, self.cursor);
    }

    fn enlarge(&mut self, zoom: Zoom) {
        self.zoom = zoom;
        self.corner = None;
    }

    /// Takes in a click on a square.
    pub(crate) fn click(&mut self, square: Square) -> Option<ScreenRequest> {
        if self.overlay.is_some() {
            return None;
        }
        self.motion = None;
        self.cursor = square;
        self.message = None;
        self.act()
    }

    fn board_key(&mut self, code: KeyCode) -> Option<ScreenRequest> {
        self.message = None;
        match code {
            KeyCode::Left | KeyCode::Up | KeyCode::BackTab if self.choices.is_by_keys() => {
                self.turn_preview(false);
            }
            KeyCode::Right | KeyCode::Down | KeyCode::Tab if self.choices.is_by_keys() => {
                self.turn_preview(true);
            }
            KeyCode::Enter | KeyCode::Char(' ') if self.choices.is_by_keys() => {
                let notation = self.previewed().map(|choice| choice.notation.clone());
                return self.play(&notation?);
            }
            KeyCode::Left | KeyCode::Char('h') => self.go(-1, 0),
            KeyCode::Right | KeyCode::Char('l') => self.go(1, 0),
            KeyCode::Up | KeyCode::Char('k') => self.go(0, 1),
            KeyCode::Down | KeyCode::Char('j') => self.go(0, -1),
            KeyCode::PageUp => self.go(0, 8),
            KeyCode::PageDown => self.go(0, -8),
            KeyCode::Home => self.go(-8, 0),
            KeyCode::End => self.go(8, 0),
            KeyCode::Tab => self.jump(true),
            KeyCode::BackTab => self.jump(false),
            KeyCode::Enter | KeyCode::Char(' ') => return self.act(),
            KeyCode::Esc => self.lifted = None,
            KeyCode::Char(digit @ '1'..='9') => return self.press(digit),
            KeyCode::Char('g' | 'G') => return self.act_specially(),
            KeyCode::Char('c' | 'C') => self.ask_to_give_up(),
            KeyCode::Char('f') => return self.finish(),
            KeyCode::Char('u') => return self.take_back(),
            KeyCode::Char('r') => return self.redo(),
            KeyCode::Char('?') => self.ask_for_hint(),
            KeyCode::Char('e') => self.toggle_evaluation(),
            KeyCode::Char('m') => self.turn_marks(),
            KeyCode::Char('p') => self.toggle_pause(),
            KeyCode::Char('s') => self.ask(Asks::Save),
            KeyCode::Char('x') => self.shows_numbers = !self.shows_numbers,
            KeyCode::Char('X') => self.ask(Asks::Export),
            KeyCode::Char(':' | '/') => self.ask(Asks::Move),
            KeyCode::Char('+' | '=') => self.enlarge(self.zoom.by(1)),
            KeyCode::Char('-') => self.enlarge(self.zoom.by(-1)),
            KeyCode::Char('z') => self.enlarge(self.zoom.toggled()),
            KeyCode::Char('T') => return Some(ScreenRequest::Theme),
            KeyCode::Char('n') if self.is_over() || self.session.turns().is_empty() => {
                return Some(ScreenRequest::New);
            }
            KeyCode::Char('n') => self.overlay = Some(Overlay::New),
            KeyCode::Char('q') => self.overlay = Some(Overlay::Quit),
            KeyCode::F(1) | KeyCode::Char('H') => self.overlay = Some(Overlay::Help(0)),
            KeyCode::F(2) if self.is_over() => self.overlay = Some(Overlay::Result),
            KeyCode::Char(c) if !c.is_control() => {
                self.refuse(t!("`{c}` does nothing here: F1 shows the keys", c));
            }
            _ => {}
        }
        None
    }

    fn go(&mut self, right: i64, up: i64) {
        self.has_pointed = true;
        let step = |at: u32, by: i64, all: u32| {
            (i64::from(at) + by).clamp(0, i64::from(all.max(1)) - 1) as u32
        };
        self.cursor = Square::new(
            step(self.cursor.column, right, self.view.width),
            step(self.cursor.row, up, self.view.height),
        );
    }

    /// Moves the cursor to the next square with a move.
    fn jump(&mut self, forward: bool) {
        let squares = self.choices.squares(self.lifted);
        let here = (std::cmp::Reverse(self.cursor.row), self.cursor.column);
        let key = |square: &Square| (std::cmp::Reverse(square.row), square.column);
        let next = match forward {
            true => (squares.iter().find(|s| key(s) > here)).or(squares.first()),
            false => (squares.iter().rev().find(|s| key(s) < here)).or(squares.last()),
        };
        self.cursor = next.copied().unwrap_or(self.cursor);
    }

    /// Picks up, puts down or plays at the cursor, or shows why that is impossible.
    fn act(&mut self) -> Option<ScreenRequest> {
        if !self.can_act() {
            return None;
        }
        let at = self.cursor;
        if self.lifted == Some(at) {
            self.lifted = None;
            return None;
        }
        let lifted = self.lifted;
        let is_meant = |choice: &&Choice| choice.from == lifted && choice.special.is_none();
        let meant = self.choices.at(at).find(is_meant);
        if let Some(notation) = meant.map(|choice| choice.notation.clone()) {
            return self.play(&notation);
        }
        if self.choices.can_move(at) {
            self.lifted = Some(at);
            return None;
        }
        let special = self.choices.at(at).find_map(|choice| choice.special);
        let reason = match special {
            Some(name) => t!(
                "Only the {name} takes {at}: g makes it.",
                name = of_game(name),
                at
            ),
            None => of_game(&self.session.position().refusal(lifted, at, false)),
        };
        self.refuse(reason);
        None
    }

    fn act_specially(&mut self) -> Option<ScreenRequest> {
        if !self.can_act() {
            return None;
        }
        let at = self.cursor;
        let is_meant = |choice: &&Choice| choice.special.is_some();
        let meant = self.choices.at(at).find(is_meant);
        if let Some(notation) = meant.map(|choice| choice.notation.clone()) {
            return self.play(&notation);
        }
        let reason = self.session.position().refusal(None, at, true);
        self.refuse(of_game(&reason));
        None
    }

    fn press(&mut self, digit: char) -> Option<ScreenRequest> {
        if !self.can_act() {
            return None;
        }
        let keyed = self.keyed_choices();
        let one = keyed.iter().find(|one| one.key == digit);
        let notation = one.and_then(|one| Some(one.choice?.notation.clone()));
        let owner = one.and_then(|one| one.owner);
        match (notation, owner) {
            (Some(notation), _) => return self.play(&notation),
            (None, Some(owner)) if self.session.is_you(owner) => {
                self.refuse(t!("You have this colour already: choose another one."));
            }
            (None, Some(owner)) => {
                let name = self.session.name(owner);
                self.refuse(t!("{name} has this colour: choose another one.", name));
            }
            (None, None) => self.refuse(t!("nothing has the key {digit} now", digit)),
        }
        None
    }

    /// Makes a move of the person at the keyboard.
    pub(super) fn play(&mut self, notation: &str) -> Option<ScreenRequest> {
        if !self.can_act() {
            return None;
        }
        let time = self.since.elapsed();
        match self.session.make(notation, time, String::new()) {
            Ok(()) => {
                self.note_passed_over();
                self.refresh();
                Some(ScreenRequest::Turn)
            }
            Err(error) => {
                self.refuse(of_game(&error.to_string()));
                None
            }
        }
    }

    fn ask_to_give_up(&mut self) {
        if !self.can_act() {
            return;
        }
        match self.session.position().give_up() {
            Some(_) => self.overlay = Some(Overlay::GiveUp),
            None => {
                self.refuse(t!("You cannot pass: the rules ask for a move."));
            }
        }
    }

    /// Whether the last turn and this one belong to the same player, as when no opponent can move.
    pub(crate) fn is_alone(&self) -> bool {
        let last = self.session.turns().last().map(|step| step.player);
        self.is_my_turn() && last.is_some() && last == self.session.turn()
    }

    /// Makes all remaining moves of the only player who can still move, as the engine chooses.
    fn finish(&mut self) -> Option<ScreenRequest> {
        if !self.can_act() {
            return None;
        }
        let mover = self.session.turn();
        let mut engine = self.session.game().engine(&Spec::from(Kind::Floe));
        let mut play = self.session.play().clone();
        let mut moves = Vec::new();
        while play.turn().is_some() {
            let thought = match self.is_alone() && play.turn() == mover {
                true => engine.think(play.position(), &Limits::nodes(FINISH)).ok(),
                false => None,
            };
            let made = thought.filter(|thought| play.make(&thought.best).is_ok());
            let Some(thought) = made else {
                self.refuse(t!("cannot auto-finish: an opponent can still move"));
                return None;
            };
            moves.push(thought.best);
        }
        let before = self.session.turns().len();
        let mut time = self.since.elapsed();
        for mv in &moves {
            let made = self
                .session
                .make(mv, std::mem::take(&mut time), String::new());
            debug_assert!(made.is_ok(), "{mv} was legal, but is refused now");
        }
        self.refresh();
        Some(ScreenRequest::Again(
            self.session.turns()[before..].to_vec(),
        ))
    }

    pub(super) fn give_up(&mut self) -> Option<ScreenRequest> {
        if !self.can_act() {
            return None;
        }
        if !self.session.give_up(self.since.elapsed()) {
            self.refuse(t!("You cannot pass: the rules ask for a move."));
            return None;
        }
        self.refresh();
        Some(ScreenRequest::Turn)
    }

    /// Whether the person at the keyboard may move; shows the reason if not.
    fn can_act(&mut self) -> bool {
        match self.session.mover() {
            None => self.refuse(t!("The game is over.")),
            Some((_, seat)) if seat.is_human() => return true,
            Some((player, _)) => {
                let name = self.session.name(player);
                self.refuse(t!("It is not your turn: {name} is to move.", name));
            }
        }
        false
    }

    pub(super) fn take_back(&mut self) -> Option<ScreenRequest> {
        let back = self.session.take_back();
        if back.undone.is_empty() {
            self.refuse(t!("nothing to undo"));
            return None;
        }
        self.overlay = None;
        // With engines only, the engine would repeat the move at once.
        self.is_paused = !self.session.has_humans();
        self.message = Some(Message::News(self.undone_text(&back.undone)));
        self.refresh();
        Some(ScreenRequest::Back(back))
    }

    /// The message after undoing these turns.
    fn undone_text(&self, undone: &[Turn]) -> String {
        let Some(step) = undone.iter().find(|step| step.fault().is_some()) else {
            return t!("undone; r redoes it");
        };
        let name = self.session.name(step.player);
        match (undone.len(), self.is_paused) {
            (1, true) => t!("the fault is undone: p asks {name} again", name),
            (1, false) => t!("the fault is undone: {name} is asked again", name),
            _ => t!("undone, the fault too: {name} plays again", name),
        }
    }

    fn redo(&mut self) -> Option<ScreenRequest> {
        let again = self.session.redo();
        if again.is_empty() {
            self.refuse(t!("nothing to redo"));
            return None;
        }
        self.refresh();
        Some(ScreenRequest::Again(again))
    }

    fn ask_for_hint(&mut self) {
        if !self.can_act() {
            return;
        }
        let position = self.session.position().clone_position();
        let adviser = self.adviser();
        adviser.cancel();
        let id = adviser.think(Purpose::Hint, position, Effort::For(HINT), Duration::ZERO);
        self.hinting = Some(id);
        self.message = Some(Message::News(t!("thinking about a hint")));
        self.evaluate_on();
    }

    fn toggle_evaluation(&mut self) {
        self.evaluation.is_shown = !self.evaluation.is_shown;
        self.evaluation.thought = None;
        self.evaluation.job = None;
        if self.evaluation.is_shown {
            self.evaluate();
        }
    }

    fn turn_marks(&mut self) {
        let special = self.choices.special();
        self.marks = match self.marks {
            Marks::Moves if special.is_some() => Marks::Special,
            Marks::Moves | Marks::Special => Marks::None,
            Marks::None => Marks::Moves,
        };
        let text = match self.marks {
            Marks::Moves => t!("Marked: where you can move."),
            Marks::Special => {
                let special = of_game(special.unwrap_or("special move"));
                t!("Marked: the {special}.", special)
            }
            Marks::None => t!("No marks."),
        };
        self.message = Some(Message::News(text));
    }

    fn toggle_pause(&mut self) {
        if self.is_over() || self.is_my_turn() {
            self.refuse(t!("only engines can be paused"));
            return;
        }
        self.is_paused = !self.is_paused;
        self.refresh();
    }

    pub(super) fn ask(&mut self, asks: Asks) {
        let (game, turns) = (self.session.game().name(), self.session.turns().len());
        let text = match asks {
            Asks::Move => String::new(),
            Asks::Save => format!("{game}.jsonl"),
            Asks::Export => format!("{game}-{turns}.txt"),
        };
        self.overlay = Some(Overlay::Prompt(Prompt {
            asks,
            is_proposal: !text.is_empty(),
            text,
        }));
    }

    fn refuse(&mut self, reason: String) {
        self.message = Some(Message::Refusal(reason));
    }
}
