//! Endings that need no search: nobody can get in anybody's way any more.
//!
//! When no golden move is left, nobody can found an area, and every hole of free fields touches
//! a single area, then each player can only fill the holes his areas touch, and nothing he does
//! changes what the others can do: no two areas can ever grow together and free one to be
//! founded elsewhere. The same holds, whatever he may still found or join, when only one player
//! touches any hole and the others can found nothing: he takes every hole there is.

use super::bits::Bits;
use super::state::State;

/// Writes what every player will have in the end, if that is certain; `false` if not. Costs a
/// flood a hole.
pub(super) fn settle<const W: usize>(state: &State<W>, scores: &mut [i32]) -> bool {
    if state.sides.iter().any(|side| side.golden) {
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
    // Somebody alone might still come to a hole no area touches, by founding or joining.
    !(is_untouched && is_alone)
}
