use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use floe_rules::Player;
use sha2::{Digest, Sha256};

use super::{Sandbox, Seat, SeatError};
use floe_games::record::MoveLimits;
use floe_games::{AnyGame, Fault, FaultKind};
use floe_sandbox::{Forbidden, Launch, ProgramEnd, ProgramFiles, RunReport, SEARCH_PATH};

/// How a program is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// By the line protocol: started once for a game.
    Line,
    /// In this dialect of the game: started for every move.
    Contest(&'static str),
}

/// Somebody's program.
#[derive(Debug, Clone)]
pub struct ProgramSeat {
    /// How it is spoken to.
    pub protocol: Protocol,
    word: String,
    command: Vec<OsString>,
    /// The files its command names, with full paths.
    files: Vec<PathBuf>,
    /// What it may read.
    readable: Vec<PathBuf>,
    digest: Option<String>,
}

impl ProgramSeat {
    pub(super) fn read(
        word: &str,
        game: &dyn AnyGame,
        folder: &Path,
    ) -> Result<ProgramSeat, SeatError> {
        let dialects = game.dialects();
        let (protocol, command) = match word.split_once(':') {
            Some(("line", rest)) => (Protocol::Line, rest),
            Some((head, rest)) => match dialects.iter().find(|&&known| known == head) {
                Some(dialect) => (Protocol::Contest(dialect), rest),
                None => (usual(&dialects), word),
            },
            None => (usual(&dialects), word),
        };
        let fail = |cause: String| SeatError::Program {
            word: word.to_owned(),
            cause,
        };
        let words = shell_words::split(command).map_err(|e| fail(e.to_string()))?;
        let Some(first) = words.first() else {
            return Err(fail("the program's name is missing".to_owned()));
        };
        if !first.contains('/') && !is_on_path(first) {
            let name = first.clone();
            return Err(SeatError::Unknown { name });
        }
        if first.contains('/') {
            let path = folder.join(first);
            let data = path.metadata().map_err(|e| fail(tell(&e)))?;
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
        // A script that is misspelt would otherwise be its interpreter's error in every game.
        for script in words.iter().skip(1) {
            if looks_like_script(script) && !folder.join(script).is_file() {
                return Err(fail(format!("there is no file {script}")));
            }
        }
        let ProgramFiles {
            command,
            files,
            folders,
        } = ProgramFiles::find(&words, folder);
        let digest = digest(&files).map_err(|e| fail(tell(&e)))?;
        Ok(ProgramSeat {
            protocol,
            word: word.to_owned(),
            command,
            files,
            readable: folders,
            digest,
        })
    }

    /// The word that names it.
    pub fn word(&self) -> &str {
        &self.word
    }

    /// SHA-256 of the files its command names, in hexadecimal; none for a program of the system.
    pub fn digest(&self) -> Option<&str> {
        self.digest.as_deref()
    }

    /// The words that start it, with full paths.
    pub fn command(&self) -> &[OsString] {
        &self.command
    }

    /// How to start it with these further words.
    pub(super) fn launch(&self, sandbox: &Sandbox, limits: &MoveLimits, more: &[String]) -> Launch {
        let words = self.command.iter().cloned();
        let mut launch = Launch::of(words.chain(more.iter().map(OsString::from)));
        launch.readable.clone_from(&self.readable);
        launch.limits.clone_from(&sandbox.limits);
        launch.limits.memory = limits.memory_mib << 20;
        launch.limits.data = launch.limits.data.max(launch.limits.memory);
        launch.layers = sandbox.layers;
        launch.helper.clone_from(&sandbox.helper);
        launch.pool.clone_from(&sandbox.pool);
        launch.cores.clone_from(&sandbox.cores);
        launch
    }
}

/// Lets nobody read another's program: where programs share a folder, each may read its own files
/// there and nothing else. Returns the words of those for whom that makes a difference.
pub fn isolate_programs(seats: &mut [Seat]) -> Vec<String> {
    let homes: Vec<Vec<PathBuf>> = seats
        .iter()
        .map(|seat| match seat {
            Seat::Program(program) => program.files.clone(),
            _ => Vec::new(),
        })
        .collect();
    let mut narrowed = Vec::new();
    for (number, seat) in seats.iter_mut().enumerate() {
        let Seat::Program(program) = seat else {
            continue;
        };
        let own = program.files.clone();
        let is_shared = |folder: &PathBuf| {
            let others = homes
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != number);
            let mut files = others.flat_map(|(_, files)| files);
            files.any(|file| file.starts_with(folder) && !own.contains(file))
        };
        if program.readable.iter().any(is_shared) {
            program.readable.retain(|folder| !is_shared(folder));
            program.readable.extend(own);
            narrowed.push(program.word.clone());
        }
    }
    narrowed
}

/// The contest's dialect, or the line protocol for games whose contest has none.
fn usual(dialects: &[&'static str]) -> Protocol {
    dialects
        .first()
        .map_or(Protocol::Line, |&dialect| Protocol::Contest(dialect))
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

fn tell(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "it may not be read".to_owned(),
        _ => error.to_string(),
    }
}

fn digest(files: &[PathBuf]) -> io::Result<Option<String>> {
    if files.is_empty() {
        return Ok(None);
    }
    let mut hash = Sha256::new();
    for file in files {
        let mut from = BufReader::new(File::open(file)?);
        loop {
            let block = from.fill_buf()?;
            if block.is_empty() {
                break;
            }
            hash.update(block);
            let read = block.len();
            from.consume(read);
        }
    }
    let mut text = String::new();
    for byte in hash.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(Some(text))
}

/// The last lines of standard error, as text for people.
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
    let plain = |c: char| {
        if c.is_control() && c != '\n' && c != '\t' {
            '\u{fffd}'
        } else {
            c
        }
    };
    shown.chars().map(plain).collect()
}

/// The fault behind the end of a program that gave no answer. `meaning` is what the dialect says
/// about an exit code.
pub(crate) fn fault_of(
    player: Player,
    report: &RunReport,
    limits: &MoveLimits,
    meaning: Option<&str>,
) -> Fault {
    let (kind, message) = match report.outcome {
        ProgramEnd::TimedOut => (FaultKind::Timeout, too_late(report.wall, limits)),
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
                FaultKind::Crash,
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
    fault.wall_us = report.wall.as_micros() as u64;
    fault
}

pub(super) fn too_late(wall: Duration, limits: &MoveLimits) -> String {
    format!(
        "no answer after {} ms; a move has {} ms and a margin of {} ms",
        wall.as_millis(),
        limits.move_ms,
        limits.margin_ms
    )
}

fn forbidden(what: Forbidden) -> &'static str {
    match what {
        Forbidden::SystemCall => {
            "it made a system call that programs may not make, such as opening a network socket"
        }
        Forbidden::Processes => "it started too many processes",
        Forbidden::Keeper => "it ended the process that watches it",
        Forbidden::OutOfTurn => "it went on while it was not its turn",
        Forbidden::Files => "it filled its working directory with more than it may",
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
