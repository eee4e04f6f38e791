//! 95 % intervals of ratings: see the module `interval` for the idea.

use super::{ELO, Rankings, VIRTUAL, draws};
use crate::interval::{allowed_fall, dispersion, few_rankings, reach};
use crate::matrix::{Cholesky, DENSE, times_inverse};

impl Rankings {
    /// Extent down and up of each seat's interval, in Elo.
    pub(super) fn intervals(&self, at: &[f64], weights: &[f64], played: &[u64]) -> Vec<[f64; 2]> {
        let n = self.seats;
        let strengths: Vec<f64> = at.iter().map(|x| x.exp()).collect();
        let inverse = Inverse::new(n, self.bends(at).1);
        let dispersion = self.dispersion(&strengths, played);
        let own = self.games_of_seats(played);
        let interval = |seat: usize| {
            let mut contrast: Vec<f64> = weights.iter().map(|weight| -weight).collect();
            contrast[seat] += 1.0;
            let along = inverse.times(&contrast);
            let variance: f64 = contrast.iter().zip(&along).map(|(c, x)| c * x).sum();
            let variance = variance.max(1e-12);
            // The change of the other ratings if this seat's rating rises by a natural unit.
            let steps: Vec<f64> = along.iter().map(|x| x / variance).collect();
            let mut ridge = Ridge {
                rest: 1.0 / variance,
                ..Ridge::default()
            };
            for draw in own[seat].iter().flat_map(|game| draws(game)) {
                draw.stages(&strengths, |total, tied_share| {
                    let mut shares = Vec::new();
                    draw.shares(&strengths, total, tied_share, &mut shares);
                    if shares.iter().any(|&(drawn, _)| drawn == seat) {
                        ridge.add(
                            shares.iter().map(|&(drawn, share)| (share, steps[drawn])),
                            1.0,
                        );
                    }
                });
            }
            let chance = strengths[seat] / (strengths[seat] + 1.0);
            ridge.add(
                [(chance, steps[seat]), (1.0 - chance, 0.0)].into_iter(),
                VIRTUAL,
            );
            let bends = strengths.iter().map(|s| VIRTUAL * s / (1.0 + s).powi(2));
            let bent: f64 = along.iter().zip(bends).map(|(x, p)| x * x * p).sum();
            let allowed = allowed_fall(bent / variance, dispersion) * few_rankings(played[seat]);
            reach(allowed, |by| ridge.fall(by)).map(|far| far * ELO)
        };
        (0..n).map(interval).collect()
    }

    /// The games of each seat, if there are few: with many, the likelihood is nearly normal.
    fn games_of_seats(&self, played: &[u64]) -> Vec<Vec<&[(u32, u32)]>> {
        let mut own = vec![Vec::new(); self.seats];
        for game in self.games() {
            for &(seat, _) in game
                .iter()
                .filter(|(seat, _)| played[*seat as usize] <= FEW)
            {
                own[seat as usize].push(game);
            }
        }
        own
    }

    /// Overdispersion of units against independent games.
    fn dispersion(&self, strengths: &[f64], played: &[u64]) -> f64 {
        let mut slope = vec![0.0; self.seats];
        let (mut scattered, mut expected, mut directions) = (0.0, 0.0, 0);
        let mut shares = Vec::new();
        let mut games = self.games();
        let starts = std::iter::once(0).chain(self.units.iter().copied());
        for (start, &end) in starts.zip(&self.units) {
            let mut playing: Vec<usize> = Vec::new();
            for game in games.by_ref().take(end - start) {
                playing.extend(game.iter().map(|&(seat, _)| seat as usize));
                for draw in draws(game) {
                    draw.slope(strengths, &mut slope);
                    draw.stages(strengths, |total, tied_share| {
                        draw.shares(strengths, total, tied_share, &mut shares);
                        let parts = shares.iter().map(|&(_, share)| share * (1.0 - share));
                        expected += parts.sum::<f64>();
                    });
                }
            }
            playing.sort_unstable();
            playing.dedup();
            directions += playing.len().saturating_sub(1) as u64;
            for seat in playing {
                scattered += slope[seat] * slope[seat];
                slope[seat] = 0.0;
            }
        }
        let fitted = played.iter().filter(|&&games| games > 0).count() as u64;
        dispersion(scattered, expected, directions, fitted.saturating_sub(1))
    }
}

/// The covariance of the ratings: the inverse of the curvature.
struct Inverse {
    size: usize,
    factors: Option<Cholesky>,
    /// The curvature, for use where the whole inverse would be too large.
    curvature: Vec<f64>,
}

impl Inverse {
    fn new(size: usize, curvature: Vec<f64>) -> Self {
        let is_whole = size <= DENSE;
        Inverse {
            size,
            factors: is_whole
                .then(|| Cholesky::new(size, curvature.clone()))
                .flatten(),
            curvature,
        }
    }

    fn times(&self, contrast: &[f64]) -> Vec<f64> {
        times_inverse(self.factors.as_ref(), contrast, |seat, part, along| {
            self.add_near(seat, part, along);
        })
    }

    /// The same for one seat whose opponents follow, but not their opponents.
    fn add_near(&self, seat: usize, part: f64, along: &mut [f64]) {
        let diagonal = |at: usize| self.curvature[at * (self.size + 1)];
        let row = &self.curvature[seat * self.size..][..self.size];
        let others = || row.iter().enumerate().filter(|&(other, _)| other != seat);
        let tied = others().map(|(other, tie)| tie * tie / diagonal(other));
        let variance = part / (diagonal(seat) - tied.sum::<f64>());
        along[seat] += variance;
        for (other, tie) in others() {
            along[other] -= variance * tie / diagonal(other);
        }
    }
}

/// Up to this many games of a seat, its interval uses the likelihood of each game.
const FEW: u64 = 1000;

/// The log-likelihood along one seat's rating, while all others follow.
#[derive(Default)]
struct Ridge {
    /// (share, step) of the seats in each draw, draw after draw.
    shares: Vec<(f64, f64)>,
    /// The end of each draw in `shares`, and how often the draw counts.
    draws: Vec<(usize, f64)>,
    /// The curvature of all other terms.
    rest: f64,
}

impl Ridge {
    fn add(&mut self, shares: impl Iterator<Item = (f64, f64)>, times: f64) {
        let start = self.shares.len();
        self.shares.extend(shares);
        let (mut mean, mut square) = (0.0, 0.0);
        for &(share, step) in &self.shares[start..] {
            mean += share * step;
            square += share * step * step;
        }
        for (_, step) in &mut self.shares[start..] {
            *step -= mean;
        }
        self.draws.push((self.shares.len(), times));
        self.rest -= times * (square - mean * mean);
    }

    fn fall(&self, by: f64) -> f64 {
        let mut fall = self.rest.max(0.0) * by * by / 2.0;
        let mut start = 0;
        for &(end, times) in &self.draws {
            let shares = self.shares[start..end].iter();
            let total: f64 = shares.map(|(share, step)| share * (step * by).exp()).sum();
            fall += times * total.ln().max(0.0);
            start = end;
        }
        fall
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opponents that met one seat only follow that seat alone: there the short way is exact.
    #[test]
    fn opponents_alone_are_enough_where_they_met_no_others() {
        let curvature = vec![5.0, -1.0, -2.0, -1.0, 3.0, 0.0, -2.0, 0.0, 4.0];
        let whole = Inverse::new(3, curvature.clone());
        let near = Inverse {
            size: 3,
            factors: None,
            curvature,
        };
        let contrast = [0.8, 0.0, 0.0];
        let pairs = whole
            .times(&contrast)
            .into_iter()
            .zip(near.times(&contrast));
        for (whole, near) in pairs {
            assert!((whole - near).abs() < 1e-12, "{whole} {near}");
        }
    }

    #[test]
    fn a_ridge_falls_as_the_draws_and_the_rest_do() {
        let mut ridge = Ridge {
            rest: 0.5,
            ..Ridge::default()
        };
        // Of two: the mean step is ¼, its variance 3/16.
        ridge.add([(0.25, 1.0), (0.75, 0.0)].into_iter(), 2.0);
        // Of one, which is certain: nothing falls.
        ridge.add([(1.0, 3.0)].into_iter(), 1.0);
        assert!((ridge.rest - 0.125).abs() < 1e-15);
        for by in [-3.0f64, 0.0, 2.0] {
            let draws = (0.25 * by.exp() + 0.75).ln() - by / 4.0;
            let wanted = 0.125 * by.powi(2) / 2.0 + 2.0 * draws;
            assert!((ridge.fall(by) - wanted).abs() < 1e-12, "{by}");
        }
    }

    /// Among equals a win of two is half a point more than expected. Of three, the places are 2/3,
    /// 1/6 and -5/6 more, and the two draws have variances of 2/3 and 1/2.
    #[test]
    fn units_scatter_as_counted_by_hand() {
        let mut rankings = Rankings::new(5);
        for winner in [0, 1, 0, 1, 0, 1] {
            let game: &[(usize, u32)] = &[(winner, 1), (1 - winner, 2)];
            rankings.add_unit(&[game; 3]).unwrap();
        }
        rankings.add_unit(&[&[(3, 1), (0, 2), (1, 3)]]).unwrap();
        let found = rankings.dispersion(&[1.0; 5], &[19, 19, 0, 1, 0]);
        let wanted = dispersion(6.0 * 4.5 + 7.0 / 6.0, 6.0 * 1.5 + 7.0 / 6.0, 6 + 2, 2);
        assert!(wanted > 1.3 && (found - wanted).abs() < 1e-12, "{found}");
    }
}
