//! Testing a program before a contest does.
//!
//! A [`ConformanceCheck`] has two parts. *Plays*: whole games against `greedy` from every seat, and against
//! itself, on the boards and under the limits in force; a program that ends them without a fault
//! plays. *To the letter*: single questions, among them whatever its dialect is known for (see
//! [`Dialect::trials`](floe_rules::Dialect::trials)). These count in a strict conformance check alone;
//! otherwise only those are tried that the referee can send, and what is wrong is a remark.
//!
//! A conformance check knows no game. What it finds is a [`Finding`] for each case and, at the end, a
//! [`CheckReport`] that has each [`Cause`] once. Every fault can be reproduced without Floe, by a
//! command for the shell.

mod cause;
mod contest;
mod games;
mod guess;
mod line;
mod picture;
mod question;
mod recorded;
mod report;
mod scenes;
mod start;
mod turns;

pub use cause::Cause;
pub use question::{ProgramInput, asked};
pub use recorded::{asked_at, called_at};
pub use report::{CheckReport, CheckedGame};
pub use scenes::NamedBoard;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::load::wait_for_calm;
use crate::runner::CoreLease;
use crate::seat::{Failure, ProgramSeat, Protocol, Sandbox};
use floe_games::record::MoveLimits;
use floe_games::{AnyGame, AnyPosition, Fault, FaultKind};
use floe_rules::Occasion;
use scenes::Scene;

/// Playing time after which no more games against itself start: a little under a minute, because
/// starting, building and judging take time too.
pub const SELF_PLAY: Duration = Duration::from_secs(55);

/// The program under test, and the conditions of the test.
pub struct ConformanceCheck<'a> {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The program.
    pub program: &'a ProgramSeat,
    /// The sandbox that the program runs in.
    pub sandbox: &'a Sandbox,
    /// The limits of a move.
    pub limits: &'a MoveLimits,
    /// The boards to use, each with its name; empty for the game's default setup.
    pub boards: Vec<NamedBoard>,
    /// Whether to demand the contest's exact form, and try all of it.
    pub is_strict: bool,
    /// Games against itself start only within this playing time: see [`SELF_PLAY`].
    pub self_play: Duration,
    /// The cases to try, as an earlier report named them; `None` for all.
    pub only: Option<&'a [String]>,
    /// Other games on this machine that can pause; `None` if there are none.
    pub neighbours: Option<&'a dyn Neighbours>,
}

/// Other games and conformance checks on this machine.
pub trait Neighbours {
    /// Pauses the others, and runs this meanwhile.
    fn pause_while(&self, act: &mut dyn FnMut());

    /// Pauses if another check wants to run alone. Called before each question, so that no judge
    /// waits longer than for one answer.
    fn give_way(&self) {}
}

impl<F: Fn(&mut dyn FnMut())> Neighbours for F {
    fn pause_while(&self, act: &mut dyn FnMut()) {
        self(act);
    }
}

impl Neighbours for CoreLease {
    fn pause_while(&self, act: &mut dyn FnMut()) {
        self.alone(act);
    }

    fn give_way(&self) {
        CoreLease::give_way(self);
    }
}

/// Time that a repeated question waits until no foreign process uses the processor.
const CALM: Duration = Duration::from_secs(5);

/// Runs this alone on the machine, as far as the others can be paused.
fn run_alone<T>(neighbours: Option<&dyn Neighbours>, mut act: impl FnMut() -> T) -> T {
    let mut act = || {
        wait_for_calm(CALM);
        act()
    };
    let mut result = None;
    if let Some(neighbours) = neighbours {
        neighbours.pause_while(&mut || result = Some(act()));
    }
    result.unwrap_or_else(act)
}

/// Whether a program was without a core for a notable part of its time.
fn had_to_wait(wall: Duration, cpu: Duration) -> bool {
    cpu * 20 < wall * 19
}

/// Pauses, if another check wants to run alone.
fn give_way(neighbours: Option<&dyn Neighbours>) {
    if let Some(neighbours) = neighbours {
        neighbours.give_way();
    }
}

/// The two parts of a conformance check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Whole games.
    Plays,
    /// Single questions, held against the letter of the contest.
    Letter,
}

/// One case, and its result.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The part it belongs to.
    pub part: Part,
    /// The case, in a few words.
    pub case: String,
    /// Its result.
    pub verdict: Verdict,
    /// What was wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// A remark, if there was no fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Wall time of the slowest answer, in milliseconds.
    pub wall_ms: u64,
    /// The input of the program.
    #[serde(skip)]
    pub question: ProgramInput,
    /// When a program meets the case.
    #[serde(skip)]
    pub(crate) occasion: Occasion,
    /// The position of the question, if a move was asked for.
    #[serde(skip)]
    pub(crate) position: Option<Box<dyn AnyPosition>>,
}

/// The result of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Correct.
    Passed,
    /// Incorrect in a way that does not count.
    Remark,
    /// Incorrect.
    Failed,
    /// The case was not tried.
    Skipped,
}

/// An event of the conformance check.
#[derive(Debug, Clone)]
pub enum CheckEvent {
    /// A case begins.
    Begun(String),
    /// A case is done.
    Found(Box<Finding>),
}

impl ConformanceCheck<'_> {
    /// Tests the program. `report` is called with every event. The error is a machine failure, or a
    /// failure to start the program at all.
    pub fn run(&self, report: &mut dyn FnMut(CheckEvent)) -> Result<CheckReport, String> {
        let mut notes = Notes::new(self, report);
        if let Some(fault) = start::obstacle(self.program) {
            notes.add(Finding::of_start(fault));
            return Ok(notes.report(Vec::new(), false));
        }
        let boards = scenes::boards(self.game, &self.boards);
        let games = games::play(self, &boards, &mut notes)?;
        let plays = !notes.has_failed();
        if plays || self.is_strict {
            self.read_letter(boards, &mut notes)?;
        } else {
            if notes.has_wrong_answer() {
                // More answers show what the wrong ones have in common.
                self.look_at(&scenes::many(&boards), &mut notes)?;
            }
            notes.leave_out("the letter of the contest: the games come first".to_owned());
        }
        Ok(notes.report(games, plays))
    }

    fn read_letter(&self, boards: Vec<NamedBoard>, notes: &mut Notes<'_>) -> Result<(), String> {
        let odd = match self.is_strict {
            true => scenes::odd(self.game, &boards),
            false => Vec::new(),
        };
        let mut scenes = scenes::of(boards, Occasion::Play);
        scenes.extend(odd);
        match self.program.protocol {
            Protocol::Line => line::check(self, &scenes, notes),
            Protocol::Contest(dialect) => contest::check(self, dialect, &scenes, notes),
        }
    }
}

impl ConformanceCheck<'_> {
    /// Asks for one move in each of these scenes.
    fn look_at(&self, scenes: &[Scene], notes: &mut Notes<'_>) -> Result<(), String> {
        match self.program.protocol {
            Protocol::Line => line::look_at(self, scenes, notes),
            Protocol::Contest(dialect) => contest::look_at(self, dialect, scenes, notes),
        }
    }
}

impl Finding {
    /// A program that cannot be started.
    fn of_start(fault: Fault) -> Finding {
        Finding {
            part: Part::Plays,
            case: "start".to_owned(),
            verdict: Verdict::Failed,
            fault: Some(fault),
            note: None,
            wall_ms: 0,
            question: ProgramInput::default(),
            occasion: Occasion::Play,
            position: None,
        }
    }
}

/// Percentage of the time limit from which on an answer gets a remark.
const CLOSE: u128 = 90;
/// Percentage of the time limit within which a program should answer.
const WISE: u64 = 80;
/// After this many time-outs in a group of cases, the rest of the group is skipped.
const TIMEOUTS: usize = 3;

/// Everything that is found, in order.
struct Notes<'a> {
    is_strict: bool,
    /// The cases to try; `None` for all.
    only: Option<Vec<String>>,
    protocol: Protocol,
    report: &'a mut dyn FnMut(CheckEvent),
    findings: Vec<Finding>,
    left_out: Vec<String>,
    /// Time-outs in the group of cases under way.
    timeouts: usize,
}

impl<'a> Notes<'a> {
    fn new(check: &ConformanceCheck<'_>, report: &'a mut dyn FnMut(CheckEvent)) -> Self {
        Notes {
            is_strict: check.is_strict,
            only: check.only.map(<[String]>::to_vec),
            protocol: check.program.protocol,
            report,
            findings: Vec::new(),
            left_out: Vec::new(),
            timeouts: 0,
        }
    }

    /// Whether to try this case. A report names a game by its case and the move of the fault.
    fn wants(&self, case: &str) -> bool {
        let is_it = |one: &String| {
            let rest = one.strip_prefix(case);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(", move "))
        };
        let only = self.only.as_ref();
        only.is_none_or(|cases| cases.iter().any(is_it))
    }

    fn begin(&mut self, case: &str) {
        (self.report)(CheckEvent::Begun(case.to_owned()));
    }

    /// Starts a new group of cases, which counts its own time-outs.
    fn begin_group(&mut self) {
        self.timeouts = 0;
    }

    /// Whether the group has had enough time-outs to make the rest pointless.
    fn is_hopeless(&self) -> bool {
        self.timeouts >= TIMEOUTS
    }

    /// Whether the machine may have caused a time-out, so that the question is repeated: the
    /// program was without a core for at least a twentieth of the time, nothing else explains the
    /// time-out, and no other time-out has been confirmed.
    fn is_in_doubt(&self, fault: &Fault) -> bool {
        let [wall, cpu] = [fault.wall_us, fault.cpu_us].map(Duration::from_micros);
        let is_unexplained = had_to_wait(wall, cpu) && fault.expected.is_empty();
        fault.kind == FaultKind::Timeout && is_unexplained && self.timeouts == 0
    }

    /// The result of a question of the second part: a doubtful time-out is repeated.
    fn settled<T>(
        &self,
        neighbours: Option<&dyn Neighbours>,
        mut ask: impl FnMut() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        give_way(neighbours);
        match ask() {
            Err(Failure::Fault(fault)) if self.is_strict && self.is_in_doubt(&fault) => {
                run_alone(neighbours, ask)
            }
            result => result,
        }
    }

    fn leave_out(&mut self, why: String) {
        self.left_out.push(why);
    }

    /// Reports that the rest of a group is skipped, if there is a rest.
    fn leave_rest_out(&mut self, rest: usize, group: &str) {
        if rest > 0 {
            let rest = floe_rules::text::count(rest as u32, group);
            self.leave_out(format!("{rest}: left out after {TIMEOUTS} time-outs"));
        }
    }

    fn has_failed(&self) -> bool {
        let mut verdicts = self.findings.iter().map(|finding| finding.verdict);
        verdicts.any(|verdict| verdict == Verdict::Failed)
    }

    fn has_wrong_answer(&self) -> bool {
        let mut faults = self.findings.iter().filter_map(|one| one.fault.as_ref());
        faults.any(guess::is_wrong_answer)
    }

    fn add(&mut self, finding: Finding) {
        let fault = finding.fault.as_ref();
        if fault.is_some_and(|fault| fault.kind == FaultKind::Timeout) {
            self.timeouts += 1;
        }
        (self.report)(CheckEvent::Found(Box::new(finding.clone())));
        self.findings.push(finding);
    }

    /// The result of a question of the second part.
    fn add_case(
        &mut self,
        case: Case<'_>,
        result: Result<Duration, Failure>,
        limits: &MoveLimits,
    ) -> Result<(), String> {
        let (wall, fault) = match result {
            Ok(wall) => (wall, None),
            Err(Failure::Fault(fault)) => (Duration::from_micros(fault.wall_us), Some(*fault)),
            Err(Failure::MachineFailure(why)) => return Err(why),
            Err(Failure::Stopped) => return Err("the check was stopped".to_owned()),
        };
        let note = match fault {
            None => close_call(wall, limits, ""),
            Some(_) => None,
        };
        let verdict = match (&fault, &note) {
            (Some(_), _) if self.is_strict && !case.is_advice => Verdict::Failed,
            (None, None) => Verdict::Passed,
            _ => Verdict::Remark,
        };
        self.add(Finding {
            part: Part::Letter,
            case: case.name.to_owned(),
            verdict,
            fault,
            note,
            wall_ms: wall.as_millis() as u64,
            question: case.question,
            occasion: case.occasion,
            position: case.scene.map(|scene| scene.position.clone()),
        });
        Ok(())
    }

    fn report(self, games: Vec<CheckedGame>, plays: bool) -> CheckReport {
        let (is_strict, protocol) = (self.is_strict, self.protocol);
        report::of(
            self.findings,
            self.left_out,
            games,
            plays,
            is_strict,
            protocol,
        )
    }
}

/// A question of the second part.
struct Case<'a> {
    name: &'a str,
    question: ProgramInput,
    occasion: Occasion,
    is_advice: bool,
    scene: Option<&'a Scene>,
}

/// A remark on an answer that took nearly all of its time, and would be late on a slower machine.
/// `place` follows the figures, such as ` at move 41`.
fn close_call(wall: Duration, limits: &MoveLimits, place: &str) -> Option<String> {
    let (took, has) = (wall.as_millis(), limits.move_ms);
    if took * 100 <= u128::from(has) * CLOSE {
        return None;
    }
    let wise = has * WISE / 100;
    Some(match took > u128::from(has) {
        true => format!(
            "over the limit: {took} ms of {has} ms{place}, within the grace period, which costs a \
             strike; stop searching at {wise} ms"
        ),
        false => {
            format!("close to the limit: {took} ms of {has} ms{place}; stop searching at {wise} ms")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_nearly_took_too_long_is_remarked_on() {
        let limits = MoveLimits::default();
        let said = |ms| close_call(Duration::from_millis(ms), &limits, " at move 3");
        assert_eq!(said(900), None);
        let note = "close to the limit: 901 ms of 1000 ms at move 3; stop searching at 800 ms";
        assert_eq!(said(901).as_deref(), Some(note));
        let note = said(1001).unwrap();
        assert!(
            note.starts_with("over the limit: 1001 ms of 1000 ms"),
            "{note}"
        );
    }
}
