//! Games played by keys and clicks, with engines that really think.

use std::time::Duration;

use floe_rules::{Player, Square};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::super::app::Stage;
use super::super::home::Home;
use super::super::screen::{Message, Overlay};
use super::super::thinker::{Answer, Purpose, ThinkReport};
use super::{Input, PLAIN, Stand, after, played};

const SIZE: (u16, u16) = (100, 36);

fn refusal(stand: &mut Stand) -> String {
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
            stand.text(["1", "2", "3"][turn % 3]);
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
        .steps()
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
        ('c', "cannot be given up"),
        ('4', "nothing has the key 4"),
        ('r', "nothing to do again"),
        ('p', "only engines"),
    ] {
        stand.press(KeyCode::Char(key));
        let reason = refusal(&mut stand);
        assert!(reason.contains(words), "{reason}");
    }
    assert_eq!(
        stand.screen().session.steps().len(),
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
        .steps()
        .last()
        .unwrap()
        .text()
        .to_owned();
    assert_eq!(last, golden.notation);
    assert_eq!(stand.screen().session.turn(), Some(Player::new(1)));
    // It is asked first.
    stand.text("c");
    assert!(
        stand.shown().contains("give up the turn?"),
        "{}",
        stand.shown()
    );
    stand.press(KeyCode::Esc);
    assert_eq!(stand.screen().session.turn(), Some(Player::new(1)));
    stand.text("cy");
    assert_eq!(stand.screen().session.turn(), Some(Player::new(0)));
    stand.text("g");
    assert!(refusal(&mut stand).contains("golden move has been used"));
    stand.text("uu");
    assert_eq!(stand.screen().session.steps().len(), 4);
    stand.text("r");
    assert_eq!(stand.screen().session.steps().len(), 5);
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
        assert_eq!(stand.screen().session.steps()[0].text(), hint);
    }
}

#[test]
fn engines_alone_can_be_told_to_wait() {
    let session = played("gamma", "4x4", "greedy,greedy", 0);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.text("p");
    assert!(stand.screen().is_paused && !stand.screen().is_thinking());
    assert!(
        stand.shown().contains("greedy waits: p goes on"),
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
    let row = shown.lines().position(|line| line.contains(" . ")).unwrap();
    let line = shown.lines().nth(row).unwrap();
    let column = line.chars().position(|c| c == '.').unwrap();
    let click = |stand: &mut Stand, button| {
        stand.app.input(Input::Mouse(MouseEvent {
            kind: MouseEventKind::Down(button),
            column: column as u16,
            row: row as u16,
            modifiers: KeyModifiers::NONE,
        }));
    };
    click(&mut stand, MouseButton::Left);
    assert_eq!(stand.screen().session.steps()[0].text(), "a4");
    click(&mut stand, MouseButton::Left);
    assert!(refusal(&mut stand).contains("only the golden move takes a4"));
    click(&mut stand, MouseButton::Right);
    assert_eq!(stand.screen().session.steps().len(), 1);
}

#[test]
fn whatever_names_a_key_can_be_clicked() {
    for (size, gap) in [(SIZE, "   "), ((40, 15), "  ")] {
        let session = played("flood", "6x5", "human,human", 0);
        let mut stand = Stand::game(PLAIN, size, session);
        let second = stand.screen().keyed().nth(1).unwrap().notation.clone();
        stand.click(&format!("2{gap}{second}"));
        assert_eq!(stand.screen().session.steps()[0].text(), second);
    }
    let session = played("gamma", "4x4", "human,human", 2);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.click("undo");
    assert_eq!(stand.screen().session.steps().len(), 1);
    stand.click("F1");
    assert!(matches!(stand.screen().overlay, Some(Overlay::Help(_))));
    // What is under it cannot be reached.
    stand.click("undo");
    assert_eq!(stand.screen().overlay, None);
    assert_eq!(stand.screen().session.steps().len(), 1);
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
    stand.click("▶");
    stand.click("players");
    stand.click("▶");
    assert!(stand.shown().contains("player 3"), "{}", stand.shown());
    stand.click("◀");
    assert!(!stand.shown().contains("player 3"), "{}", stand.shown());
    stand.click(" play ");
    stand.screen();
    let session = played("gamma", "3x3", "human,greedy", 99);
    let all = session.steps().len();
    let mut stand = Stand::game(PLAIN, SIZE, session);
    for (words, turn) in [
        ("v review", 0),
        ("→", 1),
        ("End", all),
        ("←", all - 1),
        ("Home", 0),
    ] {
        stand.click(words);
        let title = format!("turn {turn} of {all}");
        assert!(stand.shown().contains(&title), "{}", stand.shown());
    }
    stand.click("q leave");
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
        stand.text("x");
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
    assert!(stand.shown().contains("choose a game"));
}

/// Plays a game to its end and leaves another on its second turn.
fn with_kept_games(home: &Home) -> Stand {
    let mut stand = Stand::at_home(home.clone(), PLAIN, (80, 24));
    for (moves, keys) in [(0, "g"), (0, "g"), (0, "")] {
        let session = played("gamma", "2x1,areas=1", "human,human", moves);
        stand.app.play(session, None);
        while !keys.is_empty() && !stand.screen().is_over() {
            stand.press(KeyCode::Tab);
            stand.press(KeyCode::Enter);
            stand.text(keys);
        }
        if keys.is_empty() {
            stand.press(KeyCode::Enter);
        }
    }
    stand.app.close();
    Stand::at_home(home.clone(), PLAIN, (80, 24))
}

#[test]
fn the_form_offers_the_last_game_and_ones_own_games() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    let shown = Stand::at_home(home.clone(), PLAIN, (80, 24)).shown();
    assert!(
        !shown.contains("go on") && !shown.contains("my games"),
        "{shown}"
    );

    let mut stand = with_kept_games(&home);
    let shown = stand.shown();
    assert!(shown.contains("go on: Gamma, turn 2"), "{shown}");
    assert!(shown.contains("my games (3)"), "{shown}");
    stand.click("go on: ");
    assert_eq!(stand.screen().session.steps().len(), 1);
    assert!(
        stand.shown().contains("the game goes on"),
        "{}",
        stand.shown()
    );

    let mut stand = with_kept_games(&home);
    stand.press(KeyCode::F(3));
    if let Stage::Games(list) = &mut stand.app.stage {
        // As if they began in a moment, so that no time has passed.
        list.games.iter_mut().for_each(|game| game.began += 3600);
    }
    insta::assert_snapshot!("my_games_plain", stand.shown());
    stand.press(KeyCode::Down);
    stand.press(KeyCode::Enter);
    assert!(stand.shown().contains("review"), "{}", stand.shown());
    stand.press(KeyCode::Esc);
    assert!(stand.shown().contains("my games"), "{}", stand.shown());
    stand.press(KeyCode::Home);
    stand.press(KeyCode::Enter);
    assert_eq!(stand.screen().session.steps().len(), 1);
}

#[test]
fn a_game_that_cannot_be_opened_is_told_about() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    let mut stand = with_kept_games(&home);
    stand.press(KeyCode::F(3));
    let newest = home.saved().remove(0);
    std::fs::write(newest, "not a record").unwrap();
    stand.press(KeyCode::Enter);
    assert!(stand.shown().contains("holds no game"), "{}", stand.shown());
}

#[test]
fn what_is_typed_replaces_what_was_proposed() {
    let session = played("gamma", "4x4", "human,human", 3);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    let typed = |stand: &mut Stand| match &stand.screen().overlay {
        Some(Overlay::Prompt(prompt)) => prompt.text.clone(),
        other => panic!("{other:?}"),
    };
    stand.text("s");
    assert_eq!(typed(&mut stand), "gamma.jsonl");
    stand.text("/tmp/a");
    assert_eq!(typed(&mut stand), "/tmp/a");
    // Whoever goes on with it keeps it.
    stand.press(KeyCode::Esc);
    stand.text("s");
    stand.press(KeyCode::Backspace);
    stand.text("x");
    assert_eq!(typed(&mut stand), "gamma.jsonx");
}

#[test]
fn help_lists_the_keys_of_its_own_game() {
    for (game, has, has_not) in [
        ("flood", "1 2 3", "golden"),
        ("gamma", "the golden move", "1 2 3"),
        ("penguins", "undo", "give up"),
    ] {
        let session = played(game, "5x4", "human,human", 0);
        let mut stand = Stand::game(PLAIN, (100, 45), session);
        stand.press(KeyCode::F(1));
        let shown = stand.shown();
        let keys = &shown[shown.find("arrows hjkl").unwrap()..];
        assert!(keys.contains(has) && !keys.contains(has_not), "{shown}");
        assert!(!keys.contains("let engines wait"), "{shown}");
    }
}

#[test]
fn a_hint_says_who_is_ahead_in_words() {
    for (scores, words) in [([3, 5], "2 behind"), ([5, 3], "2 ahead"), ([4, 4], "even")] {
        let session = played("gamma", "4x4", "human,human", 0);
        let mut stand = Stand::game(PLAIN, SIZE, session);
        stand.text("?");
        let thought = floe_search::Thought {
            best: "b2".to_owned(),
            scores: scores.to_vec(),
            depth: 3,
            nodes: 3,
            line: Vec::new(),
            proven: false,
        };
        stand.app.input(Input::Report(ThinkReport {
            id: 1,
            purpose: Purpose::Hint,
            time: Duration::ZERO,
            answer: Ok(Answer::Thought(thought)),
        }));
        let said = format!("hint: b2 ({words})");
        assert!(stand.shown().contains(&said), "{}", stand.shown());
    }
}

#[test]
fn whose_time_is_over_is_out() {
    let mut session = played("gamma", "4x4", "human,human", 0);
    session.set_time_control("1m+5s".parse().unwrap());
    let mut stand = Stand::game(PLAIN, SIZE, session);
    assert!(stand.shown().contains("1:00"), "{}", stand.shown());
    stand.screen().shown = Duration::from_secs(20);
    assert!(!stand.screen().fall_flag());
    assert!(stand.shown().contains("0:40"), "{}", stand.shown());
    stand.screen().shown = Duration::from_secs(60);
    assert!(stand.screen().fall_flag());
    let shown = stand.shown();
    for words in [
        "player 2 (human) wins by forfeit",
        "timeout: the time on the clock",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    // It can be taken back, with the time.
    stand.text("u");
    assert!(stand.screen().is_my_turn());
    assert!(stand.shown().contains("1:00"), "{}", stand.shown());
}

#[test]
fn whoever_is_left_alone_can_finish_at_once() {
    let session = played("penguins", "6x5,penguins=2", "human,human", 4);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.text("f");
    assert!(refusal(&mut stand).contains("others can still move"));
    for _ in 0..200 {
        if stand.screen().is_over() || stand.screen().is_alone() {
            break;
        }
        stand.press(KeyCode::Tab);
        stand.press(KeyCode::Enter);
        stand.press(KeyCode::Tab);
        stand.press(KeyCode::Enter);
    }
    if !stand.screen().is_over() {
        let alone = stand.screen().session.turn();
        let before = stand.screen().session.steps().len();
        assert!(stand.shown().contains("f finish"), "{}", stand.shown());
        stand.text("f");
        let screen = stand.screen();
        let mut made = screen.session.steps()[before..].iter();
        assert!(made.all(|step| Some(step.mover) == alone));
    }
    assert!(stand.screen().is_over(), "{}", stand.shown());
}

#[test]
fn a_move_on_its_way_is_never_in_the_way() {
    let session = played("gamma", "4x4", "human,greedy", 0);
    let mut stand = Stand::game(PLAIN, SIZE, session);
    stand.screen().has_motion = true;
    stand.press(KeyCode::Enter);
    assert!(stand.screen().motion.is_some());
    stand.settle();
    // The answer is on its way, and flashes; the next move ends it and is made.
    assert!(stand.screen().is_flashing());
    stand.buffer();
    stand.press(KeyCode::Tab);
    assert!(stand.screen().motion.is_none());
    stand.press(KeyCode::Enter);
    assert_eq!(stand.screen().session.steps().len(), 3);
    // What is taken back does not move.
    stand.text("u");
    assert!(stand.screen().motion.is_none());
}
