//! Games played by keys and clicks, with engines that really think.

use floe_rules::{Player, Square};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::super::screen::{Message, Overlay};
use super::{Input, PLAIN, Stand, after, played};

const SIZE: (u16, u16) = (100, 36);

pub(super) fn refusal(stand: &mut Stand) -> String {
    match stand.screen().message.take() {
        Some(Message::Refusal(text)) => text,
        other => panic!("no refusal but {other:?}"),
    }
}

#[test]
fn a_whole_game_of_every_kind_by_keys() {
    for game in floe_games::games() {
        let session = played(game.name(), "5x4", "human,greedy", 0);
        let mut stand = Stand::game(PLAIN, SIZE, session);
        for turn in 0..2000 {
            if stand.screen().is_over() {
                break;
            }
            stand.press(KeyCode::Tab);
            stand.press(KeyCode::Enter);
            stand.settle();
            stand.text("g");
            stand.settle();
            stand.text(["1", "2", "3", "4", "5"][turn % 5]);
            stand.settle();
        }
        assert!(
            stand.screen().is_over(),
            "{}\n{}",
            game.name(),
            stand.shown()
        );
        assert_eq!(stand.screen().overlay, Some(Overlay::Result));
    }
}

#[test]
fn a_piece_is_picked_up_put_back_and_played() {
    let session = played("penguins", "6x5,penguins=2", "human,human", 4);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.press(KeyCode::Tab);
    let from = stand.screen().cursor;
    stand.press(KeyCode::Enter);
    assert_eq!(stand.screen().lifted, Some(from));
    stand.press(KeyCode::Enter);
    assert_eq!(stand.screen().lifted, None);
    stand.text(" ");
    stand.press(KeyCode::Esc);
    assert_eq!(stand.screen().lifted, None);
    stand.press(KeyCode::Enter);
    stand.press(KeyCode::Tab);
    let to = stand.screen().cursor;
    stand.press(KeyCode::Enter);
    let last = stand
        .screen()
        .session
        .turns()
        .last()
        .unwrap()
        .text()
        .to_owned();
    assert_eq!(last, format!("{from}-{to}"));
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let session = played("penguins", "6x5,penguins=2", "human,human", 4);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    for row in 0..5 {
        for column in 0..6 {
            let square = Square::new(column, row);
            stand.screen().lifted = None;
            stand.screen().cursor = square;
            stand.press(KeyCode::Enter);
            if stand.screen().lifted != Some(square) {
                assert!(!refusal(&mut stand).is_empty(), "{square}");
            }
        }
    }
    stand.screen().lifted = None;
    for (key, words) in [
        ('w', "`w` does nothing here"),
        ('c', "cannot pass"),
        ('4', "nothing has the key 4"),
        ('r', "nothing to redo"),
        ('p', "only engines"),
    ] {
        stand.press(KeyCode::Char(key));
        let reason = refusal(&mut stand);
        assert!(reason.contains(words), "{reason}");
    }
    assert_eq!(
        stand.screen().session.turns().len(),
        4,
        "nothing was played"
    );
}

#[test]
fn golden_moves_and_giving_up_the_turn() {
    let session = after("gamma", "4x4", "human,human", "a1 d4 a2 d3");
    let mut stand = Stand::game(PLAIN, SIZE, session);
    let choices = stand.screen().choices.clone();
    let golden = choices
        .iter()
        .find(|choice| choice.special.is_some())
        .unwrap();
    stand.screen().cursor = golden.to.unwrap();
    stand.press(KeyCode::Enter);
    assert!(refusal(&mut stand).contains("g makes it"));
    stand.text("g");
    let last = stand
        .screen()
        .session
        .turns()
        .last()
        .unwrap()
        .text()
        .to_owned();
    assert_eq!(last, golden.notation);
    assert_eq!(stand.screen().session.turn(), Some(Player::new(1)));
    // It is asked first.
    stand.text("c");
    assert!(stand.shown().contains("pass?"), "{}", stand.shown());
    stand.press(KeyCode::Esc);
    assert_eq!(stand.screen().session.turn(), Some(Player::new(1)));
    stand.text("cy");
    assert_eq!(stand.screen().session.turn(), Some(Player::new(0)));
    stand.text("g");
    assert!(refusal(&mut stand).contains("golden move has been used"));
    stand.text("uu");
    assert_eq!(stand.screen().session.turns().len(), 4);
    stand.text("r");
    assert_eq!(stand.screen().session.turns().len(), 5);
}

#[test]
fn while_an_engine_thinks_undo_and_quit_work() {
    let session = played("flood", "12x12", "human,floe:time=3600s", 0);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.text("1");
    assert!(stand.screen().is_thinking());
    stand.press(KeyCode::Enter);
    assert!(refusal(&mut stand).contains("not your turn"));
    stand.text("u");
    assert!(!stand.screen().is_thinking() && stand.screen().is_my_turn());
    stand.text("r");
    assert!(stand.screen().is_thinking());
    stand.text("q");
    assert_eq!(stand.screen().overlay, Some(Overlay::Quit));
    stand.press(KeyCode::Esc);
    assert!(!stand.app.has_left);
    stand.text("q");
    stand.press(KeyCode::Enter);
    assert!(stand.app.has_left);
}

#[test]
fn a_hint_is_a_move_that_can_be_made() {
    for game in floe_games::games() {
        let session = played(game.name(), "5x4", "human,greedy", 0);
        let mut stand = Stand::game(PLAIN, SIZE, session);
        stand.text("?");
        stand.settle();
        let hint = stand.screen().hint.clone().unwrap();
        assert!(
            stand.shown().contains(&format!("hint: {hint}")),
            "{}",
            stand.shown()
        );
        stand.text(":");
        stand.text(&hint);
        stand.press(KeyCode::Enter);
        assert_eq!(stand.screen().session.turns()[0].text(), hint);
    }
}

#[test]
fn engines_alone_can_be_told_to_wait() {
    let session = played("gamma", "4x4", "greedy,greedy", 0);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.text("p");
    assert!(stand.screen().is_paused && !stand.screen().is_thinking());
    assert!(
        stand.shown().contains("greedy (1) waits: p resumes"),
        "{}",
        stand.shown()
    );
    stand.text("p");
    assert!(stand.screen().is_thinking());
}

#[test]
fn clicks_do_what_keys_do() {
    let session = played("gamma", "4x4", "human,human", 0);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    let shown = stand.shown();
    // The first dot is the top-left field.
    let row = shown.lines().position(|line| line.contains('·')).unwrap();
    let line = shown.lines().nth(row).unwrap();
    let column = line.chars().position(|c| c == '·').unwrap();
    let click = |stand: &mut Stand, button| {
        stand.app.input(Input::Mouse(MouseEvent {
            kind: MouseEventKind::Down(button),
            column: column as u16,
            row: row as u16,
            modifiers: KeyModifiers::NONE,
        }));
    };
    click(&mut stand, MouseButton::Left);
    assert_eq!(stand.screen().session.turns()[0].text(), "a4");
    click(&mut stand, MouseButton::Left);
    assert!(refusal(&mut stand).contains("Only the golden move takes a4"));
    click(&mut stand, MouseButton::Right);
    assert_eq!(stand.screen().session.turns().len(), 1);
}

#[test]
fn whatever_names_a_key_can_be_clicked() {
    for size in [SIZE, (40, 15)] {
        let session = played("flood", "6x5", "human,human", 0);
        let mut stand = Stand::game(PLAIN, size, session);
        let keyed = stand.screen().keyed_choices();
        let mut playable = keyed.iter().filter(|one| one.choice.is_some());
        let (key, second) = playable
            .nth(1)
            .map(|one| (one.key, one.notation.clone()))
            .unwrap();
        stand.click(&format!("{key}  {second}"));
        assert_eq!(stand.screen().session.turns()[0].text(), second);
    }
    let session = played("gamma", "4x4", "human,human", 2);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.click("undo");
    assert_eq!(stand.screen().session.turns().len(), 1);
    stand.click("F1");
    assert!(matches!(stand.screen().overlay, Some(Overlay::Help(_))));
    // What is under it cannot be reached.
    stand.click("undo");
    assert_eq!(stand.screen().overlay, None);
    assert_eq!(stand.screen().session.turns().len(), 1);
    stand.click("s save");
    assert!(matches!(stand.screen().overlay, Some(Overlay::Prompt(_))));
    stand.click("Esc");
    stand.click("q quit");
    stand.click("Esc");
    assert_eq!(stand.screen().overlay, None);
    stand.click("q quit");
    stand.click("yes");
    assert!(stand.app.has_left);
}

#[test]
fn a_game_is_chosen_played_and_looked_at_by_clicks_alone() {
    let mut stand = Stand::new(PLAIN, SIZE);
    stand.click("›");
    stand.click("Players");
    stand.click("›");
    assert!(stand.shown().contains("Player 3"), "{}", stand.shown());
    stand.click("‹");
    assert!(!stand.shown().contains("Player 3"), "{}", stand.shown());
    stand.click("Enter  Play");
    stand.screen();
    let session = played("gamma", "3x3", "human,greedy", 99);
    let all = session.turns().len();
    let mut stand = Stand::game(PLAIN, SIZE, session);
    for (words, turn) in [
        ("r review", 0),
        ("→", 1),
        ("End", all),
        ("←", all - 1),
        ("Home", 0),
    ] {
        stand.click(words);
        let title = format!("turn {turn} of {all}");
        assert!(stand.shown().contains(&title), "{}", stand.shown());
    }
    stand.click("q back");
    stand.click("a again");
    assert!(!stand.screen().session.seats()[0].is_human());
}

#[test]
fn control_c_asks_and_then_leaves() {
    let session = played("gamma", "4x4", "human,human", 1);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    stand.app.input(Input::Key(key));
    assert!(!stand.app.has_left);
    stand.app.input(Input::Key(key));
    assert!(stand.app.has_left);
}

#[test]
fn export_never_overwrites_and_save_never_loses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("position.txt");
    let session = played("gamma", "4x4", "human,human", 3);
    let text = session.position().write();
    let mut stand = Stand::game(PLAIN, SIZE, session);
    let export = |stand: &mut Stand| {
        stand.text("X");
        stand.text(path.to_str().unwrap());
        stand.press(KeyCode::Enter);
    };
    export(&mut stand);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    stand.press(KeyCode::Tab);
    stand.press(KeyCode::Enter);
    export(&mut stand);
    assert!(matches!(stand.screen().message, Some(Message::Refusal(_))));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_rematch_changes_sides_and_a_new_game_asks_first() {
    let session = played("gamma", "2x2", "human,greedy", 99);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.text("a");
    assert!(!stand.screen().session.seats()[0].is_human());
    stand.settle();
    stand.press(KeyCode::Tab);
    stand.press(KeyCode::Enter);
    stand.settle();
    stand.text("n");
    assert_eq!(stand.screen().overlay, Some(Overlay::New));
    stand.text("y");
    assert!(stand.shown().contains("New game"));
}
