//! Builds untrusted uploads in the sandbox: without network, with no other files, and with limits
//! on time, memory, processes, disk and output.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use floe_sandbox::{
    Forbidden, Launch, MachineFailure, NextLine, Program, ProgramEnd, ResourceLimits,
};
use thiserror::Error;

use crate::build_sandbox::BuildSandbox;
use crate::description::BuildLimits;

/// Output of a build, in bytes, at which the build is ended; only part of it is stored.
const WORDS: u64 = 16 << 20;
/// The longest stored line, in bytes.
const LINE: usize = 1000;
/// Most open files of a build; its largest file may be as large as its disk.
const DESCRIPTORS: u64 = 1024;

/// The reason why the build failed.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The sender's doing.
    #[error("{0}")]
    Refused(String),
    /// A machine failure: the build is retried.
    #[error(transparent)]
    MachineFailure(#[from] MachineFailure),
}

/// A build in a folder: its commands share one time limit and one limit of output.
pub(crate) struct Build<'a> {
    build_sandbox: &'a BuildSandbox,
    limits: &'a BuildLimits,
    /// Folders the build may read besides the system's.
    readable: &'a [PathBuf],
    folder: &'a Path,
    began: Instant,
    /// Bytes of output so far.
    said: u64,
    /// The cores the build runs on; all cores if empty.
    cores: Vec<usize>,
}

impl<'a> Build<'a> {
    /// Starts a build.
    pub(crate) fn begin(
        build_sandbox: &'a BuildSandbox,
        limits: &'a BuildLimits,
        readable: &'a [PathBuf],
        folder: &'a Path,
    ) -> Build<'a> {
        Build {
            build_sandbox,
            limits,
            readable,
            folder,
            began: Instant::now(),
            said: 0,
            cores: Vec::new(),
        }
    }

    /// Pins the commands to these cores.
    pub(crate) fn keep_to(&mut self, cores: &[usize]) {
        self.cores = cores.to_vec();
    }

    /// Runs the next command, and reports its output line by line.
    pub(crate) fn run(
        &mut self,
        command: &[String],
        notify: &mut dyn FnMut(&str),
    ) -> Result<(), BuildError> {
        let Build {
            build_sandbox,
            limits,
            folder,
            ..
        } = *self;
        let name = command.first().map_or("", String::as_str);
        let name = name.rsplit('/').next().unwrap_or(name).to_owned();
        let mut launch = Launch::of(merged(command));
        launch.readable = self.readable.to_vec();
        launch.cores.clone_from(&self.cores);
        launch.work = Some(folder.to_owned());
        launch.environment = vec![
            ("GOCACHE".into(), folder.join(".cache").into()),
            ("GOFLAGS".into(), "-mod=mod".into()),
            ("GO111MODULE".into(), "off".into()),
            ("PYTHONPYCACHEPREFIX".into(), folder.join(".cache").into()),
        ];
        launch.limits = ResourceLimits {
            memory: limits.memory,
            data: limits.memory.saturating_mul(2),
            address_space: None,
            cpu_seconds: limits.time.as_secs().saturating_mul(4).max(1),
            file_size: limits.disk,
            files: DESCRIPTORS,
            processes: limits.processes,
            threads: limits.processes,
            output: 1 << 20,
            disk: limits.disk,
            entries: 20_000,
        };
        launch.layers = build_sandbox.layers();
        launch.helper.clone_from(build_sandbox.helper());
        let left = self.left();
        if left.is_zero() {
            return refuse(self.too_long(&name));
        }
        let mut program = Program::start(launch)?;
        program.send(b"");
        let began = Instant::now();
        let mut is_flooding = false;
        loop {
            match program.read_line(self.left())? {
                NextLine::Line(line) => {
                    self.said += line.len() as u64 + 1;
                    if self.said > WORDS {
                        is_flooding = true;
                        break;
                    }
                    let text = String::from_utf8_lossy(&line[..line.len().min(LINE)]);
                    notify(&visible(&text));
                }
                NextLine::TooMuch => {
                    is_flooding = true;
                    break;
                }
                NextLine::Late | NextLine::End => break,
            }
        }
        if is_flooding {
            program.stop()?;
            return refuse(format!(
                "the build wrote more than {} MiB of messages: {name} was ended",
                WORDS >> 20
            ));
        }
        let left = self.left().max(Duration::from_millis(1));
        let report = program.close_and_wait(began.elapsed() + left)?;
        match report.outcome {
            ProgramEnd::Exited(0) => Ok(()),
            ProgramEnd::Exited(code) => refuse(format!(
                "the build failed: {name} ended with code {code}; its messages are above"
            )),
            ProgramEnd::TimedOut | ProgramEnd::Stopped => refuse(self.too_long(&name)),
            ProgramEnd::TooMuchMemory => refuse(format!(
                "the build used more than {} MiB of memory: {name} was ended",
                limits.memory >> 20
            )),
            ProgramEnd::Forbidden(Forbidden::Processes) => refuse(format!(
                "the build started more than {} processes: {name} was ended",
                limits.processes
            )),
            ProgramEnd::Forbidden(Forbidden::Files) => refuse(format!(
                "the build wrote more than {} MiB or too many files: {name} was ended",
                limits.disk >> 20
            )),
            other => refuse(format!("the build failed: {name} {other}")),
        }
    }

    /// The build's remaining time.
    fn left(&self) -> Duration {
        self.limits.time.saturating_sub(self.began.elapsed())
    }

    fn too_long(&self, command: &str) -> String {
        format!(
            "the build took longer than {} s: {command} was ended",
            self.limits.time.as_secs_f64()
        )
    }
}

fn refuse(why: String) -> Result<(), BuildError> {
    Err(BuildError::Refused(why))
}

/// The command with standard error merged into its output, and an empty input.
fn merged(command: &[String]) -> impl Iterator<Item = OsString> + '_ {
    let shell = ["/bin/sh", "-c", "exec \"$@\" 2>&1 </dev/null", "build"];
    (shell.into_iter().map(OsString::from)).chain(command.iter().map(OsString::from))
}

/// The text without control characters.
pub(crate) fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\t' => ' ',
        c if floe_rules::text::is_visible(c) => c,
        _ => '\u{fffd}',
    };
    text.trim_end().chars().map(shown).collect()
}
