mod likelihood;

use std::str::FromStr;

use thiserror::Error;

use self::likelihood::Observed;
use super::Sample;
use super::pairs::NELO;

/// The scale of a test's two hypotheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EloModel {
    /// Elo of the expected score.
    Logistic,
    /// Normalized Elo: the length of a test hardly depends on the rate of draws.
    #[default]
    Normalized,
}

/// A sequential probability ratio test: play until the games speak clearly enough for "the
/// advantage is `elo1`" or for "it is `elo0`", and not a game longer.
///
/// After every whole unit, the log-likelihood ratio (LLR) of the two hypotheses is compared with
/// two bounds. Each hypothesis fixes one number only: the mean score, or the mean in units of the
/// noise. Among all distributions of unit scores with that number, the one under which the units
/// seen are likeliest speaks for the hypothesis. Roots are bracketed, so every count has its LLR:
/// see the module `likelihood` for the equations.
///
/// Every class of unit scores counts a thousandth of a unit more than was seen. So no hypothesis
/// is impossible, and units that all ended alike have an LLR as well. As the noise is estimated
/// from the same units, one of them pays for that: the LLR of `n` units is that of `n - 1`, or the
/// risk of short tests would be above `alpha`.
///
/// ```
/// use floe_rating::{Pentanomial, Sprt, Verdict};
///
/// let sprt: Sprt = "elo0=0,elo1=10".parse()?;
/// let trial = sprt.trial(Pentanomial { ll: 34, ld: 54, wl: 31, dd: 32, wd: 64, ww: 75 });
/// assert_eq!(trial.verdict, Verdict::Undecided);
/// assert_eq!(format!("{:.3} {:.3}", trial.lower, trial.upper), "-2.944 2.944");
/// # Ok::<(), floe_rating::SprtError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    scale: EloModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The status of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtStatus {
    /// The log-likelihood ratio of `elo1` against `elo0`.
    pub llr: f64,
    /// At or below this value, `elo0` is accepted.
    pub lower: f64,
    /// At or above this value, `elo1` is accepted.
    pub upper: f64,
    /// The conclusion from the three.
    pub verdict: Verdict,
}

/// The verdict of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Stop: the advantage is `elo0` or less.
    Lower,
    /// Play on.
    Undecided,
    /// Stop: the advantage is `elo1` or more.
    Upper,
}

/// The reason why the test is invalid.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are equal, in the wrong order, or beyond ±1000.
    #[error("elo0 must be below elo1, both between -1000 and 1000, not {0} and {1}")]
    Hypotheses(f64, f64),
    /// An impossible error probability.
    #[error("alpha and beta must be above 0 and below 0.5, not {0} and {1}")]
    Errors(f64, f64),
    /// An unknown word.
    #[error("expected elo0=…, elo1=…, alpha=…, beta=… or model=logistic|normalized, not `{0}`")]
    Word(String),
    /// A missing hypothesis.
    #[error("{0} is missing: a test is written elo0=0,elo1=10")]
    Missing(&'static str),
}

impl Sprt {
    /// A test of `elo1` against `elo0` with error rates of 5 % both ways.
    pub fn new(scale: EloModel, elo0: f64, elo1: f64) -> Result<Self, SprtError> {
        let allowed = -1000.0..=1000.0;
        if !(allowed.contains(&elo0) && allowed.contains(&elo1) && elo0 < elo1) {
            return Err(SprtError::Hypotheses(elo0, elo1));
        }
        Ok(Sprt {
            scale,
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
        })
    }

    /// The same test with other error probabilities: `alpha` of accepting `elo1` if `elo0` is true,
    /// `beta` of the reverse.
    pub fn with_errors(self, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let sane = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(sane(alpha) && sane(beta)) {
            return Err(SprtError::Errors(alpha, beta));
        }
        Ok(Sprt {
            alpha,
            beta,
            ..self
        })
    }

    /// The bounds the log-likelihood ratio is compared with: Wald's `ln(β / (1 - α))` and
    /// `ln((1 - β) / α)`.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The test's status after these units. O(1), a few microseconds.
    pub fn trial(&self, sample: impl Into<Sample>) -> SprtStatus {
        let (lower, upper) = self.bounds();
        let llr = self.llr(&sample.into());
        let verdict = match llr {
            _ if llr <= lower => Verdict::Lower,
            _ if llr >= upper => Verdict::Upper,
            _ => Verdict::Undecided,
        };
        SprtStatus {
            llr,
            lower,
            upper,
            verdict,
        }
    }

    fn llr(&self, sample: &Sample) -> f64 {
        let seen = Observed::new(&sample.classes);
        let height = |elo: f64| match self.scale {
            EloModel::Logistic => {
                seen.height_with_mean(1.0 / (1.0 + 10f64.powf(-elo / 400.0)) - 0.5)
            }
            EloModel::Normalized => {
                seen.height_with_ratio(elo / NELO * f64::from(sample.games_per_unit).sqrt())
            }
        };
        match sample.units {
            0 => 0.0,
            units => {
                let paid = (units - 1) as f64 / units as f64;
                (height(self.elo1) - height(self.elo0)) * paid
            }
        }
    }
}

/// Written `elo0=0,elo1=10`, optionally with `alpha=0.05`, `beta=0.05`, `model=logistic`.
impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
        let mut scale = EloModel::default();
        for word in text.split(',') {
            let unknown = || SprtError::Word(word.trim().to_owned());
            let (name, value) = word.split_once('=').ok_or_else(unknown)?;
            let value = value.trim();
            let number = || value.parse::<f64>().map_err(|_| unknown());
            match name.trim() {
                "elo0" => elo0 = Some(number()?),
                "elo1" => elo1 = Some(number()?),
                "alpha" => alpha = number()?,
                "beta" => beta = number()?,
                "model" if value == "logistic" => scale = EloModel::Logistic,
                "model" if value == "normalized" => scale = EloModel::Normalized,
                _ => return Err(unknown()),
            }
        }
        let elo0 = elo0.ok_or(SprtError::Missing("elo0"))?;
        let elo1 = elo1.ok_or(SprtError::Missing("elo1"))?;
        Sprt::new(scale, elo0, elo1)?.with_errors(alpha, beta)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pentanomial, Trinomial};
    use super::*;
    use proptest::prelude::*;

    fn llr(scale: EloModel, elo0: f64, elo1: f64, sample: impl Into<Sample>) -> String {
        format!(
            "{:.2}",
            Sprt::new(scale, elo0, elo1).unwrap().trial(sample).llr
        )
    }

    fn games(wins: u64, losses: u64, draws: u64) -> Trinomial {
        Trinomial {
            losses,
            draws,
            wins,
        }
    }

    #[test]
    fn published_trinomial_numbers() {
        use EloModel::{Logistic, Normalized};
        assert_eq!(
            llr(Normalized, 0.0, 2.0, games(36433, 36027, 68692)),
            "0.92"
        );
        assert_eq!(
            llr(Normalized, -1.75, 0.25, games(10871, 10650, 20431)),
            "2.30"
        );
        assert_eq!(llr(Logistic, 0.5, 2.5, games(21404, 21184, 40708)), "-1.57");
    }

    #[test]
    fn published_pentanomial_numbers() {
        let one = Pentanomial {
            ll: 365,
            ld: 16618,
            wl: 36029,
            dd: 200,
            wd: 16974,
            ww: 390,
        };
        assert_eq!(llr(EloModel::Normalized, 0.0, 2.0, one), "2.25");
        let two = Pentanomial {
            ll: 127,
            ld: 4883,
            wl: 10311,
            dd: 401,
            wd: 5150,
            ww: 104,
        };
        let sprt = Sprt::new(EloModel::Normalized, -1.75, 0.25).unwrap();
        let trial = sprt.trial(two);
        assert_eq!(format!("{:.2}", trial.llr), "3.01");
        assert_eq!(trial.verdict, Verdict::Upper);
    }

    #[test]
    fn bounds_follow_the_error_rates() {
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 5.0).unwrap();
        let (lower, upper) = sprt.bounds();
        assert_eq!(format!("{lower:.3} {upper:.3}"), "-2.944 2.944");
        let (lower, upper) = sprt.with_errors(0.01, 0.1).unwrap().bounds();
        assert_eq!(format!("{lower:.3} {upper:.3}"), "-2.293 4.500");
    }

    #[test]
    fn nothing_played_is_undecided() {
        let trial = Sprt::new(EloModel::Normalized, 0.0, 5.0)
            .unwrap()
            .trial(Trinomial::default());
        assert_eq!((trial.llr, trial.verdict), (0.0, Verdict::Undecided));
    }

    #[test]
    fn tests_are_read_from_words() {
        let read = "elo0=-1, elo1=4,alpha=0.1,model=logistic".parse();
        let meant = Sprt::new(EloModel::Logistic, -1.0, 4.0)
            .unwrap()
            .with_errors(0.1, 0.05);
        assert_eq!(read, meant);
        let read = "elo0=-1,elo1=4,beta=0.2,model=normalized".parse();
        let meant = Sprt::new(EloModel::Normalized, -1.0, 4.0)
            .unwrap()
            .with_errors(0.05, 0.2);
        assert_eq!(read, meant);
        for (text, message) in [
            ("", "expected elo0"),
            ("elo0=0", "elo1 is missing"),
            ("elo0=5,elo1=0", "elo0 must be below elo1"),
            ("elo0=0,elo1=nan", "elo0 must be below elo1"),
            ("elo0=0,elo1=5,alpha=0.7", "alpha and beta"),
            ("elo0=0,elo1=5,alpha=0", "alpha and beta"),
            ("elo0=0,elo1=5,beta=0.5", "alpha and beta"),
            ("elo0=0,elo1=5,model=normal", "not `model=normal`"),
            ("elo0=0,elo1=x", "not `elo1=x`"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn every_sample_has_a_finite_ratio_that_turns_with_the_seats(
            ll in 0u64..500, ld in 0u64..500, dd in 0u64..500, wd in 0u64..500, ww in 0u64..500,
            low in -300.0..0.0f64, width in 0.5..300.0f64, normalized: bool,
        ) {
            let scale = if normalized { EloModel::Normalized } else { EloModel::Logistic };
            let ours = Pentanomial { ll, ld, wl: 0, dd, wd, ww };
            let here = Sprt::new(scale, low, low + width).unwrap().trial(ours).llr;
            let there = Sprt::new(scale, -low - width, -low).unwrap().trial(ours.reversed()).llr;
            prop_assert!(here.is_finite());
            prop_assert!((here + there).abs() < 1e-4 * (1.0 + here.abs()), "{here} {there}");
        }
    }
}
