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
/// Points examined to find all solutions: they are about a factor of two apart.
const LOOKS: i32 = 24;

/// The most classes: those of pairs.
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

    /// The logarithm of the likelihood under the likeliest distribution whose mean is `mean` above
    /// even, up to a constant.
    pub(super) fn height_with_mean(&self, mean: f64) -> f64 {
        if mean < 0.0 {
            return self.reversed().height_with_mean(-mean);
        }
        let solution = self.solve(|above| above - mean);
        solution.map_or(f64::NEG_INFINITY, |solution| solution.height * self.units)
    }

    /// The same where the mean is `ratio` standard deviations above even.
    pub(super) fn height_with_ratio(&self, ratio: f64) -> f64 {
        if ratio < 0.0 {
            return self.reversed().height_with_ratio(-ratio);
        }
        // Where both are the same number, to all digits.
        if ratio < 1e-9 {
            return self.height_with_mean(0.0);
        }
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

    /// If the observed ratio is above this one: the deviations between which the observed shares
    /// break the constraint, so that the mean comes out too large at the first and too small at
    /// the second.
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
        let spread = centre * centre - square;
        (mean > 0.0 && spread > 0.0).then(|| {
            let high = centre + spread.sqrt();
            (square / high, high)
        })
    }

    /// If the observed ratio is below this one: deviations between which lies one solution each.
    fn brackets(&self, ratio: f64) -> Vec<(f64, f64)> {
        let mut found = Vec::new();
        for (low, high) in self.deviations(ratio) {
            let step = (high / low).powf(1.0 / f64::from(LOOKS));
            // At the lower end the mean comes out too large, at the upper end too small.
            let (mut before, mut is_large) = (low, true);
            for look in 1..=LOOKS {
                let next = if look == LOOKS { high } else { before * step };
                let was_large = is_large;
                is_large = look < LOOKS
                    && self
                        .solve_with_deviation(ratio, next)
                        .is_some_and(|solution| solution.mean > ratio * next);
                if was_large && !is_large {
                    found.push((before, next));
                }
                before = next;
            }
        }
        found
    }

    /// The deviations that distributions with this ratio can have, from and to. Their mean lies
    /// between two neighbouring scores, `u` and `w` above even, and the deviation `s` is at least
    /// that of these two alone: `s² ≥ (t·s - u)(w - t·s)`.
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
        // The greatest deviation is that of the least and the best score alone.
        found.push((from, 0.5 / factor.sqrt()));
        found
    }

    fn solve_with_deviation(&self, ratio: f64, deviation: f64) -> Option<Solution> {
        let slope = 2.0 * deviation * (ratio + 1.0 / ratio);
        let rest = (1.0 + ratio * ratio) * deviation * deviation;
        self.solve(|above| above * above - slope * above + rest)
    }

    /// The likeliest probabilities under which `z` is 0 on average; nothing if `z` has one sign
    /// everywhere.
    fn solve(&self, z: impl Fn(f64) -> f64) -> Option<Solution> {
        // On the stack: this is done a hundred times for one ratio.
        let mut room = [(0.0, 0.0, 0.0); MOST];
        let classes = &mut room[..self.classes.len()];
        for (class, &(above, share)) in classes.iter_mut().zip(&self.classes) {
            *class = (above, share, z(above));
        }
        let classes = &*classes;
        // No probability is above 1, so `1 + θz` is not below its share.
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for &(_, share, z) in classes {
            match z {
                _ if z > 0.0 => low = low.max((share - 1.0) / z),
                _ if z < 0.0 => high = high.min((share - 1.0) / z),
                _ => {}
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
