mod intervals;
mod likelihood;

use std::collections::BTreeMap;

use self::likelihood::{Games, Peak};
use super::{Anchor, Ending, Estimate, NoEstimate, Pentanomial, Rating, groups};

/// Joint ratings of many seats in games for two, by Bradley and Terry's model with Davidson's draws
/// and a term for the first move.
///
/// The model explains all games together: a win over an opponent who beat strong opponents is worth
/// more. If `d` is how much stronger the seat with the first move is, advantage of the first move
/// included, then win, draw and loss have chances in proportion to `e^(d/2)`, `ν` and `e^(-d/2)`.
/// The ratings, the first-move term and `ν` are those that make all games likeliest.
///
/// A weak prior keeps everything finite: each seat has half a virtual game against an average
/// opponent, as much won as lost (`ν` does not learn from it), which also ties together seats that
/// never met; and one virtual game between equals is won by each side. Elo are scaled so that near
/// equality they predict the score as they do in a match of two, whatever the rate of draws.
///
/// The likelihood has a single peak; Newton's method with conjugate gradients climbs it in a few
/// steps, each O(opponents met). Intervals follow the likelihood to both sides of each rating while
/// all others move along (module `interval`), and are wider if the two games of a pair agree more
/// often than independent games would. As pairs with the same seats and the same endings are
/// counted together, time and memory do not depend on the number of games: 200 programs that all
/// met are some tens of milliseconds.
///
/// ```
/// use floe_rating::{Anchor, Ending::*, Joint};
///
/// let mut joint = Joint::new(3);
/// // Both results of a pair are those of the first-named seat, which began the first game.
/// joint.add([0, 1], [Win, Draw]);
/// joint.add([1, 2], [Win, Win]);
/// let table = joint.fit(Anchor::Seat(2));
/// let elo = |seat: usize| table.ratings[seat].elo.unwrap().value;
/// assert!(elo(0) > elo(1) && elo(1) > 0.0 && elo(2) == 0.0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joint {
    seats: usize,
    /// By the two seats, the smaller first: pairs by (result of the game that the smaller began,
    /// result of the other), both from the smaller's side.
    pairs: BTreeMap<(u32, u32), [[u64; 3]; 3]>,
}

/// The end of a fit, to start the next one from: see [`Joint::fit_from`].
#[derive(Debug, Clone, Default)]
pub struct WarmStart(Option<Peak>);

/// The result of a [`Joint::fit`].
#[derive(Debug, Clone, PartialEq)]
pub struct JointTable {
    /// Ratings by seat.
    pub ratings: Vec<Rating>,
    /// Advantage of the first move, in Elo.
    pub first_move: Result<Estimate, NoEstimate>,
    /// Draw rate between equals, from 0 to 1.
    pub draw_rate: f64,
}

impl Joint {
    /// Ratings for `seats` seats, without games.
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
        let [began, followed] = match key.0 as usize == one {
            true => endings,
            false => [endings[1].reversed(), endings[0].reversed()],
        };
        self.pairs.entry(key).or_default()[began as usize][followed as usize] += 1;
    }

    /// Makes room for `seats` seats; existing seats keep their numbers.
    pub fn grow(&mut self, seats: usize) {
        self.seats = self.seats.max(seats);
    }

    /// The pairs that two seats played, from the first seat's side.
    pub fn between(&self, one: usize, other: usize) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        let key = (one.min(other) as u32, one.max(other) as u32);
        let Some(counts) = self.pairs.get(&key) else {
            return pairs;
        };
        for (first, row) in Ending::ALL.iter().zip(counts) {
            for (second, &count) in Ending::ALL.iter().zip(row) {
                let (first, second) = match key.0 as usize == one {
                    true => (*first, *second),
                    false => (first.reversed(), second.reversed()),
                };
                pairs.add_many(first, second, count);
            }
        }
        pairs
    }

    /// The maximum-likelihood ratings, with their error margins.
    pub fn fit(&self, anchor: Anchor) -> JointTable {
        self.fit_from(anchor, &mut WarmStart::default())
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
    /// joint.fit_from(Anchor::Mean, &mut warm);
    /// joint.grow(3);
    /// joint.add([2, 0], [Win, Win]);
    /// let near = joint.fit_from(Anchor::Mean, &mut warm);
    /// let far = joint.fit(Anchor::Mean);
    /// let elo = |table: &floe_rating::JointTable| table.ratings[2].elo.unwrap().rounded();
    /// assert_eq!(elo(&near), elo(&far));
    /// ```
    pub fn fit_from(&self, anchor: Anchor, start: &mut WarmStart) -> JointTable {
        let played = self.played();
        let weights = anchor.weights(&played);
        let games = Games::new(self.seats, &self.pairs);
        let best = self.climb(&games, start);
        let centre = best.elo(&weights);
        // All ratings but the anchor's, and the first move.
        let fitted = played.iter().filter(|&&games| games > 0).count() as u64;
        let dispersion = games.dispersion(&best, self.pairs.values(), fitted);
        let reach = games.intervals(&best, &weights, dispersion);
        let estimate = |at: usize| Estimate {
            value: centre[at],
            low: centre[at] - reach[at][0],
            high: centre[at] + reach[at][1],
        };
        let group = groups(
            self.seats,
            self.pairs
                .keys()
                .map(|&(one, other)| (one as usize, other as usize)),
        );
        let ratings = (0..self.seats)
            .map(|seat| {
                let elo = match played[seat] {
                    0 => Err(NoEstimate::TooFew),
                    _ if weights[seat] == 1.0 => Ok(Estimate::around(0.0, 0.0)),
                    _ => Ok(estimate(seat)),
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
            Ok(estimate(self.seats))
        };
        JointTable {
            ratings,
            first_move,
            draw_rate: best.draw_rate(),
        }
    }
    /// Only the ratings, by seat, for many fits without intervals: `None` for a seat that has not
    /// played.
    pub fn values(&self, anchor: Anchor) -> Vec<Option<f64>> {
        let played = self.played();
        let games = Games::new(self.seats, &self.pairs);
        let best = self.climb(&games, &mut WarmStart::default());
        let elo = best.elo(&anchor.weights(&played)).into_iter();
        let seats = elo.zip(&played);
        seats
            .map(|(elo, &games)| (games > 0).then_some(elo))
            .collect()
    }

    /// Games by seat.
    fn played(&self) -> Vec<u64> {
        let mut played = vec![0u64; self.seats];
        for (&(one, other), counts) in &self.pairs {
            let games = 2 * counts.iter().flatten().sum::<u64>();
            played[one as usize] += games;
            played[other as usize] += games;
        }
        played
    }

    fn climb(&self, games: &Games, start: &mut WarmStart) -> Peak {
        let begin = match start.0.take() {
            Some(peak) => peak.for_seats(self.seats),
            None => Peak::flat(self.seats),
        };
        let best = games.climb(begin);
        start.0 = Some(best.clone());
        best
    }
}

#[cfg(test)]
mod tests {
    use super::Ending::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn every_seat_that_played_takes_a_direction_from_the_scatter() {
        let mut joint = Joint::new(5);
        for [one, other] in [[0, 1], [1, 2], [2, 0]] {
            for endings in [[Win, Win], [Loss, Loss], [Win, Draw], [Loss, Loss]] {
                joint.add([one, other], endings);
            }
        }
        let games = Games::new(5, &joint.pairs);
        let best = joint.climb(&games, &mut WarmStart::default());
        let weights = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0];
        let dispersion = games.dispersion(&best, joint.pairs.values(), 3);
        let reach = games.intervals(&best, &weights, dispersion);
        assert!(dispersion > 1.2, "{dispersion}");
        let ratings = joint.fit(Anchor::Mean).ratings;
        for (rating, reach) in ratings.iter().zip(reach).take(3) {
            let elo = rating.elo.unwrap();
            let off = elo.value - elo.low - reach[0];
            assert!(off.abs() < 1e-9, "{off}");
        }
    }

    #[test]
    #[should_panic(expected = "two seats of 2")]
    fn a_seat_out_of_range_cannot_play() {
        Joint::new(2).add([0, 2], [Win, Win]);
    }
}
