//! The dialects' side of the contract.
//!
//! A program that answers with a whole board answers with what the next one is asked about. So
//! an honest answer needs no program: make the move, and take the board of the next question.

use floe_rules::random::Random;
use floe_rules::{Argument, Ask, Game, Position};

pub(crate) fn honest_answers<G: Game>(position: &G::Position, dice: &mut Random, place: &str) {
    if position.turn().is_none() {
        return;
    }
    let mut moves = position.legal_moves();
    dice.shuffle(&mut moves);
    for dialect in G::dialects() {
        let ask = dialect.ask(position);
        assert_eq!(
            ask,
            dialect.ask(position),
            "one position, one question\n{place}"
        );
        let names_file = ask.arguments.contains(&Argument::Input);
        assert_eq!(
            names_file,
            ask.file.is_some(),
            "{}\n{place}",
            dialect.name()
        );
        for &mv in moves.iter().take(4) {
            let mut after = position.clone();
            after.play_unchecked(mv);
            if after.turn().is_none() {
                continue; // nobody is asked any more
            }
            let answer = board(dialect.ask(&after));
            assert_eq!(
                dialect.answer(position, &answer),
                Ok(mv),
                "{}: {mv} answered by\n{answer}\n{place}",
                dialect.name()
            );
        }
        let silence = dialect.answer(position, "");
        assert!(silence.is_err(), "silence is {silence:?}\n{place}");
    }
}

fn board(ask: Ask) -> String {
    ask.file.unwrap_or(ask.input)
}
