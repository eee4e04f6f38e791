//! Turns of a conformance check's games, of which some are in doubt: the machine may have caused their time-out.

use std::cell::RefCell;
use std::time::Duration;

use floe_games::Fault;
use floe_games::record::MoveLimits;

use super::{Neighbours, Notes, give_way, had_to_wait, run_alone};
use crate::load::Reading;
use crate::seat::{Failure, SeatDriver, TimedMove, TurnContext};

/// Repetitions of a question while the machine may be at fault.
const CHANCES: usize = 3;

/// The doubtful time-outs of one game.
pub(super) struct Doubts<'a, 'r> {
    case: &'a str,
    notes: RefCell<&'a mut Notes<'r>>,
    /// The first doubt that was resolved.
    note: RefCell<Option<String>>,
}

impl<'a, 'r> Doubts<'a, 'r> {
    pub(super) fn of(case: &'a str, notes: &'a mut Notes<'r>) -> Self {
        Doubts {
            case,
            notes: RefCell::new(notes),
            note: RefCell::default(),
        }
    }

    /// If the fault is in doubt, reports that the program gets another chance; returns what was
    /// repeated.
    pub(super) fn begin(&self, fault: &Fault, place: &str) -> Option<String> {
        let mut notes = self.notes.borrow_mut();
        if !notes.is_in_doubt(fault) {
            return None;
        }
        let first = format!("{}{place}", fault.message);
        let case = self.case;
        notes.begin(&format!(
            "{case}, once more with nothing else on the machine: {first}"
        ));
        Some(first)
    }

    /// The machine was to blame, not the program.
    pub(super) fn clear_up(&self, first: &str, done: &str) {
        let note =
            || format!("{first}; {done} again with nothing else on the machine, it was in time");
        self.note.borrow_mut().get_or_insert_with(note);
    }

    /// The remark for the report.
    pub(super) fn into_note(self) -> Option<String> {
        self.note.into_inner()
    }
}

/// A driver that lets other checks run alone before it decides. If a program starts once per move,
/// it is asked again after a doubtful time-out, and twice more while the time-out stays doubtful.
pub(super) struct Turns<'a, 'n, 'r> {
    pub(super) driver: Box<dyn SeatDriver + 'a>,
    pub(super) neighbours: Option<&'a dyn Neighbours>,
    /// `None` if one process plays the whole game.
    pub(super) doubts: Option<&'a Doubts<'n, 'r>>,
}

impl Turns<'_, '_, '_> {
    /// Asks, and subtracts from a late answer the time that the machine took.
    fn ask(&mut self, at: &TurnContext<'_>, allowed: Duration) -> Result<TimedMove, Failure> {
        let then = Reading::now();
        let mut answer = self.driver.decide(at)?;
        if answer.is_timed && answer.wall > allowed {
            let lost = Reading::now().lost_since(then);
            answer.wall = without(lost, answer.wall, answer.cpu);
        }
        Ok(answer)
    }
}

/// The wall time of an answer, minus the time that the machine took: at most a fifth, and nothing
/// if the program computed all the time.
fn without(lost: Duration, wall: Duration, cpu: Duration) -> Duration {
    match had_to_wait(wall, cpu) {
        true => wall.saturating_sub(lost.min(wall / 5)).max(cpu),
        false => wall,
    }
}

impl SeatDriver for Turns<'_, '_, '_> {
    fn sit(&mut self, at: &TurnContext<'_>) -> Result<(), Failure> {
        give_way(self.neighbours);
        self.driver.sit(at)
    }

    fn decide(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure> {
        give_way(self.neighbours);
        let Some(doubts) = self.doubts else {
            return self.driver.decide(at);
        };
        let allowed = Duration::from_millis(at.limits.move_ms);
        let mut decision = self.ask(at, allowed);
        // A longer limit, so that there is an answer whose time can be judged.
        let longer = MoveLimits {
            move_ms: at.limits.move_ms * 5 / 4,
            ..at.limits.clone()
        };
        let at_length = TurnContext {
            limits: &longer,
            ..*at
        };
        for _ in 0..CHANCES {
            let Err(Failure::Fault(fault)) = &decision else {
                break;
            };
            let Some(first) = doubts.begin(fault, "") else {
                break;
            };
            let neighbours = self.neighbours;
            match run_alone(neighbours, || self.ask(&at_length, allowed)) {
                Ok(late) if late.is_timed && late.wall > allowed => (),
                again => decision = again,
            }
            if decision.is_ok() {
                doubts.clear_up(&first, "asked");
            }
        }
        decision
    }

    fn last_words(&mut self) -> String {
        self.driver.last_words()
    }

    fn leave(&mut self, scores: &[i64]) -> String {
        self.driver.leave(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_the_machine_took_does_not_count() {
        let ms = Duration::from_millis;
        let counted = |lost, wall, cpu| without(ms(lost), ms(wall), ms(cpu));
        assert_eq!(counted(60, 1_050, 900), ms(990));
        // It cannot have computed longer than it took.
        assert_eq!(counted(500, 1_050, 900), ms(900));
        // The machine took less than the program slept.
        assert_eq!(counted(60, 1_200, 20), ms(1_140));
        assert_eq!(counted(1_000, 1_200, 20), ms(960));
        // It had a core all the time.
        assert_eq!(counted(60, 1_050, 1_040), ms(1_050));
    }
}
