//! Rewards of a finished game for learners.

use std::str::FromStr;

use floe_rules::Outcome;

/// The kind of reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reward {
    /// From -1 to 1: 1 for the only winner, 0 for a draw of two.
    Win,
    /// A seat's score minus the best opponent's.
    Margin,
}

impl FromStr for Reward {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "win" => Ok(Reward::Win),
            "margin" => Ok(Reward::Margin),
            other => Err(format!(
                "reward is \"win\" or \"margin\", not {}",
                floe_rules::text::quoted(other)
            )),
        }
    }
}

impl Reward {
    /// Writes every seat's reward.
    pub(crate) fn of(self, scores: Vec<i64>, into: &mut [f32]) {
        let outcome = Outcome::from_scores(scores);
        let (scores, places) = (outcome.scores(), outcome.places());
        for (seat, reward) in into.iter_mut().enumerate() {
            let others = || (0..scores.len()).filter(|&other| other != seat);
            *reward = match self {
                Reward::Margin => {
                    let best = others().map(|other| scores[other]).max().unwrap_or(0);
                    (scores[seat] - best) as f32
                }
                Reward::Win => {
                    let sum: i32 = others()
                        .map(|other| match places[other].cmp(&places[seat]) {
                            std::cmp::Ordering::Greater => 1,
                            std::cmp::Ordering::Equal => 0,
                            std::cmp::Ordering::Less => -1,
                        })
                        .sum();
                    sum as f32 / others().count().max(1) as f32
                }
            };
        }
    }
}
