//! Whatever can be played can be pointed at or has a key, and forms make setups that start.

use std::collections::HashSet;

use floe_rules::random::Random;
use floe_rules::{Choice, Game, Player, Position, Square, Values};

/// How many choices of a position are played out.
const PLAYED: usize = 20;

pub(crate) fn choices<G: Game>(position: &G::Position, dice: &mut Random, place: &str) {
    let choices = G::choices(position);
    let moves: Vec<String> = (position.legal_moves().iter())
        .map(ToString::to_string)
        .collect();
    let chosen: Vec<&String> = choices.iter().map(|choice| &choice.notation).collect();
    assert_eq!(
        chosen,
        moves.iter().collect::<Vec<_>>(),
        "the choices are the moves\n{place}"
    );
    let pointed: HashSet<_> = (choices.iter().filter(|choice| choice.to.is_some()))
        .map(|choice| (choice.from, choice.to, choice.special))
        .collect();
    let with_square = choices.iter().filter(|choice| choice.to.is_some()).count();
    assert_eq!(
        pointed.len(),
        with_square,
        "two moves are pointed at alike\n{place}"
    );

    let view = G::view(position);
    for choice in &choices {
        let Choice { from, to, .. } = choice;
        assert!(
            from.is_none() || to.is_some(),
            "{choice:?} lifts a piece for ever\n{place}"
        );
        for &square in choice.takes.iter().chain(from).chain(to) {
            assert!(view.cell(square).is_some(), "{choice:?}\n{place}");
        }
        if let Some(from) = from {
            let owner = view.cell(*from).and_then(|cell| cell.owner);
            assert_eq!(owner, position.turn(), "{choice:?}\n{place}");
        }
    }
    for choice in (0..choices.len().min(PLAYED)).map(|_| &choices[dice.index(choices.len())]) {
        gains::<G>(position, choice, place);
    }
    for _ in 0..10 {
        let some = |most: u32, dice: &mut Random| dice.index(most as usize + 2) as u32;
        let at = Square::new(some(view.width, dice), some(view.height, dice));
        let from = choices.first().and_then(|choice| choice.from);
        for (from, is_special) in [(None, false), (None, true), (from, false)] {
            let reason = G::refusal(position, from, at, is_special);
            super::contract::reason_is_readable(&reason, place);
        }
    }
    if let Some(after) = G::give_up(position) {
        assert_ne!(after.turn(), position.turn(), "{place}");
        assert!(after.turn().is_some(), "{place}");
        assert_eq!(after.scores(), position.scores(), "{place}");
    }
}

/// A choice brings what it says.
fn gains<G: Game>(position: &G::Position, choice: &Choice, place: &str) {
    let mover: Player = position.turn().expect("a choice has a mover");
    let mut after = position.clone();
    let mv = choice.notation.parse();
    let mv = mv.unwrap_or_else(|e| panic!("{choice:?}: {e}\n{place}"));
    after.play(mv).expect("a choice is legal");
    let gain = after.score(mover) - position.score(mover);
    assert_eq!(gain, choice.gain, "{choice:?}\n{place}");
    let view = G::view(&after);
    for &square in &choice.takes {
        let owner = view.cell(square).and_then(|cell| cell.owner);
        assert_eq!(
            owner,
            Some(mover),
            "{choice:?} does not take {square}\n{place}"
        );
    }
}

/// Every value that a form offers is one the setup can read, the usual ones start a game.
pub(crate) fn settings<G: Game>() {
    let mut usual = String::new();
    for setting in G::SETTINGS {
        let word = setting.word;
        let values: Vec<String> = match &setting.values {
            Values::Number(range) => [*range.start(), *range.end()].map(|n| n.to_string()).into(),
            Values::Words(words) => words.iter().map(|&word| word.to_owned()).collect(),
        };
        for value in &values {
            let text = format!("{word}={value}");
            assert!(text.parse::<G::Setup>().is_ok(), "{}: {text}", G::NAME);
        }
        let separator = if usual.is_empty() { "" } else { "," };
        usual.push_str(&format!("{separator}{word}={}", setting.default));
    }
    let setup: G::Setup = usual
        .parse()
        .unwrap_or_else(|e| panic!("{}: {usual}: {e}", G::NAME));
    assert!(setup == G::Setup::default(), "{}: {usual}", G::NAME);
}
