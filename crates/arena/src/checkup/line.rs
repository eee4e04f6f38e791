//! Programs that speak the line protocol.

use std::sync::Arc;
use std::time::Duration;

use floe_rules::{Ask, Player};

use super::{Finding, Question, Scene, finding};
use crate::process::Outcome;
use crate::record::Terms;
use crate::seat::line::{Talker, greeting, request};
use crate::seat::{Chair, Failure, Ground, ProgramSeat, Sitter, fault_of, last_lines};
use crate::{Fault, FaultKind, Table};

/// A program under examination.
struct Candidate<'a> {
    program: &'a ProgramSeat,
    ground: &'a Ground,
    terms: &'a Terms,
}

pub(super) fn check(
    program: &ProgramSeat,
    ground: &Ground,
    terms: &Terms,
    scenes: &[Scene],
    tell: &mut dyn FnMut(Finding),
) -> Result<(), String> {
    let candidate = Candidate {
        program,
        ground,
        terms,
    };
    let Some(first) = scenes.first() else {
        return Ok(());
    };
    let greeted = candidate.talk(&[], &*first.table);
    let question = candidate.question(&[], &*first.table);
    let greeted = finding(
        "answers the greeting, and ends",
        question,
        greeted,
        false,
        terms,
    )?;
    let is_hopeless = greeted.fault.is_some();
    tell(greeted);
    if is_hopeless {
        return Ok(());
    }
    for scene in scenes {
        let tables = [&*scene.table];
        let result = candidate.talk(&tables, &*scene.table);
        let question = candidate.question(&tables, &*scene.table);
        tell(finding(&*scene.case, question, result, false, terms)?);
    }
    // The same seat of the same company, in positions of other games and back again.
    let alike = |scene: &&Scene| {
        let (one, other) = (&first.table, &scene.table);
        one.turn() == other.turn() && one.players() == other.players()
    };
    let mut tables: Vec<&dyn Table> = scenes.iter().filter(alike).map(|s| &*s.table).collect();
    tables.truncate(4);
    tables.extend_from_within(..1);
    for (case, tables) in [
        (
            "the same position twice",
            &[&*first.table, &*first.table][..],
        ),
        ("positions out of order, in one process", &tables),
    ] {
        let result = candidate.talk(tables, &*first.table);
        let question = candidate.question(tables, &*first.table);
        tell(finding(case, question, result, false, terms)?);
    }
    Ok(())
}

impl Candidate<'_> {
    /// A whole conversation: the greeting, these positions, the end. How long the slowest answer
    /// took.
    fn talk(&self, tables: &[&dyn Table], first: &dyn Table) -> Result<Duration, Failure> {
        let stop = Arc::default();
        let player = first.turn().unwrap_or(Player::new(0));
        let chair = |table| Chair {
            table,
            player,
            terms: self.terms,
            stop: &stop,
        };
        let mut talker = Talker::new(self.program.clone(), self.ground.clone());
        talker.sit(&chair(first))?;
        let mut slowest = Duration::ZERO;
        for &table in tables {
            let at = chair(table);
            let decision = talker.decide(&at)?;
            slowest = slowest.max(decision.wall);
            if let Err(error) = table.check(&decision.mv) {
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
            Outcome::Exited(0) => Ok(slowest),
            Outcome::TimedOut => {
                let message = "it still runs half a second after `end`";
                let mut fault = Fault::new(player, FaultKind::Timeout, message);
                fault.expected = "to end when it reads `end`, or when its input ends".to_owned();
                fault.stderr = last_lines(&report.errors);
                Err(fault.into())
            }
            _ => Err(fault_of(player, &report, self.terms, None).into()),
        }
    }

    fn question(&self, tables: &[&dyn Table], first: &dyn Table) -> Question {
        let mut input = greeting(first, first.turn().unwrap_or(Player::new(0)));
        for &table in tables {
            input += &request(table, self.terms.move_ms);
        }
        let scores: Vec<String> = first.scores().iter().map(ToString::to_string).collect();
        input += &format!("end {}\n", scores.join(" "));
        let ask = Ask {
            input,
            ..Ask::default()
        };
        Question::new(self.program.command(), &ask)
    }
}
