//! Games that are played again before they count, or to see whether they come out the same.
//!
//! Of games that must come out the same everywhere a sample is played again, some of it here. A fault of
//! a program counts once another machine has seen it too: once for each program and kind.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant;

use floe_arena::job::Job;
use floe_arena::runner::{Played, RunnerError};
use floe_games::FaultKind;
use floe_games::record::Record;

use super::super::batches::Asked;
use super::super::inbox::Wanted;
use super::Run;
use crate::judging::{is_repeatable, is_same_game};
use crate::wire::{AGAIN, GameOutcome, UnitResult, sha256};

/// This many faults of one worker that no other machine sees, and its games do not count.
const MOST_UNSEEN: u32 = 3;
/// One in this many samples is played here even if other workers are present, since workers could
/// agree on lies.
const HERE: u32 = 4;

/// Receives games that count.
pub(super) type Done<'d> = dyn FnMut(Played) -> ControlFlow<()> + 'd;

/// A fault: the program, by its seat argument and hash, and the kind.
pub(super) type SeenFault = (String, FaultKind);

/// A game that is played again, as a spot check.
pub(super) struct SpotCheck {
    pub(super) job: Job,
    /// The record of the first play.
    record: Record,
    /// The worker of the first play.
    pub(super) worker: String,
    sent: Instant,
    why: Why,
    /// Whether it is being played here, and the differing result from elsewhere, if there is one.
    here: Option<Option<(String, Record)>>,
    /// Keeps the check being published, if another worker is to play it.
    pub(super) wanted: Option<Wanted>,
}

enum Why {
    /// A sample: the second play must give the same game.
    Sample,
    /// The first play has faults, and counts only after a second machine saw them.
    Faults(Box<Asked>, Vec<SeenFault>),
}

/// Faults seen so far.
#[derive(Default)]
pub(super) struct Faults {
    /// Faults that two machines saw.
    seen: std::collections::BTreeSet<SeenFault>,
    /// Number of each worker's faults that no other machine saw.
    unseen: BTreeMap<String, u32>,
}

/// The faults of programs in a game.
fn faults_of(record: &Record) -> Vec<SeenFault> {
    let faults = record.faults().filter_map(|fault| {
        let seat = (fault.seat as usize).checked_sub(1)?;
        let entrant = record.opening.seats.get(seat)?;
        let hash = entrant.sha256.as_deref().unwrap_or_default();
        Some((format!("{hash} {}", entrant.seat), fault.kind))
    });
    faults.collect()
}

impl Run<'_, '_> {
    /// Receives a judged game: it counts at once, unless it has a new fault.
    pub(super) fn take_in(
        &mut self,
        asked: Asked,
        job: Job,
        record: Box<Record>,
        worker: &str,
        done: &mut Done<'_>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        let mut new = faults_of(&record);
        new.retain(|fault| !self.faults.seen.contains(fault));
        let per_mille = self.organiser.options.again_per_mille;
        if per_mille == 0 {
            // A rate of 0 trusts every worker.
            return self.count(asked, record, done);
        }
        if !new.is_empty() {
            let others = self.others(&job, worker);
            if others || self.organiser.can_play_here(&job) {
                let why = Why::Faults(Box::new(asked), new);
                self.play_again(job, *record, worker, why, others)?;
                return Ok(ControlFlow::Continue(()));
            }
        }
        let drawn = drawn(&self.organiser.secret, &asked.hash());
        if drawn % 1000 < per_mille && is_repeatable(&job) {
            let is_elsewhere = self.others(&job, worker) && !(drawn / 1000).is_multiple_of(HERE);
            self.play_again(job, (*record).clone(), worker, Why::Sample, is_elsewhere)?;
        }
        self.count(asked, record, done)
    }

    /// Whether another worker could play a game.
    fn others(&self, job: &Job, worker: &str) -> bool {
        let able = self.able(std::slice::from_ref(job));
        able.iter().any(|other| other != worker)
    }

    fn play_again(
        &mut self,
        job: Job,
        record: Record,
        worker: &str,
        why: Why,
        is_elsewhere: bool,
    ) -> Result<(), RunnerError> {
        let key = format!("{AGAIN}{}", job.opening.id);
        let mut again = SpotCheck {
            job,
            record,
            worker: worker.to_owned(),
            sent: Instant::now(),
            why,
            here: None,
            wanted: None,
        };
        match is_elsewhere {
            true => {
                let not = vec![worker.to_owned()];
                let wanted = self.publish(key.clone(), vec![again.job.clone()], not)?;
                again.wanted = Some(wanted);
                self.spot_checks.insert(key, again);
            }
            false => self.check_here(key, again, None),
        }
        Ok(())
    }

    /// Plays a game on this machine; a message brings the result.
    pub(super) fn check_here(
        &mut self,
        key: String,
        mut again: SpotCheck,
        second: Option<(String, Record)>,
    ) {
        (again.here, again.wanted) = (Some(second), None);
        self.organiser
            .play_here(self.inbox, key.clone(), again.job.clone());
        self.spot_checks.insert(key, again);
    }

    /// Receives the second play of a game. If it differs, or failed, the game is played here, and
    /// the worker in the wrong is named.
    pub(super) fn compare(
        &mut self,
        key: String,
        again: SpotCheck,
        result: UnitResult,
        done: &mut Done<'_>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        let game = result.games.into_iter().next().map(|game| game.outcome);
        let Some(GameOutcome::Record(second)) = game else {
            self.check_here(key, again, None);
            return Ok(ControlFlow::Continue(()));
        };
        let is_confirmed = match &again.why {
            Why::Sample => is_same_game(&again.record, &second),
            Why::Faults(_, faults) => repeats(&second, faults),
        };
        match is_confirmed {
            true => self.confirm(again, done),
            false => {
                self.check_here(key, again, Some((result.worker, *second)));
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// The second play gave the same game, or the same faults: the waiting game counts.
    fn confirm(
        &mut self,
        again: SpotCheck,
        done: &mut Done<'_>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        let Why::Faults(asked, faults) = again.why else {
            return Ok(ControlFlow::Continue(()));
        };
        self.faults.seen.extend(faults);
        let mut next = self.count(*asked, Box::new(again.record), done)?;
        let seen = &self.faults.seen;
        let is_settled = |again: &SpotCheck| match &again.why {
            Why::Sample => false,
            Why::Faults(_, faults) => faults.iter().all(|fault| seen.contains(fault)),
        };
        let keys = self
            .spot_checks
            .iter()
            .filter(|(_, again)| is_settled(again));
        let keys: Vec<String> = keys.map(|(key, _)| key.clone()).collect();
        for key in keys {
            if next.is_break() {
                break;
            }
            if let Some(again) = self.spot_checks.remove(&key)
                && let Why::Faults(asked, _) = again.why
            {
                self.organiser.withdraw(&key);
                next = self.count(*asked, Box::new(again.record), done)?;
            }
        }
        Ok(next)
    }

    /// Receives the result of a game played here; `None` if it could not be played.
    pub(super) fn is_checked_here(
        &mut self,
        key: &str,
        here: Option<Record>,
        done: &mut Done<'_>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        let Some(mut again) = self.spot_checks.remove(key) else {
            return Ok(ControlFlow::Continue(()));
        };
        let second = again.here.take().flatten();
        match (&again.why, here) {
            (Why::Sample, None) => Ok(ControlFlow::Continue(())),
            (Why::Sample, Some(here)) => match (is_same_game(&again.record, &here), second) {
                (false, _) => Err(self.deviates(again.worker.clone(), other_result(&again))),
                (true, Some((other, _))) => Err(self.deviates(other, other_result(&again))),
                (true, None) => Ok(ControlFlow::Continue(())),
            },
            (Why::Faults(_, faults), Some(here)) if repeats(&here, faults) => {
                self.confirm(again, done)
            }
            (Why::Faults(..), here) => {
                // No other machine that played the game saw this fault.
                let Some(record) = second.map(|(_, record)| record).or(here) else {
                    self.report_unrepeated(&again);
                    return self.confirm(again, done);
                };
                let unseen = self.faults.unseen.entry(again.worker.clone()).or_default();
                *unseen += 1;
                if *unseen >= MOST_UNSEEN {
                    let game = &again.job.opening.id;
                    let evidence = format!(
                        "{MOST_UNSEEN} of its games, the last of them {game}, have faults that no other machine saw"
                    );
                    return Err(self.deviates(again.worker, evidence));
                }
                let Why::Faults(asked, _) = again.why else {
                    return Ok(ControlFlow::Continue(()));
                };
                self.count(*asked, Box::new(record), done)
            }
        }
    }

    fn report_unrepeated(&self, again: &SpotCheck) {
        let Why::Faults(_, faults) = &again.why else {
            return;
        };
        let mut workers = self.organiser.workers.lock();
        for (program, kind) in faults {
            let word = program.split_once(' ').map_or("", |(_, word)| word);
            workers.remark(format!(
                "{word}: its fault ({kind}) counts although only worker {} has seen it: no other could \
                 play the game; start another worker",
                again.worker
            ));
        }
    }

    /// Bans a worker whose games differ from those of other machines.
    pub(super) fn deviates(&self, worker: String, evidence: String) -> RunnerError {
        let mut workers = self.organiser.workers.lock();
        workers.ban(&worker, &evidence);
        let error = RunnerError::Deviates { worker, evidence };
        workers.remark(error.to_string());
        error
    }

    /// Plays the spot checks here that no other worker has played for long.
    pub(super) fn check_late(&mut self) {
        let most = self.organiser.options.patience * 2;
        let late = self
            .spot_checks
            .iter()
            .filter(|(_, again)| again.here.is_none() && again.sent.elapsed() >= most);
        let late: Vec<String> = late.map(|(key, _)| key.clone()).collect();
        for key in late {
            if let Some(again) = self.spot_checks.remove(&key) {
                self.organiser.withdraw(&key);
                self.check_here(key, again, None);
            }
        }
    }
}

/// The evidence against a worker whose game differs from the second play.
fn other_result(again: &SpotCheck) -> String {
    let game = &again.job.opening.id;
    format!("game {game} had another result when it was played again")
}

/// Whether a game has all of these faults.
fn repeats(record: &Record, faults: &[SeenFault]) -> bool {
    let found = faults_of(record);
    faults.iter().all(|fault| found.contains(fault))
}

/// A number that decides whether a game is spot-checked. Workers do not know the secret, so they
/// cannot play only the checked games honestly.
fn drawn(secret: &[u8], job_hash: &str) -> u32 {
    let drawn = sha256(&[secret, job_hash.as_bytes()].concat());
    u32::from_str_radix(&drawn[..8], 16).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_games_are_played_again_depends_on_the_secret() {
        let hashes: Vec<String> = (0..1000_u32).map(|n| sha256(&n.to_le_bytes())).collect();
        let chosen = |secret: &[u8]| -> Vec<&String> {
            let chosen = hashes
                .iter()
                .filter(|hash| drawn(secret, hash) % 1000 < 100);
            chosen.collect()
        };
        let (one, other) = (chosen(b"one"), chosen(b"other"));
        assert!((50..200).contains(&one.len()) && (50..200).contains(&other.len()));
        let both = one.iter().filter(|hash| other.contains(hash)).count();
        assert!(both < one.len() / 2, "{both} of {} are the same", one.len());
    }
}
