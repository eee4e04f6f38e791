//! How often an interval holds the truth.

use floe_rating::{Anchor, Estimate, Joint, Rankings, Rating};

use super::chance::Chance;
use super::{ELO, chances, game};

/// How many games each entrant plays.
pub(crate) const GAMES: [usize; 5] = [4, 6, 10, 30, 100];

/// How strong the entrants of a contest are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Strengths {
    /// All alike.
    Equal,
    /// Evenly from the weakest to the strongest.
    Even,
    /// Drawn between the two for every contest.
    Drawn,
}

impl Strengths {
    pub(crate) const ALL: [Strengths; 3] = [Strengths::Equal, Strengths::Even, Strengths::Drawn];

    /// Elo from the weakest to the strongest.
    pub(crate) const SPREAD: f64 = 1200.0;
}

/// A contest of entrants whose strengths are known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contest {
    /// Seats at a table: two, or more.
    table: usize,
    /// How many take part; a multiple of the table.
    entrants: usize,
    strengths: Strengths,
    /// Whole rotations that each plays.
    rounds: usize,
}

/// What became of intervals.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Covered {
    /// Intervals that held the truth.
    pub(crate) held: u32,
    /// Those that lay above it.
    pub(crate) too_high: u32,
    /// Those that lay below it.
    pub(crate) too_low: u32,
    margins: f64,
}

impl Covered {
    fn add(&mut self, found: Estimate, truth: f64) {
        self.held += u32::from(found.low <= truth && truth <= found.high);
        self.too_high += u32::from(found.low > truth);
        self.too_low += u32::from(found.high < truth);
        self.margins += found.margin();
    }

    /// How many there were.
    pub(crate) fn all(&self) -> u32 {
        self.held + self.too_high + self.too_low
    }

    /// How many held the truth, in percent.
    pub(crate) fn percent(&self) -> f64 {
        f64::from(self.held) * 100.0 / f64::from(self.all())
    }

    /// Their mean ±.
    pub(crate) fn margin(&self) -> f64 {
        self.margins / f64::from(self.all())
    }
}

/// How often equals draw, where two sit at a table.
const DRAW_RATE: f64 = 0.2;
/// What the first move is worth there, in natural units.
const FIRST_MOVE: f64 = 0.3;

impl Contest {
    /// Everyone plays so many games, or as many more as make whole rotations.
    pub(crate) fn new(table: usize, entrants: usize, strengths: Strengths, games: usize) -> Self {
        Contest {
            table,
            entrants,
            strengths,
            rounds: games.div_ceil(table),
        }
    }

    /// The entrants' true Elo above their mean.
    fn elo(&self, chance: &mut Chance) -> Vec<f64> {
        let last = self.entrants as f64 - 1.0;
        let place = |entrant: usize| match self.strengths {
            Strengths::Equal => 0.0,
            Strengths::Even => entrant as f64 / last,
            Strengths::Drawn => chance.uniform(),
        };
        let places: Vec<f64> = (0..self.entrants).map(place).collect();
        let mean = places.iter().sum::<f64>() / self.entrants as f64;
        let elo = |place: f64| Strengths::SPREAD * (place - mean);
        places.into_iter().map(elo).collect()
    }

    /// Plays a contest of random pairings, and rates it.
    fn play(&self, elo: &[f64], chance: &mut Chance) -> Vec<Rating> {
        let tables = |chance: &mut Chance| {
            let mut order: Vec<usize> = (0..self.entrants).collect();
            for at in (1..order.len()).rev() {
                order.swap(at, chance.below(at + 1));
            }
            order
        };
        if self.table == 2 {
            let scale = ELO * (1.0 - DRAW_RATE);
            let mut joint = Joint::new(self.entrants);
            for _ in 0..self.rounds {
                for two in tables(chance).chunks_exact(2) {
                    let lead = (elo[two[0]] - elo[two[1]]) / scale;
                    let began = game(chances(lead + FIRST_MOVE, DRAW_RATE), chance);
                    let followed = game(chances(lead - FIRST_MOVE, DRAW_RATE), chance);
                    joint.add([two[0], two[1]], [began, followed]);
                }
            }
            return joint.fit(Anchor::Mean).ratings;
        }
        let mut rankings = Rankings::new(self.entrants);
        for _ in 0..self.rounds {
            for seats in tables(chance).chunks_exact(self.table) {
                let games: Vec<Vec<(usize, u32)>> = (0..self.table)
                    .map(|_| ranking(seats, elo, chance))
                    .collect();
                let games: Vec<&[(usize, u32)]> = games.iter().map(Vec::as_slice).collect();
                rankings.add_unit(&games).unwrap();
            }
        }
        rankings.fit(Anchor::Mean).ratings
    }

    /// Plays so many contests; returns what became of the intervals of each entrant.
    pub(crate) fn by_entrant(&self, contests: u32, seed: u64) -> Vec<Covered> {
        let mut chance = Chance::seeded(seed);
        let mut covered = vec![Covered::default(); self.entrants];
        for _ in 0..contests {
            let elo = self.elo(&mut chance);
            let ratings = self.play(&elo, &mut chance);
            for ((covered, rating), &truth) in covered.iter_mut().zip(ratings).zip(&elo) {
                if let Ok(found) = rating.elo {
                    covered.add(found, truth);
                }
            }
        }
        covered
    }

    /// The same of all together.
    pub(crate) fn covered(&self, contests: u32, seed: u64) -> Covered {
        let add = |sum: Covered, one: Covered| Covered {
            held: sum.held + one.held,
            too_high: sum.too_high + one.too_high,
            too_low: sum.too_low + one.too_low,
            margins: sum.margins + one.margins,
        };
        let each = self.by_entrant(contests, seed).into_iter();
        each.fold(Covered::default(), add)
    }
}

/// How often two entrants of [`Strengths::Even`] play so many games in which the stronger wins all,
/// and all but one that is drawn: in percent.
pub(crate) fn likeliest_results(games: i32) -> [f64; 2] {
    let lead = Strengths::SPREAD / (ELO * (1.0 - DRAW_RATE));
    let seats = [FIRST_MOVE, -FIRST_MOVE].map(|more| chances(lead + more, DRAW_RATE));
    let all: f64 = seats
        .iter()
        .map(|[_, _, win]| win.powi(games / 2))
        .product();
    let drawn = seats
        .iter()
        .map(|[_, draw, win]| f64::from(games / 2) * draw / win);
    [100.0 * all, 100.0 * all * drawn.sum::<f64>()]
}

/// A ranking drawn from Plackett and Luce's model.
fn ranking(seats: &[usize], elo: &[f64], chance: &mut Chance) -> Vec<(usize, u32)> {
    let mut left = seats.to_vec();
    let mut places = Vec::new();
    while !left.is_empty() {
        let strength = |seat: usize| (elo[seat] / ELO).exp();
        let mut drawn = chance.uniform() * left.iter().map(|&seat| strength(seat)).sum::<f64>();
        let chosen = left.iter().position(|&seat| {
            drawn -= strength(seat);
            drawn < 0.0
        });
        places.push((left.remove(chosen.unwrap_or(0)), places.len() as u32 + 1));
    }
    places
}
