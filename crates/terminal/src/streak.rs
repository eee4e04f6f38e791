//! Days on which the player solved puzzles.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Puzzles solved on each day. A day is a number of days since 1970 in UTC, as for the puzzle of
/// the day.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SolvedDays(BTreeMap<u64, u32>);

/// The current day.
pub(crate) fn today() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default().as_secs() / (24 * 60 * 60)
}

impl SolvedDays {
    /// Counts one more solved puzzle.
    pub(crate) fn add(&mut self, day: u64) {
        *self.0.entry(day).or_default() += 1;
    }

    /// Puzzles solved on each day of the current streak, the newest last. A streak up to yesterday
    /// still counts, because the player can extend it today.
    pub(crate) fn streak(&self, today: u64) -> Vec<u32> {
        let last = match self.0.contains_key(&today) {
            true => today,
            false => today.saturating_sub(1),
        };
        let solved = |day: u64| self.0.get(&day).copied();
        let mut days: Vec<u32> = (0..=last).rev().map_while(solved).collect();
        days.reverse();
        days
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_streak_lasts_until_a_whole_day_is_missed() {
        let mut days = SolvedDays::default();
        assert!(days.streak(10).is_empty());
        for day in [7, 9, 9, 10] {
            days.add(day);
        }
        assert_eq!(days.streak(10), [2, 1]);
        assert_eq!(days.streak(11), [2, 1]);
        assert!(days.streak(12).is_empty());
        assert_eq!(days.streak(7), [1]);
        let text = serde_json::to_string(&days).unwrap();
        assert_eq!(text, r#"{"7":1,"9":2,"10":1}"#);
        assert_eq!(serde_json::from_str::<SolvedDays>(&text).unwrap(), days);
    }
}
