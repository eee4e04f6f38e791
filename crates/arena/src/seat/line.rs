use std::time::Duration;

use floe_rules::Player;
use floe_rules::text::{quoted, visible};

use super::program::{cpu_time, fault_of, forbidden, last_lines, milliseconds, too_late};
use super::silence;
use super::{Failure, ProgramSeat, Sandbox, SeatDriver, TimedMove, TurnContext};
use floe_games::{AnyPosition, Fault, FaultKind};
use floe_sandbox::{Forbidden, MachineFailure, NextLine, Program, ProgramEnd, RunReport};

/// Time limit to exit after the game is over.
const GOODBYE: Duration = Duration::from_secs(2);
/// Time limit to exit for a program that has closed its output, even on a busy machine.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// Time limit of the answer after another line.
const SOON: Duration = Duration::from_millis(300);
/// Lines read in search of an answer.
const DEBUG_LINES: usize = 1000;
/// Bytes stored of a program's remarks on a move.
const LONGEST_NOTE: usize = 400;
/// Below this, processor time, which is counted in ticks of 10 ms, means nothing.
const WORTH_A_LOOK: Duration = Duration::from_millis(5);

/// A program that runs for the whole game and is spoken to in lines:
///
/// ```text
/// > floe 1 gamma seat=1 seats=2
/// < ok Mimi
/// > position
/// > ... the position in the game's own text
/// > .
/// > go 1000
/// < info depth 9 score +3
/// < move c4
/// > end 12 9
/// ```
pub(crate) struct LineProgram {
    seat: ProgramSeat,
    sandbox: Sandbox,
    program: Option<Program>,
    has_greeted: bool,
    cpu: Duration,
    /// Bytes of standard error that were already reported.
    reported: u64,
    /// Moves the program has made.
    moves: u32,
    /// Whether to find out why the program does not answer, which takes some seconds.
    is_examined: bool,
}

impl LineProgram {
    pub(crate) fn new(seat: ProgramSeat, sandbox: Sandbox) -> Self {
        LineProgram {
            seat,
            sandbox,
            program: None,
            has_greeted: false,
            cpu: Duration::ZERO,
            reported: 0,
            moves: 0,
            is_examined: false,
        }
    }

    /// The same, but if the program does not answer, the cause is examined, which takes some
    /// seconds.
    pub(crate) fn examined(seat: ProgramSeat, sandbox: Sandbox) -> Self {
        LineProgram {
            is_examined: true,
            ..LineProgram::new(seat, sandbox)
        }
    }

    /// Sends the program the end of the game, and waits for its end; `None` if it has ended
    /// already.
    pub(crate) fn part(&mut self, scores: &[i64]) -> Option<Result<RunReport, MachineFailure>> {
        let mut program = self.program.take()?;
        let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
        program.send(format!("end {}\n", scores.join(" ")).as_bytes());
        Some(program.close_and_wait(GOODBYE))
    }

    /// The next line of the program's output, or the fault that it did not come.
    fn line(&mut self, at: &TurnContext<'_>, limit: Duration) -> Result<String, Failure> {
        let Some(program) = &mut self.program else {
            return Err(Failure::MachineFailure("the program does not run".into()));
        };
        match program.read_line(limit)? {
            NextLine::Line(bytes) => match String::from_utf8(bytes) {
                Ok(line) if !line.contains('\0') => Ok(line),
                Ok(_) => Err(self.fail(at, "the answer has a NUL byte in it", "")),
                Err(_) => Err(self.fail(at, "the answer is not text in UTF-8", "")),
            },
            NextLine::Late => {
                let wall = program.wall();
                let cpu = program.cpu().saturating_sub(self.cpu);
                let message = match self.has_greeted {
                    true => too_late(wall, Some(cpu), at.limits),
                    false => format!(
                        "no `ok` after {}; a program has {} ms to start{}",
                        milliseconds(wall),
                        at.limits.start_ms,
                        cpu_time(cpu)
                    ),
                };
                let mut failure = match self.is_examined && cpu * 2 < wall {
                    true => self.examine(at, message),
                    false => self.end(at, Some((FaultKind::Timeout, message))),
                };
                if let Failure::Fault(fault) = &mut failure {
                    (fault.wall_us, fault.cpu_us) =
                        (wall.as_micros() as u64, cpu.as_micros() as u64);
                }
                Err(failure)
            }
            NextLine::TooMuch => {
                let message = "it wrote more than it may to standard output".to_owned();
                Err(self.end(at, Some((FaultKind::TooMuchOutput, message))))
            }
            NextLine::End => Err(self.end(at, None)),
        }
    }

    /// Finds out why the program does not answer, and ends it.
    fn examine(&mut self, at: &TurnContext<'_>, message: String) -> Failure {
        let Some(program) = self.program.take() else {
            return Failure::MachineFailure("the program does not run".into());
        };
        let more = request(at.position, at.limits.move_ms);
        match silence::look_into(program, &more) {
            Err(trouble) => trouble.into(),
            Ok((silence, report)) => {
                let mut fault = Fault::new(at.player, FaultKind::Timeout, message);
                fault.stderr = last_lines(&report.errors);
                if let Some(cause) = silence.cause() {
                    fault.expected = std::mem::replace(&mut fault.message, cause.to_owned());
                }
                fault.into()
            }
        }
    }

    /// Whether a line that begins like this follows soon.
    fn is_followed_by(&mut self, start: &str) -> bool {
        let Some(program) = &mut self.program else {
            return false;
        };
        let until = program.wall() + SOON;
        for _ in 0..DEBUG_LINES {
            match program.read_line(until) {
                Ok(NextLine::Line(line)) if line.starts_with(start.as_bytes()) => return true,
                Ok(NextLine::Line(_)) => {}
                _ => return false,
            }
        }
        false
    }

    /// Stops the program's processes until its next turn.
    fn freeze(&mut self) {
        if let Some(program) = &mut self.program {
            program.freeze();
        }
    }

    /// Makes sure that the next answer is not older than the question: since its last move, the
    /// program may have sent only remarks.
    fn listen(&mut self, at: &TurnContext<'_>) -> Result<(), Failure> {
        while let Some(program) = &mut self.program {
            let Some(line) = program.try_read_line()? else {
                break;
            };
            let line = String::from_utf8_lossy(&line);
            if !is_remark(line.trim_end()) {
                let message = format!("unexpected output before `go`: {}", quoted(line.trim_end()));
                return Err(self.fail(at, &message, &line));
            }
        }
        Ok(())
    }

    /// Ends the program for an answer that cannot be read.
    fn fail(&mut self, at: &TurnContext<'_>, message: &str, answer: &str) -> Failure {
        let why = (FaultKind::UnreadableAnswer, message.to_owned());
        match self.end(at, Some(why)) {
            Failure::Fault(mut fault) => {
                fault.at = Some((1, 1));
                fault.expected = "one line `move` and the move, such as `move c4`".into();
                let answer: String = answer.chars().take(LONGEST_NOTE).collect();
                fault.answer = visible(&answer).into_owned();
                Failure::Fault(fault)
            }
            other => other,
        }
    }

    /// Ends the program. Its fault is this one, unless its exit explains more.
    fn end(&mut self, at: &TurnContext<'_>, why: Option<(FaultKind, String)>) -> Failure {
        let Some(program) = self.program.take() else {
            return Failure::MachineFailure("the program does not run".into());
        };
        let ended = match &why {
            Some(_) => program.stop(),
            // The program closed its output; if it does not exit, that is silence too.
            None => {
                let limit = program.wall() + LAST_WORDS;
                program.close_and_wait(limit)
            }
        };
        let report = match ended {
            Ok(report) => report,
            Err(trouble) => return trouble.into(),
        };
        let wall_us = report.wall.as_micros() as u64;
        let mut fault = match why {
            Some((kind, message)) if !tells_more(&report.outcome) => {
                let mut fault = Fault::new(at.player, kind, message);
                fault.stderr = last_lines(&report.errors);
                fault.wall_us = wall_us;
                fault
            }
            None if report.outcome == ProgramEnd::TimedOut => {
                let message = "it closed its standard output without an answer, and kept running";
                let mut fault = Fault::new(at.player, FaultKind::SilentExit, message);
                fault.stderr = last_lines(&report.errors);
                fault.wall_us = wall_us;
                fault
            }
            _ => fault_of(at.player, &report, at.limits, None),
        };
        let is_gone = report.outcome == ProgramEnd::Exited(0);
        if fault.kind == FaultKind::SilentExit && is_gone && self.moves > 0 {
            fault.message = format!(
                "it ended before the game was over, after {}: it must keep running until it reads `end`",
                floe_rules::text::count(self.moves, "move")
            );
        }
        fault.into()
    }
}

/// The greeting of the line protocol: a line.
pub fn greeting(position: &dyn AnyPosition, player: Player) -> String {
    let (game, players) = (position.game().name(), position.players());
    format!("floe 1 {game} seat={player} seats={players}\n")
}

/// The request for a move in the line protocol: a few lines.
pub fn request(position: &dyn AnyPosition, milliseconds: u64) -> String {
    let mut request = "position\n".to_owned();
    for line in position.spell().lines() {
        // On a board one column wide, a row must not look like the end mark.
        request += if line == "." { ". " } else { line };
        request.push('\n');
    }
    request + &format!(".\ngo {milliseconds}\n")
}

/// Whether a line is `info`, with or without a text.
fn is_remark(line: &str) -> bool {
    let info = line.strip_prefix("info");
    info.is_some_and(|info| info.is_empty() || info.starts_with(' '))
}

/// Whether the program's exit explains the fault better than the fault itself.
fn tells_more(outcome: &ProgramEnd) -> bool {
    matches!(
        outcome,
        ProgramEnd::Signalled(_) | ProgramEnd::TooMuchMemory | ProgramEnd::Forbidden(_)
    )
}

fn program_time(at: &TurnContext<'_>) -> Duration {
    Duration::from_millis(at.limits.move_ms + at.limits.margin_ms)
}

impl SeatDriver for LineProgram {
    fn sit(&mut self, at: &TurnContext<'_>) -> Result<(), Failure> {
        let launch = self.seat.launch(&self.sandbox, at.limits, &[])?;
        let mut program = Program::start(launch)?;
        program.send(greeting(at.position, at.player).as_bytes());
        self.program = Some(program);
        self.has_greeted = false;
        self.cpu = Duration::ZERO;
        self.reported = 0;
        let line = self.line(at, Duration::from_millis(at.limits.start_ms))?;
        let line = line.trim_end();
        match line.split_once(' ').map_or(line, |(first, _)| first) {
            "ok" => {
                self.has_greeted = true;
                self.freeze();
                Ok(())
            }
            _ => {
                let message = match self.is_followed_by("ok") {
                    true => format!(
                        "it wrote {} to standard output before its answer: debugging output belongs \
                         on standard error",
                        quoted(line)
                    ),
                    false => format!("it answered the greeting with {}", quoted(line)),
                };
                let mut failure = self.fail(at, &message, line);
                if let Failure::Fault(fault) = &mut failure {
                    fault.expected = "a line `ok`, or `ok` and its name".into();
                }
                Err(failure)
            }
        }
    }

    fn decide(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure> {
        let request = request(at.position, at.limits.move_ms);
        self.listen(at)?;
        let Some(program) = &mut self.program else {
            return Err(Failure::MachineFailure("the program does not run".into()));
        };
        program.send(request.as_bytes());
        let mut note = String::new();
        let mv = loop {
            let line = self.line(at, program_time(at))?;
            let line = line.trim_end();
            if let Some(mv) = line.strip_prefix("move ") {
                break mv.trim().to_owned();
            }
            if !is_remark(line) {
                let message = match self.is_followed_by("move ") {
                    true => format!(
                        "it wrote {} to standard output before its answer: debugging output belongs \
                         on standard error",
                        quoted(line)
                    ),
                    false => format!("it answered {}", quoted(line)),
                };
                return Err(self.fail(at, &message, line));
            }
            // Only the last remark is about the chosen move.
            let remark: String = line[4..].trim().chars().take(LONGEST_NOTE).collect();
            note = visible(&remark).into_owned();
        };
        self.moves += 1;
        let wall = self.program.as_ref().map(Program::wall).unwrap_or_default();
        self.freeze();
        // Checked at every answer, so that the verdict does not depend on timing.
        if self.program.as_ref().is_some_and(Program::is_overfull) {
            let message = forbidden(Forbidden::Files).to_owned();
            return Err(self.end(at, Some((FaultKind::ForbiddenAccess, message))));
        }
        let program = self.program.as_ref();
        let cpu = match program {
            Some(program) if wall >= WORTH_A_LOOK => {
                let all = program.cpu();
                all.saturating_sub(std::mem::replace(&mut self.cpu, all))
            }
            _ => Duration::ZERO,
        };
        let mut stderr = String::new();
        if let Some(program) = program.filter(|program| program.errors_total() > self.reported) {
            stderr = last_lines(&program.errors_after(self.reported));
            self.reported = program.errors_total();
        }
        Ok(TimedMove {
            mv,
            wall,
            cpu,
            note,
            stderr,
            is_timed: true,
            ..TimedMove::default()
        })
    }

    fn last_words(&mut self) -> String {
        let errors = self.program.as_mut().map(Program::errors);
        errors.map_or(String::new(), |errors| {
            last_lines(&errors.unwrap_or_default())
        })
    }

    fn leave(&mut self, scores: &[i64]) -> String {
        // The game is over, so later faults do not count.
        let Some(Ok(report)) = self.part(scores) else {
            return String::new();
        };
        let new = report.errors_total.saturating_sub(self.reported) as usize;
        let old = report.errors.len().saturating_sub(new);
        last_lines(&report.errors[old..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_looks_like_the_end_mark() {
        for (game, setup) in [("gamma", "1x3"), ("flood", "1x9")] {
            let game = floe_games::find(game).unwrap();
            let position = game.start(setup, 2).unwrap();
            let request = request(&*position, 50);
            let ends: Vec<usize> = (request.lines().enumerate())
                .filter(|(_, line)| *line == ".")
                .map(|(at, _)| at)
                .collect();
            // The line before `go`, and no other.
            assert_eq!(ends, [request.lines().count() - 2], "{request}");
            let rows = request.lines().skip(1).take(ends[0] - 1);
            let text: Vec<&str> = rows.map(str::trim_end).collect();
            let read = game.read(&(text.join("\n") + "\n")).unwrap();
            assert_eq!(*read, *position, "{request}");
        }
    }
}
