//! Times in UTC, as text.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds of a day.
pub const DAY: u64 = 86_400;

/// Seconds since 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// Reads `2026-12-18 20:00`, with an optional `T` in the middle or `Z` at the end; a date alone is
/// its midnight.
pub fn read(text: &str) -> Option<u64> {
    let text = text.trim().trim_end_matches(['Z', 'z']);
    let (date, time) = match text.split_once([' ', 'T']) {
        Some((date, time)) => (date, time),
        None => (text, "00:00"),
    };
    let numbers = |text: &str, separator: char| -> Option<Vec<u64>> {
        (text.split(separator))
            .map(|part| part.parse().ok().filter(|_| part.len() <= 4))
            .collect()
    };
    let (date, time) = (numbers(date, '-')?, numbers(time.trim(), ':')?);
    let &[year @ 1970..=9999, month @ 1..=12, day @ 1..=31] = date.as_slice() else {
        return None;
    };
    let (hour, minute, second) = match *time.as_slice() {
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    if day > days_of(year, month) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let years: u64 = (1970..year).map(|y| 365 + u64::from(is_leap(y))).sum();
    let months: u64 = (1..month).map(|m| days_of(year, m)).sum();
    Some((years + months + day - 1) * DAY + hour * 3600 + minute * 60 + second)
}

/// Writes `2026-12-18 20:00`.
pub fn write(seconds: u64) -> String {
    let mut days = seconds / DAY;
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    while days >= days_of(year, month) {
        days -= days_of(year, month);
        month += 1;
    }
    let (hour, minute) = (seconds % DAY / 3600, seconds % 3600 / 60);
    format!("{year}-{month:02}-{:02} {hour:02}:{minute:02}", days + 1)
}

/// Writes a number of seconds as `9 h 48 min`.
///
/// ```
/// use floe_league::time::span;
/// assert_eq!([span(35_280), span(7200), span(90), span(59)], ["9 h 48 min", "2 h", "2 min", "1 min"]);
/// ```
pub fn span(seconds: u64) -> String {
    let minutes = seconds.div_ceil(60);
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of(year: u64, month: u64) -> u64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u64::from(is_leap(year)),
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        for (text, seconds) in [
            ("1970-01-01 00:00", 0),
            ("2000-03-01 00:00", 951_868_800),
            ("2024-02-29 12:34", 1_709_210_040),
            ("2026-12-18 20:00", 1_797_624_000),
        ] {
            assert_eq!(read(text), Some(seconds), "{text}");
            assert_eq!(write(seconds), text);
        }
        assert_eq!(read("2026-12-18T20:00Z"), read("2026-12-18 20:00:00"));
        assert_eq!(read("2026-12-18"), read("2026-12-18 00:00"));
        for wrong in ["", "tomorrow", "2026-13-01", "2025-02-29", "2026-1-1 24:00"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
