//! What a position is worth: who is how near to what.

/// The worth of one square that is certain.
pub(super) const SQUARE: i32 = 64;

/// A value for the mover, and whether it is certain.
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

/// What a square adds to the worth by how far it is from both sides.
///
/// It is two numbers in one: what the square is worth to J, and above that to whoever moves. Both
/// fit in half a word for a whole board, so that sums may be made of both at once.
pub(super) struct Scale {
    /// By the distances from J and S.
    parts: Vec<Row>,
    /// By side, its distance and the other's, what a step nearer adds that ends there.
    steps: [Vec<Row>; 2],
}

impl Scale {
    /// The scale for a board with such a side on which nothing is so far away as `end`, or else
    /// [`FAR`].
    pub(super) fn new(side: i32, end: u8) -> Self {
        let distances = || (0..=end.min(FAR)).chain([FAR]);
        let mut parts = vec![[0; FAR as usize + 1]; FAR as usize + 1];
        for j in distances() {
            for s in distances() {
                let (own, mover) = part(i32::from(j), i32::from(s), side);
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
        Scale { parts, steps }
    }

    /// What a square adds that is so far from J and S.
    pub(super) fn part(&self, j: u8, s: u8) -> i64 {
        self.parts[usize::from(j & FAR)][usize::from(s & FAR)]
    }

    /// By its distance from the other side, what a square adds that comes a step nearer to a side
    /// and is then at a distance.
    #[inline]
    pub(super) fn steps(&self, side: usize, distance: usize) -> &Row {
        &self.steps[side & 1][distance]
    }

    /// What the squares add that both sides own.
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

#[cfg(feature = "lab")]
fn p(name: &str, default: i32) -> i32 {
    crate::param(name, default)
}
#[cfg(not(feature = "lab"))]
fn p(_: &str, default: i32) -> i32 {
    default
}

/// What a square so far from J and S adds for J, and for whoever moves.
fn part(j: i32, s: i32, side: i32) -> (i32, i32) {
    if j == 0 {
        return (SQUARE, 0);
    }
    if s == 0 {
        return (-SQUARE, 0);
    }
    let near = j.min(s) - 1;
    if p("old", 0) == 1 {
        let weight = (SQUARE - near * 80 / side).max(10);
        let own = weight * (s - j).clamp(-2, 2) / 2;
        return (own, if j == s { weight * 30 / 100 } else { 0 });
    }
    let weight = (64 * SQUARE - near * 64 * p("fade", 0) / side).max(10 * 64);
    let doubt = f64::from(p("s0", 83) + p("s1", 22) * near.min(p("cap", 100))) / 100.0;
    let x = (f64::from(s - j) / doubt).clamp(-3.0, 3.0);
    let share = x * (27.0 + x * x) / (27.0 + 9.0 * x * x);
    let own = share * f64::from(weight) / 64.0;
    let mover = (1.0 - share * share) / doubt * f64::from(weight) / 64.0 * f64::from(p("tempo", 40)) / 100.0;
    (own.round() as i32, mover.round() as i32)
}
