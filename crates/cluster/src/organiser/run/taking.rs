//! Receives results: each game of a unit counts, is requested again, or fails.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use async_nats::jetstream::Message;
use floe_arena::job::Job;
use floe_arena::live::LiveEvent;
use floe_arena::runner::{FailedGame, Played, RunnerError};
use floe_arena::store::number;
use floe_games::record::Record;

use super::super::batches::Asked;
use super::outliers::Outliers;
use super::spot_check::{Done, SpotCheck};
use super::{Run, worker_of};
use crate::judging::{has_engine, judge};
use crate::wire::{self, GameOutcome, GameResult, UnitResult, sender_and_key};

/// A received result.
struct Came {
    key: String,
    /// The result; the worker's name is that of the real sender.
    result: UnitResult,
    /// The result named another worker than its sender.
    is_forged: bool,
    /// The worker's engines play differently from ours.
    is_stranger: bool,
    /// The worker is banned.
    is_banned: bool,
    /// An earlier organiser process requested the result.
    is_outdated: bool,
}

/// The fate of a result's games.
#[derive(Default)]
struct Sorted {
    /// Whether at least one game counted.
    has_counted: bool,
    /// Games that another worker should play.
    untried: Vec<u64>,
    /// Games whose programs were missing.
    missing: Vec<u64>,
    /// Games that do not count because of their worker.
    refused: Vec<u64>,
}

impl Run<'_, '_> {
    /// Takes in the result of a unit.
    pub(super) fn take(
        &mut self,
        message: Message,
        done: &mut Done<'_>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        let Some(mut came) = self.read(&message) else {
            self.inbox.acknowledge(message);
            return Ok(ControlFlow::Continue(()));
        };
        if let Some(again) = self.spot_checks.remove(&came.key) {
            self.inbox.acknowledge(message);
            return self.take_again(again, came, done);
        }
        if came.is_banned && !came.is_forged {
            self.refuse(&came.result.worker, "it is banned");
        }
        let mut sorted = Sorted::default();
        let mut next = ControlFlow::Continue(());
        for game in std::mem::take(&mut came.result.games) {
            next = self.take_game(game, &came, &mut sorted, done)?;
            if next.is_break() {
                break;
            }
        }
        if sorted.has_counted {
            let took = Duration::from_millis(came.result.took_ms);
            self.batches.took(took);
        }
        // Acknowledged only now that the games are in the file.
        self.inbox.acknowledge(message);
        self.send_uncounted(&sorted, &came.result.worker)?;
        Ok(next)
    }

    /// Reads a result, and looks up its sender.
    fn read(&self, message: &Message) -> Option<Came> {
        let (sender, key) = sender_and_key(&message.subject).unwrap_or_default();
        let mut result: UnitResult = match wire::read(&message.payload) {
            Ok(result) => result,
            Err(error) => {
                self.refuse(sender, &format!("a message that is no result: {error}"));
                return None;
            }
        };
        // The server names the sender, whatever the result says.
        let is_forged = result.worker != sender;
        if is_forged {
            let named = &result.worker;
            self.refuse(sender, &format!("a result in the name of {named}"));
            result.worker = sender.to_owned();
        }
        let workers = self.organiser.workers.lock();
        Some(Came {
            key: key.to_owned(),
            is_forged,
            is_stranger: workers.is_stranger(&result),
            is_banned: workers.is_banned(&result.worker),
            is_outdated: result.session != self.organiser.session,
            result,
        })
    }

    /// Receives a spot check's second play.
    fn take_again(
        &mut self,
        again: SpotCheck,
        came: Came,
        done: &mut Done<'_>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        let Came { key, result, .. } = came;
        if result.worker == again.worker {
            // A worker cannot confirm its own game.
            self.refuse(&result.worker, "it repeated its own game");
            self.check_here(key, again, None);
        } else if came.is_forged || came.is_stranger {
            // A worker whose engines play differently cannot confirm a game either.
            let not = vec![result.worker];
            let mut again = again;
            again.wanted = Some(self.publish(key.clone(), vec![again.job.clone()], not)?);
            self.spot_checks.insert(key, again);
        } else {
            return self.compare(key, again, result, done);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Receives one game of a result.
    fn take_game(
        &mut self,
        game: GameResult,
        came: &Came,
        sorted: &mut Sorted,
        done: &mut Done<'_>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        let worker = &came.result.worker;
        let id = match &game.outcome {
            GameOutcome::Record(record) => &record.opening.id,
            GameOutcome::SetAside { id, .. } => id,
        };
        let Ok(number) = number(id) else {
            return Ok(ControlFlow::Continue(()));
        };
        let Some(asked) = self.batches.asked.get(&number) else {
            // The game is stored already, or was never requested.
            tracing::debug!(id, worker, "dropped");
            return Ok(ControlFlow::Continue(()));
        };
        if came.is_banned || came.is_forged {
            sorted.refused.push(number);
            return Ok(ControlFlow::Continue(()));
        }
        let (job, hash) = (asked.job(&self.organiser.runner), asked.hash());
        if came.is_stranger && has_engine(&job) {
            sorted.untried.push(number);
            return Ok(ControlFlow::Continue(()));
        }
        if came.is_outdated && game.job != hash {
            // The game was requested before entrants or limits changed.
            self.organiser.workers.lock().is_outdated(worker);
            sorted.untried.push(number);
            return Ok(ControlFlow::Continue(()));
        }
        match game.outcome {
            GameOutcome::SetAside {
                missing: Some(object),
                ..
            } if self.organiser.carry_again(&object) => {
                sorted.missing.push(number);
                Ok(ControlFlow::Continue(()))
            }
            GameOutcome::SetAside { cause, .. } => {
                self.failure_log.note(number, worker);
                match self.is_hopeless(number, &job) {
                    true => Ok(self.fail(number, &job, cause, done)),
                    false => {
                        sorted.untried.push(number);
                        Ok(ControlFlow::Continue(()))
                    }
                }
            }
            GameOutcome::Record(mut record) => {
                // Games are removed by worker name, so no worker may use another's name.
                let machine = record.opening.machine.get_or_insert_default();
                machine.worker.clone_from(worker);
                let needs = self.needs(std::slice::from_ref(&job));
                if let Err(why) = judge(&job, &hash, &needs, &game.job, &record) {
                    self.refuse(worker, &why.to_string());
                    sorted.refused.push(number);
                    return Ok(ControlFlow::Continue(()));
                }
                let Some(asked) = self.batches.came(number) else {
                    return Ok(ControlFlow::Continue(()));
                };
                sorted.has_counted = true;
                self.take_in(asked, job, record, worker, done)
            }
        }
    }

    /// Whether enough workers failed to play a game.
    fn is_hopeless(&self, number: u64, job: &Job) -> bool {
        let able = self.able(std::slice::from_ref(job));
        self.failure_log.is_hopeless(number, &able)
    }

    /// Gives up a game that no worker could play.
    fn fail(
        &mut self,
        number: u64,
        job: &Job,
        cause: String,
        done: &mut Done<'_>,
    ) -> ControlFlow<()> {
        let seats = job.opening.seats.iter();
        let failed = FailedGame {
            id: job.opening.id.clone(),
            entrants: seats.map(|entrant| entrant.name.clone()).collect(),
            cause,
        };
        self.failed_games.push(failed.clone());
        match self.batches.came(number) {
            Some(asked) => done(Played::Not(asked.pairing, failed)),
            None => ControlFlow::Continue(()),
        }
    }

    /// Publishes uncounted games again, now or after a rest.
    fn send_uncounted(&mut self, sorted: &Sorted, worker: &str) -> Result<(), RunnerError> {
        for key in self.batches_of(&sorted.untried) {
            self.send_again(&key)?;
        }
        for key in self.batches_of(&sorted.missing) {
            // Rest until the program is uploaded.
            self.batches.let_rest(&key);
        }
        let is_banned = self.organiser.workers.lock().is_banned(worker);
        for key in self.batches_of(&sorted.refused) {
            match is_banned {
                // The same worker would take the batch again at once.
                true => self.batches.let_rest(&key),
                false => self.send_again(&key)?,
            }
        }
        Ok(())
    }

    /// Returns a game that counts.
    pub(super) fn count(
        &mut self,
        asked: Asked,
        record: Box<Record>,
        done: &mut Done<'_>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        self.played += 1;
        let (id, worker) = (asked.pairing.id(), worker_of(&record));
        let faults = record.faults().count() as u64;
        self.organiser.workers.lock().note_game(&worker, faults);
        self.tally.add(&worker, &record);
        let next = done(Played::Game(asked.pairing, record));
        let (played, length) = (self.played, self.feed.length);
        let live = &self.organiser.runner.live;
        live.publish(|| LiveEvent::Progress { played, length });
        match self.tally.look() {
            Outliers::One(worker) if !worker.is_empty() => {
                self.tally.forget(&worker);
                let evidence = format!(
                    "its results or faults, up to game {id}, differ from those of others by more than chance"
                );
                Err(self.deviates(worker, evidence))
            }
            Outliers::Either(workers) => {
                let workers: Vec<String> = workers.into_iter().collect();
                self.organiser.workers.lock().remark(format!(
                    "the results of workers {} differ by more than chance, and no third worker \
                     says who is right: start one, or ban one of them (`floe cluster ban`)",
                    workers.join(" and ")
                ));
                Ok(next)
            }
            _ => Ok(next),
        }
    }

    /// The batches that contain these games.
    fn batches_of(&self, numbers: &[u64]) -> BTreeSet<String> {
        let asked = numbers
            .iter()
            .filter_map(|number| self.batches.asked.get(number));
        asked.map(|asked| asked.batch.to_string()).collect()
    }

    /// Notes that a worker sent a result that was not requested.
    fn refuse(&self, worker: &str, why: &str) {
        self.organiser.workers.lock().refuse(worker, why);
    }
}
