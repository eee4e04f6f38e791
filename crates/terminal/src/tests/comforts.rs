//! What makes a game easy to take up and to go on with: one's own games, clocks, prompts, help.

use std::time::Duration;

use ratatui::crossterm::event::KeyCode;

use super::super::home::Home;
use super::super::input::{Answer, Purpose, ThinkReport};
use super::super::screen::Overlay;
use super::super::stage::Stage;
use super::keys::refusal;
use super::{Input, PLAIN, Stand, played};

const SIZE: (u16, u16) = (100, 36);

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
        !shown.contains("resume:") && !shown.contains("my games"),
        "{shown}"
    );

    let mut stand = with_kept_games(&home);
    let shown = stand.shown();
    assert!(shown.contains("resume: Gamma, turn 2"), "{shown}");
    assert!(shown.contains("my games (3)"), "{shown}");
    stand.click("resume: ");
    assert_eq!(stand.screen().session.turns().len(), 1);
    assert!(stand.shown().contains("Game resumed"), "{}", stand.shown());

    let mut stand = with_kept_games(&home);
    stand.press(KeyCode::F(3));
    if let Stage::Games(list) = &mut stand.app.stage {
        // As if they began in a moment, so that no time has passed.
        list.games.iter_mut().for_each(|game| game.began += 3600);
    }
    insta::assert_snapshot!("my_games_plain", stand.shown());
    stand.press(KeyCode::Down);
    stand.press(KeyCode::Enter);
    assert!(stand.shown().contains("Review: "), "{}", stand.shown());
    stand.press(KeyCode::Esc);
    assert!(stand.shown().contains("my games"), "{}", stand.shown());
    stand.press(KeyCode::Home);
    stand.press(KeyCode::Enter);
    assert_eq!(stand.screen().session.turns().len(), 1);
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
        ("flood", "1 to 9", "golden"),
        ("gamma", "the golden move", "1 to 9"),
        ("penguins", "undo", "pass, if"),
    ] {
        let session = played(game, "5x4", "human,human", 0);
        let mut stand = Stand::game(PLAIN, (100, 45), session);
        stand.press(KeyCode::F(1));
        let shown = stand.shown();
        let keys = &shown[shown.find("arrows ").unwrap()..];
        assert!(keys.contains(has) && !keys.contains(has_not), "{shown}");
        assert!(!keys.contains("pause or resume engines"), "{shown}");
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
    for words in ["player 2 wins by forfeit", "timeout: the time on the clock"] {
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
    assert!(refusal(&mut stand).contains("cannot auto-finish"));
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
        let before = stand.screen().session.turns().len();
        assert!(stand.shown().contains("f finish"), "{}", stand.shown());
        stand.text("f");
        let screen = stand.screen();
        let mut made = screen.session.turns()[before..].iter();
        assert!(made.all(|step| Some(step.player) == alone));
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
    assert_eq!(stand.screen().session.turns().len(), 3);
    // What is taken back does not move.
    stand.text("u");
    assert!(stand.screen().motion.is_none());
}
