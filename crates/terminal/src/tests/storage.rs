//! A game is said to be saved only if it is.

use std::path::PathBuf;

use ratatui::crossterm::event::KeyCode;

use super::super::home::Home;
use super::{PLAIN, Stand, played};

const SIZE: (u16, u16) = (100, 30);

/// A home in which nothing can be stored, and its folder: a file is where the folder should be.
fn unusable() -> (tempfile::TempDir, Home) {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    (folder, Home::at(&file))
}

fn game_at(home: Home) -> Stand {
    let mut stand = Stand::at_home(home, PLAIN, SIZE);
    stand
        .app
        .play(played("gamma", "3x3", "human,human", 0), None);
    stand
}

#[test]
fn a_game_without_a_place_is_said_to_be_lost() {
    let (_folder, unusable) = unusable();
    for home in [unusable, Home::default()] {
        let mut stand = game_at(home);
        let shown = stand.shown();
        assert!(shown.contains("The game is not saved: "), "{shown}");
        assert!(shown.contains("FLOE_HOME"), "{shown}");
        // The first key takes the words away; the mark stays.
        stand.press(KeyCode::Enter);
        let shown = stand.shown();
        assert!(shown.contains("not saved"), "{shown}");
        stand.press(KeyCode::Char('q'));
        let shown = stand.shown();
        assert!(
            shown.contains("The game is not saved and will be lost"),
            "{shown}"
        );
        assert!(!shown.contains("--resume"), "{shown}");
        // There is a way to save it all the same.
        assert!(shown.contains("s save to a file"), "{shown}");
        stand.press(KeyCode::Char('s'));
        assert!(stand.shown().contains("gamma.jsonl"), "{}", stand.shown());
    }
}

#[test]
fn a_saved_game_is_said_to_be_saved() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    let mut stand = game_at(home.clone());
    stand.press(KeyCode::Char('q'));
    assert!(
        stand.shown().contains("Nothing will be lost"),
        "{}",
        stand.shown()
    );
    stand.press(KeyCode::Esc);
    stand.press(KeyCode::Enter);
    stand.press(KeyCode::Char('q'));
    let shown = stand.shown();
    assert!(
        shown.contains("The game is saved: resume it with"),
        "{shown}"
    );
    assert!(!shown.contains("not saved"), "{shown}");
    assert_eq!(home.saved().len(), 1);
}

#[test]
fn a_game_whose_place_goes_away_is_no_longer_said_to_be_saved() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let mut stand = game_at(Home::at(&home));
    std::fs::remove_dir_all(&home).unwrap();
    std::fs::write(&home, "").unwrap();
    stand.press(KeyCode::Enter);
    let shown = stand.shown();
    assert!(shown.contains("The game is not saved: "), "{shown}");
    stand.press(KeyCode::Char('n'));
    assert!(stand.shown().contains("will be lost"), "{}", stand.shown());
}
