//! Themes: readable on every terminal, tried before they are stored, and undone.

use ratatui::crossterm::event::KeyCode;
use ratatui::style::{Color, Modifier};

use super::super::config::{ConfigFile, key};
use super::super::draw::Skin;
use super::super::home::Home;
use super::super::theme::Theme;
use super::{DARK, Stand, contrast, played};

const SIZE: (u16, u16) = (80, 24);

fn coloured() -> impl Iterator<Item = Theme> {
    Theme::ALL.into_iter().filter(|&theme| theme != Theme::None)
}

/// Every screen of a theme, by its name.
fn screens(theme: Theme) -> Vec<(&'static str, Stand)> {
    let skin = Skin { theme, ..DARK };
    let game = |name: &str| {
        let session = played(name, "7x6", "human,floe:medium", 6);
        Stand::game(skin, SIZE, session)
    };
    let pressed = |codes: &[KeyCode]| {
        let mut stand = game("gamma");
        codes.iter().for_each(|&code| stand.press(code));
        stand
    };
    let over = || {
        let session = played("gamma", "3x2,areas=1", "human,human", 99);
        Stand::game(skin, SIZE, session)
    };
    let placement = || {
        let session = played("penguins", "7x6", "human,floe:medium", 0);
        Stand::game(skin, SIZE, session)
    };
    let mut review = over();
    review.press(KeyCode::Char('r'));
    let mut small = game("penguins");
    small.resize((30, 8));
    vec![
        ("form", Stand::new(skin, SIZE)),
        ("placement", placement()),
        ("penguins", game("penguins")),
        ("gamma", game("gamma")),
        ("flood", game("flood")),
        ("help", pressed(&[KeyCode::F(1)])),
        ("quit", pressed(&[KeyCode::Char('q')])),
        ("move", pressed(&[KeyCode::Char(':')])),
        ("trial", pressed(&[KeyCode::Char('T')])),
        ("result", over()),
        ("review", review),
        ("small", small),
    ]
}

#[test]
fn every_cell_has_ink_and_ground_of_the_theme() {
    for theme in coloured() {
        for (name, stand) in screens(theme) {
            // The trial shows the theme after this one, which may have no colours.
            if stand.app.skin().theme == Theme::None {
                continue;
            }
            for cell in &stand.buffer().content {
                assert_ne!(cell.bg, Color::Reset, "{theme} {name}: {cell:?}");
                assert_ne!(cell.fg, Color::Reset, "{theme} {name}: {cell:?}");
            }
        }
    }
}

#[test]
fn no_text_is_drawn_in_the_colour_of_its_ground() {
    for theme in coloured() {
        for (name, stand) in screens(theme) {
            if stand.app.skin().theme == Theme::None {
                continue;
            }
            let buffer = stand.buffer();
            let written = (buffer.content.iter()).filter(|cell| !cell.symbol().trim().is_empty());
            for cell in written {
                // Terminals draw faint text in half its colour.
                let is_faint = cell.modifier.contains(Modifier::DIM);
                assert!(!is_faint, "{theme} {name}: {cell:?}");
                let found = contrast(cell.fg, cell.bg);
                // Two colours that meet in a graph tell players apart, and are no text.
                let is_letter = cell.symbol().chars().any(char::is_alphanumeric);
                assert!(
                    found >= 3.0 || !is_letter,
                    "{theme} {name} {found:.1}: {cell:?}"
                );
            }
        }
    }
}

#[test]
fn a_theme_is_tried_named_and_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let config = ConfigFile::at(&folder.path().join("config.toml"));
    let home = Home::at(folder.path());
    let mut stand = Stand::with_settings(home, config.clone(), DARK, SIZE);
    let theme = |stand: &Stand| stand.app.skin().theme;

    stand.press(KeyCode::Char('T'));
    assert_eq!(theme(&stand), Theme::Light);
    for words in [
        "theme: light",
        "T next",
        "Esc back to dark",
        "floe config unset theme",
    ] {
        assert!(stand.shown().contains(words), "{words}\n{}", stand.shown());
    }
    assert_eq!(config.read().unwrap().theme(), None, "it is only tried");
    stand.press(KeyCode::Char('T'));
    stand.press(KeyCode::Esc);
    assert_eq!(theme(&stand), Theme::Dark);
    assert!(!stand.app.has_left, "Esc restores the theme and no more");
    assert_eq!(config.read().unwrap().theme(), None);
    assert!(!stand.shown().contains("theme:"), "{}", stand.shown());

    // Any other key stores it, and does what it always does.
    stand.press(KeyCode::Char('T'));
    stand.press(KeyCode::Right);
    assert_eq!(config.read().unwrap().theme(), Some(Theme::Light));
    assert!(!stand.shown().contains("theme:"), "{}", stand.shown());
    stand.press(KeyCode::Esc);
    assert!(stand.app.has_left);
}

#[test]
fn the_theme_that_suits_the_terminal_is_no_setting() {
    let folder = tempfile::tempdir().unwrap();
    let config = ConfigFile::at(&folder.path().join("config.toml"));
    let home = Home::at(folder.path());
    let mut stand = Stand::with_settings(home, config.clone(), DARK, SIZE);
    stand.app.suiting = Some(Theme::Dark);
    let theme = || config.read().unwrap().value(key("theme").unwrap());
    stand.text("T");
    stand.press(KeyCode::Down);
    assert_eq!(theme(), Some("light".to_owned()));
    // Around to the first one, in four steps.
    stand.text("TTTT");
    stand.press(KeyCode::Down);
    assert_eq!(theme(), None);
}

#[test]
fn a_theme_that_cannot_be_stored_is_told_about() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let config = ConfigFile::at(&file.join("config.toml"));
    let home = Home::at(folder.path());
    let mut stand = Stand::with_settings(home, config, DARK, SIZE);
    stand.text("T");
    stand.press(KeyCode::Left);
    let shown = stand.shown();
    assert!(
        shown.contains("The theme is not saved: cannot write"),
        "{shown}"
    );
}
