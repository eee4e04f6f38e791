//! The current activity: the form, a game, or a review; and the transitions between them.

mod mouse;
mod other_games;
mod storage;

use std::sync::mpsc::Sender;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;

use crate::config::{self, ConfigFile};
use crate::draw::layout;
use crate::draw::spots::Spots;
use crate::draw::{self, Skin};
use crate::error::TerminalError;
use crate::home::{Home, Memory};
use crate::input::Input;
use crate::kept::{GameList, KeptGame};
use crate::new_game::{Chosen, NewGameForm};
use crate::puzzles::PuzzleSet;
use crate::recorder::{self, GameRecorder, SharedRecorder};
use crate::review::{Review, Reviewed};
use crate::screen::{Message, Screen, ScreenRequest, Tick};
use crate::session::{Session, random_seed};
use crate::stage::Stage;
use crate::texts::t;
use crate::theme::Theme;
use crate::watching::Watching;

/// Games listed.
const MOST_GAMES: usize = 500;

/// The screen and the state behind it.
pub(crate) struct App {
    pub(crate) stage: Stage,
    pub(crate) has_left: bool,
    /// Whether moves are animated.
    pub(crate) has_motion: bool,
    /// The theme for the terminal's background, unless a setting chose another.
    pub(crate) suiting: Option<Theme>,
    skin: Skin,
    home: Home,
    config: ConfigFile,
    memory: Memory,
    inbox: Sender<Input>,
    recorder: SharedRecorder,
    size: (u16, u16),
    /// The list to return to after a game from it.
    list: Option<Box<GameList>>,
    /// The recorded games being watched.
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
        let form = NewGameForm::new(&memory, random_seed(), size);
        let form = form.offering(&KeptGame::all(&home, MOST_GAMES));
        App {
            stage: Stage::NewGame(Box::new(form)),
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

    /// Plays a game from its start, or resumes it.
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
        self.suit_board();
        if let Err(error) = storage {
            self.recorder.stop();
            self.say_lost(&error);
        }
    }

    /// Plays a game with earlier turns as a new one: its record begins with these turns.
    fn play_branch(&mut self, session: Session) {
        let turns = session.turns().to_vec();
        self.play(session, None);
        self.keep(|recorder| turns.iter().try_for_each(|turn| recorder.turn(turn)));
    }

    /// Reviews a game.
    pub(crate) fn review(&mut self, session: Session) {
        let review = Review::new(session, self.inbox.clone());
        self.stage = Stage::Review(Box::new(review));
        self.suit_board();
    }

    /// Without colours, two squares cannot share one character.
    pub(super) fn suit_board(&mut self) {
        let has_halves = self.skin.unicode && self.skin.theme != Theme::None;
        match &mut self.stage {
            Stage::Game(screen) => screen.zoom.has_halves = has_halves,
            Stage::Review(review) => review.zoom.has_halves = has_halves,
            Stage::Puzzles(round) => round.board.zoom.has_halves = has_halves,
            Stage::NewGame(_) | Stage::Games(_) | Stage::Tour(_) => {}
        }
    }

    /// Handles an input.
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
                Stage::NewGame(_) | Stage::Games(_) | Stage::Puzzles(_) => {}
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
        self.say(Message::News(t!("Game resumed.")));
        Ok(())
    }

    /// Writes the end of a finished game, when the user leaves it.
    pub(crate) fn close(&mut self) {
        if let Err(error) = self.recorder.close() {
            self.say_lost(&error);
        }
    }

    /// The record of the current game, so that a signal handler can finish it.
    pub(crate) fn recorder(&self) -> SharedRecorder {
        self.recorder.clone()
    }

    /// Whether an engine thinks and will report.
    pub(crate) fn is_busy(&self) -> bool {
        match &self.stage {
            Stage::NewGame(_) | Stage::Games(_) => false,
            Stage::Puzzles(round) => round.board.motion.is_some(),
            Stage::Game(screen) => screen.is_busy(),
            Stage::Review(review) => !review.analysis.is_complete(),
            Stage::Tour(tour) => tour.is_busy(),
        }
    }

    /// Advances the clock; returns whether the screen changes.
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
            Stage::Puzzles(round) => round.board.tick() != Tick::Same,
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

    /// Sets the terminal's size.
    pub(crate) fn resize(&mut self, size: (u16, u16)) {
        if self.size != size {
            self.size = size;
            self.follow();
        }
    }

    /// The area of the board.
    pub(super) fn board_area(&self) -> Option<Rect> {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let (view, zoom) = (draw::view(&self.stage), draw::zoom(&self.stage));
        let layout = layout::screen(area, draw::panel_lines(&self.stage), view, zoom)?;
        Some(layout.board)
    }

    /// Scrolls the board until the cursor is visible.
    fn follow(&mut self) {
        let area = self.board_area();
        match (area, &mut self.stage) {
            (Some(area), Stage::Game(screen)) => screen.follow(area),
            (Some(area), Stage::Puzzles(round)) => round.board.follow(area),
            _ => {}
        }
    }

    /// Sets the places that can be clicked.
    pub(crate) fn offer(&mut self, spots: Spots) {
        self.spots = spots;
    }

    pub(super) fn key(&mut self, key: KeyEvent) {
        let too_small = self.size.0 < layout::LEAST.0 || self.size.1 < layout::LEAST.1;
        if too_small {
            // In a terminal that is too small, only the keys that leave work.
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

    /// Handles a key on the current screen.
    fn stage_key(&mut self, key: KeyEvent) {
        let area = self.board_area();
        match &mut self.stage {
            Stage::NewGame(form) => {
                let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
                if is_control && matches!(key.code, KeyCode::Char('c' | 'd')) {
                    self.has_left = true;
                    return;
                }
                let chosen = form.key(key.code);
                self.take_choice(chosen);
            }
            Stage::Game(screen) => {
                if let Some(area) = area {
                    screen.hold(area);
                }
                if let Some(request) = screen.key(key) {
                    self.grant(request);
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
            Stage::Puzzles(round) => {
                if let Some(area) = area {
                    round.board.hold(area);
                }
                let puzzled = round.key(key);
                self.take_puzzled(puzzled);
                self.follow();
            }
            Stage::Review(review) => match review.key(key) {
                Reviewed::Nothing if self.watching.is_some() => {
                    // If the user steps through a game, it no longer follows new moves.
                    if let Some(watching) = &mut self.watching {
                        watching.is_following = key.code == KeyCode::Char('w');
                    }
                }
                Reviewed::Nothing => {}
                Reviewed::Theme => self.next_theme(),
                Reviewed::Export => self.export_reviewed(),
                Reviewed::Branch => {
                    let branch = review.session.branch(review.at);
                    self.play_branch(branch);
                }
                Reviewed::Leave => match (review.back(), self.list.take()) {
                    (Some(screen), _) => self.stage = Stage::Game(screen),
                    (None, Some(list)) => self.stage = Stage::Games(list),
                    (None, None) => self.has_left = true,
                },
            },
        }
    }

    pub(super) fn take_choice(&mut self, chosen: Chosen) {
        match chosen {
            Chosen::Nothing => {}
            Chosen::Leave => self.has_left = true,
            Chosen::Theme => self.next_theme(),
            Chosen::Resume => {
                if let Err(error) = self.resume()
                    && let Stage::NewGame(form) = &mut self.stage
                {
                    form.problem = Some(format!("{error:#}"));
                }
            }
            Chosen::Tour(game) => {
                if let Err(error) = self.tour(game) {
                    self.say(Message::Refusal(error.to_string()));
                }
            }
            Chosen::Puzzles(game) => {
                let of_game = |set: PuzzleSet| self.puzzles(set);
                if let Err(error) = PuzzleSet::shipped(game).and_then(of_game) {
                    self.say(Message::Refusal(error.to_string()));
                }
            }
            Chosen::Games => {
                let games = KeptGame::all(&self.home, MOST_GAMES);
                self.stage = Stage::Games(Box::new(GameList::new(games)));
            }
            Chosen::Start(session) => {
                if let Stage::NewGame(form) = &self.stage {
                    self.memory = form.memory();
                    self.home.remember(&self.memory);
                }
                self.play(*session, None);
            }
        }
    }

    /// Handles a request that the board screen cannot handle itself.
    pub(super) fn grant(&mut self, request: ScreenRequest) {
        match request {
            ScreenRequest::Turn => self.keep_turn(),
            ScreenRequest::Back(back) => self.keep(|recorder| recorder.back(&back)),
            ScreenRequest::Again(steps) => {
                self.keep(|recorder| steps.iter().try_for_each(|step| recorder.turn(step)));
            }
            ScreenRequest::Save(path) => self.save(&path),
            ScreenRequest::Export(path) => self.export(&path),
            ScreenRequest::Theme => self.next_theme(),
            ScreenRequest::Leave => self.has_left = true,
            ScreenRequest::New => self.choose(),
            ScreenRequest::Rematch => {
                if let Stage::Game(screen) = &self.stage {
                    let rematch = screen.session.rematch();
                    self.play(rematch, None);
                }
            }
            ScreenRequest::Branch(turn) => {
                if let Stage::Game(screen) = &self.stage {
                    let branch = screen.session.branch(turn);
                    self.play_branch(branch);
                }
            }
            ScreenRequest::Review => {
                let form = NewGameForm::new(&self.memory, 0, self.size);
                let stage = std::mem::replace(&mut self.stage, Stage::NewGame(Box::new(form)));
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
        self.suit_board();
    }

    /// Ends the trial of a theme by any key but T; Esc restores the previous one. Returns whether a
    /// trial was in progress.
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
        self.suit_board();
        true
    }

    fn store_theme(&mut self) {
        // The theme that suits the terminal is not stored, so that another terminal gets its own.
        let is_suiting = self.suiting == Some(self.skin.theme);
        let name = (!is_suiting).then(|| self.skin.theme.name());
        let stored = config::key("theme").map(|key| self.config.set(key, name));
        if let Some(Err(error)) = stored {
            self.say(Message::Refusal(t!(
                "The theme is not saved: {error}",
                error
            )));
        }
    }

    pub(super) fn say(&mut self, message: Message) {
        match (&mut self.stage, message) {
            (Stage::Game(screen), message) => screen.message = Some(message),
            (Stage::NewGame(form), Message::Refusal(text)) => form.problem = Some(text),
            (Stage::Games(list), Message::Refusal(text)) => list.problem = Some(text),
            _ => {}
        }
    }
}
