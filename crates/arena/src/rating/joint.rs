use std::collections::BTreeMap;

use floe_rules::random::Random;

use super::matrix::solve_iteratively;
use super::{Anchor, Ending, Estimate, NoEstimate, Rating, groups};

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
/// use floe_arena::rating::{Anchor, Ending::*, Joint};
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

    /// The ratings that make all games likeliest, with error bars from so many repetitions of the
    /// bootstrap (200 are plenty; with fewer than 2 they come from the curvature alone, which
    /// takes the games of a pair as independent and the other seats as known).
    ///
    /// The same pairs, anchor, repetitions and seed always make the same table.
    pub fn fit(&self, anchor: Anchor, repetitions: u32, seed: u64) -> JointTable {
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
        let best = games.climb(Peak::flat(self.seats));
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

/// A point of the likelihood: by seat its strength, then the first move's, then `ln ν`.
#[derive(Debug, Clone)]
struct Peak {
    at: Vec<f64>,
    /// Without a draw, `ν` is 0 and its logarithm is nowhere.
    draws: bool,
}

impl Peak {
    fn flat(seats: usize) -> Self {
        Peak {
            at: vec![0.0; seats + 2],
            draws: true,
        }
    }

    fn seats(&self) -> usize {
        self.at.len() - 2
    }

    fn nu(&self) -> f64 {
        if self.draws {
            self.at[self.seats() + 1].exp()
        } else {
            0.0
        }
    }

    fn draw_rate(&self) -> f64 {
        self.nu() / (2.0 + self.nu())
    }

    /// Elo by natural unit of strength. The slope of the expected score at equality is
    /// `1 / (4 + 2ν)` here and ¼ on the scale of Elo.
    fn scale(&self) -> f64 {
        400.0 / std::f64::consts::LN_10 * 2.0 / (2.0 + self.nu())
    }

    /// The seats' Elo above the anchor, then the first move's.
    fn elo(&self, weights: &[f64]) -> Vec<f64> {
        let n = self.seats();
        let zero: f64 = self.at.iter().zip(weights).map(|(v, w)| v * w).sum();
        let mut elo: Vec<f64> = self.at[..n]
            .iter()
            .map(|v| (v - zero) * self.scale())
            .collect();
        elo.push(self.at[n] * self.scale());
        elo
    }
}

/// All games with the same seat beginning against the same other.
#[derive(Debug, Clone, Copy)]
struct Class {
    first: usize,
    second: usize,
    /// As the first saw them.
    losses: f64,
    draws: f64,
    wins: f64,
}

impl Class {
    fn total(&self) -> f64 {
        self.losses + self.draws + self.wins
    }
}

struct Games {
    seats: usize,
    classes: Vec<Class>,
}

/// The virtual draws each seat has against an average opponent.
const VIRTUAL: f64 = 2.0;

impl Games {
    fn new<'a>(seats: usize, keys: impl Iterator<Item = &'a (u32, u32)>) -> Self {
        let mut classes = Vec::new();
        for &(one, other) in keys {
            let (first, second) = (one as usize, other as usize);
            let class = Class {
                first,
                second,
                losses: 0.0,
                draws: 0.0,
                wins: 0.0,
            };
            classes.extend([
                class,
                Class {
                    first: second,
                    second: first,
                    ..class
                },
            ]);
        }
        Games { seats, classes }
    }

    /// Fills the classes, in the order of the keys.
    fn count(&mut self, pairs: impl Iterator<Item = [[f64; 3]; 3]>) {
        for (class, counts) in self.classes.chunks_exact_mut(2).zip(pairs) {
            let began = |e: usize| counts[e].iter().sum::<f64>();
            let followed = |e: usize| counts.iter().map(|row| row[e]).sum::<f64>();
            (class[0].losses, class[0].draws, class[0].wins) = (began(0), began(1), began(2));
            // The other seat began these, and saw them the other way round.
            (class[1].losses, class[1].draws, class[1].wins) =
                (followed(2), followed(1), followed(0));
        }
    }

    fn climb(&self, start: Peak) -> Peak {
        let mut peak = start;
        peak.draws = self.classes.iter().any(|class| class.draws > 0.0);
        let mut height = self.height(&peak);
        for _ in 0..100 {
            let slope = self.slope(&peak);
            let curvature = self.curvature(&peak);
            let step = solve_iteratively(&curvature.diagonal, &slope, |x, out| {
                curvature.apply(self, x, out);
            });
            let largest = step.iter().fold(0f64, |most, s| most.max(s.abs()));
            // A Newton step may overshoot a long way from the peak: no more than a few units.
            let mut part = (3.0 / largest).min(1.0);
            let mut next = peak.clone();
            for _ in 0..40 {
                for ((to, from), step) in next.at.iter_mut().zip(&peak.at).zip(&step) {
                    *to = from + part * step;
                }
                if self.height(&next) >= height - 1e-12 * height.abs() {
                    break;
                }
                part /= 2.0;
            }
            height = self.height(&next);
            peak = next;
            if largest < 1e-7 {
                break;
            }
        }
        peak
    }

    /// The classes and the two virtual games between equals, one won by each side.
    fn each(&self, peak: &Peak, mut visit: impl FnMut(Option<&Class>, f64)) {
        let h = peak.at[self.seats];
        for class in &self.classes {
            visit(
                Some(class),
                peak.at[class.first] - peak.at[class.second] + h,
            );
        }
        visit(None, h);
    }

    /// The logarithm of the likelihood.
    fn height(&self, peak: &Peak) -> f64 {
        let nu = peak.nu();
        let ln_nu = peak.at[self.seats + 1];
        let mut height = 0.0;
        self.each(peak, |class, d| {
            let all = ln_total(d, nu);
            match class {
                Some(class) => {
                    height += (class.wins - class.losses) * d / 2.0 - class.total() * all;
                    if class.draws > 0.0 {
                        height += class.draws * ln_nu;
                    }
                }
                None => height -= 2.0 * all,
            }
        });
        let prior: f64 = peak.at[..self.seats]
            .iter()
            .map(|&r| ln_total(r, 0.0))
            .sum();
        height - VIRTUAL * prior
    }

    fn slope(&self, peak: &Peak) -> Vec<f64> {
        let (n, nu) = (self.seats, peak.nu());
        let mut slope = vec![0.0; n + 2];
        self.each(peak, |class, d| {
            let [win, draw, loss] = chances(d, nu);
            let (total, ahead, draws) =
                class.map_or((2.0, 0.0, 0.0), |c| (c.total(), c.wins - c.losses, c.draws));
            let push = (ahead - total * (win - loss)) / 2.0;
            if let Some(class) = class {
                slope[class.first] += push;
                slope[class.second] -= push;
            }
            slope[n] += push;
            slope[n + 1] += draws - total * draw;
        });
        for (slope, &r) in slope[..n].iter_mut().zip(&peak.at) {
            let [win, _, loss] = chances(r, 0.0);
            *slope -= VIRTUAL * (win - loss) / 2.0;
        }
        if !peak.draws {
            slope[n + 1] = 0.0;
        }
        slope
    }

    fn curvature(&self, peak: &Peak) -> Curvature {
        let (n, nu) = (self.seats, peak.nu());
        let mut diagonal = vec![0.0; n + 2];
        let mut bends = Vec::with_capacity(self.classes.len() + 1);
        self.each(peak, |class, d| {
            let [win, draw, loss] = chances(d, nu);
            let total = class.map_or(2.0, Class::total);
            let bend = Bend {
                lead: total * (win + loss - (win - loss).powi(2)) / 4.0,
                both: -total * (win - loss) * draw / 2.0,
                draw: total * draw * (1.0 - draw),
            };
            if let Some(class) = class {
                diagonal[class.first] += bend.lead;
                diagonal[class.second] += bend.lead;
            }
            diagonal[n] += bend.lead;
            diagonal[n + 1] += bend.draw;
            bends.push(bend);
        });
        let prior: Vec<f64> = peak.at[..n]
            .iter()
            .map(|&r| {
                let [win, _, loss] = chances(r, 0.0);
                VIRTUAL * win * loss
            })
            .collect();
        diagonal.iter_mut().zip(&prior).for_each(|(d, p)| *d += p);
        if !peak.draws {
            // Nothing bends with ν and nothing slopes: any number will do to divide 0 by.
            diagonal[n + 1] = 1.0;
        }
        Curvature {
            diagonal,
            bends,
            prior,
        }
    }

    /// What the curvature says of each seat if all others were known, and of the first move.
    fn deviations(&self, peak: &Peak) -> Vec<f64> {
        let diagonal = self.curvature(peak).diagonal;
        diagonal[..=self.seats]
            .iter()
            .map(|d| peak.scale() / d.max(1e-12).sqrt())
            .collect()
    }
}

/// How the likelihood of one class bends with the lead `d`, with `ln ν`, and with both.
struct Bend {
    lead: f64,
    both: f64,
    draw: f64,
}

struct Curvature {
    diagonal: Vec<f64>,
    /// By class, then that of the virtual games between equals.
    bends: Vec<Bend>,
    prior: Vec<f64>,
}

impl Curvature {
    fn apply(&self, games: &Games, x: &[f64], out: &mut [f64]) {
        let n = games.seats;
        let (h, ln_nu) = (x[n], x[n + 1]);
        let (mut on_h, mut on_nu) = (0.0, 0.0);
        for (class, bend) in games.classes.iter().zip(&self.bends) {
            let d = x[class.first] - x[class.second] + h;
            let push = bend.lead * d + bend.both * ln_nu;
            out[class.first] += push;
            out[class.second] -= push;
            on_h += push;
            on_nu += bend.both * d + bend.draw * ln_nu;
        }
        if let Some(bend) = self.bends.last() {
            on_h += bend.lead * h + bend.both * ln_nu;
            on_nu += bend.both * h + bend.draw * ln_nu;
        }
        out[n] += on_h;
        out[n + 1] += on_nu;
        for ((out, x), prior) in out.iter_mut().zip(x).zip(&self.prior) {
            *out += prior * x;
        }
    }
}

/// `ln(e^(d/2) + e^(-d/2) + ν)` without overflow.
fn ln_total(d: f64, nu: f64) -> f64 {
    let half = d.abs() / 2.0;
    half + (1.0 + (-2.0 * half).exp() + nu * (-half).exp()).ln()
}

/// The chances of win, draw and loss for the one who leads by `d`.
fn chances(d: f64, nu: f64) -> [f64; 3] {
    let half = d.abs() / 2.0;
    let (draw, lesser) = (nu * (-half).exp(), (-2.0 * half).exp());
    let total = 1.0 + draw + lesser;
    let (ahead, behind) = (1.0 / total, lesser / total);
    if d >= 0.0 {
        [ahead, draw / total, behind]
    } else {
        [behind, draw / total, ahead]
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
    let uniform = |random: &mut Random| (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    if count == 0 {
        return 0;
    }
    let mean = count as f64;
    if count > 30 {
        // Near enough to a bell; two uniform numbers make one by Box and Muller.
        let radius = (-2.0 * (1.0 - uniform(random)).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * uniform(random)).cos();
        return (mean + mean.sqrt() * normal).round().max(0.0) as u64;
    }
    let (mut left, mut term, mut drawn) = (uniform(random), (-mean).exp(), 0);
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

    #[test]
    fn the_slope_is_that_of_the_height_and_the_curvature_that_of_the_slope() {
        let mut joint = Joint::new(3);
        joint.add([0, 1], [Ending::Win, Ending::Draw]);
        joint.add([2, 1], [Ending::Loss, Ending::Draw]);
        joint.add([2, 0], [Ending::Win, Ending::Loss]);
        let mut games = Games::new(3, joint.pairs.keys());
        games.count(
            joint
                .pairs
                .values()
                .map(|counts| counts.map(|row| row.map(|c| c as f64))),
        );
        let peak = Peak {
            at: vec![0.3, -0.5, 0.9, 0.2, -0.4],
            draws: true,
        };
        let (slope, curvature) = (games.slope(&peak), games.curvature(&peak));
        for i in 0..5 {
            let moved = |by: f64| {
                let mut moved = peak.clone();
                moved.at[i] += by;
                moved
            };
            let rise = (games.height(&moved(1e-5)) - games.height(&moved(-1e-5))) / 2e-5;
            assert!(
                (rise - slope[i]).abs() < 1e-8,
                "slope {i}: {rise} {}",
                slope[i]
            );
            let (up, down) = (games.slope(&moved(1e-5)), games.slope(&moved(-1e-5)));
            let mut unit = vec![0.0; 5];
            unit[i] = 1.0;
            let mut product = vec![0.0; 5];
            curvature.apply(&games, &unit, &mut product);
            for j in 0..5 {
                let bend = (down[j] - up[j]) / 2e-5;
                assert!(
                    (bend - product[j]).abs() < 1e-7,
                    "{i} {j}: {bend} {}",
                    product[j]
                );
            }
            assert!((product[i] - curvature.diagonal[i]).abs() < 1e-12);
        }
    }
}
