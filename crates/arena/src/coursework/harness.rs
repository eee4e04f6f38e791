//! Runs scripts through the harness, each script in its own process, many in one run.

use std::time::Duration;

use floe_rules::assignment::{Assignment, WrongAnswer};
use floe_sandbox::{Launch, ProgramEnd, ResourceLimits, run};

use super::build::{Built, Variant};
use super::{CheckError, WorkLimits};
use crate::seat::Sandbox;

/// Output limit of the harness, in bytes.
const OUTPUT: usize = 64 << 20;

/// A compiled harness in the sandbox.
pub(super) struct Harness<'a> {
    pub(super) assignment: &'static dyn Assignment,
    pub(super) variant: Variant,
    built: &'a Built,
    sandbox: &'a Sandbox,
    limits: &'a WorkLimits,
}

/// The result of a script.
#[derive(Debug, Clone, Default)]
pub(super) struct Ran {
    answers: Vec<String>,
    end: End,
    pub(super) ms: u64,
    pub(super) kib: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum End {
    Exit(i32),
    Signal(i32),
    Time,
    /// Unknown: the harness was ended before it wrote the result.
    #[default]
    Unknown,
}

/// The failure of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Answer,
    Crash,
    Time,
}

/// A wrong answer, or none at all.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub(super) wrong: WrongAnswer,
    pub(super) got: String,
    pub(super) kind: Kind,
}

impl<'a> Harness<'a> {
    pub(super) fn new(
        assignment: &'static dyn Assignment,
        built: &'a Built,
        variant: Variant,
        sandbox: &'a Sandbox,
        limits: &'a WorkLimits,
    ) -> Self {
        Harness {
            assignment,
            variant,
            built,
            sandbox,
            limits,
        }
    }

    /// Runs scripts; returns the result of each, in order.
    pub(super) fn run(&self, scripts: &[&[String]]) -> Result<Vec<Ran>, CheckError> {
        let mut all = Vec::new();
        // If a script crashes the harness itself, the scripts after it run in a new one.
        while all.len() < scripts.len() {
            let mut ran = self.run_once(&scripts[all.len()..])?.0;
            if ran.is_empty() {
                ran.push(Ran::default());
            }
            all.append(&mut ran);
        }
        Ok(all)
    }

    /// Whether it runs here at all: memory checkers need more of the system than programs do.
    pub(super) fn works(&self) -> Result<bool, CheckError> {
        let report = run(self.launch(), b"", Duration::from_secs(60));
        let report = report.map_err(|trouble| trouble.to_string())?;
        Ok(report.outcome == ProgramEnd::Exited(0))
    }

    fn launch(&self) -> Launch {
        let seconds = self.variant.seconds(self.limits.seconds);
        let command = self.built.command(self.variant, seconds);
        let mut launch = self.sandbox.launch(command, &self.built.readable());
        launch.environment.push((
            "ASAN_OPTIONS".into(),
            "detect_leaks=0:exitcode=99:allocator_may_return_null=1:detect_stack_use_after_return=0"
                .into(),
        ));
        let memory = self.limits.memory_mib << 20;
        let (memory, data) = match self.variant {
            Variant::Plain => (memory, memory.saturating_mul(8)),
            // The memory checkers reserve terabytes, and use a few times the program's memory.
            _ => (memory.saturating_mul(4), 1 << 46),
        };
        launch.limits = ResourceLimits {
            memory,
            data,
            output: OUTPUT,
            cpu_seconds: 600,
            ..ResourceLimits::default()
        };
        launch
    }

    fn run_once(&self, scripts: &[&[String]]) -> Result<(Vec<Ran>, Vec<u8>), CheckError> {
        let mut input = String::new();
        for (number, calls) in scripts.iter().enumerate() {
            input += &format!("= {number}\n");
            for call in *calls {
                input += call;
                input.push('\n');
            }
        }
        let launch = self.launch();
        let memory = launch.limits.memory;
        let seconds = self.variant.seconds(self.limits.seconds);
        let wall = u64::from(seconds).saturating_mul(10 + scripts.len() as u64);
        let report = run(launch, input.as_bytes(), Duration::from_secs(wall.max(60)));
        let report = report.map_err(|trouble| trouble.to_string())?;
        let mut ran = parse(&String::from_utf8_lossy(&report.output));
        if report.outcome == ProgramEnd::TooMuchMemory
            && let Some(last) = ran.last_mut().filter(|last| last.end == End::Unknown)
        {
            last.kib = memory >> 10;
        }
        Ok((ran, report.errors))
    }

    /// The first wrong answer of a script.
    pub(super) fn failure(&self, calls: &[String], ran: &Ran) -> Option<Failure> {
        let wrong = self.assignment.judge(calls, &ran.answers);
        let is_early = ran.answers.len() < calls.len();
        match wrong {
            Some(wrong) if wrong.call < ran.answers.len() => Some(Failure {
                got: ran.answers[wrong.call].clone(),
                wrong,
                kind: Kind::Answer,
            }),
            _ if is_early || ran.end != End::Exit(0) => {
                let call = ran.answers.len().min(calls.len() - 1);
                let expected = self.assignment.judge(&calls[..=call], &ran.answers[..call]);
                Some(Failure {
                    wrong: WrongAnswer {
                        call,
                        expected: expected.map_or_else(String::new, |wrong| wrong.expected),
                    },
                    got: ran.end.words(self.limits.seconds),
                    kind: match ran.end {
                        End::Time => Kind::Time,
                        _ => Kind::Crash,
                    },
                })
            }
            _ => None,
        }
    }

    /// The complaint of a memory checker about a script, in one line.
    pub(super) fn complaint(&self, calls: &[String]) -> Result<Option<String>, CheckError> {
        if self.variant == Variant::Plain {
            return Ok(None);
        }
        let (_, errors) = self.run_once(&[calls])?;
        let errors = String::from_utf8_lossy(&errors);
        let line = errors.lines().find_map(|line| {
            let found = line.find("AddressSanitizer: ").map(|at| &line[at..]);
            let found = found.or_else(|| line.find("runtime error: ").map(|at| &line[at..]));
            found.or_else(|| {
                let words = ["Invalid ", "uninitialised"];
                let is_told = words.iter().any(|word| line.contains(word));
                is_told.then(|| line.trim_start_matches(['=', ' ']))
            })
        });
        // Addresses differ from run to run.
        let line = line.map(|line| line.split(" on address").next().unwrap_or(line));
        let line = line.map(|line| line.split(" on unknown address").next().unwrap_or(line));
        Ok(line.map(|line| {
            line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '=' || c == ' ')
                .to_owned()
        }))
    }
}

impl End {
    fn words(self, seconds: u32) -> String {
        match self {
            End::Exit(0) => "ended early".to_owned(),
            End::Exit(99) => "stopped by AddressSanitizer".to_owned(),
            End::Exit(code) => format!("ended with code {code}"),
            End::Signal(6) => "ended by abort (signal 6)".to_owned(),
            End::Signal(11) => "ended by a segmentation fault (signal 11)".to_owned(),
            End::Signal(8) => "ended by a division by zero (signal 8)".to_owned(),
            End::Signal(signal) => format!("ended by signal {signal}"),
            End::Time => format!("took more than {seconds} s of processor time"),
            End::Unknown => "used too much memory or did not end".to_owned(),
        }
    }
}

/// The output of the harness.
fn parse(text: &str) -> Vec<Ran> {
    let mut all: Vec<Ran> = Vec::new();
    for line in text.lines() {
        if line.starts_with("= ") {
            all.push(Ran::default());
            continue;
        }
        let Some(ran) = all.last_mut().filter(|ran| ran.end == End::Unknown) else {
            continue;
        };
        match line.strip_prefix("end ") {
            Some(end) => {
                let words: Vec<&str> = end.split(' ').collect();
                let number = |at: usize| words.get(at).and_then(|word| word.parse().ok());
                let code = number(1).unwrap_or(0) as i32;
                ran.end = match words[0] {
                    "exit" => End::Exit(code),
                    "time" => End::Time,
                    _ => End::Signal(code),
                };
                ran.ms = number(2).unwrap_or(0);
                ran.kib = number(3).unwrap_or(0);
            }
            None => ran.answers.push(line.to_owned()),
        }
    }
    all
}
