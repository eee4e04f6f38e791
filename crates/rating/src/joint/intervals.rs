//! 95 % intervals of ratings: see the module `interval` for the idea.

use std::collections::BTreeMap;

use super::likelihood::{Curvature, Games, Peak, VIRTUAL, chances, ln_total};
use crate::interval::{allowed_fall, dispersion, reach};
use crate::matrix::{Cholesky, DENSE, times_inverse};

impl Games {
    /// Width below and above each seat's rating, then the first move's, in Elo.
    pub(super) fn intervals(&self, peak: &Peak, weights: &[f64], dispersion: f64) -> Vec<[f64; 2]> {
        let n = self.seats;
        let curvature = self.curvature(peak);
        let mut own: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
        for (at, class) in self.classes.iter().enumerate() {
            own[class.first].push(at);
            own[class.second].push(at);
        }
        let inverse = Inverse::new(self, &curvature, &own, n <= DENSE, peak.draws);
        let interval = |seat: usize| {
            let mut contrast = vec![0.0; n + 2];
            contrast[seat] = 1.0;
            if seat < n {
                for (part, weight) in contrast.iter_mut().zip(weights) {
                    *part -= weight;
                }
            }
            let along = inverse.times(&contrast);
            let variance: f64 = contrast.iter().zip(&along).map(|(c, x)| c * x).sum();
            let variance = variance.max(1e-12);
            // (lead, its change with the rating, games, ν) of the seat's own games: for these, the
            // likelihood is exact; for all others, quadratic.
            let mut steps = Vec::with_capacity(own[seat].len() + 1);
            let mut rest = 1.0 / variance;
            for &at in &own[seat] {
                let class = &self.classes[at];
                let step = (along[class.first] - along[class.second] + along[n]) / variance;
                let lead = peak.at[class.first] - peak.at[class.second] + peak.at[n];
                steps.push((lead, step, class.total(), peak.nu()));
                rest -= curvature.bends[at].lead * step * step;
            }
            if seat < n {
                let step = along[seat] / variance;
                steps.push((peak.at[seat], step, VIRTUAL, 0.0));
                rest -= curvature.prior[seat] * step * step;
            }
            let rest = rest.max(0.0);
            let fall = |by: f64| -> f64 {
                let steps = steps.iter();
                let exact =
                    steps.map(|&(lead, step, games, nu)| games * divergence(lead, step * by, nu));
                rest * by * by / 2.0 + exact.sum::<f64>()
            };
            let squares = along.iter().map(|x| x * x);
            let bent: f64 = squares.zip(&curvature.prior).map(|(x, p)| x * p).sum();
            let allowed = allowed_fall(bent / variance, dispersion);
            reach(allowed, fall).map(|far| far * peak.scale())
        };
        (0..=n).map(interval).collect()
    }

    /// Overdispersion of pairs against independent games. `pairs` are the pairs of these games.
    pub(super) fn dispersion<'a>(
        &self,
        peak: &Peak,
        pairs: impl Iterator<Item = &'a [[u64; 3]; 3]>,
        fitted: u64,
    ) -> f64 {
        let (mut scattered, mut expected, mut count) = (0.0, 0.0, 0);
        for (classes, pairs) in self.classes.chunks_exact(2).zip(pairs) {
            let mut mean = 0.0;
            for (class, side) in classes.iter().zip([1.0, -1.0]) {
                let lead = peak.at[class.first] - peak.at[class.second] + peak.at[self.seats];
                let [win, _, loss] = chances(lead, peak.nu());
                mean += side * (win - loss);
                expected += class.total() * (win + loss - (win - loss).powi(2)) / 4.0;
            }
            for (began, row) in pairs.iter().enumerate() {
                for (followed, &pairs) in row.iter().enumerate() {
                    let ahead = began as f64 + followed as f64 - 2.0;
                    scattered += pairs as f64 * (ahead - mean).powi(2) / 4.0;
                    count += pairs;
                }
            }
        }
        dispersion(scattered, expected, count, fitted)
    }
}

/// The covariance of the ratings: the inverse of the curvature.
struct Inverse<'a> {
    games: &'a Games,
    curvature: &'a Curvature,
    /// Classes by seat.
    own: &'a [Vec<usize>],
    factors: Option<Cholesky>,
}

impl<'a> Inverse<'a> {
    fn new(
        games: &'a Games,
        curvature: &'a Curvature,
        own: &'a [Vec<usize>],
        is_whole: bool,
        draws: bool,
    ) -> Self {
        let matrix = is_whole.then(|| curvature.matrix(games, draws));
        Inverse {
            games,
            curvature,
            own,
            factors: matrix.and_then(|matrix| Cholesky::new(games.seats + 2, matrix)),
        }
    }

    fn times(&self, contrast: &[f64]) -> Vec<f64> {
        times_inverse(self.factors.as_ref(), contrast, |seat, part, along| {
            self.add_near(seat, part, along);
        })
    }

    /// The same for one seat whose opponents follow, but not their opponents: O(opponents).
    fn add_near(&self, seat: usize, part: f64, along: &mut [f64]) {
        let diagonal = &self.curvature.diagonal;
        let mut ties: BTreeMap<usize, f64> = BTreeMap::new();
        for &at in &self.own[seat] {
            let class = &self.games.classes[at];
            let opponent = class.first + class.second - seat;
            *ties.entry(opponent).or_default() += self.curvature.bends[at].lead;
        }
        let tied = ties.iter().map(|(&other, tie)| tie * tie / diagonal[other]);
        let variance = part / (diagonal[seat] - tied.sum::<f64>());
        along[seat] += variance;
        for (other, tie) in ties {
            along[other] += variance * tie / diagonal[other];
        }
    }
}

/// The second-order loss of log-likelihood of a game if the lead grows by `by`.
fn divergence(lead: f64, by: f64, nu: f64) -> f64 {
    let [win, _, loss] = chances(lead, nu);
    let curved = ln_total(lead + by, nu) - ln_total(lead, nu) - by * (win - loss) / 2.0;
    curved.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_alone_say_almost_the_same_as_everyone() {
        let seats = 40u32;
        let mut pairs = BTreeMap::new();
        for one in 0..seats {
            for step in [1, 3, 7, 12, 18, 25] {
                let other = (one + step) % seats;
                let key = (one.min(other), one.max(other));
                let counts = [[1, 0, 0], [0, 1, 0], [u64::from(one % 3), 0, 1]];
                pairs.insert(key, counts);
            }
        }
        let games = Games::new(seats as usize, &pairs);
        let peak = games.climb(Peak::flat(seats as usize));
        let curvature = games.curvature(&peak);
        let mut own = vec![Vec::new(); seats as usize + 1];
        for (at, class) in games.classes.iter().enumerate() {
            own[class.first].push(at);
            own[class.second].push(at);
        }
        let variance = |is_whole: bool, seat: usize| {
            let mut contrast = vec![0.0; seats as usize + 2];
            if seat < seats as usize {
                contrast[..seats as usize].fill(-1.0 / f64::from(seats));
            }
            contrast[seat] += 1.0;
            let inverse = Inverse::new(&games, &curvature, &own, is_whole, peak.draws);
            let along = inverse.times(&contrast);
            contrast.iter().zip(along).map(|(c, x)| c * x).sum::<f64>()
        };
        for seat in [0, 7, 39] {
            let ratio = variance(false, seat) / variance(true, seat);
            assert!((0.8..=1.0).contains(&ratio), "{seat}: {ratio}");
        }
        let first_move = variance(false, seats as usize) / variance(true, seats as usize);
        assert!((0.9..=1.0).contains(&first_move), "{first_move}");
    }

    /// Equal seats that met one seat only: there the short way is exact.
    #[test]
    fn opponents_alone_are_enough_where_they_met_no_others() {
        let pairs =
            [1, 2, 3].map(|leaf| ((0, leaf), [[1, 0, 1], [0, u64::from(leaf), 0], [1, 0, 1]]));
        let games = Games::new(4, &pairs.into_iter().collect());
        let peak = games.climb(Peak::flat(4));
        let curvature = games.curvature(&peak);
        let own: Vec<Vec<usize>> = vec![(0..6).collect(), vec![0, 1], vec![2, 3], vec![4, 5]];
        let [whole, near] = [true, false].map(|is_whole| {
            let inverse = Inverse::new(&games, &curvature, &own, is_whole, true);
            inverse.times(&[0.8, 0.0, 0.0, 0.0, 0.0, 0.0])
        });
        for (whole, near) in whole.into_iter().zip(near) {
            assert!((whole - near).abs() < 1e-9, "{whole} {near}");
        }
    }

    /// Pairs one by one: the square of what is scored above expectation, against the variances of
    /// two independent games.
    #[test]
    fn pairs_scatter_as_counted_one_by_one() {
        let counts = [
            [[5, 2, 1], [0, 4, 3], [2, 0, 9]],
            [[0, 0, 7], [1, 2, 1], [8, 0, 0]],
        ];
        let pairs: BTreeMap<_, _> = [((0, 1), counts[0]), ((0, 2), counts[1])].into();
        let games = Games::new(3, &pairs);
        let peak = Peak {
            at: vec![0.3, -0.5, 0.9, 0.2, -0.4],
            draws: true,
        };
        let (mut scattered, mut expected, mut count) = (0.0, 0.0, 0);
        for (other, counts) in [(1, counts[0]), (2, counts[1])] {
            let lead = peak.at[0] - peak.at[other];
            // Score and its variance, of the game it begins and of the one it follows in.
            let seen = [lead + 0.2, lead - 0.2].map(|lead| {
                let [win, draw, _] = chances(lead, peak.nu());
                let mean = win + draw / 2.0;
                (mean, win + draw / 4.0 - mean * mean)
            });
            for (began, row) in counts.iter().enumerate() {
                for (followed, &times) in row.iter().enumerate() {
                    let score = (began + followed) as f64 / 2.0;
                    scattered += times as f64 * (score - seen[0].0 - seen[1].0).powi(2);
                    expected += times as f64 * (seen[0].1 + seen[1].1);
                    count += times;
                }
            }
        }
        let found = games.dispersion(&peak, pairs.values(), 3);
        let wanted = dispersion(scattered, expected, count, 3);
        assert!(
            wanted > 1.05 && (found - wanted).abs() < 1e-12,
            "{found} {wanted}"
        );
    }
}
