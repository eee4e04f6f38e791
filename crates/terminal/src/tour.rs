//! The tour: a guided minute for a new player.
//!
//! A few steps of the game's own lesson, each with one move to make; then a hint, a game of two
//! engines to watch, and the table of a small match, played in the background. The last step leads
//! to a first game.

mod contest;
pub(crate) mod lines;

use std::sync::mpsc::Sender;

use floe_arena::seat::Seat;
use floe_games::{AnyGame, AnyPosition};
use floe_rules::Step;
use floe_search::{Kind, Spec};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::error::TerminalError;
use crate::input::{Input, ThinkReport};
use crate::screen::{Message, Screen, ScreenRequest};
use crate::seat;
use crate::session::{Origin, Session, random_seed};
use crate::texts::{of_game, t};

pub(crate) use contest::{Contest, Row};

/// Lesson steps of the tour: one minute has time for no more.
const LESSONS: usize = 3;
/// The seed of the tour's boards: every tour is the same.
const SEED: u64 = 1;
/// The engines of the game to watch.
const WATCHED: [&str; 2] = ["greedy", "floe:nodes=300"];
/// The opponent of the first game.
const FIRST_OPPONENT: &str = "floe:easy";

/// One step of the tour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A rule, and a move that shows it.
    Lesson(&'static Step),
    /// Asking for a hint.
    Hint,
    /// Two engines play.
    Match,
    /// The standings of a match.
    Table,
}

impl Stop {
    /// The steps of a game's tour.
    pub(crate) fn all(game: &dyn AnyGame) -> Vec<Stop> {
        let lessons = game.lesson().iter().take(LESSONS).map(Stop::Lesson);
        lessons
            .chain([Stop::Hint, Stop::Match, Stop::Table])
            .collect()
    }

    /// The step's name.
    pub(crate) fn name(self) -> String {
        match self {
            Stop::Lesson(step) => of_game(step.name),
            Stop::Hint => t!("Hint"),
            Stop::Match => t!("Match"),
            Stop::Table => t!("Standings"),
        }
    }

    /// The heading.
    pub(crate) fn title(self) -> String {
        match self {
            Stop::Lesson(step) => of_game(step.title),
            Stop::Hint => t!("Ask Floe for a hint"),
            Stop::Match => t!("Programs play each other"),
            Stop::Table => t!("Many games make a ranking"),
        }
    }

    /// The explanation.
    pub(crate) fn text(self) -> String {
        match self {
            Stop::Lesson(step) => of_game(step.text),
            Stop::Hint => t!(
                "This is a whole board. If you do not know what to do, Floe thinks for a second and \
                 shows its best move."
            ),
            Stop::Match => t!(
                "Engines and your own programs can sit in any seat. Here a greedy player meets one \
                 that looks ahead."
            ),
            Stop::Table => t!(
                "A match plays every board in both seats, and counts. With more games, the ranking \
                 becomes certain."
            ),
        }
    }

    /// The task.
    pub(crate) fn task(self) -> String {
        match self {
            Stop::Lesson(step) => of_game(step.task),
            Stop::Hint => t!("Ask for a hint. Then make that move, or any other."),
            Stop::Match => t!("Watch."),
            Stop::Table => t!("That was the tour."),
        }
    }

    /// The text after the task is done.
    fn done(self) -> String {
        match self {
            Stop::Lesson(step) => of_game(step.done),
            Stop::Hint => t!("You can ask for a hint at every turn."),
            Stop::Match => t!("The game is over."),
            Stop::Table => String::new(),
        }
    }
}

/// The tour on a full screen.
pub(crate) struct Tour {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) stops: Vec<Stop>,
    /// The current step.
    pub(crate) at: usize,
    /// The board of the step.
    pub(crate) board: Screen,
    /// The reply to the last key, and whether it is good news.
    pub(crate) reply: Option<(String, bool)>,
    /// Whether the step's task is done.
    pub(crate) is_done: bool,
    /// The match whose standings are shown last; it plays from the first step on.
    pub(crate) contest: Contest,
    /// Whether the finished table was shown.
    has_table: bool,
    inbox: Sender<Input>,
}

/// The effect of a key.
pub(crate) enum Toured {
    Nothing,
    Leave,
    Theme,
    /// The first game begins.
    Play(Box<Session>),
}

impl Tour {
    /// The first step; engines report to `inbox`.
    pub(crate) fn new(
        game: &'static dyn AnyGame,
        inbox: Sender<Input>,
    ) -> Result<Self, TerminalError> {
        let stops = Stop::all(game);
        Ok(Tour {
            game,
            board: board(game, stops[0], inbox.clone())?,
            stops,
            at: 0,
            reply: None,
            is_done: false,
            contest: Contest::begin(game),
            has_table: false,
            inbox,
        })
    }

    /// The current step.
    pub(crate) fn stop(&self) -> Stop {
        self.stops[self.at]
    }

    /// Takes in a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Toured {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if is_control => return Toured::Leave,
            KeyCode::Esc if self.board.lifted.is_none() => return Toured::Leave,
            KeyCode::Char('q') => return Toured::Leave,
            KeyCode::Char('T') => return Toured::Theme,
            KeyCode::Enter | KeyCode::Char(' ') if self.can_go_on() => return self.go_on(),
            code if self.is_for_board(code) => self.play_key(key),
            code => self.explain(code),
        }
        Toured::Nothing
    }

    /// Whether Enter leads to the next step.
    pub(crate) fn can_go_on(&self) -> bool {
        self.is_done || matches!(self.stop(), Stop::Match | Stop::Table)
    }

    fn is_for_board(&self, code: KeyCode) -> bool {
        let is_move = matches!(
            code,
            KeyCode::Left
                | KeyCode::Right
                | KeyCode::Up
                | KeyCode::Down
                | KeyCode::Tab
                | KeyCode::BackTab
                | KeyCode::Enter
                | KeyCode::Esc
                | KeyCode::Char(' ' | 'h' | 'j' | 'k' | 'l' | 'g' | '1'..='9')
        );
        let is_hint = code == KeyCode::Char('?') && self.stop() == Stop::Hint;
        !self.can_go_on() && (is_move || is_hint)
    }

    /// Lets the board have a key, and sees whether the task is done.
    fn play_key(&mut self, key: KeyEvent) {
        self.reply = None;
        let request = self.board.key(key);
        if request == Some(ScreenRequest::Turn) {
            self.judge();
        }
    }

    fn judge(&mut self) {
        let last = self.board.session.turns().last();
        let mv = last.map(|turn| turn.text().to_owned()).unwrap_or_default();
        let stop = self.stop();
        self.is_done = match stop {
            Stop::Lesson(step) => step.solutions.contains(&mv.as_str()),
            Stop::Hint | Stop::Match | Stop::Table => true,
        };
        if self.is_done {
            self.board.stop();
            self.board.message = None;
            self.reply = Some((stop.done(), true));
            return;
        }
        let text = t!(
            "{mv} is a legal move, but not the one that is asked for. Try again.",
            mv
        );
        self.reply = Some((text, false));
        if let Ok(board) = board(self.game, stop, self.inbox.clone()) {
            self.board = board;
        }
    }

    /// Answers a key without effect here.
    fn explain(&mut self, code: KeyCode) {
        let KeyCode::Char(c) = code else { return };
        let what = match self.can_go_on() {
            true => t!("Enter continues."),
            false => self.stop().task(),
        };
        self.reply = Some((t!("`{c}` does nothing here. {what}", c, what), false));
    }

    /// The next step, or the first game.
    fn go_on(&mut self) -> Toured {
        let Some(&next) = self.stops.get(self.at + 1) else {
            return match first_game(self.game) {
                Ok(session) => Toured::Play(Box::new(session)),
                Err(_) => Toured::Leave,
            };
        };
        if let Ok(board) = board(self.game, next, self.inbox.clone()) {
            self.board.stop();
            self.board = board;
            self.at += 1;
            self.is_done = false;
            self.reply = None;
        }
        Toured::Nothing
    }

    /// Handles an engine's result.
    pub(crate) fn report(&mut self, report: ThinkReport) {
        self.board.report(report);
        if self.stop() == Stop::Match && self.board.is_over() {
            // Reviews are for players.
            self.board.stop();
            self.is_done = true;
            self.reply = Some((result(&self.board.session), true));
        }
    }

    /// Advances time; returns whether the screen changes.
    pub(crate) fn tick(&mut self) -> bool {
        let is_new = self.contest.is_over() && !self.has_table;
        self.has_table |= is_new;
        is_new || self.board.tick() != crate::screen::Tick::Same
    }

    /// Whether something visible is still to come.
    pub(crate) fn is_busy(&self) -> bool {
        self.board.is_busy() || (self.stop() == Stop::Table && !self.contest.is_over())
    }

    /// The instruction, or the answer to the last key.
    pub(crate) fn words(&self) -> (String, TourText) {
        match (&self.reply, &self.board.message) {
            (Some((text, true)), _) => (text.clone(), TourText::Good),
            (Some((text, false)), _) => (text.clone(), TourText::Bad),
            (None, Some(Message::News(text))) => (text.clone(), TourText::Good),
            (None, Some(Message::Refusal(text))) => (text.clone(), TourText::Bad),
            (None, None) => (self.stop().task(), TourText::Task),
        }
    }
}

/// The kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TourText {
    Task,
    Good,
    Bad,
}

/// The position of a step, and its players.
fn session(game: &'static dyn AnyGame, stop: Stop) -> Result<Session, TerminalError> {
    let start = |position: Box<dyn AnyPosition>, seats: &[Seat]| {
        Session::new(position, Origin::Position, seats.to_vec())
    };
    Ok(match stop {
        Stop::Lesson(step) => start(
            game.read(step.position)
                .map_err(floe_games::StartError::from)?,
            &[Seat::Human],
        ),
        Stop::Hint | Stop::Table => start(game.start(game.first_setup(), SEED)?, &[Seat::Human]),
        Stop::Match => {
            let seats = WATCHED.map(|word| seat::read(word, game));
            let seats: Result<Vec<Seat>, _> = seats.into_iter().collect();
            start(game.start(game.first_setup(), SEED)?, &seats?)
        }
    })
}

/// The board of a step.
fn board(
    game: &'static dyn AnyGame,
    stop: Stop,
    inbox: Sender<Input>,
) -> Result<Screen, TerminalError> {
    Ok(Screen::new(session(game, stop)?, inbox))
}

/// The game after the tour.
fn first_game(game: &'static dyn AnyGame) -> Result<Session, TerminalError> {
    let (setup, seed) = (game.first_setup().to_owned(), random_seed());
    let position = game.start(&setup, seed)?;
    let seats = [Seat::Human, seat::read(FIRST_OPPONENT, game)?];
    Ok(Session::new(position, Origin::Setup { setup, seed }, seats))
}

/// The watched game's result in one sentence.
fn result(session: &Session) -> String {
    let scores = session.play().scores();
    let numbers: Vec<String> = scores.iter().map(ToString::to_string).collect();
    let numbers = numbers.join(" : ");
    match session
        .play()
        .outcome()
        .and_then(|outcome| outcome.winner())
    {
        Some(winner) => t!(
            "{name} wins: {numbers}.",
            name = session.name(winner),
            numbers
        ),
        None => t!("A draw: {numbers}.", numbers),
    }
}

/// The adviser of the tour.
fn adviser() -> Spec {
    Spec::from(Kind::Floe)
}
