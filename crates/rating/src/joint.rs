mod likelihood;

use std::collections::BTreeMap;

use self::likelihood::{Games, Peak};
use super::random::Random;
use super::{Anchor, Ending, Estimate, NoEstimate, Pentanomial, Rating, groups};

/// Joint ratings of many seats that play two at a table, by Bradley and Terry's model with
/// Davidson's draws and a term for the first move.
///
/// All games are explained together: a win over somebody who beat strong opponents is worth more,
/// whoever of them met. If `d` is how much stronger the seat with the first move is, advantage of
/// the first move included, then win, draw and loss have chances in proportion to `e^(d/2)`, `ν`
/// and `e^(-d/2)`. The ratings, the first-move term and `ν` are those that make all games
/// likeliest.
///
/// A weak prior keeps everything finite: each seat has two virtual draws (a win and a loss, for
/// `ν` does not learn from them) against an average opponent, which also ties together seats that
/// never met; and one virtual game between equals is won by each side. Elo are scaled so that near
/// equality they predict the score as they do in a match of two, whatever the rate of draws.
///
/// The likelihood has a single peak; Newton's method with conjugate gradients climbs it in a few
/// steps, each O(opponents met). Error bars come from a bootstrap: every pair of games is counted
/// a Poisson-distributed number of times, one on average, and everything is fitted anew. As pairs
/// with the same seats and the same endings are counted together, time and memory do not depend on
/// the number of games: 200 programs that all met are some milliseconds a fit. For a seat whose
/// pairs all ended alike the bootstrap sees nothing vary; its error bar is at least what the
/// curvature of the likelihood says.
///
/// ```
/// use floe_rating::{Anchor, Ending::*, Joint};
///
/// let mut joint = Joint::new(3);
/// // Both games of a pair are told as the first-named seat saw them; it began the first one.
/// joint.add([0, 1], [Win, Draw]);
/// joint.add([1, 2], [Win, Win]);
/// let table = joint.fit(Anchor::Seat(2), 200, 1);
/// let elo = |seat: usize| table.ratings[seat].elo.unwrap().value;
/// assert!(elo(0) > elo(1) && elo(1) > 0.0 && elo(2) == 0.0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joint {
    seats: usize,
    /// By the two seats, the smaller first: pairs by (ending of the game the smaller began,
    /// ending of the other), both as the smaller saw them.
    pairs: BTreeMap<(u32, u32), [[u64; 3]; 3]>,
}

/// Where a fit ended, for the next one to begin: see [`Joint::fit_from`].
#[derive(Debug, Clone, Default)]
pub struct WarmStart(Option<Peak>);

/// The result of a [`Joint::fit`].
#[derive(Debug, Clone, PartialEq)]
pub struct JointTable {
    /// By seat.
    pub ratings: Vec<Rating>,
    /// What the first move is worth, in Elo.
    pub first_move: Result<Estimate, NoEstimate>,
    /// How often equals would draw, from 0 to 1.
    pub draw_rate: f64,
}

impl Joint {
    /// So many seats, nothing played.
    pub fn new(seats: usize) -> Self {
        Joint {
            seats,
            pairs: BTreeMap::new(),
        }
    }

    /// Counts a pair of games between two different seats, both endings as the first-named seat
    /// saw them: first the game it began, then the one the other began.
    ///
    /// Panics if the seats are the same or out of range.
    pub fn add(&mut self, [one, other]: [usize; 2], endings: [Ending; 2]) {
        assert!(
            one != other && one.max(other) < self.seats,
            "two seats of {}",
            self.seats
        );
        let key = (one.min(other) as u32, one.max(other) as u32);
        let [began, followed] = if one < other {
            endings
        } else {
            [endings[1].reversed(), endings[0].reversed()]
        };
        self.pairs.entry(key).or_default()[began as usize][followed as usize] += 1;
    }

    /// Makes room for so many seats; those there are keep their numbers.
    pub fn grow(&mut self, seats: usize) {
        self.seats = self.seats.max(seats);
    }

    /// The pairs that two seats played, from the side of the one.
    pub fn between(&self, one: usize, other: usize) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        let key = (one.min(other) as u32, one.max(other) as u32);
        let Some(counts) = self.pairs.get(&key) else {
            return pairs;
        };
        for (first, row) in Ending::ALL.iter().zip(counts) {
            for (second, &count) in Ending::ALL.iter().zip(row) {
                let (first, second) = match one < other {
                    true => (*first, *second),
                    false => (first.reversed(), second.reversed()),
                };
                pairs.add_many(first, second, count);
            }
        }
        pairs
    }

    /// The ratings that make all games likeliest, with error bars from so many repetitions of the
    /// bootstrap (200 are plenty; with fewer than 2 they come from the curvature alone, which
    /// takes the games of a pair as independent and the other seats as known).
    ///
    /// The same pairs, anchor, repetitions and seed always make the same table.
    pub fn fit(&self, anchor: Anchor, repetitions: u32, seed: u64) -> JointTable {
        self.fit_from(anchor, repetitions, seed, &mut WarmStart::default())
    }

    /// The same as [`fit`](Self::fit), begun where an earlier fit ended: after a few more pairs a
    /// step or two are enough, however many there were before. Seats that came since begin at 0.
    ///
    /// ```
    /// use floe_rating::{Anchor, Ending::*, Joint, WarmStart};
    ///
    /// let mut joint = Joint::new(2);
    /// joint.add([0, 1], [Win, Draw]);
    /// let mut warm = WarmStart::default();
    /// joint.fit_from(Anchor::Mean, 0, 1, &mut warm);
    /// joint.grow(3);
    /// joint.add([2, 0], [Win, Win]);
    /// let near = joint.fit_from(Anchor::Mean, 0, 1, &mut warm);
    /// let far = joint.fit(Anchor::Mean, 0, 1);
    /// let elo = |table: &floe_rating::JointTable| table.ratings[2].elo.unwrap().rounded();
    /// assert_eq!(elo(&near), elo(&far));
    /// ```
    pub fn fit_from(
        &self,
        anchor: Anchor,
        repetitions: u32,
        seed: u64,
        start: &mut WarmStart,
    ) -> JointTable {
        let mut played = vec![0u64; self.seats];
        for (&(one, other), counts) in &self.pairs {
            let games = 2 * counts.iter().flatten().sum::<u64>();
            played[one as usize] += games;
            played[other as usize] += games;
        }
        let weights = anchor.weights(&played);
        let mut games = Games::new(self.seats, self.pairs.keys());
        games.count(
            self.pairs
                .values()
                .map(|counts| counts.map(|row| row.map(|c| c as f64))),
        );
        let begin = match start.0.take() {
            Some(peak) => peak.for_seats(self.seats),
            None => Peak::flat(self.seats),
        };
        let best = games.climb(begin);
        start.0 = Some(best.clone());
        let centre = best.elo(&weights);
        let floor = games.deviations(&best);

        let mut random = Random::seeded(seed);
        let mut spread = Spread::new(self.seats + 1);
        for _ in 0..repetitions {
            games.count(self.pairs.values().map(|counts| {
                counts.map(|row| row.map(|count| poisson(count, &mut random) as f64))
            }));
            spread.add(&games.climb(best.clone()).elo(&weights));
        }
        let group = groups(
            self.seats,
            self.pairs
                .keys()
                .map(|&(one, other)| (one as usize, other as usize)),
        );
        let alike = self.alike();
        let deviation = |at: usize| match spread.deviation(at) {
            Some(deviation) if alike[at] => deviation.max(floor[at]),
            Some(deviation) => deviation,
            None => floor[at],
        };
        let ratings = (0..self.seats)
            .map(|seat| {
                let elo = match played[seat] {
                    0 => Err(NoEstimate::TooFew),
                    _ if weights[seat] == 1.0 => Ok(Estimate::around(0.0, 0.0)),
                    _ => Ok(Estimate::around(centre[seat], deviation(seat))),
                };
                Rating {
                    elo,
                    games: played[seat],
                    group: group[seat],
                }
            })
            .collect();
        let first_move = if self.pairs.is_empty() {
            Err(NoEstimate::TooFew)
        } else {
            Ok(Estimate::around(centre[self.seats], deviation(self.seats)))
        };
        JointTable {
            ratings,
            first_move,
            draw_rate: best.draw_rate(),
        }
    }
}

impl Joint {
    /// For each seat whether all its pairs brought the same, then whether the first move always
    /// did. A bootstrap sees nothing vary there, which does not mean that nothing can.
    fn alike(&self) -> Vec<bool> {
        let mut seen: Vec<Option<usize>> = vec![None; self.seats + 1];
        let mut alike = vec![true; self.seats + 1];
        let mut note = |at: usize, half_points: usize| {
            alike[at] &= *seen[at].get_or_insert(half_points) == half_points;
        };
        for (&(one, other), counts) in &self.pairs {
            for (began, row) in counts.iter().enumerate() {
                for (followed, _) in row.iter().enumerate().filter(|(_, count)| **count > 0) {
                    note(one as usize, began + followed);
                    note(other as usize, 4 - began - followed);
                    note(self.seats, began + 2 - followed);
                }
            }
        }
        alike
    }
}

/// Mean and scatter of vectors, in one pass.
struct Spread {
    count: f64,
    mean: Vec<f64>,
    squares: Vec<f64>,
}

impl Spread {
    fn new(size: usize) -> Self {
        Spread {
            count: 0.0,
            mean: vec![0.0; size],
            squares: vec![0.0; size],
        }
    }

    fn add(&mut self, values: &[f64]) {
        self.count += 1.0;
        for ((value, mean), squares) in values.iter().zip(&mut self.mean).zip(&mut self.squares) {
            let off = value - *mean;
            *mean += off / self.count;
            *squares += off * (value - *mean);
        }
    }

    fn deviation(&self, at: usize) -> Option<f64> {
        (self.count > 1.0).then(|| (self.squares[at] / (self.count - 1.0)).sqrt())
    }
}

/// How often `count` pairs are counted when each is counted a Poisson-distributed number of
/// times, one on average.
fn poisson(count: u64, random: &mut Random) -> u64 {
    if count == 0 {
        return 0;
    }
    let mean = count as f64;
    if count > 30 {
        // Near enough to a bell; two uniform numbers make one by Box and Muller.
        let radius = (-2.0 * (1.0 - random.uniform()).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * random.uniform()).cos();
        return (mean + mean.sqrt() * normal).round().max(0.0) as u64;
    }
    let (mut left, mut term, mut drawn) = (random.uniform(), (-mean).exp(), 0);
    while left > term && drawn < 200 {
        left -= term;
        drawn += 1;
        term *= mean / drawn as f64;
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poisson_has_its_mean_and_variance() {
        for count in [1u64, 5, 30, 31, 400] {
            let mut random = Random::seeded(count);
            let mut spread = Spread::new(1);
            for _ in 0..20_000 {
                spread.add(&[poisson(count, &mut random) as f64]);
            }
            let variance = spread.deviation(0).unwrap().powi(2);
            let mean = count as f64;
            assert!((spread.mean[0] - mean).abs() < 0.03 * mean, "{count}");
            assert!((variance - mean).abs() < 0.06 * mean, "{count}: {variance}");
        }
    }
}
