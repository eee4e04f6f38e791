mod intervals;

use thiserror::Error;

use super::climb::climb;
use super::matrix::solve;
use super::{Anchor, Estimate, NoEstimate, Rating, groups};

/// Joint ratings of games for three and more, by Plackett and Luce's model.
///
/// Every seat has a strength. A game's ranking is thought of as drawn from the top: the first place
/// goes to each seat with a probability in proportion to its strength, the second likewise among
/// the seats that are left, and so on. The ratings are the strengths that make all games together
/// likeliest, on a scale where 400 Elo are odds of ten to one between two seats.
///
/// Seats that share places are drawn one after the other with what is left of their group on
/// average (Efron's way), and the last draw of a game says nothing; so a tie of two counts as half
/// a win for each. Half a virtual game against an average opponent, as much won as lost, keeps the
/// ratings finite of seats that won or lost everything, and ties together seats that never met.
///
/// The strengths come from some sweeps of the MM algorithm (the draws a seat won, divided by those
/// it took part in, each weighed by what stood against it), which is safe from anywhere, and
/// Newton's method, which is quick near the end where MM crawls: O(games · seats² at a table +
/// seats³) a step, some ten steps. Intervals are made as those of [`Joint`](super::Joint); units
/// that scatter more than independent games widen them. Memory grows with the games: 8 bytes a seat
/// and game.
///
/// ```
/// use floe_rating::{Anchor, Rankings};
///
/// let mut rankings = Rankings::new(3);
/// // A unit is a board with all rotations; a game names the seats with their places.
/// rankings.add_unit(&[
///     &[(0, 1), (1, 2), (2, 3)],
///     &[(1, 2), (2, 2), (0, 1)],
///     &[(2, 1), (0, 2), (1, 3)],
/// ])?;
/// let table = rankings.fit(Anchor::Mean);
/// assert!(table.ratings[0].elo.unwrap().value > table.ratings[1].elo.unwrap().value);
/// # Ok::<(), floe_rating::UnknownPlace>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rankings {
    seats: usize,
    /// All games' (seat, length of the tied group that starts here, or 0 inside one), best first.
    lines: Vec<(u32, u32)>,
    /// The end of each game in `lines`.
    games: Vec<usize>,
    /// The end of each unit in `games`.
    units: Vec<usize>,
}

/// The result of a [`Rankings::fit`].
#[derive(Debug, Clone, PartialEq)]
pub struct RankingsTable {
    /// Ratings by seat.
    pub ratings: Vec<Rating>,
}

/// The reason why a game cannot be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum UnknownPlace {
    /// The seat does not exist.
    #[error("there is no seat {}", .0 + 1)]
    Seat(usize),
    /// One seat has two places.
    #[error("seat {} has two places", .0 + 1)]
    Twice(usize),
}

impl UnknownPlace {
    pub(super) fn check(seats: usize, game: &[(usize, u32)]) -> Result<(), Self> {
        for (i, &(seat, _)) in game.iter().enumerate() {
            if seat >= seats {
                return Err(UnknownPlace::Seat(seat));
            }
            if game[..i].iter().any(|&(before, _)| before == seat) {
                return Err(UnknownPlace::Twice(seat));
            }
        }
        Ok(())
    }
}

impl Rankings {
    /// Ratings for `seats` seats, without games.
    pub fn new(seats: usize) -> Self {
        Rankings {
            seats,
            ..Rankings::default()
        }
    }

    /// Makes room for `seats` seats; existing seats keep their numbers.
    pub fn grow(&mut self, seats: usize) {
        self.seats = self.seats.max(seats);
    }

    /// Counts a whole unit: its games, each with its seats and their places. Smaller places are
    /// better, equal places are ties.
    pub fn add_unit(&mut self, games: &[&[(usize, u32)]]) -> Result<(), UnknownPlace> {
        for game in games {
            UnknownPlace::check(self.seats, game)?;
        }
        for game in games {
            let mut ranked = game.to_vec();
            ranked.sort_by_key(|&(_, place)| place);
            for tied in ranked.chunk_by(|a, b| a.1 == b.1) {
                for (i, &(seat, _)) in tied.iter().enumerate() {
                    self.lines
                        .push((seat as u32, if i == 0 { tied.len() as u32 } else { 0 }));
                }
            }
            self.games.push(self.lines.len());
        }
        self.units.push(self.games.len());
        Ok(())
    }

    /// The maximum-likelihood ratings.
    pub fn fit(&self, anchor: Anchor) -> RankingsTable {
        let n = self.seats;
        let mut played = vec![0u64; n];
        for &(seat, _) in &self.lines {
            played[seat as usize] += 1;
        }
        let values = self.peak();
        let weights = anchor.weights(&played);
        let zero: f64 = values.iter().zip(&weights).map(|(v, w)| v * w).sum();
        let intervals = self.intervals(&values, &weights, &played);
        let group = groups(n, self.links());
        let ratings = (0..n)
            .map(|i| {
                let value = (values[i] - zero) * ELO;
                let elo = match played[i] {
                    0 => Err(NoEstimate::TooFew),
                    _ if weights[i] == 1.0 => Ok(Estimate::around(0.0, 0.0)),
                    _ => Ok(Estimate {
                        value,
                        low: value - intervals[i][0],
                        high: value + intervals[i][1],
                    }),
                };
                Rating {
                    elo,
                    games: played[i],
                    group: group[i],
                }
            })
            .collect();
        RankingsTable { ratings }
    }

    fn games(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        let starts = std::iter::once(0).chain(self.games.iter().copied());
        starts
            .zip(&self.games)
            .map(|(start, &end)| &self.lines[start..end])
    }

    fn links(&self) -> impl Iterator<Item = (usize, usize)> {
        self.games()
            .flat_map(|game| game.windows(2).map(|w| (w[0].0 as usize, w[1].0 as usize)))
    }

    /// The logarithms of the strengths.
    fn peak(&self) -> Vec<f64> {
        climb(
            self.approach(),
            |at| self.height(at),
            |at| {
                let (slope, curvature) = self.bends(at);
                solve(curvature, slope)
            },
        )
    }

    /// A few sweeps of the MM algorithm from equal strengths, which cannot overshoot.
    fn approach(&self) -> Vec<f64> {
        let mut wins = vec![VIRTUAL / 2.0; self.seats];
        for draw in self.games().flat_map(draws) {
            for &(seat, _) in draw.tied {
                wins[seat as usize] += draw.wins;
            }
        }
        let mut strengths = vec![1.0f64; self.seats];
        for _ in 0..5 {
            let mut against: Vec<f64> = strengths.iter().map(|s| VIRTUAL / (s + 1.0)).collect();
            for draw in self.games().flat_map(draws) {
                draw.stages(&strengths, |total, tied_share| {
                    for &(seat, _) in draw.tied {
                        against[seat as usize] += tied_share / total;
                    }
                    for &(seat, _) in draw.below {
                        against[seat as usize] += 1.0 / total;
                    }
                });
            }
            for (strength, (wins, against)) in strengths.iter_mut().zip(wins.iter().zip(&against)) {
                *strength = wins / against;
            }
        }
        strengths.iter().map(|strength| strength.ln()).collect()
    }

    /// The logarithm of the likelihood.
    fn height(&self, at: &[f64]) -> f64 {
        let strengths: Vec<f64> = at.iter().map(|x| x.exp()).collect();
        let mut height: f64 = (at.iter().zip(&strengths))
            .map(|(x, strength)| VIRTUAL * (x / 2.0 - strength.ln_1p()))
            .sum();
        for draw in self.games().flat_map(draws) {
            height += draw
                .tied
                .iter()
                .map(|&(seat, _)| draw.wins * at[seat as usize])
                .sum::<f64>();
            draw.stages(&strengths, |total, _| height -= total.ln());
        }
        height
    }

    /// The gradient of the likelihood, and its negated curvature.
    fn bends(&self, at: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = self.seats;
        let strengths: Vec<f64> = at.iter().map(|x| x.exp()).collect();
        let (mut slope, mut curvature) = (vec![0.0; n], vec![0.0; n * n]);
        for (i, strength) in strengths.iter().enumerate() {
            let chance = strength / (strength + 1.0);
            slope[i] = VIRTUAL * (0.5 - chance);
            curvature[i * n + i] = VIRTUAL * chance * (1.0 - chance);
        }
        let mut shares = Vec::new();
        for draw in self.games().flat_map(draws) {
            draw.slope(&strengths, &mut slope);
            draw.stages(&strengths, |total, tied_share| {
                draw.shares(&strengths, total, tied_share, &mut shares);
                for &(i, p) in &shares {
                    curvature[i * n + i] += p;
                    for &(j, q) in &shares {
                        curvature[i * n + j] -= p * q;
                    }
                }
            });
        }
        (slope, curvature)
    }
}

/// Elo of a strength's natural logarithm.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Virtual games of each seat against an average opponent, half of them won.
const VIRTUAL: f64 = 0.5;

/// The draws for one group of equal places.
struct Draws<'a> {
    tied: &'a [(u32, u32)],
    below: &'a [(u32, u32)],
    /// The wins each tied seat gets.
    wins: f64,
}

fn draws(game: &[(u32, u32)]) -> impl Iterator<Item = Draws<'_>> {
    let mut rest = game;
    std::iter::from_fn(move || {
        let &(_, length) = rest.first()?;
        let (tied, below) = rest.split_at(length as usize);
        rest = below;
        let length = f64::from(length);
        let wins = if below.is_empty() {
            (length - 1.0) / length
        } else {
            1.0
        };
        Some(Draws { tied, below, wins })
    })
}

impl Draws<'_> {
    /// Calls `each(total strength, share of the tied)` for every draw of the group.
    fn stages(&self, strengths: &[f64], mut each: impl FnMut(f64, f64)) {
        let sum = |seats: &[(u32, u32)]| -> f64 {
            seats
                .iter()
                .map(|&(seat, _)| strengths[seat as usize])
                .sum()
        };
        let (tied, below) = (sum(self.tied), sum(self.below));
        let length = self.tied.len();
        let stages = if self.below.is_empty() {
            length - 1
        } else {
            length
        };
        for drawn in 0..stages {
            let share = 1.0 - drawn as f64 / length as f64;
            each(below + share * tied, share);
        }
    }

    /// Adds the group's part of the gradient.
    fn slope(&self, strengths: &[f64], slope: &mut [f64]) {
        for &(seat, _) in self.tied {
            slope[seat as usize] += self.wins;
        }
        self.stages(strengths, |total, tied_share| {
            for &(seat, _) in self.tied {
                slope[seat as usize] -= tied_share * strengths[seat as usize] / total;
            }
            for &(seat, _) in self.below {
                slope[seat as usize] -= strengths[seat as usize] / total;
            }
        });
    }

    /// The chance of each seat to be drawn next.
    fn shares(&self, strengths: &[f64], total: f64, tied: f64, into: &mut Vec<(usize, f64)>) {
        into.clear();
        let share = |part: f64| {
            move |&(seat, _): &(u32, u32)| (seat as usize, part * strengths[seat as usize] / total)
        };
        into.extend(
            self.tied
                .iter()
                .map(share(tied))
                .chain(self.below.iter().map(share(1.0))),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_height_and_the_curvature_that_of_the_slope() {
        let mut rankings = Rankings::new(4);
        rankings
            .add_unit(&[&[(0, 1), (1, 2), (2, 3)], &[(3, 1), (1, 1), (0, 3)]])
            .unwrap();
        rankings
            .add_unit(&[&[(2, 1), (1, 2), (3, 2), (0, 2)], &[(2, 1), (1, 1)]])
            .unwrap();
        rankings.add_unit(&[&[(3, 7)], &[]]).unwrap();
        let at = [0.3, -0.5, 0.9, 0.2];
        let (slope, curvature) = rankings.bends(&at);
        for i in 0..4 {
            let moved = |by: f64| {
                let mut moved = at;
                moved[i] += by;
                moved
            };
            let rise = rankings.height(&moved(1e-5)) - rankings.height(&moved(-1e-5));
            assert!(
                (rise / 2e-5 - slope[i]).abs() < 1e-8,
                "slope {i}: {rise} {}",
                slope[i]
            );
            let (up, down) = (
                rankings.bends(&moved(1e-5)).0,
                rankings.bends(&moved(-1e-5)).0,
            );
            for j in 0..4 {
                let bend = (down[j] - up[j]) / 2e-5;
                assert!(
                    (bend - curvature[i * 4 + j]).abs() < 1e-7,
                    "{i} {j}: {bend}"
                );
            }
        }
    }

    #[test]
    fn mm_and_newton_climb_the_same_hill() {
        let mut rankings = Rankings::new(3);
        rankings
            .add_unit(&[&[(0, 1), (1, 2), (2, 3)], &[(2, 1), (1, 1), (0, 3)]])
            .unwrap();
        let (near, peak) = (rankings.approach(), rankings.peak());
        assert!(rankings.height(&near) > rankings.height(&[0.0; 3]));
        assert!(rankings.height(&peak) >= rankings.height(&near));
        assert!(
            near.iter().zip(&peak).all(|(a, b)| (a - b).abs() < 0.3),
            "{near:?} {peak:?}"
        );
    }
}
