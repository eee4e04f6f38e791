//! Puzzles solved, failed and given up by keys.

use floe_games::AnyGame;
use floe_games::puzzle::{Puzzle, shipped};
use ratatui::crossterm::event::KeyCode;

use super::super::home::Home;
use super::super::puzzles::{PuzzleRound, PuzzleSet, Stand as State};
use super::super::screen::squares_in;
use super::super::stage::Stage;
use super::{ASCII, PLAIN, Skin, Stand};

const SIZE: (u16, u16) = (80, 24);

fn begin(game: &dyn AnyGame, skin: Skin) -> Stand {
    let mut stand = Stand::new(skin, SIZE);
    let set = PuzzleSet {
        puzzles: shipped(game).unwrap(),
        first: 0,
        is_of_day: true,
    };
    stand.app.only_puzzles(set).unwrap();
    stand
}

fn round(stand: &mut Stand) -> &mut PuzzleRound {
    match &mut stand.app.stage {
        Stage::Puzzles(round) => round,
        _ => panic!("no puzzle is shown"),
    }
}

fn puzzle(stand: &mut Stand) -> Puzzle {
    round(stand).puzzle().clone()
}

/// Makes a move by the keys that a player would press.
fn make(stand: &mut Stand, mv: &str) {
    let board = &mut round(stand).board;
    let keyed = board.keyed_choices();
    let key = keyed
        .iter()
        .find(|one| one.notation == mv)
        .map(|one| one.key);
    if let Some(key) = key {
        stand.text(&key.to_string());
        return;
    }
    let choices = board.session.position().choices();
    let choice = choices.iter().find(|choice| choice.notation == mv);
    let is_special = choice.is_some_and(|choice| choice.special.is_some());
    for square in squares_in(mv) {
        round(stand).board.cursor = square;
        match is_special {
            true => stand.text("g"),
            false => stand.press(KeyCode::Enter),
        }
    }
}

#[test]
fn the_best_move_solves_a_puzzle_and_enter_shows_the_next() {
    for game in floe_games::games() {
        let mut stand = begin(game, PLAIN);
        let first = puzzle(&mut stand);
        assert!(
            stand.shown().contains("Puzzle of the day"),
            "{}",
            stand.shown()
        );
        assert!(stand.shown().contains(first.task()), "{}", stand.shown());
        assert!(stand.shown().contains("0 of 1 solved"), "{}", stand.shown());
        make(&mut stand, first.solution());
        assert_eq!(round(&mut stand).state, State::Solved);
        assert!(stand.shown().contains("1 of 1 solved"), "{}", stand.shown());
        assert!(stand.shown().contains("Right. "), "{}", stand.shown());
        assert!(stand.shown().contains("1 day  ▁"), "{}", stand.shown());
        stand.press(KeyCode::Enter);
        assert!(stand.shown().contains("1 of 2 solved"), "{}", stand.shown());
        assert!(stand.shown().contains("Puzzle 2 of "), "{}", stand.shown());
        assert_ne!(puzzle(&mut stand), first);
        stand.text("q");
        assert!(stand.app.has_left);
    }
}

#[test]
fn three_wrong_moves_show_the_solution() {
    for game in floe_games::games() {
        let mut stand = begin(game, PLAIN);
        let puzzle = puzzle(&mut stand);
        let (other, words) = (puzzle.other.first(), puzzle.other.words());
        make(&mut stand, other);
        let shown = stand.shown();
        assert!(
            shown.contains(&format!("{other} {words}. Try again.")),
            "{shown}"
        );
        assert!(shown.contains("✗ ○ ○"), "{shown}");
        make(&mut stand, other);
        make(&mut stand, other);
        assert_eq!(round(&mut stand).state, State::Shown);
        let shown = stand.shown();
        assert!(shown.contains(puzzle.solution()), "{shown}");
        assert!(shown.contains("0 of 1 solved"), "{shown}");
        // The board takes no more moves.
        make(&mut stand, puzzle.solution());
        assert_eq!(round(&mut stand).solved, 0);
    }
}

#[test]
fn a_hint_costs_a_try_and_the_solution_all_of_them() {
    for game in floe_games::games() {
        let mut stand = begin(game, ASCII);
        let puzzle = puzzle(&mut stand);
        stand.text("?");
        let shown = stand.shown();
        assert!(shown.contains("The best move "), "{shown}");
        assert!(shown.contains("x o o"), "{shown}");
        assert!(shown.is_ascii(), "{shown}");
        stand.text("w");
        assert_eq!(round(&mut stand).state, State::Shown);
        assert!(
            stand.shown().contains(puzzle.solution()),
            "{}",
            stand.shown()
        );
        stand.text("n");
        assert_eq!(round(&mut stand).state, State::Open);
    }
}

#[test]
fn puzzles_are_drawn_at_every_size() {
    for game in floe_games::games() {
        let mut stand = begin(game, PLAIN);
        insta::assert_snapshot!(format!("puzzle_{}", game.name()), stand.shown());
        for size in [(30, 8), (40, 12), (40, 15), (72, 16), (120, 40)] {
            stand.resize(size);
            stand.buffer();
        }
    }
}

#[test]
fn the_form_leads_to_the_puzzles_and_back() {
    let mut stand = Stand::new(PLAIN, SIZE);
    assert!(stand.shown().contains("p puzzles"), "{}", stand.shown());
    stand.text("p");
    assert!(
        stand.shown().contains("Puzzle of the day"),
        "{}",
        stand.shown()
    );
    stand.press(KeyCode::Esc);
    assert!(stand.shown().contains("New game"), "{}", stand.shown());
}

#[test]
fn a_streak_outlives_the_program() {
    let game = floe_games::games()[0];
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    let open = || {
        let mut stand = Stand::at_home(home.clone(), ASCII, SIZE);
        let puzzles = shipped(game).unwrap();
        let set = PuzzleSet {
            puzzles,
            first: 0,
            is_of_day: true,
        };
        stand.app.only_puzzles(set).unwrap();
        stand
    };
    let mut stand = open();
    assert!(!stand.shown().contains("streak"), "{}", stand.shown());
    let solution = puzzle(&mut stand).solution().to_owned();
    make(&mut stand, &solution);
    let shown = open().shown();
    assert!(shown.contains("streak  1 day  1"), "{shown}");
}
