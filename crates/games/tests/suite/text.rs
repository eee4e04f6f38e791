//! The text side of the contract: setups, moves and positions survive being written and read,
//! and whatever else is read ends in an error, never in a panic.

use floe_rules::random::Random;
use floe_rules::{Game, Position, Report};

use super::Move;

pub(crate) fn setup_round_trips<G: Game>(setup: &G::Setup) {
    let written = setup.to_string();
    assert!(
        !written.contains(char::is_whitespace),
        "{written:?} is not one word"
    );
    match written.parse::<G::Setup>() {
        Ok(read) => {
            assert!(
                read == *setup,
                "{}: {written} reads back as {read}",
                G::NAME
            );
            assert_eq!(read.to_string(), written);
        }
        Err(e) => panic!("{}: {written}: {e}", G::NAME),
    }
}

pub(crate) fn round_trip<G: Game>(position: &G::Position, dice: &mut Random, place: &str) {
    for mv in position.legal_moves() {
        let written = mv.to_string();
        assert!(
            !written.contains(char::is_whitespace),
            "{written:?} is not one word"
        );
        assert_eq!(written.parse(), Ok(mv), "{place}");
    }

    let written = G::write(position);
    let mut report = Report::new();
    let read = G::parse(&written, &mut report);
    assert_eq!(
        report,
        Report::new(),
        "a played position has no faults\n{place}"
    );
    let read = read.expect("no error, so a position");
    assert_eq!(&read, position, "{place}");
    assert_eq!(
        read.key(),
        position.key(),
        "the key of a position that was read\n{place}"
    );
    assert_eq!(read.legal_moves(), position.legal_moves(), "{place}");
    assert_eq!(G::write(&read), written, "{place}");
    assert_eq!(
        G::read(&G::spell(position)).as_ref(),
        Ok(position),
        "{place}"
    );

    for _ in 0..8 {
        survives::<G>(&damaged(&written, dice));
    }
    survives::<G>(&G::board(position));
}

/// `text` with a piece cut out, put in twice or overwritten.
fn damaged(text: &str, dice: &mut Random) -> String {
    const STRANGE: &[char] = &['\0', '-', '9', ' ', '\n', '\r', 'ż', '#', 'Z', '\u{200d}'];
    let mut text: Vec<char> = text.chars().collect();
    if text.is_empty() {
        return STRANGE[dice.index(STRANGE.len())].into();
    }
    let from = dice.index(text.len());
    let to = from + dice.index((text.len() - from).min(12) + 1);
    match dice.below(4) {
        0 => text.truncate(from),
        1 => drop(text.drain(from..to)),
        2 => text.extend_from_within(from..to),
        _ => text[from] = STRANGE[dice.index(STRANGE.len())],
    }
    text.into_iter().collect()
}

/// Any text can be given to every reader: each says yes or no, and what is read can be written.
fn survives<G: Game>(text: &str) {
    let mut report = Report::new();
    let read = G::parse(text, &mut report);
    assert_eq!(
        read.is_none(),
        !report.errors.is_empty(),
        "{text:?}: {report:?}"
    );
    for error in report.errors.iter().chain(&report.remarks) {
        assert!(
            error.line > 0 && error.column > 0 && error.width > 0,
            "{text:?}: {error:?}"
        );
        assert!(
            !error.cause.is_empty() && !error.cause.ends_with('.'),
            "{error:?}"
        );
        floe_rules::text::explain(error, "text", text);
    }
    if let Some(read) = read {
        assert_eq!(G::read(&G::write(&read)).as_ref(), Ok(&read), "{text:?}");
        assert_eq!(
            read.legal_moves().is_empty(),
            read.turn().is_none(),
            "{text:?}"
        );
        G::view(&read);
    }
    for dialect in G::dialects() {
        if let Ok(position) = G::read(text) {
            let _ = dialect.answer(&position, None, text);
        }
    }
    for piece in text.split_inclusive(|c: char| c.is_whitespace()).take(20) {
        let _ = piece.parse::<Move<G>>();
        let _ = piece.parse::<G::Setup>();
    }
}
