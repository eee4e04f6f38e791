//! A program's output, its end, and the failures that keep it from running.

use std::fmt;
use std::time::Duration;

use crate::layers::Layers;
use crate::output::LeftFiles;

/// The result of waiting for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextLine {
    /// A line, without its line ending (`\n` or `\r\n`).
    Line(Vec<u8>),
    /// The deadline passed. The program still runs.
    Late,
    /// The program wrote more output than allowed without a line being read. It still runs.
    TooMuch,
    /// The program has ended or closed its output; a last line without a line ending comes first,
    /// as a line.
    End,
}

/// Takes the first line from a program's output. The first `seen` bytes are known to contain no
/// line end.
pub(crate) fn take_line(said: &mut Vec<u8>, seen: usize) -> Option<NextLine> {
    let end = said.get(seen..)?.iter().position(|&byte| byte == b'\n')?;
    let mut line: Vec<u8> = said.drain(..=seen + end).collect();
    line.pop();
    line.pop_if(|byte| *byte == b'\r');
    Some(NextLine::Line(line))
}

/// The way a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramEnd {
    /// The program exited with this code.
    Exited(i32),
    /// A signal ended the program, such as 11 for a segmentation fault or 6 for an abort.
    Signalled(i32),
    /// The program exceeded the time limit, or used up its processor time.
    TimedOut,
    /// The program exceeded its memory limit.
    TooMuchMemory,
    /// The program wrote too much standard output.
    TooMuchOutput,
    /// The program did something forbidden.
    Forbidden(Forbidden),
    /// The referee ended the program, because it was not needed any more.
    Stopped,
}

/// A forbidden action of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// A forbidden system call: a network socket, a mount, a signal to the referee.
    SystemCall,
    /// Too many processes.
    Processes,
    /// The program filled its working directory.
    Files,
    /// The program killed its supervisor.
    Supervisor,
    /// The program ran while it was stopped.
    OutOfTurn,
    /// The program hid its open files from its supervisor.
    Hiding,
}

impl fmt::Display for ProgramEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramEnd::Exited(code) => write!(f, "exited with code {code}"),
            ProgramEnd::Signalled(signal) => write!(f, "was ended by signal {signal}"),
            ProgramEnd::TimedOut => f.write_str("took too long"),
            ProgramEnd::TooMuchMemory => f.write_str("used too much memory"),
            ProgramEnd::TooMuchOutput => f.write_str("wrote too much"),
            ProgramEnd::Forbidden(Forbidden::SystemCall) => {
                f.write_str("made a system call that is forbidden")
            }
            ProgramEnd::Forbidden(Forbidden::Processes) => {
                f.write_str("started too many processes")
            }
            ProgramEnd::Forbidden(Forbidden::Files) => f.write_str("filled its working directory"),
            ProgramEnd::Forbidden(Forbidden::Supervisor) => f.write_str("killed its supervisor"),
            ProgramEnd::Forbidden(Forbidden::OutOfTurn) => {
                f.write_str("ran during its opponent's turn")
            }
            ProgramEnd::Forbidden(Forbidden::Hiding) => {
                f.write_str("hid its open files from its supervisor")
            }
            ProgramEnd::Stopped => f.write_str("was stopped"),
        }
    }
}

/// A machine failure or a wrong set-up that kept a program from running; not the program's fault.
#[derive(Debug, thiserror::Error)]
pub enum MachineFailure {
    /// The working directory, a pipe or the helper could not be made.
    #[error("cannot prepare a program: {0}")]
    Prepare(#[from] std::io::Error),
    /// A layer could not be closed, or the program's file could not be run.
    #[error("cannot start a program: {0}")]
    Sandbox(String),
    /// The helper gave no sign of life in time.
    #[error("cannot start a program: the sandbox's helper does not answer")]
    Silent,
    /// Processes would not die.
    #[error("cannot end a program: {0} of its processes are left")]
    Left(usize),
    /// The helper ended without a report.
    #[error("the sandbox's helper ended without a report")]
    Lost,
}

/// A program's end, its resource use and its output.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// The way the program ended.
    pub outcome: ProgramEnd,
    /// Standard output that was not read yet.
    pub output: Vec<u8>,
    /// The last 64 KiB of standard error.
    pub errors: Vec<u8>,
    /// Total bytes written to standard error.
    pub errors_total: u64,
    /// Time from the last request to the end.
    pub wall: Duration,
    /// Processor time of all the program's reaped processes.
    pub cpu: Duration,
    /// Peak memory in KiB: of its largest process, or of all together as the watchdog measured.
    /// At least the helper's few megabytes, since the helper becomes the program.
    pub peak_kib: u64,
    /// The layers of the program's sandbox.
    pub layers: Layers,
    /// The files it left in the given working directory; empty for a private one, except in a
    /// separate file system.
    pub left: LeftFiles,
}
