//! Checks a program's terminal game: all sessions, and for each fault the fewest keys that show it.

use std::path::Path;

use floe_rules::assignment::{Assignment, Session, Shown};

use super::program::Runner;
use super::session::{Difference, play};
use super::{CheckError, Example, MOST_EXAMPLES, WorkLimits, WorkReport};
use crate::seat::Sandbox;

/// Most games for shrinking an example.
const GAMES: usize = 60;

/// Checks only a program's terminal game against the rules. `tell` gets each step in a few words.
pub fn check_terminal(
    assignment: &'static dyn Assignment,
    program: &Path,
    sandbox: &Sandbox,
    limits: &WorkLimits,
    tell: &mut dyn FnMut(&str),
) -> Result<WorkReport, CheckError> {
    let mut report = WorkReport::of(assignment.session_groups());
    let runner = Runner {
        assignment,
        program,
        sandbox,
        limits,
    };
    runner.check_sessions(&mut report, tell)?;
    Ok(report)
}

impl Runner<'_> {
    /// Plays all sessions and adds them to the report.
    pub(super) fn check_sessions(
        &self,
        report: &mut WorkReport,
        tell: &mut dyn FnMut(&str),
    ) -> Result<(), CheckError> {
        let mut group = "";
        let mut is_hopeless = false;
        for session in self.assignment.sessions() {
            if group != session.group {
                group = session.group;
                tell(group);
            }
            let Some(shown) = self.assignment.shown(&session) else {
                continue;
            };
            if is_hopeless {
                report.count(session.group, false);
                continue;
            }
            let played = self.play(&session, &shown)?;
            report.note_use(&session.name, played.ms, played.kib);
            report.count(session.group, played.difference.is_none());
            is_hopeless = played.never_began;
            let Some(difference) = played.difference else {
                continue;
            };
            let same = |example: &&mut Example| example.group == session.group;
            if let Some(example) = report.examples.iter_mut().find(same) {
                example.cases += 1;
            } else if report.examples.len() < MOST_EXAMPLES {
                tell(&format!("shrinking {}", session.name));
                let (small, difference) = match is_hopeless {
                    true => (session.clone(), difference),
                    false => self.fewer_keys(&session, difference)?,
                };
                report.examples.push(self.example_of(&small, difference));
            }
        }
        Ok(())
    }

    fn play(&self, session: &Session, shown: &Shown) -> Result<super::session::Played, CheckError> {
        let end_key = self.assignment.end_key();
        play(self.launch(), session, shown, end_key, self.wall())
    }

    /// Fewer keys that still show the fault: leaves out one key after the other.
    fn fewer_keys(
        &self,
        session: &Session,
        mut difference: Difference,
    ) -> Result<(Session, Difference), CheckError> {
        let mut best = session.clone();
        let mut at = best.keys.len();
        for _ in 0..GAMES {
            if at == 0 {
                break;
            }
            at -= 1;
            let mut fewer = best.clone();
            fewer.keys.remove(at);
            let Some(shown) = self.assignment.shown(&fewer) else {
                continue;
            };
            let played = self.play(&fewer, &shown)?;
            if let Some(found) = played.difference.filter(|_| !played.never_began) {
                (best, difference) = (fewer, found);
            }
        }
        Ok((best, difference))
    }

    fn example_of(&self, session: &Session, difference: Difference) -> Example {
        let keys = session.keys.iter().map(|key| key.name.to_owned());
        let calls: Vec<String> = std::iter::once(session.first_line.clone())
            .chain(keys)
            .collect();
        Example {
            group: session.group.to_owned(),
            case: session.name.clone(),
            cases: 1,
            calls,
            expected: difference.expected,
            got: difference.got,
            c_program: String::new(),
            input: String::new(),
            picture: String::new(),
        }
    }
}
