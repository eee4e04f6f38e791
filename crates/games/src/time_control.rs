use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The time control of people: a time per move, or for the whole game.
///
/// ```
/// use floe_games::TimeControl;
/// use std::time::Duration;
/// let clock: TimeControl = "5m+3s".parse()?;
/// // After two moves in a minute.
/// let left = clock.left(2, Duration::from_secs(60));
/// assert_eq!(left, Some(Duration::from_secs(4 * 60 + 6)));
/// // As chess players say it.
/// assert_eq!("5+3".parse(), Ok(clock));
/// # Ok::<(), floe_games::NoTimeControl>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TimeControl {
    /// No limit.
    #[default]
    Unlimited,
    /// A time limit per move.
    PerMove(Duration),
    /// A time for the game, plus an increment after every move.
    Fischer {
        /// The time for the whole game.
        whole: Duration,
        /// The increment after every move.
        more: Duration,
    },
}

/// The text is no time control.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{0} is no clock: none, a time for every move such as 10s, or a time for the game and for every \
     move such as 5m+3s"
)]
pub struct NoTimeControl(String);

/// Longest time on a clock for one move, in seconds.
const LONGEST: u64 = 24 * 3600;

impl TimeControl {
    /// Time left to a player who made `moves` moves before this one and used `used` for them;
    /// `None` if time is not limited.
    pub fn left(self, moves: u32, used: Duration) -> Option<Duration> {
        match self {
            TimeControl::Unlimited => None,
            TimeControl::PerMove(each) => Some(each),
            TimeControl::Fischer { whole, more } => {
                let given = whole.saturating_add(more.saturating_mul(moves));
                Some(given.saturating_sub(used))
            }
        }
    }
}

impl FromStr for TimeControl {
    type Err = NoTimeControl;

    /// Without units, a time per move is in seconds, a time per game in minutes, and an increment
    /// in seconds.
    fn from_str(text: &str) -> Result<Self, NoTimeControl> {
        let some = |time: Duration| (!time.is_zero()).then_some(time);
        let control = match text.trim() {
            "" | "none" => Some(TimeControl::Unlimited),
            text => match text.split_once('+') {
                None => duration(text, "s").and_then(some).map(TimeControl::PerMove),
                Some((whole, more)) => (duration(whole, "m").and_then(some))
                    .zip(duration(more, "s"))
                    .map(|(whole, more)| TimeControl::Fischer { whole, more }),
            },
        };
        control.ok_or_else(|| NoTimeControl(text.to_owned()))
    }
}

/// A time such as `10s`, `5m` or `1h`, or a number in the default unit; never more than a day.
fn duration(text: &str, default: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => default,
        unit => unit,
    };
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return None,
    };
    let count: u64 = digits.parse().ok()?;
    let all = count.checked_mul(seconds)?;
    (all <= LONGEST).then(|| Duration::from_secs(all))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |time: &Duration| match time.as_secs() {
            seconds if seconds > 0 && seconds % 60 == 0 => format!("{}m", seconds / 60),
            seconds => format!("{seconds}s"),
        };
        match self {
            TimeControl::Unlimited => f.write_str("none"),
            TimeControl::PerMove(each) => f.write_str(&short(each)),
            TimeControl::Fischer { whole, more } => {
                write!(f, "{}+{}", short(whole), short(more))
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
    fn clocks_are_read_as_they_are_written() {
        for text in ["none", "10s", "2m", "5m+3s", "90s+10s", "5m+0s"] {
            let clock: TimeControl = text.parse().unwrap();
            assert_eq!(clock.to_string(), text);
        }
        for (short, long) in [
            ("30", "30s"),
            ("5+3", "5m+3s"),
            ("1+0", "1m+0s"),
            ("", "none"),
        ] {
            assert_eq!(short.parse::<TimeControl>(), long.parse());
        }
        for text in [
            "0",
            "0s",
            "s",
            "x",
            "5m+",
            "+3s",
            "-1s",
            "99h",
            "5m+x",
            "1d",
            "0+5",
            "99999999999999999999",
        ] {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert!(error.to_string().contains("5m+3s"), "{error}");
        }
    }

    #[test]
    fn time_runs_out_and_comes_back() {
        let seconds = Duration::from_secs;
        let clock: TimeControl = "1m+5s".parse().unwrap();
        assert_eq!(clock.left(0, seconds(0)), Some(seconds(60)));
        assert_eq!(clock.left(2, seconds(30)), Some(seconds(40)));
        assert_eq!(clock.left(2, seconds(99)), Some(Duration::ZERO));
        let clock: TimeControl = "10s".parse().unwrap();
        assert_eq!(clock.left(2, seconds(99)), Some(seconds(10)));
        assert_eq!(TimeControl::Unlimited.left(2, seconds(99)), None);
    }
}
