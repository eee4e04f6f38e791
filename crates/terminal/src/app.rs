//! The current activity: the form, a game, or a review; and how one leads to another.

mod other_games;

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::sync::mpsc::Sender;

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use crate::chooser::{Chooser, Chosen};
use crate::config::{self, ConfigFile};
use crate::draw::layout;
use crate::draw::spots::{Act, Spots};
use crate::draw::{self, Skin};
use crate::error::TerminalError;
use crate::home::{Home, Memory, SET_HOME};
use crate::input::Input;
use crate::kept::{GameList, KeptGame};
use crate::recorder::{self, GameRecorder, SharedRecorder};
use crate::review::{Review, Reviewed};
use crate::screen::{Message, Overlay, Screen, Tick, Wish};
use crate::session::{Session, random_seed};
use crate::stage::Stage;
use crate::theme::Theme;
use crate::watching::Watching;

/// Games listed.
const MOST_GAMES: usize = 500;

/// Fields per step of the mouse wheel.
const WHEEL: i32 = 3;

/// Everything that is on the screen and behind it.
pub(crate) struct App {
    pub(crate) stage: Stage,
    pub(crate) has_left: bool,
    /// Whether moves are animated.
    pub(crate) has_motion: bool,
    /// The theme that suits the terminal, if no setting chose another.
    pub(crate) suiting: Option<Theme>,
    skin: Skin,
    home: Home,
    config: ConfigFile,
    memory: Memory,
    inbox: Sender<Input>,
    recorder: SharedRecorder,
    size: (u16, u16),
    /// The list that a look through one of its games comes back to.
    list: Option<Box<GameList>>,
    /// The games that are watched as they are recorded.
    watching: Option<Watching>,
    /// The clickable places on the screen as drawn last.
    spots: Spots,
}

impl App {
    /// The form; engines report to `inbox`.
    pub(crate) fn new(
        home: Home,
        config: ConfigFile,
        skin: Skin,
        inbox: Sender<Input>,
        size: (u16, u16),
    ) -> Self {
        let memory = home.recall();
        let chooser = Chooser::new(&memory, random_seed(), size);
        let chooser = chooser.offering(&KeptGame::all(&home, MOST_GAMES));
        App {
            stage: Stage::Chooser(Box::new(chooser)),
            has_left: false,
            has_motion: false,
            suiting: None,
            skin,
            home,
            config,
            memory,
            inbox,
            recorder: SharedRecorder::default(),
            size,
            list: None,
            watching: None,
            spots: Spots::default(),
        }
    }

    pub(crate) fn skin(&self) -> Skin {
        self.skin
    }

    /// Plays a game, from its first turn or from where it was left.
    pub(crate) fn play(&mut self, session: Session, recorder: Option<GameRecorder>) {
        self.close();
        let storage = match recorder {
            Some(_) => Ok(()),
            None => self.home.check(),
        };
        let recorder = recorder.unwrap_or_else(|| GameRecorder::new(&self.home, &session));
        self.recorder.begin(recorder, session.play().end());
        let mut screen = Screen::new(session, self.inbox.clone());
        screen.has_motion = self.has_motion;
        self.stage = Stage::Game(Box::new(screen));
        if let Err(error) = storage {
            self.recorder.stop();
            self.say_lost(&error);
        }
    }

    /// Looks through a game.
    pub(crate) fn review(&mut self, session: Session) {
        let review = Review::new(session, self.inbox.clone());
        self.stage = Stage::Review(Box::new(review));
    }

    /// Takes in whatever happened.
    pub(crate) fn input(&mut self, input: Input) {
        match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Input::Key(_) => {}
            Input::Mouse(mouse) => self.mouse(mouse),
            Input::Report(report) => match &mut self.stage {
                Stage::Game(screen) => {
                    if screen.report(report) {
                        self.keep_turn();
                    }
                }
                Stage::Review(review) => review.report(report),
                Stage::Tour(tour) => tour.report(report),
                Stage::Chooser(_) | Stage::Games(_) => {}
            },
            Input::Sandbox(level) => {
                if let Stage::Game(screen) = &mut self.stage {
                    screen.note_sandbox(level);
                }
            }
            Input::Recorded(record) => {
                if let Some(watching) = &mut self.watching {
                    watching.add(*record);
                }
            }
            Input::Leave => self.has_left = true,
        }
    }

    /// Resumes the newest unfinished game.
    pub(crate) fn resume(&mut self) -> Result<(), TerminalError> {
        let (session, recorder) = recorder::resume(&self.home)?;
        self.play(session, Some(recorder));
        self.say(Message::News("game resumed".to_owned()));
        Ok(())
    }

    /// Writes down the end of a game that is over, now that it is left.
    pub(crate) fn close(&mut self) {
        if let Err(error) = self.recorder.close() {
            self.say_lost(&error);
        }
    }

    /// The record of the current game, for a signal handler that ends the program.
    pub(crate) fn recorder(&self) -> SharedRecorder {
        self.recorder.clone()
    }

    /// Whether an engine thinks and will report.
    pub(crate) fn is_busy(&self) -> bool {
        match &self.stage {
            Stage::Chooser(_) | Stage::Games(_) => false,
            Stage::Game(screen) => screen.is_busy(),
            Stage::Review(review) => !review.analysis.is_complete(),
            Stage::Tour(tour) => tour.is_busy(),
        }
    }

    /// Lets the clock run on; whether anything looks different.
    pub(crate) fn tick(&mut self) -> bool {
        match &mut self.stage {
            Stage::Game(screen) => match screen.tick() {
                Tick::Same => false,
                Tick::Second => true,
                Tick::Flag => {
                    self.keep_turn();
                    true
                }
            },
            Stage::Review(_) if self.watching.is_some() => self.watch_on(),
            Stage::Tour(tour) => tour.tick(),
            _ => false,
        }
    }

    /// Pauses everything until [`wake`](Self::wake): clocks stop, and the engine to move stops
    /// thinking, since its time would run.
    pub(crate) fn fall_asleep(&mut self) {
        if let Stage::Game(screen) = &mut self.stage {
            screen.fall_asleep();
        }
    }

    /// Resumes after [`fall_asleep`](Self::fall_asleep).
    pub(crate) fn wake(&mut self) {
        if let Stage::Game(screen) = &mut self.stage {
            screen.wake();
        }
    }

    /// The terminal has this size now.
    pub(crate) fn resize(&mut self, size: (u16, u16)) {
        if self.size != size {
            self.size = size;
            self.follow();
        }
    }

    /// Where the board is.
    fn board_area(&self) -> Option<Rect> {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let layout = layout::screen(area, draw::panel_lines(&self.stage))?;
        Some(layout.board)
    }

    /// Scrolls the board until its cursor is seen.
    fn follow(&mut self) {
        if let (Some(area), Stage::Game(screen)) = (self.board_area(), &mut self.stage) {
            screen.follow(area);
        }
    }

    /// This can be clicked now.
    pub(crate) fn offer(&mut self, spots: Spots) {
        self.spots = spots;
    }

    fn key(&mut self, key: KeyEvent) {
        let too_small = self.size.0 < layout::LEAST.0 || self.size.1 < layout::LEAST.1;
        if too_small {
            // Nothing is seen, so nothing is done but leaving.
            let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
            let leaves = match key.code {
                KeyCode::Char('q') => true,
                KeyCode::Char('c') => is_control,
                _ => false,
            };
            self.has_left |= leaves;
            return;
        }
        let is_over = self.ends_trying_theme(key.code);
        if is_over && key.code == KeyCode::Esc {
            return;
        }
        self.stage_key(key);
        if is_over {
            self.store_theme();
        }
    }

    /// A key of the stage that is on.
    fn stage_key(&mut self, key: KeyEvent) {
        let area = self.board_area();
        match &mut self.stage {
            Stage::Chooser(chooser) => {
                let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
                if is_control && matches!(key.code, KeyCode::Char('c' | 'd')) {
                    self.has_left = true;
                    return;
                }
                let chosen = chooser.key(key.code);
                self.take_choice(chosen);
            }
            Stage::Game(screen) => {
                if let Some(area) = area {
                    screen.hold(area);
                }
                if let Some(wish) = screen.key(key) {
                    self.grant(wish);
                }
                self.follow();
            }
            Stage::Games(list) => {
                let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
                match key.code {
                    KeyCode::Char('c' | 'd') if is_control => self.has_left = true,
                    KeyCode::Up | KeyCode::Char('k') => list.go(-1),
                    KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => list.go(1),
                    KeyCode::PageUp => list.go(-10),
                    KeyCode::PageDown => list.go(10),
                    KeyCode::Home => list.go(isize::MIN),
                    KeyCode::End => list.go(isize::MAX),
                    KeyCode::Enter | KeyCode::Char(' ') => self.open_kept(),
                    KeyCode::Char('T') => self.next_theme(),
                    KeyCode::Char('q') => self.has_left = true,
                    KeyCode::Esc => self.choose(),
                    _ => {}
                }
            }
            Stage::Tour(tour) => {
                let toured = tour.key(key);
                self.take_tour(toured);
            }
            Stage::Review(review) => match review.key(key) {
                Reviewed::Nothing if self.watching.is_some() => {
                    // Stepping by hand stops following.
                    if let Some(watching) = &mut self.watching {
                        watching.is_following = key.code == KeyCode::Char('w');
                    }
                }
                Reviewed::Nothing => {}
                Reviewed::Theme => self.next_theme(),
                Reviewed::Leave => match (review.back(), self.list.take()) {
                    (Some(screen), _) => self.stage = Stage::Game(screen),
                    (None, Some(list)) => self.stage = Stage::Games(list),
                    (None, None) => self.has_left = true,
                },
            },
        }
    }

    fn take_choice(&mut self, chosen: Chosen) {
        match chosen {
            Chosen::Nothing => {}
            Chosen::Leave => self.has_left = true,
            Chosen::Theme => self.next_theme(),
            Chosen::Resume => {
                if let Err(error) = self.resume()
                    && let Stage::Chooser(chooser) = &mut self.stage
                {
                    chooser.problem = Some(format!("{error:#}"));
                }
            }
            Chosen::Tour(game) => {
                if let Err(error) = self.tour(game) {
                    self.say(Message::Refusal(error.to_string()));
                }
            }
            Chosen::Games => {
                let games = KeptGame::all(&self.home, MOST_GAMES);
                self.stage = Stage::Games(Box::new(GameList::new(games)));
            }
            Chosen::Start(session) => {
                if let Stage::Chooser(chooser) = &self.stage {
                    self.memory = chooser.memory();
                    self.home.remember(&self.memory);
                }
                self.play(*session, None);
            }
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let at = Position::new(mouse.column, mouse.row);
        let press = |code| KeyEvent::new(code, KeyModifiers::NONE);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => match self.spots.at(at) {
                Some(Act::Key(code)) => self.key(press(code)),
                Some(Act::Row(row)) => {
                    if let Stage::Chooser(chooser) = &mut self.stage {
                        let chosen = chooser.click(row);
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
            Stage::Chooser(_) | Stage::Games(_) | Stage::Review(_) => true,
            Stage::Tour(_) => false,
            Stage::Game(screen) => matches!(screen.overlay, Some(Overlay::Help(_))),
        }
    }

    fn click_board(&mut self, at: Position) {
        let (Some(area), Stage::Game(screen)) = (self.board_area(), &mut self.stage) else {
            return;
        };
        // Whatever is clicked stays under the pointer.
        screen.hold(area);
        let Some(square) = screen.window(area).square(&screen.view, at) else {
            return;
        };
        if let Some(wish) = screen.click(square) {
            self.grant(wish);
        }
    }

    /// Does what the board screen cannot do itself.
    fn grant(&mut self, wish: Wish) {
        match wish {
            Wish::Turn => self.keep_turn(),
            Wish::Back(back) => self.keep(|recorder| recorder.back(&back)),
            Wish::Again(steps) => {
                self.keep(|recorder| steps.iter().try_for_each(|step| recorder.turn(step)));
            }
            Wish::Save(path) => self.save(&path),
            Wish::Export(path) => self.export(&path),
            Wish::Theme => self.next_theme(),
            Wish::Leave => self.has_left = true,
            Wish::New => self.choose(),
            Wish::Rematch => {
                if let Stage::Game(screen) = &self.stage {
                    let rematch = screen.session.rematch();
                    self.play(rematch, None);
                }
            }
            Wish::Review => {
                let chooser = Chooser::new(&self.memory, 0, self.size);
                let stage = std::mem::replace(&mut self.stage, Stage::Chooser(Box::new(chooser)));
                self.stage = match stage {
                    Stage::Game(screen) => Stage::Review(Box::new(Review::of(screen))),
                    other => other,
                };
            }
        }
    }

    /// Tries the next theme: Esc restores the one before, any other key but T stores the new one.
    fn next_theme(&mut self) {
        self.skin.before.get_or_insert(self.skin.theme);
        self.skin.theme = self.skin.theme.next();
    }

    /// Ends the trial of a theme by any key but T, Esc restores the one before; whether one was on.
    fn ends_trying_theme(&mut self, code: KeyCode) -> bool {
        if code == KeyCode::Char('T') {
            return false;
        }
        let Some(before) = self.skin.before.take() else {
            return false;
        };
        if code == KeyCode::Esc {
            self.skin.theme = before;
        }
        true
    }

    fn store_theme(&mut self) {
        // The theme that suits the terminal needs no setting, and stays right in another one.
        let is_suiting = self.suiting == Some(self.skin.theme);
        let name = (!is_suiting).then(|| self.skin.theme.name());
        let stored = config::key("theme").map(|key| self.config.set(key, name));
        if let Some(Err(error)) = stored {
            self.say(Message::Refusal(format!("the theme is not saved: {error}")));
        }
    }

    /// Writes the last turn down.
    fn keep_turn(&mut self) {
        let Stage::Game(screen) = &self.stage else {
            return;
        };
        if let Some(step) = screen.session.turns().last().cloned() {
            self.keep(|recorder| recorder.turn(&step));
        }
    }

    /// Writes something down; a game that cannot be kept any more is played on.
    fn keep(&mut self, write: impl FnOnce(&mut GameRecorder) -> io::Result<()>) {
        let Stage::Game(screen) = &self.stage else {
            return;
        };
        if let Err(error) = self.recorder.write(screen.session.play().end(), write) {
            self.say_lost(&error);
        }
    }

    fn say_lost(&mut self, error: &io::Error) {
        if let Stage::Game(screen) = &mut self.stage {
            screen.is_saved = false;
        }
        let text = format!("the game is not saved: {error}; {SET_HOME}");
        self.say(Message::Refusal(text));
    }

    fn save(&mut self, path: &str) {
        let Stage::Game(screen) = &self.stage else {
            return;
        };
        let message = match recorder::save(&screen.session, path.as_ref()) {
            Ok(()) => Message::News(format!("saved: floe replay {path}")),
            Err(error) => Message::Refusal(format!("{path}: {error}")),
        };
        self.say(message);
    }

    fn export(&mut self, path: &str) {
        let Stage::Game(screen) = &self.stage else {
            return;
        };
        let text = screen.session.position().write();
        let game = screen.session.game().name();
        // Never over something that is there already.
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let message = match file.and_then(|mut file| file.write_all(text.as_bytes())) {
            Ok(()) => Message::News(format!("exported: floe show {game} {path}")),
            Err(error) => Message::Refusal(format!("{path}: {error}")),
        };
        self.say(message);
    }

    fn say(&mut self, message: Message) {
        match (&mut self.stage, message) {
            (Stage::Game(screen), message) => screen.message = Some(message),
            (Stage::Chooser(chooser), Message::Refusal(text)) => chooser.problem = Some(text),
            (Stage::Games(list), Message::Refusal(text)) => list.problem = Some(text),
            _ => {}
        }
    }
}
