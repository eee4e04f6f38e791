//! How much time people at the table have.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The time of everybody who moves by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TimeControl {
    /// As much as they like.
    #[default]
    None,
    /// So much for every move.
    PerMove(Duration),
    /// So much for the game, and a little more after every move.
    Fischer { whole: Duration, more: Duration },
}

impl TimeControl {
    /// How much time is left to somebody who has used so much in so many moves before this one;
    /// nothing where time is not limited.
    pub(crate) fn left(self, used: Duration, moves: u32) -> Option<Duration> {
        match self {
            TimeControl::None => None,
            TimeControl::PerMove(each) => Some(each),
            TimeControl::Fischer { whole, more } => {
                Some((whole + more.saturating_mul(moves)).saturating_sub(used))
            }
        }
    }
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "{text} is no clock: none, a time for every move such as 10s, or a time for the game and for every move such as 5m+3s"
            )
        };
        match text.split_once('+') {
            _ if text == "none" => Ok(TimeControl::None),
            None => duration(text).map(TimeControl::PerMove).ok_or_else(wrong),
            Some((whole, more)) => {
                let more = match more {
                    "0" | "0s" => Some(Duration::ZERO),
                    more => duration(more),
                };
                let whole = duration(whole).ok_or_else(wrong)?;
                let more = more.ok_or_else(wrong)?;
                Ok(TimeControl::Fischer { whole, more })
            }
        }
    }
}

/// A time such as `10s`, `5m` or `1h`; never nothing and never more than a day.
fn duration(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return None,
    };
    let count: u64 = digits.parse().ok()?;
    let all = count.checked_mul(seconds)?;
    (1..=86_400)
        .contains(&all)
        .then(|| Duration::from_secs(all))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |time: &Duration| match time.as_secs() {
            seconds if seconds > 0 && seconds % 60 == 0 => format!("{}m", seconds / 60),
            seconds => format!("{seconds}s"),
        };
        match self {
            TimeControl::None => f.write_str("none"),
            TimeControl::PerMove(each) => f.write_str(&short(each)),
            TimeControl::Fischer { whole, more } => {
                write!(f, "{}+{}", short(whole), short(more))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_read_back() {
        for text in ["none", "10s", "2m", "5m+3s", "90s+10s", "5m+0s"] {
            let clock: TimeControl = text.parse().unwrap();
            assert_eq!(clock.to_string().parse(), Ok(clock), "{text}");
        }
        for text in [
            "", "10", "0s", "s", "5m+", "+3s", "-1s", "99h", "5m+x", "1d",
        ] {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert!(error.contains("5m+3s"), "{error}");
        }
    }

    #[test]
    fn time_runs_out_and_comes_back() {
        let seconds = Duration::from_secs;
        let clock: TimeControl = "1m+5s".parse().unwrap();
        assert_eq!(clock.left(seconds(0), 0), Some(seconds(60)));
        assert_eq!(clock.left(seconds(30), 2), Some(seconds(40)));
        assert_eq!(clock.left(seconds(99), 2), Some(Duration::ZERO));
        let clock: TimeControl = "10s".parse().unwrap();
        assert_eq!(clock.left(seconds(99), 2), Some(seconds(10)));
        assert_eq!(TimeControl::None.left(seconds(99), 2), None);
    }
}
