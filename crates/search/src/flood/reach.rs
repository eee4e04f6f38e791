//! The evaluation: which side is nearer to each square.
//!
//! The nearer side will probably own a square in the end. The probability grows with the difference
//! of the distances, and falls with the distance of both. Having the move helps with the squares
//! that are most in doubt. The numbers were fitted to the final owners of squares in games that the
//! engine played against itself, 39 at 20x20 and 6 at 50x50. At 20x20, being one step ahead next to
//! the own territory got 74 % more of the squares than the opponent, four steps away 55 %, eight
//! steps away 36 %.

/// The worth of one square that cannot be lost.
pub(super) const SQUARE: i32 = 64;

/// By how many steps a side must be ahead to count on three quarters of a square beside it.
const CLOSE: f64 = 0.83;
/// Added to that for each step that both are farther away.
const APART: f64 = 0.22;
/// Value of having the move, in steps.
const TEMPO: f64 = 0.4;

/// A value for the mover, and whether it is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Worth {
    pub(super) value: i32,
    pub(super) is_proven: bool,
}

/// The difference of scores that a value stands for, as near as squares allow.
pub(super) fn difference(value: i32) -> i32 {
    (value + SQUARE / 2).div_euclid(SQUARE)
}

/// Farther away than anything is counted.
pub(super) const FAR: u8 = 127;

/// By the distance from one side.
type Row = [i64; FAR as usize + 1];

/// The value of a square by its distances from both sides.
///
/// It packs two numbers into one: the value for J, and above it the value for the player to move.
/// For a whole board each fits in half a word, so that one addition sums both.
pub(super) struct ReachValues {
    /// By the distances from J and S.
    parts: Vec<Row>,
    /// By side, its distance and the other's, what a step nearer adds that ends there.
    steps: [Vec<Row>; 2],
}

impl ReachValues {
    /// The values for a board on which every distance is less than `end`, or [`FAR`].
    pub(super) fn new(end: u8) -> Self {
        let distances = || (0..=end.min(FAR)).chain([FAR]);
        let mut parts = vec![[0; FAR as usize + 1]; FAR as usize + 1];
        for j in distances() {
            for s in distances() {
                let (own, mover) = part(i32::from(j), i32::from(s));
                parts[usize::from(j)][usize::from(s)] = (i64::from(own) << 32) + i64::from(mover);
            }
        }
        let count = usize::from(end.min(FAR - 1));
        let mut steps = [0, 1].map(|_| vec![[0; FAR as usize + 1]; count + 1]);
        for own in 0..=count {
            for other in distances().map(usize::from) {
                steps[0][own][other] = parts[own][other] - parts[own + 1][other];
                steps[1][own][other] = parts[other][own] - parts[other][own + 1];
            }
        }
        ReachValues { parts, steps }
    }

    /// Value of a square at these distances from J and S.
    pub(super) fn part(&self, j: u8, s: u8) -> i64 {
        self.parts[usize::from(j & FAR)][usize::from(s & FAR)]
    }

    /// By its distance from the other side, what a square adds that comes a step nearer to a side
    /// and is then at a distance.
    #[inline]
    pub(super) fn steps(&self, side: usize, distance: usize) -> &Row {
        &self.steps[side & 1][distance]
    }

    /// Value of the squares that both sides own.
    pub(super) fn owned(squares: [u32; 2]) -> i64 {
        let [j, s] = squares.map(i64::from);
        ((j - s) * i64::from(SQUARE)) << 32
    }

    /// The value of a sum for a side that is to move.
    #[inline]
    pub(super) fn value(sum: i64, side: usize) -> i32 {
        let mover = sum as i32;
        let own = ((sum - i64::from(mover)) >> 32) as i32;
        if side == 0 { own + mover } else { mover - own }
    }
}

/// Value of a square at these distances from J and S: for J, and for the player to move.
fn part(j: i32, s: i32) -> (i32, i32) {
    if j == 0 || s == 0 {
        return (if j == 0 { SQUARE } else { -SQUARE }, 0);
    }
    let doubt = CLOSE + APART * f64::from(j.min(s) - 1);
    // A hyperbolic tangent, near enough and the same on every machine.
    let x = (f64::from(s - j) / doubt).clamp(-3.0, 3.0);
    let share = x * (27.0 + x * x) / (27.0 + 9.0 * x * x);
    let slope = (1.0 - share * share) / doubt;
    let [own, mover] = [share, slope * TEMPO].map(|part| (part * f64::from(SQUARE)).round());
    (own as i32, mover as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_gets_the_other_loses() {
        for j in 0..=127 {
            for s in 0..=127 {
                if j == 0 && s == 0 {
                    continue;
                }
                let ((own, mover), (other, same)) = (part(j, s), part(s, j));
                assert_eq!((own, mover), (-other, same));
                assert!(own.abs() <= SQUARE && (0..=SQUARE).contains(&mover));
                let nearer = part((j - 1).max(0), s).0;
                assert!(s == 0 || nearer >= own, "{j} {s}");
            }
        }
        assert_eq!(part(3, 3).0, 0);
        assert_eq!(part(1, 127), (SQUARE, 0));
    }

    #[test]
    fn sums_hold_both_numbers() {
        let values = ReachValues::new(20);
        let sum = values.part(2, 3) * 5 + values.part(4, 2) * 7 + ReachValues::owned([3, 9]);
        let own = part(2, 3).0 * 5 + part(4, 2).0 * 7 - 6 * SQUARE;
        let mover = part(2, 3).1 * 5 + part(4, 2).1 * 7;
        assert_eq!(ReachValues::value(sum, 0), own + mover);
        assert_eq!(ReachValues::value(sum, 1), mover - own);
        for other in 0..20 {
            let step = values.part(4, other) - values.part(5, other);
            assert_eq!(values.steps(0, 4)[usize::from(other)], step);
            let step = values.part(other, 4) - values.part(other, 5);
            assert_eq!(values.steps(1, 4)[usize::from(other)], step);
        }
    }
}
