//! Turns of a checkup's games, of which some are in doubt: the machine may have caused their time-out.

use std::cell::RefCell;

use floe_games::Fault;

use super::{Neighbours, Notes, give_way, run_alone};
use crate::seat::{Decision, Failure, SeatDriver, TurnContext};

/// How often a question is asked again while the machine may be to blame.
const CHANCES: usize = 3;

/// The doubtful time-outs of one game.
pub(super) struct Doubts<'a, 'r> {
    case: &'a str,
    notes: RefCell<&'a mut Notes<'r>>,
    /// The first that was cleared up.
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

    /// Says that the program gets another chance, if the fault is in doubt; returns what it did.
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

    /// What the report says about it.
    pub(super) fn into_note(self) -> Option<String> {
        self.note.into_inner()
    }
}

/// A driver that lets others on the machine run alone before it decides. If a program is started for
/// each move, it is asked again after a doubtful time-out, and twice more while it stays doubtful.
pub(super) struct Turns<'a, 'n, 'r> {
    pub(super) driver: Box<dyn SeatDriver + 'a>,
    pub(super) neighbours: Option<&'a dyn Neighbours>,
    /// `None` if one process plays the whole game.
    pub(super) doubts: Option<&'a Doubts<'n, 'r>>,
}

impl SeatDriver for Turns<'_, '_, '_> {
    fn sit(&mut self, at: &TurnContext<'_>) -> Result<(), Failure> {
        give_way(self.neighbours);
        self.driver.sit(at)
    }

    fn decide(&mut self, at: &TurnContext<'_>) -> Result<Decision, Failure> {
        give_way(self.neighbours);
        let mut decision = self.driver.decide(at);
        for _ in 0..CHANCES {
            let (Err(Failure::Fault(fault)), Some(doubts)) = (&decision, self.doubts) else {
                break;
            };
            let Some(first) = doubts.begin(fault, "") else {
                break;
            };
            decision = run_alone(self.neighbours, || self.driver.decide(at));
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
