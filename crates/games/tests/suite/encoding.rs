//! Numbers for learners: they say all that decides the game, and every move has its own.

use std::collections::{HashMap, HashSet};

use floe_rules::random::Random;
use floe_rules::{Encoding, Game, Player, Position};

use super::Move;

/// How many numbers of a position are turned into moves, beside the legal ones.
const TRIED: usize = 40;

/// What was seen so far in one game: equal observations mean equal keys.
pub(crate) type Seen = HashMap<(usize, Vec<u8>), u64>;

pub(crate) fn encoding<G: Game>(
    position: &G::Position,
    first: &Encoding,
    seen: &mut Seen,
    dice: &mut Random,
    place: &str,
) {
    let encoding = G::encoding(position);
    assert_eq!(&encoding, first, "the same for a whole game\n{place}");
    let view = G::view(position);
    assert_eq!(
        (encoding.width, encoding.height),
        (view.width, view.height),
        "{place}"
    );
    observations::<G>(position, &encoding, seen, place);
    numbers::<G>(position, &encoding, dice, place);
}

fn observations<G: Game>(
    position: &G::Position,
    encoding: &Encoding,
    seen: &mut Seen,
    place: &str,
) {
    let names: HashSet<String> = (0..encoding.planes)
        .map(|plane| G::plane_name(position, plane))
        .collect();
    assert_eq!(
        names.len() as u64,
        encoding.planes,
        "planes have names of their own\n{place}"
    );
    for seat in Player::all(position.players()) {
        // Whatever was there before does not shine through.
        let mut planes = vec![0; encoding.size() as usize];
        let mut again = vec![255; encoding.size() as usize];
        G::observe(position, seat, &mut planes);
        G::observe(position, seat, &mut again);
        assert_eq!(planes, again, "{place}");
        let key = position.key();
        let known = *seen.entry((seat.index(), planes)).or_insert(key);
        assert_eq!(
            known, key,
            "seat {seat} cannot tell two positions apart\n{place}"
        );
    }
}

fn numbers<G: Game>(position: &G::Position, encoding: &Encoding, dice: &mut Random, place: &str) {
    let legal = position.legal_moves();
    let mut mask = vec![7i8; encoding.actions as usize];
    G::mask(position, &mut mask);
    let set: HashSet<u64> = (0..encoding.actions)
        .filter(|&action| mask[action as usize] != 0)
        .collect();
    assert!(mask.iter().all(|&one| one == 0 || one == 1), "{place}");
    assert_eq!(set.len(), legal.len(), "a number for each move\n{place}");
    for &mv in &legal {
        let action = G::action(position, mv);
        let action = action.unwrap_or_else(|| panic!("{mv} has no number\n{place}"));
        assert!(set.contains(&action), "{mv} is {action}\n{place}");
        assert_eq!(
            G::action_move(position, action),
            Some(mv),
            "{action}\n{place}"
        );
    }
    let some = (0..TRIED).map(|_| dice.below(encoding.actions));
    for action in some.chain([encoding.actions - 1]) {
        let mv: Option<Move<G>> = G::action_move(position, action);
        let is_legal = mv.is_some_and(|mv| position.check(mv).is_ok());
        assert_eq!(is_legal, set.contains(&action), "{action}: {mv:?}\n{place}");
    }
    for beyond in [encoding.actions, encoding.actions + 1, u64::MAX] {
        let mv = G::action_move(position, beyond);
        assert!(mv.is_none(), "{beyond}: {mv:?}\n{place}");
    }
}
