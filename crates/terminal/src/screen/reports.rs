//! Engines' reports.

use std::time::Duration;

use floe_arena::seat::Failure;

use super::{Message, Screen};
use crate::input::{Answer, Purpose, ThinkReport};
use crate::texts::{t, tn};

/// Time limit of one step of evaluating.
const LONGEST: Duration = Duration::from_secs(4);

impl Screen {
    /// Handles an engine's result; outdated ones are dropped. Returns whether a turn was made.
    pub(crate) fn report(&mut self, report: ThinkReport) -> bool {
        match report.purpose {
            Purpose::Move if self.thinking == Some(report.id) => return self.reply(report),
            Purpose::Hint if self.hinting == Some(report.id) => {
                self.hinting = None;
                match report.answer {
                    Ok(Answer::Thought(thought)) => {
                        let lead = self.session.mover().map(|(player, _)| thought.lead(player));
                        let lead = match lead.unwrap_or(0) {
                            0 => t!("even"),
                            n @ 1.. => tn!("{n} ahead", "{n} ahead", n),
                            n => tn!("{n} behind", "{n} behind", n.unsigned_abs()),
                        };
                        let best = thought.best.as_str();
                        let text = match thought.proven {
                            true => t!("hint: {best} ({lead}, for certain)", best, lead),
                            false => t!("hint: {best} ({lead})", best, lead),
                        };
                        self.message = Some(Message::News(text));
                        self.hint = Some(thought.best);
                    }
                    Err(Failure::MachineFailure(why)) => self.message = Some(Message::Refusal(why)),
                    _ => {}
                }
            }
            Purpose::Evaluation if self.evaluation.job == Some(report.id) => {
                self.evaluation.job = None;
                if let Ok(Answer::Thought(thought)) = report.answer {
                    let is_done = thought.proven;
                    if let Some(now) = self.course.last_mut() {
                        *now = Some(thought.scores.clone());
                    }
                    self.evaluation.thought = Some(thought);
                    if !is_done && self.evaluation.effort < LONGEST {
                        self.evaluation.effort *= 2;
                        self.evaluate_on();
                    } else {
                        self.evaluate_course();
                    }
                }
            }
            Purpose::Course(turn) if self.evaluation.job == Some(report.id) => {
                self.evaluation.job = None;
                if let Ok(Answer::Thought(thought)) = report.answer
                    && let Some(then) = self.course.get_mut(turn)
                {
                    *then = Some(thought.scores);
                    let is_done = self.evaluation.thought.as_ref().is_some_and(|t| t.proven);
                    match is_done || self.evaluation.effort >= LONGEST {
                        true => drop(self.evaluate_course()),
                        false => self.evaluate_on(),
                    }
                }
            }
            Purpose::Analysis(turn) => {
                if let Ok(Answer::Thought(thought)) = report.answer {
                    self.analysis.note(turn, thought);
                }
                self.look_further_back();
            }
            _ => {}
        }
        false
    }

    /// Notes the sandbox level of programs, and warns once if it is too low.
    pub(crate) fn note_sandbox(&mut self, level: u8) {
        if level == 0 && !self.is_exposed {
            self.is_exposed = true;
            let text = t!("no sandbox: programs can reach your files and network; see floe doctor");
            self.message = Some(Message::Refusal(text));
        }
    }

    /// Makes a seat's move, or disqualifies the seat for a fault. A machine failure is no seat's
    /// fault: the game waits.
    fn reply(&mut self, report: ThinkReport) -> bool {
        self.thinking = None;
        let who = self
            .session
            .mover()
            .map(|(player, _)| self.session.name(player));
        let who = who.unwrap_or_default();
        let problem = match report.answer {
            Ok(Answer::Move(decision)) => {
                match self.session.make(&decision.mv, report.time, decision.note) {
                    Ok(()) => {
                        if !matches!(self.message, Some(Message::Refusal(_))) {
                            self.message = None;
                        }
                        self.note_passed_over();
                        self.refresh();
                        return true;
                    }
                    Err(error) => format!("{}: {error}", decision.mv),
                }
            }
            Err(Failure::Fault(fault)) => {
                let words = format!("{}: {}", fault.kind, fault.message);
                if self.session.put_out(*fault) {
                    // The result screen shows the rest.
                    let text = match self.is_over() {
                        true => t!("u undoes the fault and asks {who} again", who),
                        false => t!("{who} is disqualified: {words}; u undoes it", who, words),
                    };
                    self.message = Some(Message::Refusal(text));
                    self.refresh();
                    return true;
                }
                words
            }
            Err(Failure::MachineFailure(why)) => why,
            Err(Failure::Stopped) => t!("it was stopped"),
            Ok(Answer::Thought(_)) => t!("no move came"),
        };
        self.is_paused = true;
        self.message = Some(Message::Refusal(t!(
            "{who}: {problem}; p asks again",
            who,
            problem
        )));
        false
    }

    /// Shows a message if a player cannot move and was skipped.
    pub(super) fn note_passed_over(&mut self) {
        let Some(last) = self.session.turns().last() else {
            return;
        };
        let players = self.session.position().players();
        let (Some(turn), Some(_)) = (self.session.turn(), last.mv()) else {
            return;
        };
        // A disqualified player is not reported as skipped.
        let out = self.session.play().out();
        let mut expected = last.player.next(players);
        while out.contains(&expected) {
            expected = expected.next(players);
        }
        if turn != expected {
            let who = self.session.name(expected);
            let text = match self.session.is_you(expected) {
                true => t!("You cannot move and are skipped."),
                false => t!("{who} cannot move and is skipped.", who),
            };
            self.message = Some(Message::News(text));
        }
    }
}
