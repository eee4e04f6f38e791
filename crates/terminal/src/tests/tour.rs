//! The tour, from its first step to the first game.

use std::time::Duration;

use floe_games::AnyGame;
use ratatui::crossterm::event::KeyCode;

use super::super::screen::squares_in;
use super::super::stage::Stage;
use super::super::tour::{Stop, Tour};
use super::{ASCII, PLAIN, Stand};

const SIZE: (u16, u16) = (80, 24);

fn on_tour(game: &'static dyn AnyGame) -> Stand {
    let mut stand = Stand::new(PLAIN, SIZE);
    stand.app.tour(game).unwrap();
    stand
}

fn tour(stand: &mut Stand) -> &mut Tour {
    match &mut stand.app.stage {
        Stage::Tour(tour) => tour,
        _ => panic!("no tour is on"),
    }
}

/// Makes a move by the keys that a player would press.
fn make(stand: &mut Stand, mv: &str) {
    let board = &tour(stand).board;
    let key = board.keyed_choices();
    let key = key.iter().find(|one| one.notation == mv).map(|one| one.key);
    if let Some(key) = key {
        stand.text(&key.to_string());
        return;
    }
    for square in squares_in(mv) {
        tour(stand).board.cursor = square;
        stand.press(KeyCode::Enter);
    }
}

/// Does everything up to the game of engines.
fn lessons(stand: &mut Stand) {
    while let Stop::Lesson(step) = tour(stand).stop() {
        assert!(stand.shown().contains(step.title), "{}", stand.shown());
        make(stand, step.solutions[0]);
        assert!(tour(stand).is_done, "{}", stand.shown());
        stand.press(KeyCode::Enter);
    }
    assert_eq!(tour(stand).stop(), Stop::Hint);
    stand.text("?");
    while tour(stand).board.hint.is_none() {
        let input = stand.inputs.recv_timeout(Duration::from_secs(120));
        stand.app.input(input.expect("the adviser answers"));
    }
    assert!(stand.shown().contains("hint: "), "{}", stand.shown());
    let hint = tour(stand).board.hint.clone().unwrap();
    make(stand, &hint);
    assert!(tour(stand).is_done, "{}", stand.shown());
    stand.press(KeyCode::Enter);
}

/// Waits for the table, and goes on to the first game.
fn to_the_first_game(stand: &mut Stand) {
    stand.press(KeyCode::Enter);
    assert_eq!(tour(stand).stop(), Stop::Table);
    while !tour(stand).contest.is_over() {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(stand.app.tick(), "the whole table is drawn");
    let shown = stand.shown();
    for words in ["floe:nodes=200", "greedy", "12", "%", "floe match "] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    stand.press(KeyCode::Enter);
    assert_eq!(stand.screen().session.turns().len(), 0);
    assert!(stand.shown().contains("floe:easy"), "{}", stand.shown());
}

#[test]
fn every_game_has_a_tour_that_ends_with_a_first_game() {
    for game in floe_games::games() {
        let mut stand = on_tour(game);
        lessons(&mut stand);
        assert_eq!(tour(&mut stand).stop(), Stop::Match);
        // Enter need not wait for the end of the game.
        to_the_first_game(&mut stand);
    }
}

#[test]
fn a_watched_game_comes_to_its_end() {
    let mut stand = on_tour(floe_games::find("flood").unwrap());
    lessons(&mut stand);
    while !tour(&mut stand).is_done {
        let input = stand.inputs.recv_timeout(Duration::from_secs(120));
        stand.app.input(input.expect("engines answer"));
    }
    let shown = stand.shown();
    assert!(
        shown.contains(" wins: ") || shown.contains("A draw: "),
        "{shown}"
    );
}

#[test]
fn wrong_keys_and_wrong_moves_get_an_answer() {
    let mut stand = on_tour(floe_games::find("penguins").unwrap());
    insta::assert_snapshot!("tour_plain", stand.shown());
    stand.text("w");
    assert!(
        stand.shown().contains("`w` does nothing here."),
        "{}",
        stand.shown()
    );
    make(&mut stand, "a3");
    assert!(tour(&mut stand).is_done);
    stand.text("w");
    assert!(
        stand.shown().contains("Enter continues."),
        "{}",
        stand.shown()
    );
    stand.press(KeyCode::Enter);
    // A slide that is legal and not the task; the board is as before.
    make(&mut stand, "a2-b2");
    let shown = stand.shown();
    assert!(shown.contains("a2-b2 is a legal move, but not"), "{shown}");
    assert!(!tour(&mut stand).is_done);
    make(&mut stand, "a2-a9");
    // The refusal says why, as in a game.
    make(&mut stand, "a2-b3");
    assert!(stand.shown().contains("▶ "), "{}", stand.shown());
    make(&mut stand, "a2-d2");
    // Esc leaves, and the form offers the tour again.
    stand.press(KeyCode::Esc);
    assert!(stand.shown().contains("t tour"), "{}", stand.shown());
    stand.text("t");
    assert!(stand.shown().contains("step 1 of 6"), "{}", stand.shown());
}

#[test]
fn the_tour_fits_every_terminal() {
    for game in floe_games::games() {
        let mut stand = Stand::new(ASCII, SIZE);
        stand.app.tour(game).unwrap();
        for size in [(40, 12), (80, 24), (120, 40), (60, 16)] {
            stand.resize(size);
            assert!(stand.shown().is_ascii(), "{}", stand.shown());
            let task = tour(&mut stand).stop().task();
            let task = task.split(' ').next().unwrap();
            assert!(stand.shown().contains(task), "{}", stand.shown());
        }
    }
}
