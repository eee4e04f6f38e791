//! The games without their types say the same as the games with them.

use floe_games::{AnyGame, GameEntry, MoveError};
use floe_rules::{Game, Player, Position, Square, perft};

pub(crate) fn agrees<G: Game>(game: &'static GameEntry<G>, position: &G::Position, place: &str) {
    let erased = game
        .read(&G::write(position))
        .expect("what was written reads");
    assert_eq!(erased.game().name(), G::NAME);
    assert_eq!(erased.players(), position.players());
    assert_eq!(erased.turn(), position.turn());
    assert_eq!(erased.scores(), position.scores());
    assert_eq!(erased.outcome(), position.outcome());
    assert_eq!(erased.view(), G::view(position));
    assert_eq!(erased.choices(), G::choices(position));
    let square = Square::new(1, 0);
    assert_eq!(
        erased.refusal(None, square, true),
        G::refusal(position, None, square, true)
    );
    let given_up = G::give_up(position).map(|after| G::write(&after));
    assert_eq!(erased.give_up().map(|after| after.write()), given_up);
    assert_eq!(erased.write(), G::write(position));
    assert_eq!(erased.board(), G::board(position));
    assert_eq!(erased.key(), position.key());
    let moves: Vec<String> = position
        .legal_moves()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(erased.moves(), moves);
    assert_eq!(erased.perft(0), 1);
    assert_eq!(erased.perft(2), perft(position, 2));
    let divided: u64 = erased.divide(2).iter().map(|(_, count)| count).sum();
    assert_eq!(
        divided,
        if moves.is_empty() { 0 } else { erased.perft(2) },
        "{place}"
    );

    let encoding = G::encoding(position);
    assert_eq!(erased.encoding(), encoding);
    assert_eq!(erased.plane_name(1), G::plane_name(position, 1));
    let (mut seen, mut mask) = (
        vec![0; encoding.size() as usize],
        vec![0; encoding.actions as usize],
    );
    let (mut typed_seen, mut typed_mask) = (seen.clone(), mask.clone());
    erased.observe(Player::new(0), &mut seen);
    G::observe(position, Player::new(0), &mut typed_seen);
    erased.mask(&mut mask);
    G::mask(position, &mut typed_mask);
    assert_eq!((seen, mask), (typed_seen, typed_mask), "{place}");
    assert!(erased.check_action(encoding.actions).is_err());
    let past_last = erased.clone().play_action(encoding.actions);
    assert!(matches!(past_last, Err(MoveError::NoMove(_))), "{place}");

    for mv in moves.iter().take(3) {
        erased.check(mv).unwrap();
        let action = erased.action(mv).unwrap();
        assert_eq!(erased.action_move(action).as_ref(), Some(mv));
        erased.check_action(action).unwrap();
        let mut numbered = erased.clone();
        numbered.play_action(action).unwrap();
        let mut played = erased.clone();
        played.play(mv).unwrap();
        let mut typed = position.clone();
        typed.play(mv.parse().unwrap()).unwrap();
        assert_eq!(played.write(), G::write(&typed), "{mv}\n{place}");
        assert!(*numbered == *played, "{mv}\n{place}");
        assert!(*played != *erased && *erased == *erased.clone());
        played.play("no move at all").unwrap_err();
    }
    for bad in ["", " ", "no move at all", "\u{0}"] {
        assert!(
            matches!(erased.check(bad), Err(MoveError::Unreadable(_))),
            "{bad:?}"
        );
    }
    for dialect in game.dialects() {
        let dialect = erased.dialect(dialect).unwrap();
        assert_eq!(dialect.request(None), dialect.request(None));
        assert!(dialect.reply(None, "no move at all").is_err());
    }
    assert!(erased.dialect("klingon").is_err());
}
