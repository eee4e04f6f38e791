//! Programs that speak the line protocol.

use std::sync::Arc;
use std::time::Duration;

use floe_rules::{Ask, Player};

use super::{Finding, Question, Scene, finding};
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
}

pub(super) fn check(
    program: &ProgramSeat,
    sandbox: &Sandbox,
    limits: &MoveLimits,
    scenes: &[Scene],
    tell: &mut dyn FnMut(Finding),
) -> Result<(), String> {
    let candidate = Candidate {
        program,
        sandbox,
        limits,
    };
    let Some(first) = scenes.first() else {
        return Ok(());
    };
    let greeted = candidate.talk(&[], &*first.position);
    let question = candidate.question(&[], &*first.position);
    let greeted = finding(
        "answers the greeting, and ends",
        question,
        greeted,
        false,
        limits,
    )?;
    let is_hopeless = greeted.fault.is_some();
    tell(greeted);
    if is_hopeless {
        return Ok(());
    }
    for scene in scenes {
        let tables = [&*scene.position];
        let result = candidate.talk(&tables, &*scene.position);
        let question = candidate.question(&tables, &*scene.position);
        tell(finding(&*scene.case, question, result, false, limits)?);
    }
    // The same seat of the same company, in positions of other games and back again.
    let alike = |scene: &&Scene| {
        let (one, other) = (&first.position, &scene.position);
        one.turn() == other.turn() && one.players() == other.players()
    };
    let mut tables: Vec<&dyn AnyPosition> =
        scenes.iter().filter(alike).map(|s| &*s.position).collect();
    tables.truncate(4);
    tables.extend_from_within(..1);
    for (case, tables) in [
        (
            "the same position twice",
            &[&*first.position, &*first.position][..],
        ),
        ("positions out of order, in one process", &tables),
    ] {
        let result = candidate.talk(tables, &*first.position);
        let question = candidate.question(tables, &*first.position);
        tell(finding(case, question, result, false, limits)?);
    }
    Ok(())
}

impl Candidate<'_> {
    /// A whole conversation: the greeting, these positions, the end. How long the slowest answer
    /// took.
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
        let report = ended.map_err(|trouble| Failure::Trouble(trouble.to_string()))?;
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

    fn question(&self, tables: &[&dyn AnyPosition], first: &dyn AnyPosition) -> Question {
        let mut input = greeting(first, first.turn().unwrap_or(Player::new(0)));
        for &position in tables {
            input += &request(position, self.limits.move_ms);
        }
        let scores: Vec<String> = first.scores().iter().map(ToString::to_string).collect();
        input += &format!("end {}\n", scores.join(" "));
        let ask = Ask {
            input,
            ..Ask::default()
        };
        Question::of(self.program, &ask)
    }
}
