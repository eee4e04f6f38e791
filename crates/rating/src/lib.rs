//! Ratings of players, with their confidence intervals.
//!
//! Everything here counts whole units: a unit is a board played in both orders by two seats, or in
//! all rotations by more. The two games of a pair share their board and are not independent, so a
//! pair is one observation, and half a pair is none.
//!
//! | question | answer |
//! |---|---|
//! | who is better of two, and by how much? | [`Pentanomial`]: Elo, normalized Elo, likelihood of superiority; [`Bound`] where all but a few games ended alike |
//! | may we stop the match now? | [`Sprt`] |
//! | how do many seats compare, in games for two? | [`Joint`]: Bradley-Terry with draws and a first-move term |
//! | how do many seats compare, in games for three and more? | [`Rankings`]: Plackett-Luce |
//! | how does it look while it runs? | [`Live`]: Weng-Lin |
//! | by how much do they win? | [`Mean`]: a mean with Student's interval |
//!
//! **Elo** puts expected scores on a scale that adds up: a seat that scores `x` of the points is
//! `-400 log10(1/x - 1)` above its opponent; 0 is an even match, 400 are ten to one.
//!
//! **Normalized Elo** (nElo) measures the same advantage in units of the noise of a single game, so
//! that it says how many games are needed to show it, whatever the rate of draws: `(µ - ½) /
//! √(games per unit · v) · 800 / ln 10`, where `µ` and `v` are the mean and the variance of a
//! unit's score in 0 to 1.
//!
//! No number here is ever `nan` or infinite: if the games do not suffice, the answer is a
//! [`NoEstimate`] with the reason.

mod bound;
mod climb;
mod interval;
mod joint;
mod live;
mod matrix;
mod mean;
mod pairs;
mod rankings;
mod root;
mod sprt;

use thiserror::Error;

pub use bound::Bound;
pub use joint::{Joint, JointTable, WarmStart};
pub use live::{Live, Skill};
pub use mean::Mean;
pub use pairs::{Ending, Pentanomial, Sample, Trinomial};
pub use rankings::{Rankings, RankingsTable, UnknownPlace};
pub use sprt::{EloModel, Sprt, SprtError, SprtStatus, Verdict};

/// Half the width of a 95 % interval, in standard deviations.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// A number with its 95 % interval.
///
/// ```
/// let elo = floe_rating::Estimate { value: 12.0, low: 5.0, high: 19.0 };
/// assert_eq!(elo.to_string(), "+12.0 ± 7.0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Estimate {
    /// The best guess.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval: the number after the ±.
    pub fn margin(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Rounded to hundredths: finer than any interval, and equal on every machine.
    #[must_use]
    pub fn rounded(self) -> Self {
        // Adding 0 makes a negative zero positive.
        let round = |value: f64| (value * 100.0).round() / 100.0 + 0.0;
        Estimate {
            value: round(self.value),
            low: round(self.low),
            high: round(self.high),
        }
    }

    fn around(value: f64, deviation: f64) -> Self {
        let margin = Z95 * deviation;
        Estimate {
            value,
            low: value - margin,
            high: value + margin,
        }
    }
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ± {:.1}", signed(self.value, 1), self.margin())
    }
}

/// The number with its sign and `digits` digits after the point; a number that rounds to zero has
/// no sign.
///
/// ```
/// use floe_rating::signed;
/// assert_eq!([signed(-0.3, 0), signed(12.34, 1), signed(-2.0, 0)], ["0", "+12.3", "-2"]);
/// ```
pub fn signed(number: f64, digits: usize) -> String {
    let text = format!("{number:+.digits$}");
    match text.contains(|c: char| c.is_ascii_digit() && c != '0') {
        true => text,
        false => text.trim_start_matches(['+', '-']).to_owned(),
    }
}

/// The reason why there is no estimate. More games help in every case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoEstimate {
    /// Fewer than two units.
    #[error("not enough games")]
    TooFew,
    /// Every unit had the same result, so the noise is unknown.
    #[error("not enough games: all had the same result")]
    AllAlike,
    /// The interval reaches a score of 0 or 100 %, where Elo is infinite.
    #[error("not enough games: the interval reaches a score of 0 or 100 %")]
    OffScale,
}

/// The zero of joint ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Anchor {
    /// The mean of all seats that have played is 0.
    #[default]
    Mean,
    /// This seat is 0; if it has not played, the mean is 0.
    Seat(usize),
}

impl Anchor {
    /// Weight of each seat in the zero of the scale.
    fn weights(self, played: &[u64]) -> Vec<f64> {
        let mut weights = vec![0.0; played.len()];
        match self {
            Anchor::Seat(seat) if played.get(seat).is_some_and(|&games| games > 0) => {
                weights[seat] = 1.0;
            }
            _ => {
                let seats = played.iter().filter(|&&games| games > 0).count();
                for (weight, _) in weights
                    .iter_mut()
                    .zip(played)
                    .filter(|(_, games)| **games > 0)
                {
                    *weight = 1.0 / seats as f64;
                }
            }
        }
        weights
    }
}

/// One seat in a joint rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Elo above the anchor with its interval; [`NoEstimate::TooFew`] for a seat that has not
    /// played.
    pub elo: Result<Estimate, NoEstimate>,
    /// The games counted.
    pub games: u64,
    /// Seats of one group are linked by games. Between groups, only the prior compares seats.
    pub group: usize,
}

/// Groups of seats linked by games: a number per seat, counted from 0 by first member.
fn groups(seats: usize, links: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    fn root(parent: &mut [usize], mut seat: usize) -> usize {
        while parent[seat] != seat {
            parent[seat] = parent[parent[seat]];
            seat = parent[seat];
        }
        seat
    }
    let mut parent: Vec<usize> = (0..seats).collect();
    for (a, b) in links {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        parent[a.max(b)] = a.min(b);
    }
    let mut number = vec![0; seats];
    let mut next = 0;
    for seat in 0..seats {
        let root = root(&mut parent, seat);
        if root == seat {
            number[seat] = next;
            next += 1;
        } else {
            // The root of a group is its smallest member, so it already has a number.
            number[seat] = number[root];
        }
    }
    number
}

/// The probability that a standard normal variable is below `x`, to about 1e-7.
fn normal_below(x: f64) -> f64 {
    // Beyond, it is 0 or 1 to all digits.
    let x = x.clamp(-9.0, 9.0);
    // Marsaglia's series: all terms have one sign, so nothing cancels. 200 are enough for 9.
    let (mut sum, mut term) = (x, x);
    for n in 1..200 {
        term *= x * x / f64::from(2 * n + 1);
        sum += term;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

/// The examples of the crate's page run as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_is_right_at_known_points() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (Z95, 0.975),
            (-3.0, 0.001_349_898),
        ] {
            assert!((normal_below(x) - p).abs() < 1e-8, "{x}");
        }
        assert!(normal_below(40.0) > 1.0 - 1e-12 && normal_below(-40.0) < 1e-12);
    }

    #[test]
    fn an_estimate_is_rounded_to_hundredths() {
        let exact = Estimate {
            value: 12.346,
            low: -0.001,
            high: 25.004_9,
        };
        let rounded = exact.rounded();
        assert_eq!((rounded.value, rounded.high), (12.35, 25.0));
        assert!(rounded.low == 0.0 && rounded.low.is_sign_positive());
    }

    #[test]
    fn an_anchor_weighs_those_who_played() {
        let played = [3, 0, 1];
        assert_eq!(Anchor::Mean.weights(&played), [0.5, 0.0, 0.5]);
        assert_eq!(Anchor::Seat(2).weights(&played), [0.0, 0.0, 1.0]);
        // Neither has played.
        assert_eq!(Anchor::Seat(1).weights(&played), [0.5, 0.0, 0.5]);
        assert_eq!(Anchor::Seat(9).weights(&played), [0.5, 0.0, 0.5]);
    }

    #[test]
    fn groups_are_numbered_by_first_member() {
        assert_eq!(
            groups(6, [(4, 1), (5, 2), (2, 4)].into_iter()),
            [0, 1, 1, 2, 1, 1]
        );
    }
}
