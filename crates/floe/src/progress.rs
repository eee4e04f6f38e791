//! How far long work has come.

use std::fmt::Display;
use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error, in this style; seen by nobody unless `is_shown`.
pub(crate) fn bar(length: Option<u64>, is_shown: bool, style: &str) -> ProgressBar {
    let target = match is_shown {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(length, target);
    // A style that cannot be read is a slip of ours; the usual one does as well.
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar
}

/// A bar that counts games, with room for a live table below it.
pub(crate) fn of_games(length: Option<u64>, is_shown: bool) -> ProgressBar {
    let style = match length {
        Some(_) => "{bar:30} {pos}/{len} games, {elapsed} gone, {eta} left\n{msg}",
        None => "{spinner} {pos} games, {elapsed} gone\n{msg}",
    };
    let bar = bar(length, is_shown, style);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// A line on standard error in the middle of long work. The work goes on where nobody is there to read it
/// any more: a terminal may be closed, and a pipe broken.
pub(crate) fn tell(line: impl Display) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
