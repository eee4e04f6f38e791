//! The command line.

use std::ffi::OsString;
use std::time::Duration;

use floe_rules::text::quoted;

pub(crate) const USAGE: &str = "\
usage: floodwars [time=MS] < BOARD
       floodwars play [seed=N]
       floodwars help | --version

Plays one move of Flood Wars: reads a line `J` or `S` (who moves) and the
board on standard input, prints the other letter and the board after the move.

  time=MS  answer within this many milliseconds of the start (default 850)

With `play`, and without arguments in a terminal, people or engines play line by line.

  seed=N   play on this board

example: printf 'J\\n@+#\\n.*+\\n' | floodwars time=500
";

/// The contest allows one second; a loaded machine may be late to start and to end a program.
const DEFAULT: Duration = Duration::from_millis(850);
/// One day, so that no sum of times overflows.
const MOST_MS: u64 = 24 * 60 * 60 * 1000;

/// The requested action.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Print the usage.
    Help,
    /// Print the version.
    Version,
    /// Answer a board within this time.
    Move(Duration),
    /// Play line by line, on the board of this seed or on a random one.
    Play(Option<u64>),
}

/// The action the arguments request, or the error in them.
pub(crate) fn read(arguments: &[OsString], is_terminal: bool) -> Result<Request, String> {
    let is_help = |a: &OsString| ["help", "--help", "-h"].iter().any(|help| a == help);
    if arguments.iter().any(is_help) {
        return Ok(Request::Help);
    }
    if arguments.iter().any(|a| a == "--version" || a == "-V") {
        return Ok(Request::Version);
    }
    if arguments.iter().any(|a| a == "play") || (arguments.is_empty() && is_terminal) {
        return play(arguments);
    }
    let mut time = None;
    for argument in arguments {
        let word = argument.to_string_lossy();
        let Some(value) = word.strip_prefix("time=") else {
            return Err(format!("unknown argument {}", quoted(&word)));
        };
        let number = value.parse().ok();
        let number = number.filter(|_| value.bytes().all(|b| b.is_ascii_digit()));
        let Some(ms) = number.filter(|ms| (1..=MOST_MS).contains(ms)) else {
            let value = quoted(value);
            return Err(format!(
                "time={value} is not a number of milliseconds from 1 to {MOST_MS}"
            ));
        };
        if time.replace(Duration::from_millis(ms)).is_some() {
            return Err("the time is given twice".to_owned());
        }
    }
    Ok(Request::Move(time.unwrap_or(DEFAULT)))
}

/// The arguments of a game line by line.
fn play(arguments: &[OsString]) -> Result<Request, String> {
    let mut seed = None;
    for argument in arguments.iter().filter(|&a| a != "play") {
        let word = argument.to_string_lossy();
        let Some(value) = word.strip_prefix("seed=") else {
            return Err(format!("`play` takes seed=N, not {}", quoted(&word)));
        };
        let is_plain = value.bytes().all(|b| b.is_ascii_digit());
        let Some(number) = value.parse().ok().filter(|_| is_plain) else {
            return Err(format!("seed={} is not a number", quoted(value)));
        };
        if seed.replace(number).is_some() {
            return Err("the seed is given twice".to_owned());
        }
    }
    Ok(Request::Play(seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(arguments: &[&str], is_terminal: bool) -> Result<Request, String> {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        read(&arguments, is_terminal)
    }

    #[test]
    fn a_move_is_the_default_and_takes_its_time() {
        let ms = |ms| Ok(Request::Move(Duration::from_millis(ms)));
        assert_eq!(asked(&[], false), ms(850));
        assert_eq!(asked(&["time=100"], false), ms(100));
        assert_eq!(asked(&["time=100"], true), ms(100));
        for help in ["help", "--help", "-h"] {
            assert_eq!(asked(&[help], true), Ok(Request::Help));
            assert_eq!(asked(&["time=5", help], false), Ok(Request::Help));
        }
    }

    #[test]
    fn somebody_at_a_terminal_plays_and_so_does_who_says_so() {
        assert_eq!(asked(&[], true), Ok(Request::Play(None)));
        for is_terminal in [true, false] {
            assert_eq!(asked(&["play"], is_terminal), Ok(Request::Play(None)));
            let seeded = asked(&["play", "seed=7"], is_terminal);
            assert_eq!(seeded, Ok(Request::Play(Some(7))));
        }
        for (arguments, reason) in [
            (&["play", "time=5"][..], "`play` takes seed=N, not `time=5`"),
            (&["play", "seed=x"], "seed=`x` is not a number"),
            (&["play", "seed="], "seed=`` is not a number"),
            (&["play", "seed=1", "seed=2"], "the seed is given twice"),
        ] {
            assert_eq!(asked(arguments, false), Err(reason.to_owned()));
        }
    }

    #[test]
    fn wrong_arguments_have_a_reason() {
        for (arguments, reason) in [
            (&["fast"][..], "unknown argument `fast`"),
            (&["time"], "unknown argument `time`"),
            (
                &["time=0"],
                "time=`0` is not a number of milliseconds from 1 to 86400000",
            ),
            (
                &["time=+5"],
                "time=`+5` is not a number of milliseconds from 1 to 86400000",
            ),
            (
                &["time=1s"],
                "time=`1s` is not a number of milliseconds from 1 to 86400000",
            ),
            (
                &["time=99999999999999999999"],
                "time=`99999999999999999999` is not a number of milliseconds from 1 to 86400000",
            ),
            (&["time=5", "time=6"], "the time is given twice"),
        ] {
            assert_eq!(asked(arguments, false), Err(reason.to_owned()));
        }
    }
}
