//! Endings that need no search: no player can affect another any more.
//!
//! That holds if no golden move is left, no player can found an area, and every hole of free fields
//! touches a single area. Each player can then only fill the holes that touch their areas, and
//! nothing they do changes what the others can do: no two areas can ever join and free one to be
//! founded elsewhere.
//!
//! It also holds if only one player touches any hole and the others can found nothing: that player
//! takes every hole, whatever they may still found or join.

use super::bits::Bits;
use super::state::SearchState;

/// Writes what every player will have in the end, if that is proven; `false` if not. Costs a
/// flood a hole.
pub(super) fn settle<const W: usize>(state: &SearchState<W>, scores: &mut [i32]) -> bool {
    // Holes touched only by a player who was taken out would need separate treatment.
    if state.sides.iter().any(|side| side.golden || side.out) {
        return false;
    }
    let founders = (0..state.sides.len())
        .filter(|&p| state.spare(p) > 0)
        .count();
    if founders > 1 {
        return false;
    }
    for (score, side) in scores.iter_mut().zip(&state.sides) {
        *score = side.busy as i32;
    }
    if state.free.is_empty() {
        return true;
    }
    let mut toucher = None;
    let mut is_alone = true;
    let mut touched = Bits::EMPTY;
    for p in 0..state.sides.len() {
        let rim = state.sides[p].own.beside(state.stride) & state.free;
        if rim.meets(&touched) {
            return false;
        }
        touched |= rim;
        let touches = !rim.is_empty();
        if touches || state.spare(p) > 0 {
            is_alone &= toucher.is_none();
            toucher = Some(p);
        }
    }
    if founders > 0 && !is_alone {
        return false;
    }
    let mut left = state.free;
    let mut is_untouched = false;
    while let Some(start) = left.first() {
        let hole = Bits::of(start).flood(&left, state.stride);
        left = left.without(&hole);
        let rim = hole.beside(state.stride);
        let mut owner = None;
        for (p, side) in state.sides.iter().enumerate() {
            let touching = rim & side.own;
            let Some(first) = touching.first() else {
                continue;
            };
            if owner.is_some() {
                return false;
            }
            owner = Some(p);
            if !is_alone {
                // All of the rim must be one area.
                let area = Bits::of(first).flood(&side.own, state.stride);
                if touching.without(&area).first().is_some() {
                    return false;
                }
            }
        }
        match owner {
            Some(p) => scores[p] += hole.count() as i32,
            None => is_untouched = true,
        }
    }
    // A lone player might still reach an untouched hole, by founding or joining.
    !(is_untouched && is_alone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use floe_rules::Game;
    use floe_rules::gamma::Gamma;

    fn settled(text: &str) -> Option<Vec<i32>> {
        let position = Gamma::read(text).expect("a good position");
        let state = SearchState::<1>::new(&position);
        let mut scores = vec![0; state.sides.len()];
        settle(&state, &mut scores).then_some(scores)
    }

    #[test]
    fn separate_rooms_are_counted() {
        let rooms = "gamma 5 2 2 1\nturn 1 golden\n.12..\n.12..\n";
        assert_eq!(settled(rooms), Some(vec![4, 6]));
        let third = "gamma 7 1 3 1\nturn 1 golden\n.12.3..\n";
        assert_eq!(settled(third), None, "two may want the same field");
        let third = "gamma 7 1 3 1\nturn 1 golden\n.1223..\n";
        assert_eq!(settled(third), Some(vec![2, 2, 3]));
    }

    #[test]
    fn a_golden_move_or_an_area_to_spare_unsettles() {
        assert_eq!(settled("gamma 4 1 2 1\nturn 1 golden 2\n.12.\n"), None);
        assert_eq!(settled("gamma 4 1 2 2\nturn 1 golden\n.12.\n"), None);
        assert_eq!(
            settled("gamma 4 1 2 1\nturn 1 golden\n.12.\n"),
            Some(vec![2, 2])
        );
    }

    #[test]
    fn areas_that_may_join_unsettle_unless_their_owner_is_alone() {
        // Player 1 could join his areas and then land in the other's room.
        assert_eq!(settled("gamma 6 1 2 2\nturn 1 golden\n1.122.\n"), None);
        let can_land = "gamma 5 1 2 2\nturn 1 golden\n1.122\n";
        assert_eq!(settled(can_land), None, "the other may land in his");
        let alone = "gamma 4 2 2 2\nturn 1 golden\n1.11\n2112\n";
        assert_eq!(settled(alone), Some(vec![6, 2]));
    }
}
