//! Whether the terminal is dark or light, by its own answer.
//!
//! Floe asks for its background (OSC 11) and then for its type (DA1). Nearly every terminal answers
//! the second question; once that answer is there, none to the first will come.

use std::time::Duration;

use crate::theme::Theme;

/// Time to wait for a terminal that does not answer.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_millis(300);

/// The theme that suits the terminal: by the terminal's answer, else by the variable `COLORFGBG`,
/// else the dark theme.
pub(crate) fn suiting_theme() -> Theme {
    let said = ask().as_deref().and_then(background);
    let variable = || colours_variable(&std::env::var("COLORFGBG").ok()?);
    match said.or_else(variable) {
        Some(true) => Theme::Light,
        Some(false) | None => Theme::Dark,
    }
}

/// Whether the background in an answer is light.
fn background(answer: &str) -> Option<bool> {
    let (_, colour) = answer.split_once("]11;rgb:")?;
    let mut parts = colour.split(|c: char| !c.is_ascii_hexdigit());
    let mut part = || {
        let digits = parts
            .next()
            .filter(|digits| matches!(digits.len(), 1..=4))?;
        let most = (16u32.pow(digits.len() as u32) - 1) as f64;
        Some(f64::from(u32::from_str_radix(digits, 16).ok()?) / most)
    };
    let (red, green, blue) = (part()?, part()?, part()?);
    Some(0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5)
}

/// Whether the background of `COLORFGBG`, such as `0;15`, is light.
fn colours_variable(value: &str) -> Option<bool> {
    let ground: u8 = value.rsplit(';').next()?.parse().ok()?;
    (ground < 16).then_some(ground == 7 || ground > 8)
}

/// Whether the answer to the second question has arrived.
#[cfg(unix)]
fn is_complete(answer: &[u8]) -> bool {
    let start = answer.windows(3).rposition(|three| three == b"\x1b[?");
    start.is_some_and(|start| answer[start..].contains(&b'c'))
}

#[cfg(unix)]
fn ask() -> Option<String> {
    use std::io::{Write, stdout};
    use std::time::Instant;

    use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
    use rustix::event::{PollFd, PollFlags, poll};

    let input = rustix::stdio::stdin();
    if !rustix::termios::isatty(input) {
        return None;
    }
    enable_raw_mode().ok()?;
    let mut answer = Vec::new();
    let mut out = stdout();
    let asked = out
        .write_all(b"\x1b]11;?\x1b\\\x1b[c")
        .and_then(|()| out.flush());
    let end = Instant::now() + PATIENCE;
    while asked.is_ok() && !is_complete(&answer) && answer.len() < 1000 {
        let left = end.saturating_duration_since(Instant::now());
        let Ok(left) = left.try_into() else { break };
        let mut fds = [PollFd::new(&input, PollFlags::IN)];
        if !matches!(poll(&mut fds, Some(&left)), Ok(1)) {
            break;
        }
        let mut bytes = [0; 256];
        match rustix::io::read(input, &mut bytes) {
            Ok(count) if count > 0 => answer.extend(&bytes[..count]),
            _ => break,
        }
    }
    let _ = disable_raw_mode();
    Some(String::from_utf8_lossy(&answer).into_owned())
}

#[cfg(not(unix))]
fn ask() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_tell_dark_from_light() {
        let white = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c";
        assert_eq!(background(white), Some(true));
        assert_eq!(background("\x1b]11;rgb:1e/1e/2e\x07\x1b[?6c"), Some(false));
        assert_eq!(background("\x1b]11;rgb:fdfd/f6f6/e3e3\x07"), Some(true));
        assert_eq!(background("\x1b[?62;22c"), None);
        assert_eq!(background("\x1b]11;rgb:ff/zz"), None);
        assert!(is_complete(white.as_bytes()));
        assert!(!is_complete(b"\x1b]11;rgb:cccc/cccc/cccc\x1b\\"));
    }

    #[test]
    fn the_variable_tells_dark_from_light() {
        for (value, is_light) in [
            ("15;0", Some(false)),
            ("0;15", Some(true)),
            ("0;default;15", Some(true)),
            ("12;8", Some(false)),
            ("0;7", Some(true)),
            ("default;default", None),
            ("", None),
        ] {
            assert_eq!(colours_variable(value), is_light, "{value}");
        }
    }
}
