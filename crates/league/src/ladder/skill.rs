//! A quick estimate of a version's strength, with its uncertainty.
//!
//! The public standings come from all results together. To choose a game something cheaper is
//! enough, and it must be the same again after a kill to the last bit: Glickman's update, in which
//! a result moves only its players. The gain in certainty does not depend on the winner, so it is
//! known before the game is played.

/// The deviation of a new version, in Elo: nothing is known yet.
const START_DEVIATION: f64 = 350.0;
/// Least deviation, so that results always move a rating: opponents may have been misjudged.
const LEAST_DEVIATION: f64 = 50.0;
/// Natural logarithm of odds by Elo.
const Q: f64 = std::f64::consts::LN_10 / 400.0;

/// The estimate of a version's strength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Skill {
    /// Elo above the average newcomer.
    pub(crate) mean: f64,
    /// The square of the error.
    pub(crate) variance: f64,
}

impl Skill {
    pub(crate) const NEW: Skill = Skill {
        mean: 0.0,
        variance: START_DEVIATION * START_DEVIATION,
    };

    /// The expected share of points against another.
    fn expected(self, other: Skill) -> f64 {
        let lead = damping(other.variance) * (self.mean - other.mean);
        1.0 / (1.0 + (-Q * lead).exp())
    }

    /// The information of `games` games against another version, whatever the results: added to 1 /
    /// variance.
    pub(crate) fn information(self, other: Skill, games: f64) -> f64 {
        let expected = self.expected(other);
        let weight = Q * damping(other.variance);
        games * weight * weight * expected * (1.0 - expected)
    }

    /// The variance after this much more information.
    pub(crate) fn variance_with(self, information: f64) -> f64 {
        1.0 / (1.0 / self.variance + information)
    }

    /// The change of the mean by `points` points in `games` games against another version. The
    /// variance must already include these games.
    pub(crate) fn pull(self, other: Skill, points: f64, games: f64) -> f64 {
        let surprise = points - games * self.expected(other);
        self.variance.max(LEAST_DEVIATION * LEAST_DEVIATION)
            * Q
            * damping(other.variance)
            * surprise
    }
}

/// How much an opponent's uncertainty reduces the information of a result.
fn damping(variance: f64) -> f64 {
    let part = 3.0 * Q * Q * variance / (std::f64::consts::PI * std::f64::consts::PI);
    1.0 / (1.0 + part).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_tells_most_between_equals_and_most_about_strangers() {
        let known = |mean| Skill {
            mean,
            variance: 40.0 * 40.0,
        };
        let even = known(0.0).information(known(0.0), 2.0);
        assert!(even > 5.0 * known(0.0).information(known(600.0), 2.0));
        assert!(even > known(0.0).information(Skill::NEW, 2.0));
        let drop = |one: Skill| one.variance - one.variance_with(even);
        assert!(drop(Skill::NEW) > drop(known(0.0)));
    }

    #[test]
    fn many_results_find_the_strength() {
        let known = Skill {
            mean: 100.0,
            variance: 900.0,
        };
        let mut skill = Skill::NEW;
        for _ in 0..400 {
            skill.variance = skill.variance_with(skill.information(known, 2.0));
            // Three of four points are 191 Elo.
            skill.mean += skill.pull(known, 1.5, 2.0);
        }
        assert!((skill.mean - 291.0).abs() < 10.0, "{skill:?}");
        assert!(skill.variance.sqrt() < 20.0, "{skill:?}");
    }
}
