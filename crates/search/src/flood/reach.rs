//! What a position is worth: who reaches what first.
//!
//! From both frontiers waves run over the free components in turn, the mover's first, one step of
//! neighbours at a time; a component is claimed by the wave that comes to it first. A claim is
//! worth less than a square owned.
//!
//! Where no claim of one side touches a claim of the other, no region touches both territories:
//! nobody can take anything from anybody any more, and the claims are the final scores, exactly.
//! Whoever sees that a wave is spent knows that all the rest is the other side's.

use super::field::{Field, Set};
use super::state::State;

/// The worth of one square that is certain.
pub(super) const SQUARE: i32 = 64;
/// What a certain win is worth besides its squares: between a win and a little more, the win.
const WIN: i32 = 0;
/// The worth of a square that is claimed.
const CLAIM: i32 = 49;

/// A value for the mover, and whether it is certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Worth {
    pub(super) value: i32,
    pub(super) is_proven: bool,
}

/// The value of a final difference of scores.
#[inline]
pub(super) fn certain(difference: i32) -> Worth {
    Worth {
        value: difference * SQUARE + difference.signum() * WIN,
        is_proven: true,
    }
}

/// The difference of scores that a value stands for, as near as squares allow.
pub(super) fn difference(value: i32) -> i32 {
    let squares = value.abs() - WIN.min(value.abs());
    value.signum() * ((squares + SQUARE / 2) / SQUARE)
}

impl<const W: usize> State<W> {
    /// The worth of the position for the mover. Costs the free components.
    pub(super) fn worth(&self, field: &Field<W>) -> Worth {
        let mover = self.side();
        if self.is_over() {
            let scores = self.scores(field);
            let difference = (scores[mover] - scores[1 - mover]) as i32;
            return certain(difference);
        }
        let other = 1 - mover;
        let [mut mine, mut theirs] = [self.fronts[mover], self.fronts[other]];
        let mut unclaimed = self.free;
        let mut touching = 0;
        for i in 0..W {
            touching |= mine[i] & theirs[i];
            theirs[i] &= !mine[i];
            unclaimed[i] &= !(mine[i] | theirs[i]);
        }
        let (mut my_claims, mut their_claims) = (mine, theirs);
        let [mut my_size, mut their_size] = [0; 2];
        let all = field.free + field.owned - self.squares[0] - self.squares[1];
        loop {
            my_size += wave(
                field,
                &mut mine,
                &mut unclaimed,
                &mut my_claims,
                &their_claims,
                &mut touching,
            );
            if is_empty(&mine) {
                their_size = all - my_size;
                break;
            }
            their_size += wave(
                field,
                &mut theirs,
                &mut unclaimed,
                &mut their_claims,
                &my_claims,
                &mut touching,
            );
            if is_empty(&theirs) {
                my_size = all - their_size;
                break;
            }
        }
        let owned = self.squares[mover] as i32 - self.squares[other] as i32;
        let claimed = my_size as i32 - their_size as i32;
        if touching == 0 && field.is_whole {
            return certain(owned + claimed);
        }
        Worth {
            value: owned * SQUARE + claimed * CLAIM,
            is_proven: false,
        }
    }
}

/// One step of one side's wave; gives the squares of the step before.
#[inline]
fn wave<const W: usize>(
    field: &Field<W>,
    front: &mut Set<W>,
    unclaimed: &mut Set<W>,
    claims: &mut Set<W>,
    others: &Set<W>,
    touching: &mut u64,
) -> u32 {
    let mut next = [0; W];
    let size = field.spread(front, &mut next);
    for i in 0..W {
        *touching |= next[i] & others[i];
        front[i] = next[i] & unclaimed[i];
        unclaimed[i] &= !front[i];
        claims[i] |= front[i];
    }
    size
}

#[inline]
fn is_empty<const W: usize>(set: &Set<W>) -> bool {
    set.iter().fold(0, |all, word| all | word) == 0
}
