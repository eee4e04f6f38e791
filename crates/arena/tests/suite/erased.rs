//! The games without their types say the same as the games with them.

use floe_arena::{AnyGame, Entry, MoveError};
use floe_rules::{Game, Position, Square, perft};

pub(crate) fn agrees<G: Game>(game: &'static Entry<G>, position: &G::Position, place: &str) {
    let table = game
        .read(&G::write(position))
        .expect("what was written reads");
    assert_eq!(table.game().name(), G::NAME);
    assert_eq!(table.players(), position.players());
    assert_eq!(table.turn(), position.turn());
    assert_eq!(table.scores(), position.scores());
    assert_eq!(table.outcome(), position.outcome());
    assert_eq!(table.view(), G::view(position));
    assert_eq!(table.choices(), G::choices(position));
    let square = Square::new(1, 0);
    assert_eq!(
        table.refusal(None, square, true),
        G::refusal(position, None, square, true)
    );
    let given_up = G::give_up(position).map(|after| G::write(&after));
    assert_eq!(table.give_up().map(|after| after.write()), given_up);
    assert_eq!(table.write(), G::write(position));
    assert_eq!(table.board(), G::board(position));
    assert_eq!(table.key(), position.key());
    let moves: Vec<String> = position
        .legal_moves()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(table.moves(), moves);
    assert_eq!(table.perft(0), 1);
    assert_eq!(table.perft(2), perft(position, 2));
    let divided: u64 = table.divide(2).iter().map(|(_, count)| count).sum();
    assert_eq!(
        divided,
        if moves.is_empty() { 0 } else { table.perft(2) },
        "{place}"
    );

    for mv in moves.iter().take(3) {
        table.check(mv).unwrap();
        let mut played = table.clone();
        played.play(mv).unwrap();
        let mut typed = position.clone();
        typed.play(mv.parse().unwrap()).unwrap();
        assert_eq!(played.write(), G::write(&typed), "{mv}\n{place}");
        assert!(*played != *table && *table == *table.clone());
        played.play("no move at all").unwrap_err();
    }
    for bad in ["", " ", "no move at all", "\u{0}"] {
        assert!(
            matches!(table.check(bad), Err(MoveError::Unreadable(_))),
            "{bad:?}"
        );
    }
    for dialect in game.dialects() {
        let speech = table.speech(dialect).unwrap();
        assert_eq!(speech.ask(None), speech.ask(None));
        assert!(speech.reply(None, "no move at all").is_err());
    }
    assert!(table.speech("klingon").is_err());
}
