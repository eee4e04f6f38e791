//! The dialects' side of the contract.
//!
//! An honest answer needs no program: the dialect itself says what it looks like.

use floe_rules::random::Random;
use floe_rules::{Argument, Game, Position};

pub(crate) fn honest_answers<G: Game>(position: &G::Position, dice: &mut Random, place: &str) {
    if position.turn().is_none() {
        return;
    }
    let mut moves = position.legal_moves();
    dice.shuffle(&mut moves);
    for dialect in G::dialects() {
        let ask = dialect.request(position, None);
        assert_eq!(
            ask,
            dialect.request(position, None),
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
            let reply = dialect.reply(position, None, mv);
            let answer = dialect.answer(position, None, &reply);
            assert_eq!(
                answer.map(|answer| answer.mv),
                Ok(mv),
                "{}: {mv} answered by\n{reply}\n{place}",
                dialect.name()
            );
        }
        let silence = dialect.answer(position, None, "");
        assert!(silence.is_err(), "silence is {silence:?}\n{place}");
    }
}
