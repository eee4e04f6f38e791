//! The screens as they were drawn before they were built, at 80x24 and 120x40.

use floe_rules::Square;
use ratatui::crossterm::event::KeyCode;

use super::{ASCII, DARK, PLAIN, Skin, Stand, after, coloured, played};

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (120, 40);

/// The tenth turn of a real game: b7 is picked up, the cursor is on e7.
fn penguins(skin: Skin, size: (u16, u16)) -> Stand {
    let moves = "g6 i4 b7 b6 f1 g7 g6-g1 g7-g8 f1-e1 i4-g4";
    let session = after("penguins", "10x10", "human,floe:medium", moves);
    let mut stand = Stand::game(skin, size, session);
    stand.screen().cursor = Square::new(1, 6);
    stand.press(KeyCode::Enter);
    let screen = stand.screen();
    screen.cursor = Square::new(4, 6);
    screen.evaluation.is_shown = true;
    let leads = [2, 12, 9, 12, -14, -14, -15, -20, -18, -9, -13];
    screen.course = leads.iter().map(|lead| Some(vec![50 + lead, 50])).collect();
    screen.evaluation.thought = Some(floe_search::Thought {
        best: "b7-e7".to_owned(),
        scores: vec![48, 61],
        depth: 9,
        nodes: 1000,
        line: vec!["b7-e7".to_owned()],
        proven: false,
    });
    stand
}

#[test]
fn penguins_as_drawn() {
    insta::assert_snapshot!("penguins_80x24", penguins(PLAIN, SMALL).shown());
    insta::assert_snapshot!("penguins_120x40", penguins(PLAIN, LARGE).shown());
    insta::assert_snapshot!("penguins_ascii", penguins(ASCII, SMALL).shown());
    insta::assert_snapshot!("penguins_colour", coloured(&penguins(DARK, SMALL).buffer()));
    insta::assert_snapshot!("penguins_40x15", penguins(PLAIN, (40, 15)).shown());
}

#[test]
fn gamma_as_drawn() {
    let session = played("gamma", "10x10", "human,floe:medium", 34);
    let stand = Stand::game(PLAIN, SMALL, session);
    insta::assert_snapshot!("gamma_80x24", stand.shown());
}

#[test]
fn flood_as_drawn() {
    let make = |skin, size| {
        let session = played("flood", "20x20", "human,floe:medium", 18);
        Stand::game(skin, size, session)
    };
    insta::assert_snapshot!("flood_80x24", make(PLAIN, SMALL).shown());
    insta::assert_snapshot!("flood_120x40", make(PLAIN, LARGE).shown());
    insta::assert_snapshot!("flood_ascii", make(ASCII, SMALL).shown());
    let mut stand = make(PLAIN, SMALL);
    let before = stand.shown();
    stand.press(KeyCode::Right);
    assert_ne!(stand.shown(), before, "another colour is previewed");
}

#[test]
fn a_large_board_as_drawn() {
    let make = |skin| {
        let session = played("penguins", "200x100,penguins=3", "human,floe:medium", 6);
        Stand::game(skin, SMALL, session)
    };
    let mut stand = make(DARK);
    stand.press(KeyCode::Tab);
    insta::assert_snapshot!("large_80x24", stand.shown());
    let mut stand = make(PLAIN);
    stand.press(KeyCode::Tab);
    insta::assert_snapshot!("large_without_colour", stand.shown());
}

/// The keys stay where they are when a message is shown, and the key that quits is among them.
#[test]
fn the_keys_stay_when_a_message_is_shown() {
    for size in [(40, 12), (40, 15), SMALL] {
        for game in floe_games::games() {
            let session = played(game.name(), "6x5", "human,floe:medium", 2);
            let mut stand = Stand::game(ASCII, size, session);
            let keys = |stand: &Stand| stand.shown().lines().last().unwrap_or("").to_owned();
            let before = keys(&stand);
            assert!(before.contains("q quit"), "{}", stand.shown());
            stand.screen().message = Some(super::super::screen::Message::Refusal(
                "a message that is much longer than one line of forty columns, and says why".into(),
            ));
            assert_eq!(keys(&stand), before, "{}", stand.shown());
            assert!(
                stand.shown().contains("message that is"),
                "{}",
                stand.shown()
            );
        }
    }
}
