//! How long people have.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How long a seat has, for a move or for all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum TimeControl {
    /// As long as they like.
    #[default]
    Unlimited,
    /// So long for every move.
    PerMove(Duration),
    /// So long for the game, and so much more with every move.
    Fischer { base: Duration, increment: Duration },
}

/// A time control that is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "a clock is `none`, seconds a move such as `30`, or minutes and seconds a move more such as `5+3`"
)]
pub(crate) struct NoTimeControl;

/// Nobody waits longer than this for a move on a clock.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

impl TimeControl {
    /// How long a seat has for the move it is about to make, after it made `moves` in `used`.
    pub(crate) fn allows(self, moves: u32, used: Duration) -> Option<Duration> {
        match self {
            TimeControl::Unlimited => None,
            TimeControl::PerMove(time) => Some(time),
            TimeControl::Fischer { base, increment } => {
                let given = base.saturating_add(increment.saturating_mul(moves));
                Some(given.saturating_sub(used))
            }
        }
    }
}

impl FromStr for TimeControl {
    type Err = NoTimeControl;

    fn from_str(text: &str) -> Result<Self, NoTimeControl> {
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| NoTimeControl);
        let control = match text.trim() {
            "" | "none" => TimeControl::Unlimited,
            text => match text.split_once('+') {
                Some((minutes, seconds)) => TimeControl::Fischer {
                    base: Duration::from_secs(number(minutes)?.saturating_mul(60)),
                    increment: Duration::from_secs(number(seconds)?),
                },
                None => TimeControl::PerMove(Duration::from_secs(number(text)?)),
            },
        };
        let is_sane = match control {
            TimeControl::Unlimited => true,
            TimeControl::PerMove(time) => !time.is_zero() && time <= LONGEST,
            TimeControl::Fischer { base, increment } => {
                !base.is_zero() && base <= LONGEST && increment <= LONGEST
            }
        };
        is_sane.then_some(control).ok_or(NoTimeControl)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Unlimited => f.write_str("none"),
            TimeControl::PerMove(time) => write!(f, "{}", time.as_secs()),
            TimeControl::Fischer { base, increment } => {
                write!(f, "{}+{}", base.as_secs() / 60, increment.as_secs())
            }
        }
    }
}

impl Serialize for TimeControl {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_as_they_are_written() {
        for text in ["none", "30", "5+3", "1+0"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in [
            "0",
            "x",
            "5+",
            "+3",
            "-1",
            "0+5",
            "99999999999",
            "1+99999999",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn increments_come_with_moves() {
        let clock: TimeControl = "1+2".parse().unwrap();
        assert_eq!(
            clock.allows(0, Duration::ZERO),
            Some(Duration::from_secs(60))
        );
        let used = Duration::from_secs(61);
        assert_eq!(clock.allows(3, used), Some(Duration::from_secs(5)));
        assert_eq!(clock.allows(0, used), Some(Duration::ZERO));
        assert_eq!(TimeControl::Unlimited.allows(9, used), None);
    }
}
