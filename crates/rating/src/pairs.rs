use std::ops::AddAssign;

use super::{Estimate, NoEstimate, Z95, normal_below};

/// The result of a game for two, seen by one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A loss.
    Loss,
    /// A draw.
    Draw,
    /// A win.
    Win,
}

impl Ending {
    /// Every ending, worst first.
    pub const ALL: [Ending; 3] = [Ending::Loss, Ending::Draw, Ending::Win];

    /// The same game seen from the other seat.
    pub fn reversed(self) -> Self {
        match self {
            Ending::Loss => Ending::Win,
            Ending::Draw => Ending::Draw,
            Ending::Win => Ending::Loss,
        }
    }

    /// 0, 1 or 2.
    pub fn half_points(self) -> u64 {
        self as u64
    }
}

/// Games counted one by one. Use it where games do not come in pairs; for pairs,
/// [`Pentanomial`] has the narrower and truer intervals.
///
/// ```
/// use floe_rating::{Ending, NoEstimate, Trinomial};
///
/// let mut games = Trinomial { losses: 30, draws: 20, wins: 49 };
/// games.add(Ending::Win);
/// assert_eq!(games.sample().score(), Some(0.6));
/// assert_eq!(games.sample().elo()?.to_string(), "+70.4 ± 62.6");
/// # Ok::<(), NoEstimate>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trinomial {
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won.
    pub wins: u64,
}

impl Trinomial {
    /// Counts a game.
    pub fn add(&mut self, ending: Ending) {
        match ending {
            Ending::Loss => self.losses += 1,
            Ending::Draw => self.draws += 1,
            Ending::Win => self.wins += 1,
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.losses + self.draws + self.wins
    }

    /// The counts as a sample of single games.
    pub fn sample(&self) -> Sample {
        Sample::new(1, [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)])
    }
}

/// Pairs of games on one board with the seats swapped, counted by what the two brought together.
///
/// ```
/// use floe_rating::Pentanomial;
///
/// let pairs = Pentanomial { ll: 34, ld: 54, wl: 31, dd: 32, wd: 64, ww: 75 };
/// let elo = pairs.sample().elo().expect("enough games");
/// assert_eq!(format!("{:.2} ± {:.2}", elo.value, elo.margin()), "55.58 ± 27.65");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pentanomial {
    /// Both lost.
    pub ll: u64,
    /// One loss and one draw.
    pub ld: u64,
    /// One win and one loss. Worth as much as [`dd`](Self::dd), but it shows more about the board.
    pub wl: u64,
    /// Both drawn.
    pub dd: u64,
    /// One win and one draw.
    pub wd: u64,
    /// Both won.
    pub ww: u64,
}

impl Pentanomial {
    /// Counts a pair, seen from one seat.
    pub fn add(&mut self, one: Ending, other: Ending) {
        self.add_many(one, other, 1);
    }

    /// Counts `count` pairs with these results.
    pub fn add_many(&mut self, one: Ending, other: Ending, count: u64) {
        use Ending::{Draw, Loss, Win};
        *match (one, other) {
            (Loss, Loss) => &mut self.ll,
            (Loss, Draw) | (Draw, Loss) => &mut self.ld,
            (Loss, Win) | (Win, Loss) => &mut self.wl,
            (Draw, Draw) => &mut self.dd,
            (Draw, Win) | (Win, Draw) => &mut self.wd,
            (Win, Win) => &mut self.ww,
        } += count;
    }

    /// The same pairs seen from the other seat.
    pub fn reversed(&self) -> Self {
        let Pentanomial {
            ll,
            ld,
            wl,
            dd,
            wd,
            ww,
        } = *self;
        Pentanomial {
            ll: ww,
            ld: wd,
            wl,
            dd,
            wd: ld,
            ww: ll,
        }
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.ll + self.ld + self.wl + self.dd + self.wd + self.ww
    }

    /// The five classes by half points, from 0 to 4.
    pub fn counts(&self) -> [u64; 5] {
        [self.ll, self.ld, self.wl + self.dd, self.wd, self.ww]
    }

    /// The same games, counted one by one.
    pub fn trinomial(&self) -> Trinomial {
        Trinomial {
            losses: 2 * self.ll + self.ld + self.wl,
            draws: self.ld + 2 * self.dd + self.wd,
            wins: self.wl + self.wd + 2 * self.ww,
        }
    }

    /// The counts as a sample of pairs.
    pub fn sample(&self) -> Sample {
        let counts = self.counts();
        Sample::new(
            2,
            std::array::from_fn::<_, 5, _>(|i| (i as f64 / 4.0, counts[i])),
        )
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, more: Self) {
        self.ll += more.ll;
        self.ld += more.ld;
        self.wl += more.wl;
        self.dd += more.dd;
        self.wd += more.wd;
        self.ww += more.ww;
    }
}

impl From<Pentanomial> for Sample {
    fn from(pairs: Pentanomial) -> Self {
        pairs.sample()
    }
}

impl From<Trinomial> for Sample {
    fn from(games: Trinomial) -> Self {
        games.sample()
    }
}

/// Independent units, each with a score from 0 to 1, and how often each score came up.
///
/// All questions cost O(1).
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    pub(super) games_per_unit: u32,
    pub(super) units: u64,
    /// (score, count), by score; the first score is 0 and the last 1.
    pub(super) classes: Vec<(f64, u64)>,
}

impl Sample {
    fn new<const N: usize>(games_per_unit: u32, classes: [(f64, u64); N]) -> Self {
        let units = classes.iter().map(|&(_, count)| count).sum();
        Sample {
            games_per_unit,
            units,
            classes: classes.to_vec(),
        }
    }

    /// Number of units: pairs or single games.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// The share of the points, from 0 to 1; `None` before the first unit.
    pub fn score(&self) -> Option<f64> {
        let points: f64 = self
            .classes
            .iter()
            .map(|&(score, count)| score * count as f64)
            .sum();
        (self.units > 0).then(|| points / self.units as f64)
    }

    /// Mean and variance of a unit's score, if there are enough units for a variance.
    fn moments(&self) -> Result<(f64, f64), NoEstimate> {
        let mean = self
            .score()
            .filter(|_| self.units > 1)
            .ok_or(NoEstimate::TooFew)?;
        if self.classes.iter().filter(|&&(_, count)| count > 0).count() < 2 {
            return Err(NoEstimate::AllAlike);
        }
        let squares = self
            .classes
            .iter()
            .map(|&(s, count)| (s - mean).powi(2) * count as f64);
        Ok((mean, squares.sum::<f64>() / self.units as f64))
    }

    /// Elo above the opponent. The interval is the mean score's, by the normal approximation,
    /// converted to Elo, so it is wider on the side away from 0.
    pub fn elo(&self) -> Result<Estimate, NoEstimate> {
        let (mean, variance) = self.moments()?;
        let margin = Z95 * (variance / self.units as f64).sqrt();
        if mean - margin <= 0.0 || mean + margin >= 1.0 {
            return Err(NoEstimate::OffScale);
        }
        Ok(Estimate {
            value: elo_of_score(mean),
            low: elo_of_score(mean - margin),
            high: elo_of_score(mean + margin),
        })
    }

    /// Normalized Elo above the opponent. The interval's width depends only on the number of games.
    pub fn nelo(&self) -> Result<Estimate, NoEstimate> {
        let (mean, variance) = self.moments()?;
        let games_per_unit = f64::from(self.games_per_unit);
        let noise = (games_per_unit * variance).sqrt();
        Ok(Estimate::around(
            (mean - 0.5) / noise * NELO,
            NELO / (games_per_unit * self.units as f64).sqrt(),
        ))
    }

    /// The likelihood of superiority: the probability, from 0 to 1, that this seat is the better of
    /// the two, given the results and a uniform prior.
    pub fn los(&self) -> Result<f64, NoEstimate> {
        let (mean, variance) = self.moments()?;
        Ok(normal_below(
            (mean - 0.5) / (variance / self.units as f64).sqrt(),
        ))
    }
}

/// One unit of noise in normalized Elo: 800 / ln 10.
pub(super) const NELO: f64 = 800.0 / std::f64::consts::LN_10;

pub(super) fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_match_has_its_published_numbers() {
        let sample = Pentanomial {
            ll: 34,
            ld: 54,
            wl: 31,
            dd: 32,
            wd: 64,
            ww: 75,
        }
        .sample();
        let elo = sample.elo().unwrap();
        let nelo = sample.nelo().unwrap();
        assert_eq!(
            format!("{:.2} ± {:.2}", elo.value, elo.margin()),
            "55.58 ± 27.65"
        );
        assert_eq!(
            format!("{:.2} ± {:.2}", nelo.value, nelo.margin()),
            "57.94 ± 28.28"
        );
        assert!(sample.los().unwrap() > 0.9999);
    }

    #[test]
    fn too_little_is_said_to_be_too_little() {
        let mut pairs = Pentanomial::default();
        assert_eq!(pairs.sample().elo(), Err(NoEstimate::TooFew));
        assert_eq!(pairs.sample().score(), None);
        pairs.add(Ending::Win, Ending::Win);
        assert_eq!(pairs.sample().nelo(), Err(NoEstimate::TooFew));
        pairs.add(Ending::Win, Ending::Win);
        assert_eq!(pairs.sample().los(), Err(NoEstimate::AllAlike));
        pairs.add(Ending::Win, Ending::Draw);
        assert_eq!(pairs.sample().elo(), Err(NoEstimate::OffScale));
        assert!(pairs.sample().los().unwrap() > 0.99);
        assert_eq!(NoEstimate::TooFew.to_string(), "not enough games");
    }

    #[test]
    fn an_even_match_is_even() {
        let games = Trinomial {
            losses: 10,
            draws: 5,
            wins: 10,
        }
        .sample();
        assert_eq!(games.elo().unwrap().value, 0.0);
        assert_eq!(games.los().unwrap(), 0.5);
    }

    #[test]
    fn pairs_are_also_games() {
        let mut pairs = Pentanomial::default();
        let mut games = Trinomial::default();
        let endings = [Ending::Loss, Ending::Draw, Ending::Win];
        for one in endings {
            for other in endings {
                pairs.add(one, other);
                games.add(one);
                games.add(other);
            }
        }
        assert_eq!(pairs.trinomial(), games);
        assert_eq!(
            pairs.reversed(),
            pairs,
            "every ending has its mirror image here"
        );
        assert_eq!(pairs.counts(), [1, 2, 3, 2, 1]);
        assert_eq!(pairs.sample().score(), games.sample().score());
    }

    #[test]
    fn every_class_counts_once_in_every_sum() {
        let some = Pentanomial {
            ll: 3,
            ld: 5,
            wl: 7,
            dd: 11,
            wd: 13,
            ww: 17,
        };
        assert_eq!((some.pairs(), some.sample().units()), (56, 56));
        let games = some.trinomial();
        assert_eq!([games.losses, games.draws, games.wins], [18, 40, 54]);
        assert_eq!((games.games(), games.sample().units()), (112, 112));
        let mut sum = some;
        sum += some.reversed();
        let [outer, inner] = [3 + 17, 5 + 13];
        let wanted = Pentanomial {
            ll: outer,
            ld: inner,
            wl: 14,
            dd: 22,
            wd: inner,
            ww: outer,
        };
        assert_eq!(sum, wanted);
    }

    #[test]
    fn an_interval_that_reaches_either_end_is_off_the_scale() {
        let mut pairs = Pentanomial {
            ww: 2,
            wd: 1,
            ..Default::default()
        };
        for _ in 0..2 {
            assert_eq!(pairs.sample().elo(), Err(NoEstimate::OffScale));
            pairs = pairs.reversed();
        }
    }
}
