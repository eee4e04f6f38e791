use super::pairs::elo_of_score;
use super::root::falling_root;
use super::{NoEstimate, Sample};

/// A number known from one side only.
///
/// ```
/// use floe_rating::{Bound, Pentanomial};
///
/// // 57 won, 1 drawn, 2 lost: too one-sided for an interval, but not for a bound.
/// let pairs = Pentanomial { ww: 27, wd: 1, wl: 2, ..Default::default() };
/// assert!(pairs.sample().elo().is_err());
/// let bound = pairs.sample().elo_bound().unwrap();
/// assert_eq!(bound.to_string(), "at least +250");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// The value is at least this.
    AtLeast(f64),
    /// The value is at most this.
    AtMost(f64),
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Bound::AtLeast(value) => write!(f, "at least {}", super::signed(value, 0)),
            Bound::AtMost(value) => write!(f, "at most {}", super::signed(value, 0)),
        }
    }
}

/// Error probability of a bound: one in twenty.
const RISK: f64 = 0.05;

impl Sample {
    /// The Elo above the opponent that a seat has at least (or at most, if it scored less than
    /// half) with 95 % confidence. There is one from the first unit on, however one-sided the
    /// games were.
    ///
    /// By Chernoff's and Hoeffding's inequality: were the true mean score `µ`, the mean of `n`
    /// independent units would reach `x` with a probability of at most `exp(-n · KL(x, µ))`, where
    /// `KL(x, µ) = x ln(x/µ) + (1-x) ln((1-x)/(1-µ))`; the bound is the `µ` for which that is
    /// 5 %. It holds for units of any scores from 0 to 1 and for any number of them; nothing is
    /// approximated. If all was won it is the exact binomial one (Clopper and Pearson),
    /// `0.05^(1/n)`.
    pub fn elo_bound(&self) -> Result<Bound, NoEstimate> {
        let score = self.score().ok_or(NoEstimate::TooFew)?;
        Ok(match score < 0.5 {
            false => Bound::AtLeast(elo_of_score(least_mean(score, self.units))),
            true => Bound::AtMost(-elo_of_score(least_mean(1.0 - score, self.units))),
        })
    }
}

/// The least mean for which this score over `units` units is not surprisingly good.
fn least_mean(score: f64, units: u64) -> f64 {
    let surprise = -RISK.ln() / units as f64;
    falling_root(0.0, score, |mean| divergence(score, mean) - surprise)
}

/// The Kullback-Leibler divergence between two coins.
fn divergence(seen: f64, true_mean: f64) -> f64 {
    let part = |seen: f64, expected: f64| match seen > 0.0 {
        true => seen * (seen / expected).ln(),
        false => 0.0,
    };
    part(seen, true_mean) + part(1.0 - seen, 1.0 - true_mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Trinomial};

    fn games(wins: u64, draws: u64, losses: u64) -> Sample {
        Trinomial {
            losses,
            draws,
            wins,
        }
        .sample()
    }

    #[test]
    fn where_all_is_won_the_bound_is_the_exact_binomial_one() {
        for wins in [1, 2, 10, 1000] {
            let exact = elo_of_score(0.05_f64.powf(1.0 / wins as f64));
            let Bound::AtLeast(bound) = games(wins, 0, 0).elo_bound().unwrap() else {
                panic!("all was won");
            };
            assert!((bound - exact).abs() < 1e-6, "{wins}: {bound} {exact}");
        }
    }

    #[test]
    fn the_other_seat_has_the_same_bound_from_the_other_side() {
        let pairs = Pentanomial {
            ww: 27,
            wd: 1,
            wl: 2,
            ..Default::default()
        };
        let Bound::AtLeast(mine) = pairs.sample().elo_bound().unwrap() else {
            panic!("most was won");
        };
        assert_eq!(
            pairs.reversed().sample().elo_bound(),
            Ok(Bound::AtMost(-mine))
        );
        assert_eq!(
            pairs.reversed().sample().elo_bound().unwrap().to_string(),
            "at most -250"
        );
    }

    #[test]
    fn there_is_a_bound_from_the_first_game_on_and_more_games_sharpen_it() {
        assert_eq!(games(0, 0, 0).elo_bound(), Err(NoEstimate::TooFew));
        assert!(matches!(games(2, 1, 2).elo_bound(), Ok(Bound::AtLeast(_))));
        let mut last = f64::NEG_INFINITY;
        for times in [1, 2, 5, 20, 1000] {
            let Bound::AtLeast(bound) = games(3 * times, times, times).elo_bound().unwrap() else {
                panic!("most was won");
            };
            assert!(bound > last && bound.is_finite());
            last = bound;
        }
        // Below the estimate, and near it in the end.
        let elo = games(3000, 1000, 1000).elo().unwrap().value;
        assert!(last < elo && last > elo - 40.0, "{last} {elo}");
    }

    /// The bound is wrong at most one time in twenty, whatever the truth: counted over all ways
    /// that games without draws can end.
    #[test]
    fn the_bound_is_wrong_no_more_often_than_it_says() {
        for n in [1_u64, 3, 8, 30] {
            for truth in [0.5, 0.7, 0.9, 0.99] {
                let elo = elo_of_score(truth);
                let mut ways = 1.0;
                let mut wrong = 0.0;
                for wins in 0..=n {
                    let chance = ways * f64::powi(truth, wins as i32);
                    let chance = chance * f64::powi(1.0 - truth, (n - wins) as i32);
                    let bound = games(wins, 0, n - wins).elo_bound().unwrap();
                    if matches!(bound, Bound::AtLeast(least) if least > elo + 1e-9) {
                        wrong += chance;
                    }
                    ways *= (n - wins) as f64 / (wins + 1) as f64;
                }
                assert!(wrong <= 0.05 + 1e-9, "{n} games at {truth}: {wrong}");
            }
        }
    }
}
