//! The reason why a program of the line protocol does not answer.

use std::time::Duration;

use floe_sandbox::{MachineFailure, NextLine, Program, RunReport};

/// The cause of a program's silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Silence {
    /// The program did not flush its output.
    NoFlush,
    /// The program reads until the end of its input.
    ReadsToEnd,
    /// The program waits for more input.
    WaitsForMore,
    /// The program is slow, or the reason is unknown.
    Slow,
}

impl Silence {
    /// The cause in a sentence; `None` if there is nothing to add to the time-out.
    pub(crate) fn cause(self) -> Option<&'static str> {
        match self {
            Silence::NoFlush => {
                Some("the answer came only when the input was closed: flush after each line")
            }
            Silence::ReadsToEnd => Some(
                "it reads to the end of its input before it answers: the input stays open during a \
                 game, so read it line by line",
            ),
            Silence::WaitsForMore => {
                Some("it waits for more input than it is sent: it answered once another line came")
            }
            Silence::Slow => None,
        }
    }
}

/// Time limit for an answer that only waits for another line.
const SHORT: Duration = Duration::from_millis(700);
/// Time limit for filling the program's output buffer.
const LONG: Duration = Duration::from_secs(3);
/// Number of answers that fill any buffer.
const MANY: usize = 3000;

/// Finds out why a program does not answer, and ends it. `more` is another request. First it sends
/// nothing, in case the program is only slow; then one more request; then enough to fill any output
/// buffer; finally it closes the input.
pub(crate) fn look_into(
    mut program: Program,
    more: &str,
) -> Result<(Silence, RunReport), MachineFailure> {
    let speaks = |program: &mut Program, limit: Duration| {
        let limit = program.wall() + limit;
        Ok::<bool, MachineFailure>(matches!(program.read_line(limit)?, NextLine::Line(_)))
    };
    if speaks(&mut program, SHORT)? {
        return Ok((Silence::Slow, program.stop()?));
    }
    program.send(more.as_bytes());
    if speaks(&mut program, SHORT)? {
        return Ok((Silence::WaitsForMore, program.stop()?));
    }
    let before = program.cpu();
    program.send(more.repeat(MANY).as_bytes());
    if speaks(&mut program, LONG)? {
        return Ok((Silence::NoFlush, program.stop()?));
    }
    // A program that answered every question was busy, not silent.
    let was_busy = (program.cpu().saturating_sub(before)) * 2 > LONG;
    let limit = program.wall() + LONG;
    let report = program.close_and_wait(limit)?;
    let silence = match (report.output.is_empty(), was_busy) {
        (true, _) => Silence::Slow,
        (false, true) => Silence::NoFlush,
        (false, false) => Silence::ReadsToEnd,
    };
    Ok((silence, report))
}
