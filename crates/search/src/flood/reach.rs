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
/// What a claim loses of its worth on the way across the whole board; each step of the wave that
/// makes it loses its part.
const FADE: i32 = 80;
/// What is left of a claim's worth however far away it is.
const LEAST: i32 = 10;
/// By how much the claims flatter who moves first, for each square of border: about a third of a
/// square. Found by fitting claims to the ends of games; without it searches of odd and even depth
/// do not compare.
const HASTE: i32 = 19;

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
        value: difference * SQUARE,
        is_proven: true,
    }
}

/// The difference of scores that a value stands for, as near as squares allow.
pub(super) fn difference(value: i32) -> i32 {
    (value + SQUARE / 2).div_euclid(SQUARE)
}

impl<const W: usize> State<W> {
    /// The worth of the position for the mover. Costs the free components.
    pub(super) fn worth<const N: usize>(&self, field: &Field<W, N>) -> Worth {
        let mover = self.side();
        if self.is_over() {
            let scores = self.scores(field);
            let difference = (scores[mover] - scores[1 - mover]) as i32;
            return certain(difference);
        }
        let owned = self.squares[mover] as i32 - self.squares[1 - mover] as i32;
        let claims = self.claims(field);
        if !claims.are_touching && field.is_whole {
            return certain(owned + claims.squares);
        }
        Worth {
            value: owned * SQUARE + claims.value - field.border * HASTE,
            is_proven: false,
        }
    }

    /// Sends out the waves; the mover's is the first.
    fn claims<const N: usize>(&self, field: &Field<W, N>) -> Claims {
        let mover = self.side();
        let [mine, mut theirs] = [self.fronts[mover], self.fronts[1 - mover]];
        let mut unclaimed = self.free;
        let mut touching = 0;
        for i in 0..W {
            touching |= mine[i] & theirs[i];
            theirs[i] &= !mine[i];
            unclaimed[i] &= !(mine[i] | theirs[i]);
        }
        let mut waves = [mine, theirs].map(|front| Wave {
            front,
            claims: front,
            range: (0, W),
            size: 0,
        });
        let [mine, theirs] = &mut waves;
        let mut next = [0; W];
        let all = field.free + field.owned - self.squares[0] - self.squares[1];
        let fade = FADE / field.side;
        let mut weight = SQUARE;
        let mut value = 0;
        loop {
            let before = mine.size as i32 - theirs.size as i32;
            let mut is_spent = true;
            if mine.step(
                field,
                &mut next,
                &mut unclaimed,
                &theirs.claims,
                &mut touching,
            ) {
                theirs.size = all - mine.size;
            } else if theirs.step(
                field,
                &mut next,
                &mut unclaimed,
                &mine.claims,
                &mut touching,
            ) {
                mine.size = all - theirs.size;
            } else {
                is_spent = false;
            }
            let squares = mine.size as i32 - theirs.size as i32;
            value += (squares - before) * weight;
            if is_spent {
                return Claims {
                    value,
                    squares,
                    are_touching: touching != 0,
                };
            }
            weight = (weight - fade).max(LEAST);
        }
    }
}

/// What the waves found: the mover's claims less the opponent's.
struct Claims {
    /// Weighed by how far away they are.
    value: i32,
    squares: i32,
    /// Whether a claim of one side touches one of the other.
    are_touching: bool,
}

/// One side's wave.
struct Wave<const W: usize> {
    /// What was claimed by the last step.
    front: Set<W>,
    claims: Set<W>,
    /// The words outside are empty in the front.
    range: (usize, usize),
    /// Squares claimed before the last step.
    size: u32,
}

impl<const W: usize> Wave<W> {
    /// Claims the unclaimed neighbours of the front; gives whether there are none. `next` is empty
    /// before and after.
    #[inline]
    fn step<const N: usize>(
        &mut self,
        field: &Field<W, N>,
        next: &mut Set<W>,
        unclaimed: &mut Set<W>,
        others: &Set<W>,
        touching: &mut u64,
    ) -> bool {
        let mut range = self.range;
        self.size += field.spread_within(&self.front, &mut range, next);
        if W <= 6 {
            range = (0, W);
        }
        let mut any = 0;
        for i in range.0..range.1 {
            *touching |= next[i] & others[i];
            let front = next[i] & unclaimed[i];
            next[i] = 0;
            self.front[i] = front;
            unclaimed[i] &= !front;
            self.claims[i] |= front;
            any |= front;
        }
        if any == 0 {
            return true;
        }
        if W > 6 {
            while self.front[range.0] == 0 {
                range.0 += 1;
            }
            while self.front[range.1 - 1] == 0 {
                range.1 -= 1;
            }
        }
        self.range = range;
        false
    }
}
