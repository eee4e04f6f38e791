//! The games without their types say the same as the games with them.

use floe_games::{AnyGame, GameEntry, MoveError};
use floe_rules::{Game, Position, Square, perft};

pub(crate) fn agrees<G: Game>(game: &'static GameEntry<G>, typed: &G::Position, place: &str) {
    let position = game.read(&G::write(typed)).expect("what was written reads");
    assert_eq!(position.game().name(), G::NAME);
    assert_eq!(position.players(), typed.players());
    assert_eq!(position.turn(), typed.turn());
    assert_eq!(position.scores(), typed.scores());
    assert_eq!(position.outcome(), typed.outcome());
    assert_eq!(position.view(), G::view(typed));
    assert_eq!(position.choices(), G::choices(typed));
    let square = Square::new(1, 0);
    assert_eq!(
        position.refusal(None, square, true),
        G::refusal(typed, None, square, true)
    );
    let given_up = G::give_up(typed).map(|after| G::write(&after));
    assert_eq!(position.give_up().map(|after| after.write()), given_up);
    assert_eq!(position.write(), G::write(typed));
    assert_eq!(position.board(), G::board(typed));
    assert_eq!(position.key(), typed.key());
    let moves: Vec<String> = typed
        .legal_moves()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(position.moves(), moves);
    assert_eq!(position.perft(0), 1);
    assert_eq!(position.perft(2), perft(typed, 2));
    let divided: u64 = position.divide(2).iter().map(|(_, count)| count).sum();
    assert_eq!(
        divided,
        if moves.is_empty() {
            0
        } else {
            position.perft(2)
        },
        "{place}"
    );

    for mv in moves.iter().take(3) {
        position.check(mv).unwrap();
        let mut played = position.clone();
        played.play(mv).unwrap();
        let mut after = typed.clone();
        after.play(mv.parse().unwrap()).unwrap();
        assert_eq!(played.write(), G::write(&after), "{mv}\n{place}");
        assert!(*played != *position && *position == *position.clone());
        played.play("no move at all").unwrap_err();
    }
    for bad in ["", " ", "no move at all", "\u{0}"] {
        assert!(
            matches!(position.check(bad), Err(MoveError::Unreadable(_))),
            "{bad:?}"
        );
    }
    for dialect in game.dialects() {
        let dialect = position.dialect(dialect).unwrap();
        assert_eq!(dialect.ask(None), dialect.ask(None));
        assert!(dialect.reply(None, "no move at all").is_err());
    }
    assert!(position.dialect("klingon").is_err());
}
