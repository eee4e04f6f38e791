//! Running one stranger's program: start it, talk to it, end it, tell what happened.
//!
//! [`run`] is for programs that are started for every move: all input at once, all output, the
//! exit. [`Program`] is for those that stay up: lines out, lines in, each with a deadline. Either
//! way the clock runs from the write of the request, what the program may say and use is bounded,
//! and when it is over nothing of it is left running.
//!
//! What the program did is an [`Outcome`]; what went wrong before it could do anything is a
//! [`Trouble`], which is nobody's fault at the table and never to be scored.
//!
//! The sandbox needs Linux. On other systems [`run`] and [`Program`] are there all the same, with
//! a private working directory, a clean environment, the clock and bounded output, and nothing
//! else between the program and the machine: [`Support`](crate::sandbox::Support) tells.
//!
//! A program cannot be asked to prove that it was the machine that failed it: once it runs,
//! everything that happens to it is its own.

mod output;
#[cfg(target_os = "linux")]
mod pipes;
// On Linux for its tests alone, so that it does not rot there.
#[cfg(any(test, not(target_os = "linux")))]
#[cfg_attr(target_os = "linux", allow(unreachable_pub, dead_code))]
mod plain;
#[cfg(target_os = "linux")]
mod program;
mod ring;
mod stable;
mod work;

pub use output::{OutputTrouble, read_output};
#[cfg(not(target_os = "linux"))]
pub use plain::{Program, run};
#[cfg(target_os = "linux")]
pub use program::{Program, run};
pub use stable::Stable;
pub(crate) use work::Work;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::sandbox::Layers;

const MIB: u64 = 1 << 20;

/// How much of everything a program may use. Sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Resident memory of the program and all it starts together, by a look every 10 ms.
    pub memory: u64,
    /// Data of each process as the kernel counts it, resident or not: the wall behind `memory`.
    pub data: u64,
    /// Address space of each process. Off by default, since node and Java reserve gigabytes.
    pub address_space: Option<u64>,
    /// Processor seconds of each process.
    pub cpu_seconds: u64,
    /// The largest file it may write.
    pub file_size: u64,
    /// Open descriptors.
    pub files: u64,
    /// Processes and, where the kernel counts them, threads.
    pub processes: u64,
    /// Unread standard output.
    pub output: usize,
    /// What lies in its working directory, together.
    pub disk: u64,
    /// How many files and folders lie in its working directory.
    pub entries: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 256 * MIB,
            data: 1024 * MIB,
            address_space: None,
            cpu_seconds: 3600,
            file_size: 64 * MIB,
            files: 256,
            processes: 64,
            output: MIB as usize,
            disk: 128 * MIB,
            entries: 10_000,
        }
    }
}

/// What to start, where, and with which limits.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The program and its arguments. A name without a slash is looked for on [`Plan::PATH`].
    pub command: Vec<OsString>,
    /// Files and folders it may read and run from besides the system's: its own folder.
    pub readable: Vec<PathBuf>,
    /// The directory it starts in and may change. None makes a private one and removes it at the
    /// end. Started by root, the directory and what lies in it change owner.
    pub work: Option<PathBuf>,
    /// Variables on top of the clean environment.
    pub environment: Vec<(OsString, OsString)>,
    /// How much it may use.
    pub limits: Limits,
    /// The layers to close around it; each must succeed, or the program is not started.
    pub layers: Layers,
    /// The processor cores it may run on, counted from 0; none for all of them.
    pub cores: Vec<usize>,
    /// The binary that calls [`helper_main`](crate::sandbox::helper_main) first; empty for the
    /// one that is running.
    pub helper: PathBuf,
    /// Helpers that are started already, if there are any. Theirs is the binary then.
    pub stable: Option<Stable>,
    /// How long starting may take, which is the machine's time, not the program's.
    pub patience: Duration,
}

impl Plan {
    /// Where programs without a slash in their name are looked for.
    pub const PATH: &'static str = if cfg!(windows) {
        r"C:\Windows\System32;C:\Windows"
    } else {
        "/usr/local/bin:/usr/bin:/bin"
    };

    /// A plan for a command as it stands, with default limits and no layers.
    pub fn of<W: Into<OsString>>(command: impl IntoIterator<Item = W>) -> Plan {
        Plan {
            command: command.into_iter().map(Into::into).collect(),
            readable: Vec::new(),
            work: None,
            environment: Vec::new(),
            limits: Limits::default(),
            layers: Layers::NONE,
            cores: Vec::new(),
            helper: PathBuf::new(),
            stable: None,
            patience: Duration::from_secs(20),
        }
    }

    /// A plan for a command as somebody types it in a folder: words that name files there become
    /// full paths, and the folders of those files readable.
    pub fn typed<W: Into<OsString>>(command: impl IntoIterator<Item = W>, folder: &Path) -> Plan {
        let mut plan = Plan::of(command);
        for (place, word) in plan.command.iter_mut().enumerate() {
            // A bare first word is a program of the system, even if a file has its name.
            if place == 0 && !word.as_encoded_bytes().contains(&b'/') {
                continue;
            }
            let Ok(path) = folder.join(&*word).canonicalize() else {
                continue;
            };
            let Some(home) = path.parent().filter(|_| path.is_file()) else {
                continue;
            };
            plan.readable.push(home.to_owned());
            *word = path.into_os_string();
        }
        plan.readable.sort();
        plan.readable.dedup();
        plan
    }
}

/// What came of waiting for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A line, without its end (`\n` or `\r\n`).
    Line(Vec<u8>),
    /// The deadline passed. The program still runs.
    Late,
    /// More output than allowed without a line being taken. The program still runs.
    TooMuch,
    /// The program has ended or closed its output; what it said last, without an end of line,
    /// comes first as a line.
    End,
}

/// Takes the first line out of what a program has said. `seen` bytes are known to hold no end of
/// a line.
fn take_line(said: &mut Vec<u8>, seen: usize) -> Option<Answer> {
    let end = said.get(seen..)?.iter().position(|&byte| byte == b'\n')?;
    let mut line: Vec<u8> = said.drain(..=seen + end).collect();
    line.pop();
    line.pop_if(|byte| *byte == b'\r');
    Some(Answer::Line(line))
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal, such as 11 for a segmentation fault or 6 for an abort.
    Signalled(i32),
    /// Ended by the referee: the deadline passed, or it used up its processor time.
    TimedOut,
    /// Ended for its memory.
    TooMuchMemory,
    /// Ended for its standard output.
    TooMuchOutput,
    /// Ended for something no program may do.
    Forbidden(Forbidden),
    /// Ended by the referee, who had no more use for it.
    Stopped,
}

/// What a program did that none may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// A system call that is not for players: a network socket, a mount, a signal to the referee.
    SystemCall,
    /// Too many processes.
    Processes,
    /// It filled its working directory.
    Files,
    /// It got rid of its keeper.
    Keeper,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Exited(code) => write!(f, "exited with code {code}"),
            Outcome::Signalled(signal) => write!(f, "was ended by signal {signal}"),
            Outcome::TimedOut => f.write_str("took too long"),
            Outcome::TooMuchMemory => f.write_str("used too much memory"),
            Outcome::TooMuchOutput => f.write_str("wrote too much"),
            Outcome::Forbidden(Forbidden::SystemCall) => {
                f.write_str("made a system call that is forbidden")
            }
            Outcome::Forbidden(Forbidden::Processes) => f.write_str("started too many processes"),
            Outcome::Forbidden(Forbidden::Files) => f.write_str("filled its working directory"),
            Outcome::Forbidden(Forbidden::Keeper) => f.write_str("killed its keeper"),
            Outcome::Stopped => f.write_str("was stopped"),
        }
    }
}

/// What kept a program from running: trouble of the machine or of the set-up, not of the program.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
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

/// How a program ended and what it used and said.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// Standard output that nobody has read yet.
    pub output: Vec<u8>,
    /// The last 64 KiB of standard error.
    pub errors: Vec<u8>,
    /// How much it wrote on standard error in all.
    pub errors_total: u64,
    /// From the last request to the end.
    pub wall: Duration,
    /// Processor time of all its processes that were waited for.
    pub cpu: Duration,
    /// The most memory it had, in KiB: of its largest process, or of all together as far as the
    /// watchdog saw. Never less than the helper's own few megabytes.
    pub peak_kib: u64,
    /// The layers it ran in.
    pub layers: Layers,
}
