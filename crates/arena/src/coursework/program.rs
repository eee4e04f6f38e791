//! Feeds a program input, and compares its output byte for byte; plays its game in a terminal.

use std::path::Path;
use std::time::Duration;

use floe_rules::assignment::{Assignment, Input, Printed};
use floe_sandbox::{Launch, ProgramEnd, ProgramFiles, ResourceLimits, run};

use super::{CheckError, Example, MOST_EXAMPLES, WorkLimits, WorkReport};
use crate::seat::Sandbox;

/// Most characters shown of a long text.
const SHOWN: usize = 200;
/// Most runs for shrinking an example.
const RUNS: usize = 120;

/// Checks a program against the rules. `tell` gets each step in a few words.
pub fn check_program(
    assignment: &'static dyn Assignment,
    program: &Path,
    sandbox: &Sandbox,
    limits: &WorkLimits,
    tell: &mut dyn FnMut(&str),
) -> Result<WorkReport, CheckError> {
    let groups = [assignment.input_groups(), assignment.session_groups()].concat();
    let mut report = WorkReport::of(&groups);
    if !program.is_file() {
        let shown = program.display();
        report.refused = Some(format!(
            "{shown} is no program: give the path of an executable file"
        ));
        return Ok(report);
    }
    let runner = Runner {
        assignment,
        program,
        sandbox,
        limits,
    };
    let mut shown: Vec<(&str, Part)> = Vec::new();
    let mut group = "";
    for input in assignment.inputs() {
        if group != input.group {
            group = input.group;
            tell(group);
        }
        let ran = runner.run(&input)?;
        report.note_use(&input.name, ran.ms, ran.kib);
        report.count(input.group, ran.difference.is_none());
        let Some(difference) = ran.difference else {
            continue;
        };
        let kind = (input.group, difference.part);
        if let Some(at) = shown.iter().position(|other| *other == kind) {
            report.examples[at].cases += 1;
        } else if report.examples.len() < MOST_EXAMPLES {
            tell(&format!("shrinking {}", input.name));
            shown.push(kind);
            let (small, difference) = runner.shrink(input.clone(), difference)?;
            report.examples.push(example(&input, &small, difference));
        }
    }
    #[cfg(target_os = "linux")]
    runner.check_sessions(&mut report, tell)?;
    #[cfg(not(target_os = "linux"))]
    report
        .notes
        .push("the game in a terminal was not played: that needs Linux".to_owned());
    // Several groups may shrink to the same example.
    let mut kept: Vec<Example> = Vec::new();
    for example in std::mem::take(&mut report.examples) {
        match kept.iter_mut().find(|other| other.calls == example.calls) {
            Some(same) => same.cases += example.cases,
            None => kept.push(example),
        }
    }
    report.examples = kept;
    Ok(report)
}

fn example(input: &Input, small: &Input, difference: Difference) -> Example {
    let text = String::from_utf8_lossy(&small.bytes()).into_owned();
    Example {
        group: input.group.to_owned(),
        case: input.name.clone(),
        cases: 1,
        calls: text.lines().map(|line| shown(line.as_bytes())).collect(),
        expected: difference.expected,
        got: difference.got,
        c_program: String::new(),
        input: text,
        picture: String::new(),
    }
}

pub(super) struct Runner<'a> {
    pub(super) assignment: &'static dyn Assignment,
    pub(super) program: &'a Path,
    pub(super) sandbox: &'a Sandbox,
    pub(super) limits: &'a WorkLimits,
}

struct Ran {
    difference: Option<Difference>,
    ms: u64,
    kib: u64,
}

/// The output in which a program differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Output,
    Errors,
    End,
}

struct Difference {
    part: Part,
    expected: String,
    got: String,
}

impl Runner<'_> {
    pub(super) fn launch(&self) -> Launch {
        let files = ProgramFiles::find([self.program], Path::new("."));
        let found = Launch::from(files);
        let mut launch = self.sandbox.launch(found.command, &found.readable);
        launch.limits = ResourceLimits {
            memory: self.limits.memory_mib << 20,
            cpu_seconds: u64::from(self.limits.seconds),
            output: 64 << 20,
            ..launch.limits
        };
        launch
    }

    /// Time limit of a program by the wall clock, which a loaded machine needs longer for.
    pub(super) fn wall(&self) -> Duration {
        Duration::from_secs(u64::from(self.limits.seconds) * 10)
    }

    fn run(&self, input: &Input) -> Result<Ran, CheckError> {
        let report = run(self.launch(), &input.bytes(), self.wall());
        let report = report.map_err(|trouble| trouble.to_string())?;
        let printed = self.assignment.printed(input);
        Ok(Ran {
            ms: report.cpu.as_millis() as u64,
            kib: report.peak_kib,
            difference: compare(&printed, &report.outcome, &report.output, &report.errors),
        })
    }

    /// Input with fewer lines at which the program differs in the same part.
    fn shrink(
        &self,
        mut best: Input,
        mut difference: Difference,
    ) -> Result<(Input, Difference), CheckError> {
        let mut runs = 0;
        let mut size = best.lines.len() / 2;
        while size >= 1 && runs < RUNS {
            let mut at = 0;
            while at < best.lines.len() && runs < RUNS {
                let mut fewer = best.clone();
                let end = (at + size).min(fewer.lines.len());
                fewer.lines.drain(at..end);
                runs += 1;
                match self.run(&fewer)?.difference {
                    Some(same) if same.part == difference.part => {
                        (best, difference) = (fewer, same);
                    }
                    _ => at += size,
                }
            }
            size /= 2;
        }
        Ok((best, difference))
    }
}

fn compare(
    printed: &Printed,
    outcome: &ProgramEnd,
    output: &[u8],
    errors: &[u8],
) -> Option<Difference> {
    if *outcome != ProgramEnd::Exited(0) {
        return Some(Difference {
            part: Part::End,
            expected: "exit code 0".to_owned(),
            got: format!("the program {outcome}"),
        });
    }
    let (part, name, expected, got) = if printed.output != output {
        (Part::Output, "standard output", &printed.output[..], output)
    } else if printed.errors != errors {
        (Part::Errors, "standard error", &printed.errors[..], errors)
    } else {
        return None;
    };
    let (line, expected, got) = first_difference(expected, got);
    Some(Difference {
        part,
        expected: format!("line {line} of {name}: {expected}"),
        got,
    })
}

/// The first line in which two texts differ, and both lines.
fn first_difference(expected: &[u8], got: &[u8]) -> (usize, String, String) {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split_inclusive(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (expected, got) = (lines(expected), lines(got));
    let same = expected
        .iter()
        .zip(&got)
        .take_while(|(a, b)| a == b)
        .count();
    let line = |text: &[Vec<u8>]| {
        text.get(same)
            .map_or("nothing".to_owned(), |line| shown(line))
    };
    (same + 1, line(&expected), line(&got))
}

/// Bytes as printable text.
fn shown(bytes: &[u8]) -> String {
    let text = bytes[..bytes.len().min(SHOWN)].escape_ascii().to_string();
    match bytes.len() > SHOWN {
        true => format!("{text}... ({} bytes)", bytes.len()),
        false => text,
    }
}
