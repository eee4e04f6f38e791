use std::fs;
use std::time::Duration;

use floe_rules::text::visible;
use floe_rules::{Argument, DialectError, Expect, ParseError, Request, Sort};

use super::program::{fault_of, last_lines};
use super::{Failure, ProgramSeat, Sandbox, SeatDriver, TimedMove, TurnContext};
use floe_games::{BoundDialect, Fault, FaultKind};
use floe_sandbox::{LeftFiles, OutputError, ProgramEnd, RunReport, WorkFolder, run};

/// The files of a question, in the program's working directory.
const INPUT: &str = "in.txt";
const OUTPUT: &str = "out.txt";
/// The longest answer that is read.
const LONGEST: usize = 1 << 20;
/// Bytes stored of a refused answer.
const KEPT: usize = 4096;

/// A program that starts for every move, with a fresh working directory each time.
pub(crate) struct PerMoveProgram {
    program: ProgramSeat,
    dialect: &'static str,
    sandbox: Sandbox,
    /// The program's own name, once known.
    pub(crate) name: Option<String>,
    has_told_name: bool,
    /// Names of the calls that ask for no move.
    extra_calls: Vec<&'static str>,
}

/// The result of a program's run.
pub(crate) struct ProgramRun {
    pub(crate) report: RunReport,
    pub(crate) answer: Result<Vec<u8>, OutputError>,
    /// Whether the answer is in a file, and standard output should be empty.
    answers_in_file: bool,
    /// A file that the program should not have written or changed.
    stray: Option<String>,
    /// The program's working directory, removed on drop.
    _work: WorkFolder,
}

impl ProgramRun {
    /// The last lines of standard output, unless standard output is the answer.
    pub(crate) fn said(&self) -> String {
        match self.answers_in_file {
            true => last_lines(&self.report.output),
            false => String::new(),
        }
    }

    /// Names of the files left in the working directory besides the question and the answer, in
    /// order. Reads the directory.
    pub(crate) fn left(&self) -> Vec<String> {
        let mut names = self.report.left.names();
        names.retain(|name| name != INPUT && name != OUTPUT);
        names
    }
}

impl ProgramRun {
    /// Whether the program correctly ended without a move or after an error, and left the right
    /// file.
    pub(crate) fn ends_with(
        &self,
        at: &TurnContext<'_>,
        ask: &Request,
        code: i32,
        output: Option<&str>,
    ) -> Result<(), Failure> {
        let report = &self.report;
        let fail = |kind, message: String| {
            let mut fault = Fault::new(at.player, kind, message);
            fault.stderr = last_lines(&report.errors);
            fault.stdout = self.said();
            fault.wall_us = report.wall.as_micros() as u64;
            fault.expected = format!("exit code {code}");
            Failure::from(fault)
        };
        match report.outcome {
            ProgramEnd::Exited(found) if found == code => {}
            ProgramEnd::Exited(found) => {
                let message = format!("it ended with exit code {found} instead of {code}");
                let kind = match found {
                    0 => FaultKind::IllegalMove,
                    _ => FaultKind::GaveUp,
                };
                return Err(fail(kind, message));
            }
            _ => {
                let mut fault = fault_of(at.player, report, at.limits, None);
                fault.stdout = self.said();
                return Err(fault.into());
            }
        }
        if !ask.arguments.contains(&Argument::Output) {
            return Ok(());
        }
        let lines = |text: &str| -> Vec<String> {
            text.trim_end()
                .lines()
                .map(|l| l.trim_end().to_owned())
                .collect()
        };
        let tampering = FaultKind::FileTampering;
        match (output, &self.answer) {
            (None, Err(OutputError::Missing(_))) => Ok(()),
            (None, _) => {
                let message = "it wrote its output file although it had no move";
                Err(fail(tampering, message.to_owned()))
            }
            (Some(_), Err(trouble)) => {
                let message = format!("the state is not passed on: {trouble}");
                Err(fail(FaultKind::SilentExit, message))
            }
            (Some(text), Ok(bytes)) => {
                match lines(text) == lines(&String::from_utf8_lossy(bytes)) {
                    true => Ok(()),
                    false => {
                        let message = "the state it passes on differs from the one it was given";
                        Err(fail(tampering, message.to_owned()))
                    }
                }
            }
        }
    }
}

impl PerMoveProgram {
    pub(crate) fn new(program: ProgramSeat, dialect: &'static str, sandbox: Sandbox) -> Self {
        let name = program.id().map(str::to_owned);
        PerMoveProgram {
            program,
            dialect,
            sandbox,
            name,
            has_told_name: false,
            extra_calls: Vec::new(),
        }
    }

    /// Starts the program, asks one question, and waits for the end.
    pub(crate) fn visit(
        &self,
        at: &TurnContext<'_>,
        ask: &Request,
        limit: Duration,
    ) -> Result<ProgramRun, Failure> {
        let machine = |error: &dyn std::fmt::Display| Failure::MachineFailure(error.to_string());
        let ask = &self.program.adapted(ask);
        let work = WorkFolder::private().map_err(|e| machine(&e))?;
        if let Some(file) = &ask.file {
            fs::write(work.path().join(INPUT), file).map_err(|e| machine(&e))?;
        }
        let words: Vec<String> = ask
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Word(word) => word.clone(),
                Argument::Input | Argument::InPlace => INPUT.to_owned(),
                Argument::Output => OUTPUT.to_owned(),
            })
            .collect();
        let mut launch = self.program.launch(&self.sandbox, at.limits, &words)?;
        launch.work = Some(work.path().to_owned());
        // Only the answer is read; other files stay behind.
        launch.brings_back = false;
        let report = run(launch, ask.input.as_bytes(), limit).map_err(|e| machine(&e))?;
        let answer = if ask.arguments.contains(&Argument::Output) {
            report.left.read(OUTPUT, LONGEST)
        } else if ask.arguments.contains(&Argument::InPlace) {
            report.left.read(INPUT, LONGEST)
        } else {
            Ok(report.output.clone())
        };
        let stray = stray(&report.left, ask);
        let answers_in_file = ask.file.is_some() || ask.arguments.contains(&Argument::Output);
        Ok(ProgramRun {
            report,
            answer,
            answers_in_file,
            stray,
            _work: work,
        })
    }

    /// Asks the program for its name, if the dialect needs it: tries the dialect's questions until
    /// the program answers one. Returns the last question and its output; `None` if no name is
    /// needed.
    pub(crate) fn introduce(
        &mut self,
        at: &TurnContext<'_>,
        dialect: &dyn BoundDialect,
    ) -> Result<Option<(Request, String)>, Failure> {
        let mut failed = None;
        for ask in dialect.introductions() {
            match self.ask_name(at, &ask, dialect) {
                Ok((name, said)) => {
                    self.name = Some(name);
                    return Ok(Some((ask, said)));
                }
                // The contest's own dialect comes first, and its error is the one reported.
                Err(fault @ Failure::Fault(_)) => {
                    failed.get_or_insert(fault);
                }
                Err(other) => return Err(other),
            }
        }
        failed.map_or(Ok(None), Err)
    }

    /// The name in the answer to this question, with the whole answer.
    fn ask_name(
        &self,
        at: &TurnContext<'_>,
        ask: &Request,
        dialect: &dyn BoundDialect,
    ) -> Result<(String, String), Failure> {
        let limit = Duration::from_millis(at.limits.start_ms);
        let visit = self.visit(at, ask, limit)?;
        if visit.report.outcome != ProgramEnd::Exited(0) {
            let mut fault = fault_of(at.player, &visit.report, at.limits, None);
            fault.message = format!("asked for its name, {}", fault.message);
            fault.stdout = last_lines(&visit.report.output);
            return Err(fault.into());
        }
        let text = read(&visit.report.output).map_err(|e| refuse(at, &visit, &e.into()))?;
        let name = dialect.introduced(text);
        let name = name.map_err(|e| refuse(at, &visit, &e.into()))?;
        Ok((name, text.to_owned()))
    }
}

impl SeatDriver for PerMoveProgram {
    fn decide(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure> {
        match self.answer(at) {
            Ok(mut decision) => {
                if !self.has_told_name {
                    decision.id.clone_from(&self.name);
                    self.has_told_name = self.name.is_some();
                }
                Ok(decision)
            }
            Err(Failure::Fault(mut fault)) => {
                fault.id = self.name.clone().unwrap_or_default();
                Err(Failure::Fault(fault))
            }
            Err(other) => Err(other),
        }
    }
}

impl PerMoveProgram {
    fn answer(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure> {
        let dialect = at.position.dialect(self.dialect);
        let dialect = dialect.map_err(|error| Failure::MachineFailure(error.to_string()))?;
        if self.name.is_none() {
            self.introduce(at, &*dialect)?;
        }
        let limit = Duration::from_millis(at.limits.move_ms + at.limits.margin_ms);
        if self.program.has_extra_calls() {
            for trial in dialect.extra_calls(self.name.as_deref()) {
                let Expect::Exit { code, output } = &trial.expect else {
                    continue;
                };
                if !self.extra_calls.contains(&trial.case) {
                    self.extra_calls.push(trial.case);
                    let visit = self.visit(at, &trial.ask, limit)?;
                    visit.ends_with(at, &trial.ask, *code, output.as_deref())?;
                }
            }
        }
        let ask = dialect.request(self.name.as_deref());
        let visit = self.visit(at, &ask, limit)?;
        self.understand(at, &visit, &*dialect)
    }
}

impl PerMoveProgram {
    /// The move in a program's answer, or the fault of the answer.
    pub(crate) fn understand(
        &mut self,
        at: &TurnContext<'_>,
        visit: &ProgramRun,
        dialect: &dyn BoundDialect,
    ) -> Result<TimedMove, Failure> {
        let report = &visit.report;
        let meaning = match report.outcome {
            ProgramEnd::Exited(0) => None,
            ProgramEnd::Exited(code) => Some(dialect.exit(code)),
            _ => Some(None),
        };
        if let Some(meaning) = meaning {
            let mut fault = fault_of(at.player, report, at.limits, meaning);
            fault.stdout = visit.said();
            return Err(fault.into());
        }
        if let Some(file) = &visit.stray {
            let message = format!("it wrote a file it was not asked for: {file}");
            let mut fault = Fault::new(at.player, FaultKind::FileTampering, message);
            fault.stderr = last_lines(&report.errors);
            fault.stdout = visit.said();
            return Err(fault.into());
        }
        let bytes = match &visit.answer {
            Ok(bytes) => bytes,
            Err(trouble) => return Err(unread(at, visit, trouble)),
        };
        if bytes.is_empty() {
            let mut silent = report.clone();
            silent.outcome = ProgramEnd::Exited(0);
            let mut fault = fault_of(at.player, &silent, at.limits, None);
            fault.stdout = visit.said();
            return Err(fault.into());
        }
        let text = read(bytes).map_err(|e| refuse(at, visit, &e.into()))?;
        let answer = dialect.answer(self.name.as_deref(), text);
        let answer = answer.map_err(|objection| refuse(at, visit, &objection))?;
        if answer.name.is_some() {
            self.name = answer.name;
        }
        Ok(TimedMove {
            mv: answer.mv,
            wall: report.wall,
            cpu: report.cpu,
            peak_kib: report.peak_kib,
            note: String::new(),
            stderr: last_lines(&report.errors),
            id: None,
            is_timed: true,
        })
    }
}

/// A file in the working directory that should not exist or was changed.
fn stray(left: &LeftFiles, ask: &Request) -> Option<String> {
    let has = |argument| ask.arguments.contains(&argument);
    if has(Argument::InPlace) {
        return None;
    }
    if let Some(file) = &ask.file {
        let now = left.read(INPUT, file.len());
        if now.ok().as_deref() != Some(file.as_bytes()) {
            return Some(format!("{INPUT} was changed"));
        }
        // A program that writes through a temporary file may leave that file behind.
        return None;
    }
    if has(Argument::Output) {
        return None;
    }
    let name = left.names().into_iter().next()?;
    Some(floe_rules::text::quoted(&name).to_string())
}

/// The answer as text.
fn read(bytes: &[u8]) -> Result<&str, ParseError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let (line, column) = place(&bytes[..error.valid_up_to()]);
        ParseError::new(line, column, "the answer is not text in UTF-8")
    })?;
    match bytes.iter().position(|&byte| byte == 0) {
        None => Ok(text),
        Some(at) => {
            let (line, column) = place(&bytes[..at]);
            Err(ParseError::new(
                line,
                column,
                "the answer has a NUL byte in it",
            ))
        }
    }
}

/// The line and column after these bytes.
fn place(before: &[u8]) -> (u32, u32) {
    let text = String::from_utf8_lossy(before);
    let line = text.matches('\n').count() as u32 + 1;
    let last = text.rsplit('\n').next().unwrap_or_default();
    (line, last.chars().count() as u32 + 1)
}

fn refuse(at: &TurnContext<'_>, visit: &ProgramRun, objection: &DialectError) -> Failure {
    let kind = match objection.sort {
        Sort::Unreadable => FaultKind::UnreadableAnswer,
        Sort::Illegal => FaultKind::IllegalMove,
        Sort::Tampered => FaultKind::FileTampering,
    };
    let mut fault = Fault::new(at.player, kind, objection.cause.clone());
    fault.at = Some((objection.line, objection.column));
    fault.expected = objection.help.to_string();
    fault.stderr = last_lines(&visit.report.errors);
    fault.stdout = visit.said();
    fault.wall_us = visit.report.wall.as_micros() as u64;
    if let Ok(answer) = &visit.answer {
        fault.answer = excerpt(answer);
    }
    fault.into()
}

/// The start of an answer, as readable text.
fn excerpt(answer: &[u8]) -> String {
    let cut = &answer[..answer.len().min(KEPT)];
    visible(&String::from_utf8_lossy(cut)).into_owned()
}

fn unread(at: &TurnContext<'_>, visit: &ProgramRun, trouble: &OutputError) -> Failure {
    let kind = match trouble {
        OutputError::Missing(_) => FaultKind::SilentExit,
        // Any fault of the answer file is the program's.
        OutputError::NotAFile(_) | OutputError::Unreadable { .. } => FaultKind::FileTampering,
        OutputError::TooLong { .. } => FaultKind::TooMuchOutput,
        OutputError::BadName(_) => return Failure::MachineFailure(trouble.to_string()),
    };
    let mut fault = Fault::new(at.player, kind, format!("after it ended, {trouble}"));
    fault.stderr = last_lines(&visit.report.errors);
    fault.stdout = visit.said();
    fault.wall_us = visit.report.wall.as_micros() as u64;
    fault.into()
}
