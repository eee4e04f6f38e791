use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use floe_rules::{Player, Request};

use super::bundle::{self, Bundle};
use super::compat::{self, SeatCompat};
use super::interpreter::Interpreter;
use super::program_files::{OwnFiles, reason};
use super::protocol::Protocol;
use super::{Failure, Sandbox, Seat, SeatError, options};
use floe_games::record::MoveLimits;
use floe_games::{AnyGame, Fault, FaultKind};
use floe_sandbox::{Forbidden, Launch, ProgramEnd, RunReport, SEARCH_PATH};

/// A program and how to run it.
#[derive(Debug, Clone)]
pub struct ProgramSeat {
    /// Its protocol.
    pub protocol: Protocol,
    compat: SeatCompat,
    word: String,
    files: OwnFiles,
    /// Its interpreter, if it is a Python script.
    interpreter: Option<Box<Interpreter>>,
}

impl ProgramSeat {
    /// Reads a seat argument; the user's own seats find interpreters as the user's shell does.
    pub(super) fn read(
        word: &str,
        game: &dyn AnyGame,
        folder: &Path,
        is_own: bool,
    ) -> Result<ProgramSeat, SeatError> {
        let (protocol, command) = Protocol::of(word, game);
        let fail = |cause: String| SeatError::Program {
            word: word.to_owned(),
            cause,
        };
        let words = shell_words::split(command).map_err(|e| fail(e.to_string()))?;
        let (compat, words) = compat::split(words).map_err(fail)?;
        let (options, words) = options::split(words).map_err(fail)?;
        if compat.ponders && protocol != Protocol::Line {
            return Err(fail(
                "ponder= is for programs that run for a whole game, such as line:./bot; this one starts for every move"
                    .to_owned(),
            ));
        }
        let Some(first) = words.first() else {
            return Err(fail("the program's name is missing".to_owned()));
        };
        let interpreter = Interpreter::find(first, folder, is_own).map(Box::new);
        if !first.contains('/') && !is_on_path(first) && interpreter.is_none() {
            let name = first.clone();
            return Err(SeatError::Unknown { name });
        }
        if first.contains('/') {
            let path = folder.join(first);
            let data = path.metadata().map_err(|e| fail(reason(&e)))?;
            if !data.is_file() {
                return Err(fail("not a file".to_owned()));
            }
            if !can_run(&data) {
                return Err(fail(format!(
                    "not executable; make it so with `chmod +x {first}`, or name its interpreter, \
                     such as \"python3 {first}\""
                )));
            }
        }
        // Checked here, since a misspelt script would be the interpreter's error in every game.
        for script in words.iter().skip(1) {
            if looks_like_script(script) && !folder.join(script).is_file() {
                return Err(fail(format!("there is no file {script}")));
            }
        }
        let files = OwnFiles::find(&words, &options, folder, interpreter.as_deref());
        let files = files.map_err(fail)?;
        Ok(ProgramSeat {
            interpreter,
            protocol,
            compat,
            word: word.to_owned(),
            files,
        })
    }

    /// The command's text in messages and records.
    pub fn word(&self) -> &str {
        &self.word
    }

    /// The interpreter's short description, if the program is a Python script.
    pub fn interpreter(&self) -> Option<&str> {
        self.interpreter.as_ref().map(|one| one.text.as_str())
    }

    /// SHA-256 of the files that the seat names, in hexadecimal; `None` for a program of the
    /// system.
    pub fn digest(&self) -> Option<&str> {
        self.files.digest.as_deref()
    }

    /// The program's name, if the seat sets one.
    pub(crate) fn id(&self) -> Option<&str> {
        self.compat.id.as_deref()
    }

    /// Whether the program is also called when there is no move to make.
    pub(crate) fn has_extra_calls(&self) -> bool {
        self.compat.has_extra_calls
    }

    /// Whether the program may think during an opponent's turn, if it has a core of its own.
    pub(super) fn ponders(&self) -> bool {
        self.compat.ponders
    }

    /// The question in the form this program reads.
    pub(crate) fn adapted(&self, ask: &Request) -> Request {
        self.compat.adapted(ask)
    }

    /// The command line of the program, with full paths.
    pub fn command(&self) -> &[OsString] {
        &self.files.command
    }

    /// The program's files for another machine, and the seat argument for a folder with only these
    /// files. The hash is the same there.
    pub fn bundle(&self, game: &dyn AnyGame) -> Bundle {
        bundle::of(&self.word, game, &self.files)
    }

    /// Starts the program with these further arguments. It may read copies of the files that its
    /// seat names, and no others.
    pub(super) fn launch(
        &self,
        sandbox: &Sandbox,
        limits: &MoveLimits,
        more: &[String],
    ) -> Result<Launch, Failure> {
        let copy = self.files.copied();
        let copy =
            copy.map_err(|e| Failure::MachineFailure(format!("cannot copy {}: {e}", self.word)))?;
        let words = self.files.command.iter().map(|word| copy.place_of(word));
        let mut launch = Launch::of(words.chain(more.iter().map(OsString::from)));
        launch.readable = vec![copy.folder().to_owned()];
        let interpreter = self.interpreter.iter();
        let installed = interpreter.flat_map(|one| one.readable.iter().cloned());
        launch.readable.extend(installed);
        launch.limits.memory = limits.memory_mib << 20;
        let address_space = limits.address_space_mib.map(|mib| mib << 20);
        launch.limits.address_space = address_space.or(launch.limits.address_space);
        launch.limits.data = launch.limits.data.max(launch.limits.memory);
        launch.layers = sandbox.layers;
        launch.helper.clone_from(&sandbox.helper);
        launch.pool.clone_from(&sandbox.pool);
        launch.cores.clone_from(&sandbox.cores);
        launch.ponders = self.ponders() && sandbox.can_ponder;
        Ok(launch)
    }
}

/// Warnings about folders that programs may read as a whole: a sentence for each seat and reason.
pub fn folder_warnings(seats: &[Seat]) -> Vec<String> {
    let programs = || {
        seats.iter().filter_map(|seat| match seat {
            Seat::Program(program) => Some(program),
            _ => None,
        })
    };
    let others: Vec<PathBuf> = programs()
        .flat_map(|program| program.files.named().to_vec())
        .collect();
    let mut warnings = Vec::new();
    for program in programs() {
        for remark in program.files.remarks(&others) {
            let word = &program.word;
            let warning = format!("{word}: the folder it may read {remark}");
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
    warnings
}

fn is_on_path(name: &str) -> bool {
    std::env::split_paths(SEARCH_PATH).any(|folder| folder.join(name).is_file())
}

#[cfg(unix)]
fn can_run(data: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    data.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn can_run(_: &std::fs::Metadata) -> bool {
    true
}

fn looks_like_script(word: &str) -> bool {
    const ENDS: [&str; 9] = ["py", "js", "mjs", "pl", "rb", "lua", "sh", "jar", "php"];
    let end = Path::new(word).extension();
    end.is_some_and(|end| ENDS.iter().any(|known| end == *known))
}

/// The last lines of standard error, as readable text.
pub(crate) fn last_lines(errors: &[u8]) -> String {
    const MOST: usize = 4096;
    let text = String::from_utf8_lossy(errors);
    let text = text.trim_end();
    let mut start = text.len().saturating_sub(MOST);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let shown = match text[start..].find('\n') {
        Some(line) if start > 0 => &text[start + line + 1..],
        _ => &text[start..],
    };
    floe_rules::text::visible(shown).into_owned()
}

/// The fault of a program that ended without an answer. `meaning` is the dialect's description of
/// the exit code.
pub(crate) fn fault_of(
    player: Player,
    report: &RunReport,
    limits: &MoveLimits,
    meaning: Option<&str>,
) -> Fault {
    let (kind, message) = match report.outcome {
        ProgramEnd::TimedOut => (
            FaultKind::Timeout,
            too_late(report.wall, Some(report.cpu), limits),
        ),
        ProgramEnd::Signalled(signal) => {
            let message = format!("it was ended by signal {signal}{}", signal_name(signal));
            (FaultKind::Crash, message)
        }
        ProgramEnd::Exited(0) | ProgramEnd::Stopped => (
            FaultKind::SilentExit,
            "it ended without an answer".to_owned(),
        ),
        ProgramEnd::Exited(code) => {
            let meaning = meaning
                .map(|meaning| format!(": {meaning}"))
                .unwrap_or_default();
            (
                FaultKind::GaveUp,
                format!("it ended with exit code {code}{meaning}"),
            )
        }
        ProgramEnd::TooMuchMemory => {
            let message = format!(
                "it used more than {} MiB of memory (up to {} MiB were seen)",
                limits.memory_mib,
                report.peak_kib / 1024
            );
            (FaultKind::TooMuchMemory, message)
        }
        ProgramEnd::TooMuchOutput => (
            FaultKind::TooMuchOutput,
            "it wrote more than it may to standard output".to_owned(),
        ),
        ProgramEnd::Forbidden(what) => (FaultKind::ForbiddenAccess, forbidden(what).to_owned()),
    };
    let mut fault = Fault::new(player, kind, message);
    fault.stderr = last_lines(&report.errors);
    if matches!(
        kind,
        FaultKind::Crash | FaultKind::GaveUp | FaultKind::SilentExit
    ) && misses_a_file(report)
    {
        fault.expected = "a file it looks for is named in its seat, such as \
                          \"files=weights.txt ./bot\", or dir= names its folder"
            .into();
    }
    fault.wall_us = report.wall.as_micros() as u64;
    fault.cpu_us = report.cpu.as_micros() as u64;
    fault
}

/// Whether a program's output suggests a missing file. Programs see only the files their seats
/// name.
fn misses_a_file(report: &RunReport) -> bool {
    const SIGNS: [&str; 13] = [
        "No such file",
        "FileNotFound",
        "ENOENT",
        "NoSuchFile",
        "ModuleNotFoundError",
        "ImportError",
        "Cannot find module",
        "cannot open",
        "can't open",
        "could not open",
        "Could not find or load main class",
        "NoClassDefFoundError",
        "while loading shared libraries",
    ];
    // Exit codes of the shell and the loader if a program cannot be started.
    if matches!(report.outcome, ProgramEnd::Exited(126 | 127)) {
        return true;
    }
    let errors = String::from_utf8_lossy(&report.errors);
    SIGNS.iter().any(|sign| errors.contains(sign))
}

/// A time with microseconds, the precision of comparisons.
pub(crate) fn milliseconds(time: Duration) -> String {
    let micros = time.as_micros();
    format!("{}.{:03} ms", micros / 1000, micros % 1000)
}

/// The message for a time-out. It gives wall time and processor time, which tell a busy program
/// from a busy machine.
pub(super) fn too_late(wall: Duration, cpu: Option<Duration>, limits: &MoveLimits) -> String {
    format!(
        "no answer after {}; a move has {} ms and a grace period of {} ms{}",
        milliseconds(wall),
        limits.move_ms,
        limits.margin_ms,
        cpu.map(cpu_time).unwrap_or_default()
    )
}

/// The end of a sentence about a time-out.
pub(crate) fn cpu_time(cpu: Duration) -> String {
    format!("; it used {} ms of CPU time", cpu.as_millis())
}

pub(super) fn forbidden(what: Forbidden) -> &'static str {
    match what {
        Forbidden::SystemCall => {
            "it made a system call that programs may not make, such as opening a network socket"
        }
        Forbidden::Processes => "it started too many processes",
        Forbidden::Supervisor => "it ended the process that watches it",
        Forbidden::OutOfTurn => "it ran during its opponent's turn",
        Forbidden::Files => "it filled its working directory with more than it may",
        Forbidden::Hiding => "it hid its open files from the process that watches it",
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        7 => " (bus error)",
        8 => " (arithmetic error, such as a division by zero)",
        9 => " (killed)",
        11 => " (segmentation fault: a wrong memory access)",
        13 => " (broken pipe)",
        15 => " (terminated)",
        25 => " (a file grew too large)",
        _ => "",
    }
}
