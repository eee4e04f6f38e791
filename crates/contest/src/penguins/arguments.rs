use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use floe_rules::penguins::{Phase, is_id};

pub(crate) const USAGE: &str = "\
usage: penguins phase=placement penguins=N IN OUT
       penguins phase=movement IN OUT
       penguins name
       penguins [play] [seed=N]
       penguins --help | --version
Without arguments, or with the word `play`, two to nine people or engines play at the
keyboard; seed=N gives the same board again.
IN and OUT are state files and may be the same; the order does not matter.
  name=X   play under the ID X instead of `floe`
  time=MS  answer within so many milliseconds (1000)
exit code: 0 moved, 1 nothing to do, 2 the state in IN is wrong, 3 anything else";

/// Nine letters at most: some programs refuse other IDs.
const DEFAULT_ID: &str = "floe";

/// The requested action.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Play at the keyboard.
    Play {
        /// The seed of the board; random without it.
        seed: Option<u64>,
        /// Whether the game was requested by name.
        is_named: bool,
    },
    /// Print the usage.
    Help,
    /// Print the version.
    Version,
    /// Print the program's name.
    Name(String),
    /// Make a move.
    Turn(Task),
}

/// A move to make.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Task {
    pub(crate) id: String,
    pub(crate) goal: Goal,
    pub(crate) input: PathBuf,
    pub(crate) output: PathBuf,
    pub(crate) time: Duration,
}

/// The kind of move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Put one of this many penguins on the board.
    Place {
        /// Penguins per player.
        penguins: u32,
    },
    /// Slide a penguin.
    Slide,
}

/// The error in the arguments.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn wrong<T>(cause: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong(cause.into()))
}

/// Understands the arguments, which may come in any order.
pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Command, Wrong> {
    let arguments: Vec<OsString> = arguments.collect();
    if arguments.iter().any(|a| a == "name" || a == "id") {
        let mut given = arguments
            .iter()
            .filter_map(|a| a.to_str()?.strip_prefix("name="));
        let id = given.rfind(|id| is_id(id)).unwrap_or(DEFAULT_ID);
        return Ok(Command::Name(id.to_owned()));
    }
    let is_turn = (arguments.iter()).any(|a| a.to_str().is_some_and(|a| a.starts_with("phase=")));
    let is_asked = |words: [&str; 2]| arguments.iter().any(|a| words.iter().any(|word| a == word));
    // With a turn's options, `--help` may be a file name.
    if !is_turn && is_asked(["--help", "-h"]) {
        return Ok(Command::Help);
    }
    if !is_turn && is_asked(["--version", "-V"]) {
        return Ok(Command::Version);
    }
    if !is_turn && (arguments.is_empty() || arguments.iter().any(|a| a == "play")) {
        return play(&arguments);
    }
    let (mut phase, mut penguins, mut id, mut time) = (None, None, None, None);
    let mut files = Vec::new();
    for argument in &arguments {
        let Some((word, value)) = setting(argument) else {
            files.push(PathBuf::from(argument));
            continue;
        };
        match word {
            "phase" => match value {
                "placement" => once(word, &mut phase, Phase::Placement)?,
                "movement" => once(word, &mut phase, Phase::Movement)?,
                _ => return wrong(format!("phase={value} is not placement or movement")),
            },
            "penguins" => once(word, &mut penguins, positive(word, value)?)?,
            "time" => once(word, &mut time, positive(word, value)?)?,
            "name" if is_id(value) => once(word, &mut id, value)?,
            "name" => return wrong("name= needs an ID without spaces and quotation marks"),
            _ => {
                return wrong(format!(
                    "unknown setting {word}=; a file is ./{word}={value}"
                ));
            }
        }
    }
    let goal = match (phase, penguins) {
        (None, _) => return wrong("phase=placement or phase=movement is missing"),
        (Some(Phase::Movement), _) => Goal::Slide,
        (Some(Phase::Placement), Some(penguins)) => Goal::Place { penguins },
        (Some(Phase::Placement), None) => return wrong("phase=placement needs penguins=N"),
    };
    let [input, output] = <[PathBuf; 2]>::try_from(files)
        .map_err(|files| Wrong(format!("two files are needed, not {}", files.len())))?;
    Ok(Command::Turn(Task {
        id: id.unwrap_or(DEFAULT_ID).to_owned(),
        goal,
        input,
        output,
        time: Duration::from_millis(time.unwrap_or(1000).into()),
    }))
}

/// The arguments of a game at the keyboard.
fn play(arguments: &[OsString]) -> Result<Command, Wrong> {
    let mut seed = None;
    for argument in arguments.iter().filter(|&a| a != "play") {
        match setting(argument) {
            Some(("seed", value)) => {
                let plain = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
                match value.parse() {
                    Ok(number) if plain => once("seed", &mut seed, number)?,
                    _ => return wrong(format!("seed={value} is not a number")),
                }
            }
            _ => {
                let argument = argument.to_string_lossy();
                return wrong(format!("`play` takes seed=N, not {argument}"));
            }
        }
    }
    Ok(Command::Play {
        seed,
        is_named: !arguments.is_empty(),
    })
}

/// `word=value`, where the word is made of letters; anything else is a file.
fn setting(argument: &OsStr) -> Option<(&str, &str)> {
    let (word, value) = argument.to_str()?.split_once('=')?;
    let is_word = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic());
    is_word.then_some((word, value))
}

fn once<T>(word: &str, into: &mut Option<T>, value: T) -> Result<(), Wrong> {
    match into.replace(value) {
        Some(_) => wrong(format!("{word}= is given twice")),
        None => Ok(()),
    }
}

/// A positive number; one that is too large counts as the largest possible.
fn positive(word: &str, value: &str) -> Result<u32, Wrong> {
    let plain = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
    match value.parse().unwrap_or(u32::MAX) {
        number @ 1.. if plain => Ok(number),
        _ => wrong(format!("{word}={value} is not a positive number")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn parsed(text: &str) -> Result<Command, String> {
        let arguments = text
            .split(' ')
            .filter(|a| !a.is_empty())
            .map(OsString::from);
        parse(arguments).map_err(|e| e.to_string())
    }

    #[test]
    fn the_order_does_not_matter() {
        let wanted = Command::Turn(Task {
            id: "floe".into(),
            goal: Goal::Place { penguins: 3 },
            input: "in".into(),
            output: "out".into(),
            time: Duration::from_millis(50),
        });
        for text in [
            "phase=placement penguins=3 time=50 in out",
            "in time=50 out penguins=3 phase=placement",
            "penguins=03 in phase=placement out time=50",
        ] {
            assert_eq!(parsed(text).as_ref(), Ok(&wanted), "{text}");
        }
    }

    #[test]
    fn a_name_wins_over_everything() {
        for (text, name) in [
            ("name", "floe"),
            ("id", "floe"),
            ("phase=movement in out name", "floe"),
            ("phase=nonsense penguins=x id", "floe"),
            ("name=Ala name", "Ala"),
        ] {
            assert_eq!(parsed(text), Ok(Command::Name(name.into())), "{text}");
        }
    }

    #[test]
    fn bad_arguments_are_told() {
        for (text, cause) in [
            ("in out", "phase=placement or phase=movement is missing"),
            (
                "phase=flying in out",
                "phase=flying is not placement or movement",
            ),
            ("phase=placement in out", "phase=placement needs penguins=N"),
            (
                "phase=placement penguins=0 in out",
                "penguins=0 is not a positive number",
            ),
            (
                "phase=placement penguins=-1 in out",
                "penguins=-1 is not a positive number",
            ),
            (
                "phase=placement penguins=+1 in out",
                "penguins=+1 is not a positive number",
            ),
            (
                "phase=placement penguins= in out",
                "penguins= is not a positive number",
            ),
            (
                "phase=movement penguins=x in out",
                "penguins=x is not a positive number",
            ),
            (
                "phase=movement time=0 in out",
                "time=0 is not a positive number",
            ),
            ("phase=movement in", "two files are needed, not 1"),
            ("phase=movement in out more", "two files are needed, not 3"),
            (
                "phase=movement phase=movement in out",
                "phase= is given twice",
            ),
            (
                "phase=movement colour=red in out",
                "unknown setting colour=; a file is ./colour=red",
            ),
            (
                "phase=movement name=\" in out",
                "name= needs an ID without spaces and quotation marks",
            ),
        ] {
            assert_eq!(parsed(text), Err(cause.to_owned()), "{text}");
        }
    }

    #[test]
    fn playing_at_the_keyboard() {
        let play = |seed, is_named| Ok(Command::Play { seed, is_named });
        assert_eq!(parsed(""), play(None, false));
        assert_eq!(parsed("play"), play(None, true));
        assert_eq!(parsed("play seed=7"), play(Some(7), true));
        assert_eq!(parsed("seed=7 play"), play(Some(7), true));
        for (text, cause) in [
            ("play seed=x", "seed=x is not a number"),
            ("play seed=", "seed= is not a number"),
            ("play seed=1 seed=2", "seed= is given twice"),
            ("play now", "`play` takes seed=N, not now"),
            ("play time=5", "`play` takes seed=N, not time=5"),
        ] {
            assert_eq!(parsed(text), Err(cause.to_owned()), "{text}");
        }
        let turn = parsed("phase=movement play out");
        assert!(matches!(turn, Ok(Command::Turn(task)) if task.input == Path::new("play")));
    }
}
