//! Large boards: what is looked at all over is looked at once for a position, not for a picture.

use std::cell::Cell;

use floe_games::{AnyGame, GameEntry};
use floe_rules::gamma::{Gamma, GammaPosition};
use floe_rules::{Choice, Dialect, Game, ParseError, Position, Report, SetupError, Square, View};
use floe_search::Roster;
use ratatui::crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::super::screen::PASSES;
use super::super::seat::read_all;
use super::super::session::{Origin, Session};
use super::{DARK, Input, PLAIN, Stand};

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
    assert_eq!(stand.screen().session.turns().len(), 1);
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

fn mouse(stand: &mut Stand, kind: MouseEventKind, (column, row): (u16, u16)) {
    stand.app.input(Input::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }));
}

#[test]
fn clicks_never_scroll() {
    let mut stand = Stand::game(PLAIN, (80, 24), counted("60x60"));
    let click = MouseEventKind::Down(MouseButton::Left);
    mouse(&mut stand, click, (20, 8));
    let first = stand.screen().cursor;
    // The same place is the same square, and its neighbour the next one.
    for _ in 0..3 {
        mouse(&mut stand, click, (20, 8));
        assert_eq!(stand.screen().cursor, first);
    }
    mouse(&mut stand, click, (20, 9));
    let below = Square::new(first.column, first.row - 1);
    assert_eq!(stand.screen().cursor, below);
    // Not at the edge either.
    mouse(&mut stand, click, (5, 3));
    let edge = stand.screen().cursor;
    mouse(&mut stand, click, (5, 3));
    assert_eq!(stand.screen().cursor, edge);
}

#[test]
fn the_wheel_scrolls_and_the_cursor_stays_in_sight() {
    let mut stand = Stand::game(PLAIN, (80, 24), counted("60x60"));
    let (first, seen) = (stand.screen().cursor, stand.shown());
    mouse(&mut stand, MouseEventKind::ScrollDown, (20, 8));
    assert_ne!(stand.shown(), seen);
    assert_eq!(stand.screen().cursor, first, "it was in the middle");
    mouse(&mut stand, MouseEventKind::ScrollUp, (20, 8));
    assert_eq!(stand.shown(), seen);
    for _ in 0..40 {
        mouse(&mut stand, MouseEventKind::ScrollDown, (20, 8));
    }
    assert!(stand.screen().cursor.row < 30);
    assert!(stand.shown().contains("\n 1 "), "{}", stand.shown());
}

#[test]
fn the_window_moves_only_when_the_cursor_comes_to_its_edge() {
    let mut stand = Stand::game(PLAIN, (80, 24), counted("60x60"));
    let rows = |stand: &Stand| -> Vec<String> {
        let shown = stand.shown();
        let names = shown
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        names
            .filter(|name| name.parse::<u32>().is_ok())
            .map(str::to_owned)
            .collect()
    };
    stand.press(KeyCode::Right);
    let before = rows(&stand);
    assert!(before.len() > 8, "{before:?}");
    for _ in 0..before.len() / 2 - 3 {
        stand.press(KeyCode::Up);
        assert_eq!(rows(&stand), before);
    }
    for _ in 0..4 {
        stand.press(KeyCode::Up);
    }
    assert_ne!(rows(&stand), before);
}

#[test]
fn one_character_a_field_shows_most() {
    let mut stand = Stand::game(PLAIN, (80, 24), counted("60x60"));
    stand.press(KeyCode::Enter);
    stand.press(KeyCode::Char('z'));
    insta::assert_snapshot!("zoomed_out_plain", stand.shown());
    stand.press(KeyCode::Char('z'));
    insta::assert_snapshot!("zoomed_back_plain", stand.shown());
}
