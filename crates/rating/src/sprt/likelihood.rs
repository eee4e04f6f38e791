//! The largest likelihood of the observed units under one hypothesis.
//!
//! Scores are counted from an even one: `b = score - ½`. Under a linear constraint, `Σ p·z = 0` for
//! given `z(b)`, the likeliest probabilities are the observed ones divided by `1 + θ·z`, and `θ` is
//! the root of a falling function between two poles (Owen's empirical likelihood).
//!
//! - A **mean** of `m` is such a constraint: `z = b - m`.
//! - A mean of `t > 0` **standard deviations** is not linear. With the deviation `s` it reads `Σ
//!   p·b = t·s` and `Σ p·b² = (1 + t²)·s²`. Adding the first `-2s(t + 1/t)` times to the second
//!   gives a linear constraint for every `s`, `z = b² - 2s(t + 1/t)·b + (1 + t²)·s²`; and of all
//!   `s`, the right one is where the mean comes out as `t·s`. If the observed ratio is above `t`,
//!   there is one such `s`: the distributions with a ratio of at most `t` are a convex set. If it
//!   is below, there can be one for every positive score, with different supports; then the
//!   likeliest counts. A negative `t` is the same seen from the other seat.

use crate::root::falling_root;

/// Added to the observed count of every class.
const UNSEEN: f64 = 1e-3;
/// Points examined to find all solutions, which differ by about a factor of two.
const LOOKS: i32 = 24;

/// The largest number of classes: those of pairs.
const MOST: usize = 5;

/// The observed distribution of unit scores.
pub(super) struct Observed {
    units: f64,
    /// (score above even, share of the units), by score.
    classes: Vec<(f64, f64)>,
}

/// The solution of one linear constraint.
struct Solution {
    /// The mean score above even.
    mean: f64,
    /// The logarithm of the likelihood ratio to the observed shares, per unit.
    height: f64,
}

impl Observed {
    pub(super) fn new(counts: &[(f64, u64)]) -> Self {
        let counts = counts
            .iter()
            .map(|&(score, count)| (score - 0.5, count as f64 + UNSEEN));
        let units: f64 = counts.clone().map(|(_, count)| count).sum();
        Observed {
            units,
            classes: counts
                .map(|(above, count)| (above, count / units))
                .collect(),
        }
    }

    /// The same seen from the other seat.
    fn reversed(&self) -> Self {
        let classes = self.classes.iter().rev();
        Observed {
            units: self.units,
            classes: classes.map(|&(above, share)| (-above, share)).collect(),
        }
    }

    /// The log-likelihood of the likeliest distribution whose mean is `mean` above even, up to a
    /// constant.
    pub(super) fn height_with_mean(&self, mean: f64) -> f64 {
        let solution = self.solve(|above| above - mean);
        solution.map_or(f64::NEG_INFINITY, |solution| solution.height * self.units)
    }

    /// The same, if the mean is `ratio` standard deviations above even.
    pub(super) fn height_with_ratio(&self, ratio: f64) -> f64 {
        match ratio {
            1e-9.. => self.height_with_positive_ratio(ratio),
            ..=-1e-9 => self.reversed().height_with_positive_ratio(-ratio),
            // Here both are the same number, to all digits.
            _ => self.height_with_mean(0.0),
        }
    }

    fn height_with_positive_ratio(&self, ratio: f64) -> f64 {
        let brackets = match self.excess(ratio) {
            Some(bracket) => vec![bracket],
            None => self.brackets(ratio),
        };
        let heights = brackets.into_iter().filter_map(|(low, high)| {
            let excess = |deviation| {
                let solution = self.solve_with_deviation(ratio, deviation);
                solution.map_or(0.0, |solution| solution.mean - ratio * deviation)
            };
            let deviation = falling_root(low, high, excess);
            self.solve_with_deviation(ratio, deviation)
        });
        let heights = heights.map(|solution| solution.height);
        heights.fold(f64::NEG_INFINITY, f64::max) * self.units
    }

    /// If the observed ratio is above this one: the range of deviations in which the observed
    /// shares violate the constraint; the mean is too large at its start and too small at its end.
    fn excess(&self, ratio: f64) -> Option<(f64, f64)> {
        let moment = |power: i32| -> f64 {
            let classes = self.classes.iter();
            classes
                .map(|&(above, share)| share * above.powi(power))
                .sum()
        };
        let (mean, square) = (moment(1), moment(2) / (1.0 + ratio * ratio));
        // The roots of `Σ share·z`, a square function of the deviation.
        let centre = mean / ratio;
        let high = centre + (centre * centre - square).sqrt();
        // Without roots it is no number, and below even both are negative.
        (high.is_normal() && high.is_sign_positive()).then_some((square / high, high))
    }

    /// If the observed ratio is below this one: ranges of deviations with one solution each.
    fn brackets(&self, ratio: f64) -> Vec<(f64, f64)> {
        let mut found = Vec::new();
        for (low, high) in self.deviations(ratio) {
            let step = (high / low).powf(1.0 / f64::from(LOOKS));
            // The mean is too large at the lower end, and too small at the upper end.
            let (mut before, mut is_large) = (low, true);
            for _ in 1..LOOKS {
                let next = before * step;
                let was_large = is_large;
                is_large = self
                    .solve_with_deviation(ratio, next)
                    .is_some_and(|solution| (solution.mean - ratio * next).is_sign_positive());
                if was_large && !is_large {
                    found.push((before, next));
                }
                before = next;
            }
            if is_large {
                found.push((before, high));
            }
        }
        found
    }

    /// The possible deviations of distributions with this ratio. The mean lies between two
    /// neighbouring scores, `u` and `w` above even, and the deviation `s` is at least that of only
    /// these two: `s² ≥ (t·s - u)(w - t·s)`.
    fn deviations(&self, ratio: f64) -> Vec<(f64, f64)> {
        let factor = 1.0 + ratio * ratio;
        let mut found = Vec::new();
        let mut from = 0.0;
        for (u, w) in self.classes.windows(2).map(|two| (two[0].0, two[1].0)) {
            let half = ratio * (u + w) / 2.0;
            let spread = half * half - u * w * factor;
            if u < 0.0 || spread <= 0.0 {
                continue;
            }
            if u > 0.0 {
                found.push((from, (half - spread.sqrt()) / factor));
            }
            from = (half + spread.sqrt()) / factor;
        }
        // The deviation is greatest if only the least and the best score occur.
        found.push((from, 0.5 / factor.sqrt()));
        found
    }

    fn solve_with_deviation(&self, ratio: f64, deviation: f64) -> Option<Solution> {
        let slope = 2.0 * deviation * (ratio + 1.0 / ratio);
        let rest = (1.0 + ratio * ratio) * deviation * deviation;
        self.solve(|above| above * above - slope * above + rest)
    }

    /// The likeliest probabilities for which `z` is 0 on average; `None` if `z` has one sign
    /// everywhere.
    fn solve(&self, z: impl Fn(f64) -> f64) -> Option<Solution> {
        // On the stack, since this runs a hundred times per ratio.
        let mut room = [(0.0, 0.0, 0.0); MOST];
        let classes = &mut room[..self.classes.len()];
        for (class, &(above, share)) in classes.iter_mut().zip(&self.classes) {
            *class = (above, share, z(above));
        }
        let classes = &*classes;
        // No probability exceeds 1, so `1 + θz` is at least its share.
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for &(_, share, z) in classes {
            // Where `z` is 0, this is no bound from below.
            match z < 0.0 {
                true => high = high.min((share - 1.0) / z),
                false => low = low.max((share - 1.0) / z),
            }
        }
        if !(low.is_finite() && high.is_finite()) {
            return None;
        }
        let balance = |theta: f64| -> f64 {
            let parts = classes
                .iter()
                .map(|&(_, share, z)| share * z / (1.0 + theta * z));
            parts.sum()
        };
        let theta = falling_root(low, high, balance);
        let parts = classes.iter().map(|&(above, share, z)| {
            let factor = 1.0 + theta * z;
            (above * share / factor, share * factor.ln())
        });
        let (mean, height) = parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 - part.1));
        Some(Solution { mean, height })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: [f64; 3] = [0.0, 0.5, 1.0];
    const PAIRS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    fn observed(scores: &[f64], counts: &[u64]) -> Observed {
        let classes = scores.iter().copied().zip(counts.iter().copied());
        Observed::new(&classes.collect::<Vec<_>>())
    }

    /// With a mean there is a least and a greatest deviation: that of the two neighbouring scores,
    /// and that of the first and the last.
    #[test]
    fn deviations_are_those_that_distributions_can_have() {
        for scores in [&GAMES[..], &PAIRS] {
            let seen = observed(scores, &vec![1; scores.len()]);
            for ratio in [0.01, 0.3, 1.0, 2.0, 2.9, 4.0, 9.0] {
                let found = seen.deviations(ratio);
                assert!(found.iter().all(|(low, high)| low < high), "{found:?}");
                for step in 1..5000 {
                    let deviation = f64::from(step) * 1e-4 + 1e-6;
                    let mean = ratio * deviation;
                    let square = deviation * deviation;
                    let can_be = seen.classes.windows(2).any(|two| {
                        let (u, w) = (two[0].0, two[1].0);
                        u <= mean && mean <= w && square >= (mean - u) * (w - mean)
                    });
                    let can_be = can_be && square <= 0.25 - mean * mean;
                    let is_found = found
                        .iter()
                        .any(|&(low, high)| low <= deviation && deviation <= high);
                    assert_eq!(is_found, can_be, "{ratio} {deviation}: {found:?}");
                }
            }
        }
    }

    /// Both ends are deviations under which the shares as observed meet the linear constraint.
    #[test]
    fn an_observed_ratio_above_the_wanted_one_has_a_bracket() {
        let seen = observed(&PAIRS, &[3, 5, 20, 30, 11]);
        let moment = |power| -> f64 { seen.classes.iter().map(|(b, p)| p * b.powi(power)).sum() };
        let own = moment(1) / (moment(2) - moment(1).powi(2)).sqrt();
        for part in [0.1, 0.5, 0.99, 1.01, 3.0] {
            let ratio = part * own;
            let bracket = seen.excess(ratio);
            assert_eq!(bracket.is_some(), part < 1.0, "{part}");
            assert_eq!(seen.reversed().excess(ratio), None);
            for deviation in bracket.into_iter().flat_map(|(low, high)| [low, high]) {
                let slope = 2.0 * deviation * (ratio + 1.0 / ratio);
                let rest = (1.0 + ratio * ratio) * deviation * deviation;
                let sum = moment(2) - slope * moment(1) + rest;
                assert!(sum.abs() < 1e-12, "{part}: {sum}");
            }
            assert!(bracket.is_none_or(|(low, high)| low < high), "{bracket:?}");
        }
    }

    #[test]
    fn a_constraint_of_one_sign_has_no_solution() {
        let seen = observed(&GAMES, &[1, 2, 3]);
        for shift in [-1.0, 1.0] {
            assert!(seen.solve(|above| above + shift).is_none());
        }
        assert!(seen.solve(|above| above).is_some());
    }
}
