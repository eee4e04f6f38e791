//! How often a sequential test is wrong.

use floe_rating::{EloModel, Pentanomial, Sprt, Verdict};

use super::chance::Chance;
use super::{chances, game};

/// The hypotheses of all tests here.
pub(crate) const ELO0: f64 = 0.0;
pub(crate) const ELO1: f64 = 50.0;
/// How strong the first seat is, in the table's words.
pub(crate) const TRUTHS: [Truth; 6] = [
    Truth::Elo(-800.0),
    Truth::Elo(-200.0),
    Truth::Elo0,
    Truth::Elo1,
    Truth::Elo(200.0),
    Truth::Elo(800.0),
];

/// The true advantage of the first seat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Truth {
    /// Exactly the first hypothesis, on the scale of the test.
    Elo0,
    /// Exactly the second.
    Elo1,
    /// So many Elo of the expected score.
    Elo(f64),
}

impl Truth {
    /// The verdict that would be wrong.
    fn wrong(self) -> Verdict {
        match self {
            Truth::Elo1 => Verdict::Lower,
            Truth::Elo(elo) if elo >= ELO1 => Verdict::Lower,
            _ => Verdict::Upper,
        }
    }
}

/// The seats and boards of a match.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Match {
    /// How often equals draw.
    pub(crate) draw_rate: f64,
    /// What the first move is worth, in natural units.
    pub(crate) first_move: f64,
}

impl Match {
    /// Loss, draw and win of the two games of a pair.
    fn games(self, lead: f64) -> [[f64; 3]; 2] {
        [self.first_move, -self.first_move].map(|more| chances(lead + more, self.draw_rate))
    }

    /// Mean and deviation of a pair's score.
    fn moments(self, lead: f64) -> (f64, f64) {
        let (mut mean, mut variance) = (0.0, 0.0);
        for [loss, draw, win] in self.games(lead) {
            let score = win + draw / 2.0;
            let square = win + draw / 4.0;
            assert!((loss + draw + win - 1.0).abs() < 1e-9);
            mean += score / 2.0;
            variance += (square - score * score) / 4.0;
        }
        (mean, variance.sqrt())
    }

    /// How far the first seat leads in natural units if this is true.
    fn lead(self, truth: Truth, scale: EloModel) -> f64 {
        let is_less = |lead: f64| {
            let (mean, deviation) = self.moments(lead);
            let elo = 400.0 * (mean / (1.0 - mean)).log10();
            // Two games to a pair.
            let nelo = (mean - 0.5) / (deviation * 2f64.sqrt()) * 800.0 / 10f64.ln();
            match (truth, scale) {
                (Truth::Elo(wanted), _) => elo < wanted,
                (Truth::Elo0, EloModel::Logistic) => elo < ELO0,
                (Truth::Elo1, EloModel::Logistic) => elo < ELO1,
                (Truth::Elo0, EloModel::Normalized) => nelo < ELO0,
                (Truth::Elo1, EloModel::Normalized) => nelo < ELO1,
            }
        };
        let (mut low, mut high) = (-40.0, 40.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            match is_less(middle) {
                true => low = middle,
                false => high = middle,
            }
        }
        (low + high) / 2.0
    }

    /// Plays so many tests; returns how many ended with the wrong verdict, and how many pairs they
    /// took on average.
    pub(crate) fn tests(self, scale: EloModel, truth: Truth, runs: u32, seed: u64) -> (u32, f64) {
        let sprt = Sprt::new(scale, ELO0, ELO1).unwrap();
        let games = self.games(self.lead(truth, scale));
        let mut chance = Chance::seeded(seed);
        let (mut wrong, mut played) = (0, 0);
        for _ in 0..runs {
            let mut pairs = Pentanomial::default();
            let verdict = loop {
                let [first, second] = games.map(|chances| game(chances, &mut chance));
                pairs.add(first, second);
                let verdict = sprt.trial(pairs).verdict;
                if verdict != Verdict::Undecided || pairs.pairs() == 100_000 {
                    break verdict;
                }
            };
            wrong += u32::from(verdict == truth.wrong());
            played += pairs.pairs();
        }
        (wrong, played as f64 / f64::from(runs))
    }
}
