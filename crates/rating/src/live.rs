use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::UnknownPlace;

/// A table that moves with every game: Weng and Lin's online rating, for any number at a table.
///
/// A seat's strength is a bell curve. A game moves the middle of each player's curve towards what
/// the places say, the further the less was known, and makes every curve a little narrower. That
/// costs O(players²) a game and no look back, which is what a running tournament wants; but the
/// result depends on the order of the games, so the final table is [`Rankings`](super::Rankings)'
/// or [`Joint`](super::Joint)'s.
///
/// ```
/// let mut live = floe_rating::Live::new(3);
/// live.add(&[(2, 1), (0, 2), (1, 3)])?;
/// assert_eq!(live.order(), [2, 0, 1]);
/// # Ok::<(), floe_rating::UnknownPlace>(())
/// ```
#[derive(Debug, Clone)]
pub struct Live {
    skills: Vec<WengLinRating>,
    config: WengLinConfig,
}

/// The estimate of a seat's skill so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skill {
    /// Mean; every seat starts at 25.
    pub mean: f64,
    /// Standard deviation; every seat starts at 25/3.
    pub deviation: f64,
}

impl Skill {
    /// A lower bound of the seat's strength, three deviations below the mean: live tables sort by
    /// it, so that a newcomer does not lead by luck. Starts at 0.
    pub fn ordinal(self) -> f64 {
        self.mean - 3.0 * self.deviation
    }
}

impl Live {
    /// Skills of `seats` seats, without games.
    pub fn new(seats: usize) -> Self {
        Live {
            skills: vec![WengLinRating::new(); seats],
            config: WengLinConfig::new(),
        }
    }

    /// Makes room for `seats` seats; existing seats keep their numbers.
    pub fn grow(&mut self, seats: usize) {
        let seats = seats.max(self.skills.len());
        self.skills.resize_with(seats, WengLinRating::new);
    }

    /// Counts a game: its seats with their places. Smaller places are better, equal places are
    /// ties.
    pub fn add(&mut self, game: &[(usize, u32)]) -> Result<(), UnknownPlace> {
        UnknownPlace::check(self.skills.len(), game)?;
        let before: Vec<[WengLinRating; 1]> =
            game.iter().map(|&(seat, _)| [self.skills[seat]]).collect();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = (before.iter().zip(game))
            .map(|(team, &(_, place))| (&team[..], MultiTeamOutcome::new(place as usize)))
            .collect();
        let after = weng_lin_multi_team(&teams, &self.config);
        for (&(seat, _), team) in game.iter().zip(after) {
            if let Some(&skill) = team.first() {
                self.skills[seat] = skill;
            }
        }
        Ok(())
    }

    /// The skill of a seat. Panics if it is out of range.
    pub fn skill(&self, seat: usize) -> Skill {
        let WengLinRating {
            rating,
            uncertainty,
        } = self.skills[seat];
        Skill {
            mean: rating,
            deviation: uncertainty,
        }
    }

    /// All seats, best first, by [`Skill::ordinal`].
    pub fn order(&self) -> Vec<usize> {
        let mut seats: Vec<usize> = (0..self.skills.len()).collect();
        let ordinal = |seat: usize| self.skill(seat).ordinal();
        seats.sort_by(|&a, &b| ordinal(b).total_cmp(&ordinal(a)));
        seats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_rise_and_everybody_gets_surer() {
        let mut live = Live::new(4);
        for _ in 0..30 {
            live.add(&[(3, 1), (1, 2), (0, 2)]).unwrap();
        }
        assert_eq!(live.order()[0], 3);
        assert!(live.skill(3).mean > 25.0 && live.skill(0).mean < 25.0);
        assert!(
            (live.skill(0).mean - live.skill(1).mean).abs() < 1e-9,
            "ties are ties"
        );
        assert!(live.skill(0).deviation < live.skill(2).deviation);
        assert_eq!(live.skill(2).ordinal(), 0.0);
    }

    #[test]
    fn wrong_games_change_nothing() {
        let mut live = Live::new(2);
        assert_eq!(live.add(&[(0, 1), (2, 2)]), Err(UnknownPlace::Seat(2)));
        assert_eq!(live.add(&[(0, 1), (0, 2)]), Err(UnknownPlace::Twice(0)));
        assert_eq!(live.skill(0), Live::new(2).skill(0));
        live.grow(3);
        assert_eq!(live.add(&[(0, 1), (2, 2)]), Ok(()));
        live.grow(1);
        assert!(live.skill(2).mean < 25.0);
    }
}
