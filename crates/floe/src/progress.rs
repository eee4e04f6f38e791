//! Progress of long work.

use std::fmt::{self, Display};
use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A bar on standard error, in this style; hidden unless `is_shown`.
pub(crate) fn bar(length: Option<u64>, is_shown: bool, style: &str) -> ProgressBar {
    let target = match is_shown {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(length, target);
    // An unreadable style is a bug; the default style still works.
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style.with_key("rate", rate));
    }
    bar
}

/// A bar that counts games, with room for a live table below it.
pub(crate) fn of_games(length: Option<u64>, is_shown: bool) -> ProgressBar {
    let style = match length {
        Some(_) => {
            "{wide_bar} {percent} %, {eta} left\n\
             {pos} of {len} games, {rate}, started {elapsed} ago\n{msg}"
        }
        None => "{spinner} {pos} games, {rate}, started {elapsed} ago\n{msg}",
    };
    let bar = bar(length, is_shown, style);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// Writes how many games are played in a second, or in a minute if there are few.
fn rate(state: &ProgressState, to: &mut dyn fmt::Write) {
    let rate = state.per_sec();
    let _ = match rate {
        10.0.. => write!(to, "{rate:.0} games a second"),
        _ => write!(to, "{:.0} games a minute", rate * 60.0),
    };
}

/// Prints a line on standard error during long work. Errors are ignored, so that a closed terminal
/// or a broken pipe does not stop the work.
pub(crate) fn print(line: impl Display) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
