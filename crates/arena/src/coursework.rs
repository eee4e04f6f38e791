//! Holding what students hand in against the rules.
//!
//! [`check_library`] compiles a library with a harness and has it answer scripts in the sandbox;
//! [`check_program`] feeds a program input and
//! plays its game in a terminal. Both know no game: an
//! [`Assignment`] says what to ask and what is right. Every wrong answer
//! is shrunk to the fewest calls that show it, and shown once.

mod bot;
mod build;
mod grade;
mod harness;
mod program;
#[cfg(target_os = "linux")]
mod session;
#[cfg(target_os = "linux")]
mod sessions;
mod shrink;

pub use bot::{bot_parts, check_bot};
pub use grade::{
    GradeError, GroupPoints, Part, Points, PointsError, Work, digest, name_of, store, stored,
    submissions,
};
pub use program::check_program;
#[cfg(target_os = "linux")]
pub use sessions::check_terminal;

use std::path::Path;

use floe_rules::assignment::{Assignment, Script, WrongAnswer};
use serde::{Deserialize, Serialize};

use self::build::Variant;
use self::harness::{Failure, Harness, Kind};
use crate::seat::Sandbox;

/// Limits of handed-in programs and libraries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkLimits {
    /// Processor seconds of a script or an input.
    pub seconds: u32,
    /// Memory in MiB.
    pub memory_mib: u64,
}

impl Default for WorkLimits {
    fn default() -> Self {
        WorkLimits {
            seconds: 2,
            memory_mib: 1024,
        }
    }
}

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkReport {
    /// The reason why nothing could be checked, such as the compiler's messages.
    pub refused: Option<String>,
    /// The groups of checks, in order.
    pub groups: Vec<GroupResult>,
    /// The faults, each cause once.
    pub examples: Vec<Example>,
    /// Checks that were left out, with the reason.
    pub notes: Vec<String>,
    /// The longest processor time of a case, in milliseconds, and the case.
    pub slowest_ms: u64,
    /// The case that took the longest.
    pub slowest_case: String,
    /// The most memory, in KiB.
    pub peak_kib: u64,
}

/// A group of checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupResult {
    /// Its name.
    pub name: String,
    /// Cases without a wrong answer.
    pub passed: usize,
    /// Cases.
    pub total: usize,
}

/// The smallest case found that shows a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Its group.
    pub group: String,
    /// The case it was found in.
    pub case: String,
    /// Number of cases that fail at the same call in the same way.
    pub cases: usize,
    /// Steps to repeat the fault: library calls, lines of input, a line and keys, or a command.
    pub calls: Vec<String>,
    /// The right result of the last call.
    pub expected: String,
    /// The actual result.
    pub got: String,
    /// A C program that shows the fault; empty for programs.
    pub c_program: String,
    /// Input of the program that shows the fault, if there is one.
    pub input: String,
    /// The board before the last call.
    pub picture: String,
}

impl WorkReport {
    /// Whether no fault was found.
    pub fn is_right(&self) -> bool {
        self.refused.is_none() && self.groups.iter().all(|group| group.passed == group.total)
    }

    fn of(names: &[&str]) -> WorkReport {
        let group = |name: &&str| GroupResult {
            name: (*name).to_owned(),
            passed: 0,
            total: 0,
        };
        WorkReport {
            groups: names.iter().map(group).collect(),
            ..WorkReport::default()
        }
    }

    fn count(&mut self, group: &str, is_passed: bool) {
        if let Some(result) = self.groups.iter_mut().find(|result| result.name == group) {
            result.total += 1;
            result.passed += usize::from(is_passed);
        }
    }

    fn note_use(&mut self, case: &str, ms: u64, kib: u64) {
        if ms > self.slowest_ms || self.slowest_case.is_empty() {
            self.slowest_ms = ms;
            case.clone_into(&mut self.slowest_case);
        }
        self.peak_kib = self.peak_kib.max(kib);
    }
}

/// Most examples in a report; fixing these lets the next run show others.
const MOST_EXAMPLES: usize = 8;

/// Most examples with the same function and the same kind of fault.
const MOST_ALIKE: usize = 2;

/// The machine failure that stopped a check.
pub type CheckError = String;

const NO_CHECKER: &str = "neither AddressSanitizer nor valgrind works here: memory errors without visible effects are not found";

/// Checks a library against the rules: a shared library, an archive, or a folder with sources. `tell`
/// gets each step in a few words.
pub fn check_library(
    assignment: &'static dyn Assignment,
    path: &Path,
    sandbox: &Sandbox,
    limits: &WorkLimits,
    tell: &mut dyn FnMut(&str),
) -> Result<WorkReport, CheckError> {
    let mut report = WorkReport::of(assignment.groups());
    tell("compiling");
    let built = match build::build(assignment, path, sandbox)? {
        Ok(built) => built,
        Err(why) => {
            report.refused = Some(why);
            return Ok(report);
        }
    };
    let harness = Harness::new(assignment, &built, Variant::Plain, sandbox, limits);
    let mut failures = run_all(&harness, &mut report, tell)?;
    let mut watched = None;
    for &variant in &built.checkers {
        let checker = Harness::new(assignment, &built, variant, sandbox, limits);
        if checker.works()? {
            watched = Some(checker);
            break;
        }
    }
    match watched {
        Some(watched) => {
            failures.extend(run_watched(&watched, &failures, &mut report, tell)?);
        }
        None => report.notes.push(NO_CHECKER.to_owned()),
    }
    let mut shown: Vec<(String, Kind)> = Vec::new();
    for cause in causes(failures) {
        let (word, kind, _) = cause.first.kind();
        let place = (word.to_owned(), kind);
        // One cause shows in many groups, and random games repeat what hand-written cases have
        // shown.
        let times = shown.iter().filter(|other| **other == place).count();
        let most = if cause.is_random() { 1 } else { MOST_ALIKE };
        if times >= most {
            let first = shown.iter().position(|other| *other == place);
            report.examples[first.unwrap_or(0)].cases += cause.cases;
            continue;
        }
        if report.examples.len() == MOST_EXAMPLES {
            let more = "there are more faults; fix these first";
            report.notes.push(more.to_owned());
            break;
        }
        tell(&format!("shrinking {}", cause.first.script.name));
        let watched;
        let harness = match cause.first.variant {
            Variant::Plain => &harness,
            variant => {
                watched = Harness::new(assignment, &built, variant, sandbox, limits);
                &watched
            }
        };
        let example = cause.example(assignment, harness)?;
        match report
            .examples
            .iter_mut()
            .find(|e| e.calls == example.calls)
        {
            Some(same) => same.cases += example.cases,
            None => {
                report.examples.push(example);
                shown.push(place);
            }
        }
    }
    Ok(report)
}

/// A script with a wrong answer.
struct Failed {
    script: Script,
    failure: Failure,
    variant: Variant,
}

impl Failed {
    /// The function, how it went wrong, and the group.
    fn kind(&self) -> (&str, Kind, &str) {
        let call = self.script.calls.get(self.failure.wrong.call);
        (shrink::word(call), self.failure.kind, self.script.group)
    }
}

/// Scripts that fail at the same function in the same way.
struct Cause {
    first: Failed,
    cases: usize,
}

fn run_all(
    harness: &Harness<'_>,
    report: &mut WorkReport,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Failed>, CheckError> {
    let mut failures = Vec::new();
    let scripts = harness.assignment.scripts();
    for group in harness.assignment.groups() {
        tell(group);
        let of_group: Vec<&Script> = scripts.iter().filter(|s| s.group == *group).collect();
        let calls: Vec<&[String]> = of_group.iter().map(|script| &script.calls[..]).collect();
        for (script, ran) in of_group.iter().zip(harness.run(&calls)?) {
            report.note_use(&script.name, ran.ms, ran.kib);
            let failure = harness.failure(&script.calls, &ran);
            report.count(group, failure.is_none());
            failures.extend(failure.map(|failure| Failed {
                script: (*script).clone(),
                failure,
                variant: Variant::Plain,
            }));
        }
    }
    Ok(failures)
}

/// Runs the small scripts that passed again, under a memory checker.
fn run_watched(
    harness: &Harness<'_>,
    failed: &[Failed],
    report: &mut WorkReport,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Failed>, CheckError> {
    tell(harness.variant.name());
    let has_failed = |script: &Script| failed.iter().any(|f| f.script.name == script.name);
    let mut scripts = harness.assignment.scripts();
    scripts.retain(|script| script.is_small && !has_failed(script));
    if harness.variant == Variant::Valgrind {
        // A memory checker takes a second to start and runs fifty times slower.
        scripts.retain(|script| script.is_written);
    }
    let calls: Vec<&[String]> = scripts.iter().map(|script| &script.calls[..]).collect();
    let all = harness.run(&calls)?;
    let mut failures = Vec::new();
    for (script, ran) in scripts.into_iter().zip(all) {
        if let Some(failure) = harness.failure(&script.calls, &ran) {
            let group = report.groups.iter_mut().find(|g| g.name == script.group);
            if let Some(group) = group {
                group.passed = group.passed.saturating_sub(1);
            }
            failures.push(Failed {
                script,
                failure,
                variant: harness.variant,
            });
        }
    }
    Ok(failures)
}

/// One failure of each kind, the one with the fewest calls, in the order they were found.
fn causes(failures: Vec<Failed>) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    for failed in failures {
        match causes.iter_mut().find(|c| c.first.kind() == failed.kind()) {
            None => causes.push(Cause {
                first: failed,
                cases: 1,
            }),
            Some(cause) => {
                cause.cases += 1;
                if failed.failure.wrong.call < cause.first.failure.wrong.call {
                    cause.first = failed;
                }
            }
        }
    }
    // A hand-written case explains more than a random one.
    causes.sort_by_key(|cause| {
        let call = cause.first.failure.wrong.call;
        (cause.is_random(), call)
    });
    causes
}

impl Cause {
    fn is_random(&self) -> bool {
        !self.first.script.is_written
    }

    fn example(
        &self,
        assignment: &'static dyn Assignment,
        harness: &Harness<'_>,
    ) -> Result<Example, CheckError> {
        let Failed {
            script, failure, ..
        } = &self.first;
        let (calls, failure) = shrink::shrink(harness, &script.calls, failure)?;
        let wrong = WrongAnswer {
            call: calls.len() - 1,
            ..failure.wrong.clone()
        };
        let got = match harness.complaint(&calls)? {
            Some(complaint) => format!("{}: {complaint}", failure.got),
            None => failure.got.clone(),
        };
        Ok(Example {
            group: script.group.to_owned(),
            case: script.name.clone(),
            cases: self.cases,
            expected: wrong.expected.clone(),
            c_program: assignment.c_program(&calls, &wrong, &got),
            input: assignment.input_of(&calls).unwrap_or_default(),
            picture: assignment.picture(&calls),
            got,
            calls,
        })
    }
}
