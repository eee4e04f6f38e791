use thiserror::Error;

use super::matrix::Cholesky;
use super::{Anchor, Estimate, NoEstimate, Rating, groups};

/// Joint ratings of games with three and more at a table, by Plackett and Luce's model.
///
/// Every seat has a strength. A game's ranking is thought of as drawn from the top: the first
/// place goes to each seat with a probability in proportion to its strength, the second likewise
/// among those who are left, and so on. The ratings are the strengths that make all games together
/// likeliest, on a scale where 400 Elo are odds of ten to one between two seats.
///
/// Seats that share places are drawn one after the other with what is left of their group on
/// average (Efron's way), and the last draw of a game says nothing; so a tie of two counts as half
/// a win for each. Two virtual draws against an average opponent keep those finite who won or lost
/// everything, and tie together those who never met.
///
/// The strengths come from the MM algorithm: the places a seat was drawn for, divided by the draws
/// it might have been drawn in, each weighed by what stood against it; O(seats at all tables) a
/// step, some dozens of steps. Error bars come from how units scatter around the solution (the
/// "sandwich" of curvature and scatter): the limit of a bootstrap over units, for O(seats³) once
/// instead of hundreds of fits. Memory grows with the games: 8 bytes a seat and game.
///
/// ```
/// use floe_arena::rating::{Anchor, Rankings};
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
/// # Ok::<(), floe_arena::rating::UnknownPlace>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rankings {
    seats: usize,
    /// All games' (seat, length of the tied group it begins, or 0 inside one), best first.
    lines: Vec<(u32, u32)>,
    /// Where each game ends in `lines`.
    games: Vec<usize>,
    /// Where each unit ends in `games`.
    units: Vec<usize>,
}

/// The result of a [`Rankings::fit`].
#[derive(Debug, Clone, PartialEq)]
pub struct RankingsTable {
    /// By seat.
    pub ratings: Vec<Rating>,
}

/// Why a game cannot be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum UnknownPlace {
    /// There is no such seat.
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
    /// So many seats, nothing played.
    pub fn new(seats: usize) -> Self {
        Rankings {
            seats,
            ..Rankings::default()
        }
    }

    /// Counts a whole unit: its games, each with its seats and their places. The smaller place is
    /// the better, equal places are ties.
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

    /// The ratings that make all the games likeliest.
    pub fn fit(&self, anchor: Anchor) -> RankingsTable {
        let n = self.seats;
        let mut played = vec![0u64; n];
        for &(seat, _) in &self.lines {
            played[seat as usize] += 1;
        }
        let strengths = self.strengths();
        let values: Vec<f64> = strengths.iter().map(|strength| strength.ln()).collect();
        let covariance = self.covariance(&strengths);
        let weights = anchor.weights(&played);
        let zero: f64 = values.iter().zip(&weights).map(|(v, w)| v * w).sum();
        // How the anchor scatters, alone and with each seat.
        let with_anchor: Vec<f64> = (0..n)
            .map(|i| (0..n).map(|j| weights[j] * covariance[i * n + j]).sum())
            .collect();
        let of_anchor: f64 = weights.iter().zip(&with_anchor).map(|(w, c)| w * c).sum();
        let group = groups(n, self.links());
        let ratings = (0..n)
            .map(|i| {
                let variance = covariance[i * n + i] - 2.0 * with_anchor[i] + of_anchor;
                let elo = if played[i] == 0 {
                    Err(NoEstimate::TooFew)
                } else {
                    let deviation = variance.max(0.0).sqrt();
                    Ok(Estimate::around((values[i] - zero) * ELO, deviation * ELO))
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

    fn strengths(&self) -> Vec<f64> {
        let mut wins = vec![VIRTUAL / 2.0; self.seats];
        for game in self.games() {
            for draw in draws(game) {
                for &(seat, _) in draw.tied {
                    wins[seat as usize] += draw.wins;
                }
            }
        }
        let mut strengths = vec![1.0f64; self.seats];
        for _ in 0..5000 {
            let mut against: Vec<f64> = strengths.iter().map(|s| VIRTUAL / (s + 1.0)).collect();
            for game in self.games() {
                for draw in draws(game) {
                    draw.stages(&strengths, |total, tied_share| {
                        for &(seat, _) in draw.tied {
                            against[seat as usize] += tied_share / total;
                        }
                        for &(seat, _) in draw.below {
                            against[seat as usize] += 1.0 / total;
                        }
                    });
                }
            }
            let mut moved = 0f64;
            for (strength, (wins, against)) in strengths.iter_mut().zip(wins.iter().zip(&against)) {
                let next = wins / against;
                moved = moved.max((next / *strength).ln().abs());
                *strength = next;
            }
            if moved < 1e-9 {
                break;
            }
        }
        strengths
    }

    /// Curvature⁻¹ · scatter · curvature⁻¹, of the logarithms of the strengths.
    fn covariance(&self, strengths: &[f64]) -> Vec<f64> {
        let n = self.seats;
        let (mut curvature, mut scatter) = (vec![0.0; n * n], vec![0.0; n * n]);
        for (i, strength) in strengths.iter().enumerate() {
            let chance = strength / (strength + 1.0);
            let prior = VIRTUAL * chance * (1.0 - chance);
            curvature[i * n + i] += prior;
            // The prior is no observation, but a seat that won everything scatters through
            // nothing else: count it as one, lest its error bar vanish.
            scatter[i * n + i] += prior;
        }
        let mut slope = vec![0.0; n];
        let mut touched: Vec<usize> = Vec::new();
        let mut shares: Vec<(usize, f64)> = Vec::new();
        let games: Vec<&[(u32, u32)]> = self.games().collect();
        let starts = std::iter::once(0).chain(self.units.iter().copied());
        for (start, &end) in starts.zip(&self.units) {
            for draw in games[start..end].iter().flat_map(|game| draws(game)) {
                for &(seat, _) in draw.tied {
                    slope[seat as usize] += draw.wins;
                }
                draw.stages(strengths, |total, tied_share| {
                    shares.clear();
                    let tied = draw
                        .tied
                        .iter()
                        .map(|&(seat, _)| (seat as usize, tied_share));
                    let below = draw.below.iter().map(|&(seat, _)| (seat as usize, 1.0));
                    shares.extend(
                        tied.chain(below)
                            .map(|(seat, part)| (seat, part * strengths[seat] / total)),
                    );
                    for &(i, p) in &shares {
                        slope[i] -= p;
                        touched.push(i);
                        curvature[i * n + i] += p;
                        for &(j, q) in &shares {
                            curvature[i * n + j] -= p * q;
                        }
                    }
                });
            }
            touched.sort_unstable();
            touched.dedup();
            for &i in &touched {
                for &j in &touched {
                    scatter[i * n + j] += slope[i] * slope[j];
                }
            }
            for i in touched.drain(..) {
                slope[i] = 0.0;
            }
        }
        let Some(factors) = Cholesky::new(n, curvature) else {
            return vec![0.0; n * n];
        };
        // Symmetric from both sides: solve the rows, turn, solve the rows again.
        for _ in 0..2 {
            scatter
                .chunks_exact_mut(n)
                .for_each(|row| factors.solve(row));
            for i in 0..n {
                for j in 0..i {
                    scatter.swap(i * n + j, j * n + i);
                }
            }
        }
        scatter
    }
}

/// Elo of a strength's natural logarithm.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The virtual draws each seat has against an average opponent.
const VIRTUAL: f64 = 2.0;

/// The draws for one group of equal places.
struct Draws<'a> {
    tied: &'a [(u32, u32)],
    below: &'a [(u32, u32)],
    /// What each of the tied wins by it.
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
}
