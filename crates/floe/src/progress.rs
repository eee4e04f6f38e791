//! Progress of long work.

use std::fmt::Display;
use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error, in this style; hidden unless `is_shown`.
pub(crate) fn bar(length: Option<u64>, is_shown: bool, style: &str) -> ProgressBar {
    let target = match is_shown {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(length, target);
    // An unreadable style is a bug; the default style still works.
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar
}

/// A bar that counts games, with room for a live table below it.
pub(crate) fn of_games(length: Option<u64>, is_shown: bool) -> ProgressBar {
    let style = match length {
        Some(_) => "{bar:30} {pos}/{len} games, {elapsed} elapsed, {eta} left\n{msg}",
        None => "{spinner} {pos} games, {elapsed} elapsed\n{msg}",
    };
    let bar = bar(length, is_shown, style);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// Prints a line on standard error during long work. Errors are ignored, so that a closed terminal
/// or a broken pipe does not stop the work.
pub(crate) fn print(line: impl Display) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
