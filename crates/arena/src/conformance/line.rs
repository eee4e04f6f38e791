//! Programs that speak the line protocol.

use std::sync::Arc;
use std::time::Duration;

use floe_rules::{Occasion, Player, Request};

use super::{Case, ConformanceCheck, Neighbours, Notes, ProgramInput, Scene};
use crate::seat::line::{LineProgram, greeting, request};
use crate::seat::{Failure, ProgramSeat, Sandbox, SeatDriver, TurnContext, fault_of, last_lines};
use floe_games::record::MoveLimits;
use floe_games::{AnyPosition, Fault, FaultKind};
use floe_sandbox::ProgramEnd;

/// A program under examination.
struct Candidate<'a> {
    program: &'a ProgramSeat,
    sandbox: &'a Sandbox,
    limits: &'a MoveLimits,
    neighbours: Option<&'a dyn Neighbours>,
}

/// Asks for a move in every scene, each time in a new process.
pub(super) fn look_at(
    check: &ConformanceCheck<'_>,
    scenes: &[Scene],
    notes: &mut Notes<'_>,
) -> Result<(), String> {
    let candidate = Candidate::of(check);
    for (at, scene) in scenes.iter().enumerate() {
        if notes.is_hopeless() {
            notes.leave_rest_out(scenes.len() - at, "position");
            break;
        }
        let tables = [&*scene.position];
        if !notes.wants(&scene.case) {
            continue;
        }
        candidate.try_out(&scene.case, &tables, tables[0], scene.occasion, notes)?;
    }
    Ok(())
}

pub(super) fn check(
    check: &ConformanceCheck<'_>,
    scenes: &[Scene],
    notes: &mut Notes<'_>,
) -> Result<(), String> {
    let candidate = Candidate::of(check);
    let Some(first) = scenes.first() else {
        return Ok(());
    };
    notes.begin_group();
    let start = &*first.position;
    candidate.try_out(
        "answers the greeting, and ends",
        &[],
        start,
        Occasion::Play,
        notes,
    )?;
    let is_hopeless = notes
        .findings
        .last()
        .is_some_and(|last| last.fault.is_some());
    // In a game, a program is asked about one position after another, from the first.
    if is_hopeless || !check.is_strict {
        return Ok(());
    }
    look_at(check, scenes, notes)?;
    if notes.is_hopeless() {
        return Ok(());
    }
    // The same seat and number of players, in positions of other games and back again.
    let alike = |scene: &&Scene| {
        let (one, other) = (start, &scene.position);
        one.turn() == other.turn() && one.players() == other.players()
    };
    let mut tables: Vec<&dyn AnyPosition> =
        scenes.iter().filter(alike).map(|s| &*s.position).collect();
    tables.truncate(4);
    tables.extend_from_within(..1);
    for (case, tables) in [
        ("the same position twice", &[start, start][..]),
        ("positions out of order, in one process", &tables),
    ] {
        if notes.wants(case) {
            candidate.try_out(case, tables, start, Occasion::Elsewhere, notes)?;
        }
    }
    Ok(())
}

impl<'a> Candidate<'a> {
    fn of(check: &ConformanceCheck<'a>) -> Self {
        Candidate {
            program: check.program,
            sandbox: check.sandbox,
            limits: check.limits,
            neighbours: check.neighbours,
        }
    }

    fn try_out(
        &self,
        name: &str,
        tables: &[&dyn AnyPosition],
        first: &dyn AnyPosition,
        occasion: Occasion,
        notes: &mut Notes<'_>,
    ) -> Result<(), String> {
        notes.begin(name);
        let result = notes.settled(self.neighbours, || self.talk(tables, first));
        let scene = tables.first().map(|position| Scene {
            case: name.to_owned(),
            position: position.clone_position(),
            occasion,
        });
        let case = Case {
            name,
            question: self.question(tables, first),
            occasion,
            is_advice: false,
            scene: scene.as_ref(),
        };
        notes.add_case(case, result, self.limits)
    }

    /// A whole conversation: the greeting, these positions, the end. Returns the time of the
    /// slowest answer.
    fn talk(
        &self,
        tables: &[&dyn AnyPosition],
        first: &dyn AnyPosition,
    ) -> Result<Duration, Failure> {
        let stop = Arc::default();
        let player = first.turn().unwrap_or(Player::new(0));
        let chair = |position| TurnContext {
            position,
            player,
            limits: self.limits,
            stop: &stop,
        };
        let mut talker = LineProgram::new(self.program.clone(), self.sandbox.clone());
        talker.sit(&chair(first))?;
        let mut slowest = Duration::ZERO;
        for &position in tables {
            let at = chair(position);
            let decision = talker.decide(&at)?;
            slowest = slowest.max(decision.wall);
            if let Err(error) = position.check(&decision.mv) {
                let quoted = floe_rules::text::quoted(&decision.mv).to_string();
                let message = format!("{quoted}: {error}");
                let mut fault = Fault::new(player, FaultKind::IllegalMove, message);
                fault.answer = decision.mv;
                return Err(fault.into());
            }
        }
        let Some(ended) = talker.part(&first.scores()) else {
            return Ok(slowest);
        };
        let report = ended.map_err(|trouble| Failure::MachineFailure(trouble.to_string()))?;
        match report.outcome {
            ProgramEnd::Exited(0) => Ok(slowest),
            ProgramEnd::TimedOut => {
                let message = "it still runs two seconds after `end`";
                let mut fault = Fault::new(player, FaultKind::Timeout, message);
                fault.expected = "to end when it reads `end`, or when its input ends".to_owned();
                fault.stderr = last_lines(&report.errors);
                Err(fault.into())
            }
            _ => Err(fault_of(player, &report, self.limits, None).into()),
        }
    }

    fn question(&self, tables: &[&dyn AnyPosition], first: &dyn AnyPosition) -> ProgramInput {
        let mut input = greeting(first, first.turn().unwrap_or(Player::new(0)));
        for &position in tables {
            input += &request(position, self.limits.move_ms);
        }
        let scores: Vec<String> = first.scores().iter().map(ToString::to_string).collect();
        input += &format!("end {}\n", scores.join(" "));
        let ask = Request {
            input,
            ..Request::default()
        };
        ProgramInput::of(self.program, &ask)
    }
}
