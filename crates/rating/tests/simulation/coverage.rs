//! How often an interval holds the truth.

use floe_rating::{Anchor, Joint, Rankings, Rating};

use super::chance::Chance;
use super::{ELO, chances, game};

/// How many games each entrant plays.
pub(crate) const GAMES: [usize; 5] = [4, 6, 10, 30, 100];

/// A contest of entrants whose strengths are known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contest {
    /// Seats at a table: two, or more.
    table: usize,
    /// How many take part; a multiple of the table.
    entrants: usize,
    /// Elo from the weakest to the strongest; the others stand evenly between them.
    spread: f64,
    /// Whole rotations that each plays.
    rounds: usize,
}

/// How often equals draw, where two sit at a table.
const DRAW_RATE: f64 = 0.2;
/// What the first move is worth there, in natural units.
const FIRST_MOVE: f64 = 0.3;

impl Contest {
    /// Everyone plays so many games, or as many more as make whole rotations.
    pub(crate) fn new(table: usize, entrants: usize, spread: f64, games: usize) -> Self {
        Contest {
            table,
            entrants,
            spread,
            rounds: games.div_ceil(table),
        }
    }

    /// The entrants' true Elo above their mean.
    fn elo(&self) -> Vec<f64> {
        let last = self.entrants as f64 - 1.0;
        let part = |entrant: usize| entrant as f64 / last - 0.5;
        (0..self.entrants)
            .map(|entrant| self.spread * part(entrant))
            .collect()
    }

    /// Plays a contest of random pairings, and rates it.
    fn play(&self, chance: &mut Chance) -> Vec<Rating> {
        let elo = self.elo();
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
                    .map(|_| ranking(seats, &elo, chance))
                    .collect();
                let games: Vec<&[(usize, u32)]> = games.iter().map(Vec::as_slice).collect();
                rankings.add_unit(&games).unwrap();
            }
        }
        rankings.fit(Anchor::Mean).ratings
    }

    /// Plays so many contests; returns how many intervals held the truth, of how many, and their
    /// mean margin.
    pub(crate) fn covered(&self, contests: u32, seed: u64) -> (u32, u32, f64) {
        let mut chance = Chance::seeded(seed);
        let elo = self.elo();
        let (mut held, mut all, mut margins) = (0, 0, 0.0);
        for _ in 0..contests {
            for (rating, truth) in self.play(&mut chance).iter().zip(&elo) {
                let Ok(found) = rating.elo else { continue };
                held += u32::from(found.low <= *truth && *truth <= found.high);
                all += 1;
                margins += found.margin();
            }
        }
        (held, all, margins / f64::from(all))
    }
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
