//! Some games that must come out the same are played again by others.

use std::time::Instant;

use floe_arena::job::Job;
use floe_arena::live::Broadcast;
use floe_arena::runner::{RunnerError, play_job};
use floe_arena::seat::Sandbox;
use floe_games::record::Record;

use super::super::batches::Asked;
use super::Run;
use crate::judging::{is_repeatable, is_same_game};
use crate::wire::{AGAIN, GameOutcome, UnitResult, sha256};

/// A game that is played again elsewhere.
pub(super) struct Again {
    pub(super) job: Job,
    /// The record of the first time.
    record: Record,
    /// The worker of the first time.
    pub(super) worker: String,
    sent: Instant,
}

impl Run<'_, '_> {
    /// Has one game in a number repeated by another worker as a spot check, if its result must be
    /// the same.
    pub(super) fn play_again(
        &mut self,
        asked: &Asked,
        record: &Record,
        worker: &str,
    ) -> Result<(), RunnerError> {
        let per_mille = self.organiser.options.again_per_mille;
        let is_chosen = is_chosen(&self.organiser.secret, &asked.hash, per_mille);
        if !is_chosen || !is_repeatable(&asked.job) {
            return Ok(());
        }
        let has_others = {
            let workers = self.organiser.workers.lock();
            workers.at_work().any(|other| other.name != worker)
        };
        if !has_others {
            return Ok(());
        }
        let key = format!("{AGAIN}{}", asked.job.opening.id);
        self.publish(
            key.clone(),
            vec![asked.job.clone()],
            vec![worker.to_owned()],
        )?;
        let again = Again {
            job: asked.job.clone(),
            record: record.clone(),
            worker: worker.to_owned(),
            sent: Instant::now(),
        };
        self.again.insert(key, again);
        Ok(())
    }

    /// Compares a spot check with the first result. If they differ, or the other worker could not
    /// play it, the organiser plays the game itself and names the wrong worker.
    pub(super) fn compare(&mut self, again: &Again, result: UnitResult) -> Result<(), RunnerError> {
        let game = result.games.into_iter().next().map(|game| game.outcome);
        let Some(GameOutcome::Record(second)) = game else {
            return self.check_here(again);
        };
        if is_same_game(&again.record, &second) {
            return Ok(());
        }
        match self.is_right(again)? {
            Some(true) => Err(self.deviates(result.worker, again)),
            Some(false) => Err(self.deviates(again.worker.clone(), again)),
            None => Ok(()),
        }
    }

    /// Plays an unfinished spot check here: a worker that blocks spot checks gains nothing.
    pub(super) fn check_here(&mut self, again: &Again) -> Result<(), RunnerError> {
        match self.is_right(again)? {
            Some(false) => Err(self.deviates(again.worker.clone(), again)),
            _ => Ok(()),
        }
    }

    /// Takes in that a worker plays otherwise, as a game shows.
    fn deviates(&self, worker: String, again: &Again) -> RunnerError {
        let mut workers = self.organiser.workers.lock();
        let game = again.job.opening.id.clone();
        workers.ban(&worker, &format!("game {game} comes out otherwise"));
        let error = RunnerError::Deviates { worker, game };
        workers.remark(error.to_string());
        error
    }

    /// Whether all spot checks have arrived. Overdue ones are played here, one per call.
    pub(super) fn is_checked(&mut self) -> Result<bool, RunnerError> {
        let most = self.organiser.options.patience * 2;
        let mut waiting = self.again.iter();
        let late = waiting.find(|(_, again)| again.sent.elapsed() >= most);
        let late = late.map(|(key, _)| key.clone());
        if let Some(again) = late.and_then(|key| self.again.remove(&key)) {
            self.check_here(&again)?;
        }
        Ok(self.again.is_empty())
    }

    /// Whether a game has the same result here as the first time; `None` if it was stopped.
    fn is_right(&self, again: &Again) -> Result<Option<bool>, RunnerError> {
        let seats = again.job.find_seats("/nonexistent".as_ref())?;
        let (sandbox, broadcast) = (Sandbox::none(), Broadcast::default());
        let here = play_job(&again.job, &seats, &sandbox, self.stop, &broadcast)?;
        Ok(here.map(|here| is_same_game(&again.record, &here)))
    }
}

/// Whether a game is a spot check, for `per_mille` of a thousand games. Without the secret a worker
/// cannot predict it, and so cannot play only these games correctly.
fn is_chosen(secret: &[u8], job_hash: &str, per_mille: u32) -> bool {
    let drawn = sha256(&[secret, job_hash.as_bytes()].concat());
    let drawn = u32::from_str_radix(&drawn[..8], 16).unwrap_or(0);
    drawn % 1000 < per_mille
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_games_are_played_again_depends_on_the_secret() {
        let hashes: Vec<String> = (0..1000_u32).map(|n| sha256(&n.to_le_bytes())).collect();
        let chosen = |secret: &[u8]| -> Vec<&String> {
            let chosen = hashes.iter().filter(|hash| is_chosen(secret, hash, 100));
            chosen.collect()
        };
        let (one, other) = (chosen(b"one"), chosen(b"other"));
        assert!((50..200).contains(&one.len()) && (50..200).contains(&other.len()));
        let both = one.iter().filter(|hash| other.contains(hash)).count();
        assert!(both < one.len() / 2, "{both} of {} are the same", one.len());
        assert!(hashes.iter().all(|hash| is_chosen(b"one", hash, 1000)));
    }
}
