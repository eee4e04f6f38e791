//! 95 % intervals by likelihood.
//!
//! An interval holds the ratings under which the games are not much less likely than under the
//! best one: where the logarithm of the likelihood falls by less than half the square of 1.96,
//! while all other ratings follow. Near the peak that is the interval of the normal distribution.
//! Where a seat won or lost everything, the likelihood falls slowly to one side, and the interval
//! reaches as far.
//!
//! Three things change how far it may fall:
//!
//! - Virtual games are no evidence, yet they bend the likelihood. Their whole share of the
//!   curvature would have to be taken off if all seats were equal, and nothing if seats differed
//!   as the virtual games say. Half of it is right for both within two percent: see the table in
//!   `docs/statistics.md`.
//! - Rankings of a few games scatter more than their curvature says: see [`few_rankings`].
//! - Games of one unit share their board. If units scatter more than independent games would, it
//!   falls further by that factor; if they scatter less, the model's own width stays.

use super::Z95;
use super::root::falling_root;

/// The allowed fall of the log-likelihood, if virtual games make up this share of the curvature.
pub(super) fn allowed_fall(virtual_share: f64, dispersion: f64) -> f64 {
    Z95 * Z95 / 2.0 * dispersion * (1.0 - virtual_share / 2.0)
}

/// Widens the allowed fall for a seat with few rankings. With few games, twice the fall exceeds its
/// expected value 1 (Bartlett's correction, proportional to 1 / games); the factor is that of four
/// equal seats in the simulation of `docs/statistics.md`.
pub(super) fn few_rankings(games: u64) -> f64 {
    1.0 + 0.4 / games.max(1) as f64
}

/// Distances down and up from the peak at which `fall` reaches `allowed`. `fall` is 0 at 0 and
/// grows to both sides.
pub(super) fn reach(allowed: f64, fall: impl Fn(f64) -> f64) -> [f64; 2] {
    [-1.0, 1.0].map(|side: f64| {
        let (mut near, mut far) = (0.0, 1.0);
        // The likelihood of virtual games falls for ever, so this ends.
        for _ in 0..60 {
            if fall(side * far) >= allowed {
                break;
            }
            (near, far) = (far, 2.0 * far);
        }
        falling_root(near, far, |distance| allowed - fall(side * distance))
    })
}

/// Overdispersion of units against independent games, at least 1.
///
/// `scattered` is the observed sum of squares, `expected` that of independent games, over
/// `directions` degrees of freedom; each fitted rating took one of them. Few degrees say little, so
/// ten that scatter as expected are added.
pub(super) fn dispersion(scattered: f64, expected: f64, directions: u64, fitted: u64) -> f64 {
    let free = directions.saturating_sub(fitted) as f64;
    if free <= 0.0 || expected <= 0.0 {
        return 1.0;
    }
    let seen = scattered / expected * directions as f64 / free;
    (1.0 + (seen - 1.0) * free / (free + 10.0)).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_normal_likelihood_has_the_normal_interval() {
        let allowed = allowed_fall(0.0, 1.0);
        let [down, up] = reach(allowed, |by| by * by / 18.0);
        assert!((down - 3.0 * Z95).abs() < 1e-9 && (up - 3.0 * Z95).abs() < 1e-9);
        // A likelihood that falls slowly to one side.
        let [down, up] = reach(allowed, |by| by * by / if by > 0.0 { 1.8e13 } else { 18.0 });
        assert!((down - 3.0 * Z95).abs() < 1e-9 && (up - 3e6 * Z95).abs() < 1e-2);
    }

    #[test]
    fn virtual_games_take_off_half_and_units_that_agree_add() {
        let plain = allowed_fall(0.0, 1.0);
        assert!((plain - 1.920_729).abs() < 1e-6);
        assert!((allowed_fall(1.0, 1.0) - plain / 2.0).abs() < 1e-12);
        assert!((allowed_fall(0.5, 3.0) - plain * 2.25).abs() < 1e-12);
    }

    #[test]
    fn few_rankings_widen_and_many_do_not() {
        assert!((few_rankings(4) - 1.1).abs() < 1e-12);
        assert!(few_rankings(0) == few_rankings(1) && few_rankings(1_000_000) < 1.000_001);
    }

    #[test]
    fn dispersion_counts_what_is_free_and_never_narrows() {
        assert_eq!(dispersion(50.0, 100.0, 1000, 10), 1.0);
        assert_eq!(dispersion(200.0, 100.0, 10, 10), 1.0);
        assert_eq!(dispersion(0.0, 0.0, 0, 0), 1.0);
        assert_eq!(dispersion(1.0, 0.0, 5, 1), 1.0);
        // Ten free directions of twenty: four times too much, half believed.
        assert!((dispersion(200.0, 100.0, 20, 10) - 2.5).abs() < 1e-12);
        assert!((dispersion(200.0, 100.0, 1_000_000, 0) - 2.0).abs() < 1e-4);
    }
}
