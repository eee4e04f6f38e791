//! One turn: reads the file, makes a move, writes the file.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use floe_contest::input::{self, Unread};
use floe_rules::penguins::{Known, Phase, State};
use floe_rules::text::explain;
use floe_rules::{Position, Report};

use super::arguments::{Goal, Task};
use super::{engine, output};

/// Most errors printed in full: a file of another kind has one in every field.
const MOST_ERRORS: usize = 20;
/// More bytes than any state file has: a 200x200 board takes 120,000, and the rest is for nine
/// players' names and for trailing blanks.
const MOST_BYTES: usize = 1 << 20;

/// The result of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// A move was made.
    Moved,
    /// There is no move to make, for this reason.
    Nothing(&'static str),
}

/// The reason why a turn failed.
#[derive(Debug)]
pub(crate) enum Error {
    /// The errors of the state, ready to print, with the last newline.
    State(String),
    /// The input file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// The output file cannot be written.
    Unwritable(PathBuf, io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::State(errors) => f.write_str(errors),
            Error::Unreadable(path, why) => write!(f, "cannot read {}: {why}", path.display()),
            Error::Unwritable(path, why) => write!(f, "cannot write {}: {why}", path.display()),
        }
    }
}

/// Reads the state, makes a move if there is one to make, and writes the state.
pub(crate) fn take(task: &Task, started: Instant) -> Result<Done, Error> {
    let bytes = read(task)?;
    let (done, after) = decide(task, &bytes, started)?;
    // Without a move, the state is written exactly as it was read, byte for byte.
    let after = after.map_or(bytes, String::into_bytes);
    output::write(&task.output, &after).map_err(|e| Error::Unwritable(task.output.clone(), e))?;
    Ok(done)
}

/// The bytes of the input file.
fn read(task: &Task) -> Result<Vec<u8>, Error> {
    let unreadable = |error| Error::Unreadable(task.input.clone(), error);
    let file = File::open(&task.input).map_err(unreadable)?;
    input::read_at_most(file, MOST_BYTES).map_err(|unread| match unread {
        Unread::Failed(error) => unreadable(error),
        Unread::Wrong(error, bytes) => {
            let name = task.input.display().to_string();
            Error::State(explain(&error, &name, &String::from_utf8_lossy(&bytes)))
        }
    })
}

/// The action, and the new state if it changed.
fn decide(task: &Task, bytes: &[u8], started: Instant) -> Result<(Done, Option<String>), Error> {
    let name = task.input.display().to_string();
    let text = input::text(bytes)
        .map_err(|e| Error::State(explain(&e, &name, &String::from_utf8_lossy(bytes))))?;
    let mut report = Report::new();
    let errors = |mut report: Report| {
        report.errors.sort_by_key(|e| (e.line, e.column));
        let shown = report.errors.iter().take(MOST_ERRORS);
        let mut lines: String = shown.map(|e| explain(e, &name, text)).collect();
        if let Some(more @ 1..) = report.errors.len().checked_sub(MOST_ERRORS) {
            lines.push_str(&format!("{name}: {more} more errors\n"));
        }
        Error::State(lines)
    };
    let Some(mut state) = State::parse(text, &mut report) else {
        return Err(errors(report));
    };
    let nothing = |why| Ok((Done::Nothing(why), None));
    let (phase, penguins) = match task.goal {
        Goal::Place { penguins } => (Phase::Placement, Some(penguins)),
        Goal::Slide => (Phase::Movement, None),
    };
    // Errors in a state are reported even if there is no move to make.
    let known = Known {
        penguins,
        phase: Some(phase),
        turn: None,
    };
    let Some(position) = state.position_given(known, &mut report) else {
        return Err(errors(report));
    };
    let me = match (state.player(&task.id), phase) {
        (Some(me), _) => me,
        (None, Phase::Movement) => return nothing("our ID is not in the file"),
        (None, Phase::Placement) if position.ones().is_empty() => {
            return nothing("no floe with one fish is left");
        }
        (None, Phase::Placement) => state.join(&task.id).map_err(|error| {
            report.error(error);
            errors(std::mem::take(&mut report))
        })?,
    };
    match task.goal {
        Goal::Place { penguins } if state.penguins(me) >= penguins => {
            return nothing("all our penguins stand");
        }
        Goal::Place { .. } if position.ones().is_empty() => {
            return nothing("no floe with one fish is left");
        }
        Goal::Slide if !position.is_mobile(me) => return nothing("all our penguins are blocked"),
        _ => {}
    }
    let known = Known {
        turn: Some(me),
        ..known
    };
    let Some(position) = state.position_given(known, &mut report) else {
        return Err(errors(report));
    };
    debug_assert_eq!(position.turn(), Some(me));
    // A tenth of the time is for starting, reading and writing.
    let deadline = started + task.time.mul_f64(0.9);
    state.play(me, engine::choose(&position, deadline));
    Ok((Done::Moved, Some(state.to_string())))
}
