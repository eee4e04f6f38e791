//! Large boards: what is looked at all over is looked at once for a position, not for a picture.

use std::cell::Cell;

use floe_games::{AnyGame, GameEntry};
use floe_rules::gamma::{Gamma, GammaPosition};
use floe_rules::{Choice, Dialect, Game, ParseError, Position, Report, SetupError, Square, View};
use floe_search::Roster;
use ratatui::crossterm::event::KeyCode;

use super::super::screen::PASSES;
use super::super::seat::read_all;
use super::super::session::{Origin, Session};
use super::{DARK, PLAIN, Stand};

thread_local! {
    /// How often this thread has asked a position for its view or its moves.
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

fn ask() {
    ASKED.with(|asked| asked.set(asked.get() + 1));
}

/// A game that counts what it is asked.
struct Counted;

static COUNTED: GameEntry<Counted> = GameEntry(Roster::generic());

impl Game for Counted {
    type Position = GammaPosition;
    type Setup = <Gamma as Game>::Setup;
    const NAME: &'static str = "counted";
    const TITLE: &'static str = "Counted";
    const SEATS: std::ops::RangeInclusive<u32> = Gamma::SEATS;
    const SETUP_HELP: &'static str = "";

    fn start(setup: &Self::Setup, seed: u64) -> Result<GammaPosition, SetupError> {
        Gamma::start(setup, seed)
    }

    fn parse(text: &str, report: &mut Report) -> Option<GammaPosition> {
        Gamma::parse(text, report)
    }

    fn read(text: &str) -> Result<GammaPosition, ParseError> {
        Gamma::read(text)
    }

    fn write(position: &GammaPosition) -> String {
        Gamma::write(position)
    }

    fn view(position: &GammaPosition) -> View {
        ask();
        Gamma::view(position)
    }

    fn choices(position: &GammaPosition) -> Vec<Choice> {
        ask();
        Gamma::choices(position)
    }

    fn refusal(position: &GammaPosition, _: Option<Square>, at: Square, _: bool) -> String {
        match position.turn() {
            Some(_) => format!("{at} is taken"),
            None => String::new(),
        }
    }

    fn dialects() -> &'static [&'static dyn Dialect<GammaPosition>] {
        &[]
    }
}

fn counted(setup: &str) -> Session {
    let start = COUNTED.start(setup, 1).unwrap();
    let seats = read_all("human,human", floe_games::games()[0]).unwrap();
    Session::new(start, Origin::Position, seats)
}

/// How often the whole position was asked, and how often all of it was looked at.
fn work() -> (usize, usize) {
    (ASKED.with(Cell::get), PASSES.with(Cell::get))
}

#[test]
fn keys_and_pictures_ask_nothing_of_the_position() {
    let mut stand = Stand::game(DARK, (100, 36), counted("200x100"));
    stand.buffer();
    let before = work();
    for key in ['h', 'j', 'k', 'l', 'm', 'm', 'm', '+', '-', ':'] {
        stand.press(KeyCode::Char(key));
        stand.buffer();
    }
    stand.press(KeyCode::Esc);
    stand.press(KeyCode::Tab);
    stand.buffer();
    assert_eq!(work(), before);
    // A move: one more position, asked for its view and its choices, each looked at once.
    stand.press(KeyCode::Enter);
    stand.buffer();
    assert_eq!(stand.screen().session.steps().len(), 1);
    assert_eq!(work(), (before.0 + 2, before.1 + 2));
}

#[test]
fn a_form_asks_for_the_board_once() {
    let mut stand = Stand::new(PLAIN, (100, 36));
    stand.buffer();
    let before = work();
    for _ in 0..5 {
        stand.press(KeyCode::Down);
        stand.buffer();
    }
    assert_eq!(work().1, before.1);
}

/// With a look at every choice for every choice this would not end within the hour.
#[test]
fn a_walk_over_a_large_board() {
    let mut stand = Stand::game(DARK, (100, 36), counted("400x400"));
    for key in ['l', 'j', 'h', 'k'].into_iter().cycle().take(200) {
        stand.press(KeyCode::Char(key));
        stand.buffer();
    }
}
