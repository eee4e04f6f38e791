//! One run of an organiser: until there are no more games, or nobody wants them.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use floe_arena::job::Job;
use floe_arena::live::LiveEvent;
use floe_arena::runner::{RunnerError, SetAside, play_job};
use floe_arena::schedule::Pairing;
use floe_arena::seat::Sandbox;
use floe_arena::store::number;
use floe_games::record::Record;

use super::batches::{Asked, Batches};
use super::mail::{Letter, Mail};
use super::{Organiser, lock};
use crate::error::ClusterError;
use crate::judging::{is_repeatable, is_same_game, judge};
use crate::wire::{self, Batch, GameOutcome, Needs, PROTOCOL, UnitResult, job_hash};

/// How soon somebody who presses a key is noticed.
const LOOK: Duration = Duration::from_millis(20);
/// How often batches are looked at that take too long.
const LATE: Duration = Duration::from_millis(500);
/// How many batches are out at least, and at most.
const LEAST_OUT: usize = 4;
const MOST_OUT: usize = 20_000;

/// A game that is played again elsewhere.
struct Again {
    job: Job,
    /// What it came to the first time.
    record: Record,
    /// Who played it then.
    worker: String,
    sent: Instant,
}

pub(super) struct Run<'a> {
    organiser: &'a Organiser,
    mail: &'a Mail,
    games: &'a mut (dyn Iterator<Item = Pairing> + Send),
    /// The next one, if it was looked at already.
    next: Option<Pairing>,
    is_exhausted: bool,
    batches: Batches,
    again: HashMap<String, Again>,
    set_aside: Vec<SetAside>,
    looked_late: Instant,
    played: u64,
    largest: u64,
    length: Option<u64>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        organiser: &'a Organiser,
        games: &'a mut (dyn Iterator<Item = Pairing> + Send),
        mail: &'a Mail,
    ) -> Run<'a> {
        let length = games.size_hint().1.map(|games| games as u64);
        Run {
            organiser,
            mail,
            games,
            next: None,
            is_exhausted: false,
            batches: Batches::default(),
            again: HashMap::new(),
            set_aside: Vec::new(),
            looked_late: Instant::now(),
            played: 0,
            largest: 1,
            length,
        }
    }

    pub(super) fn play(
        mut self,
        stop: &AtomicBool,
        done: &mut dyn FnMut(Pairing, Record) -> ControlFlow<()>,
    ) -> Result<Vec<SetAside>, RunnerError> {
        loop {
            self.fill()?;
            lock(&self.organiser.workers).out = self.batches.asked.len();
            if self.is_exhausted && self.batches.asked.is_empty() && self.is_checked() {
                return Ok(self.set_aside);
            }
            match self.mail.letters.recv_timeout(LOOK) {
                Ok(Letter::Result(message)) => {
                    if self.take(*message, done)?.is_break() {
                        return Ok(self.set_aside);
                    }
                }
                Ok(Letter::Sent(key)) => self.batches.is_safe(&key),
                Ok(Letter::Queue(keys)) => {
                    for key in self.batches.lost(|key| keys.contains(key)) {
                        self.send_again(&key)?;
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            if self.looked_late.elapsed() > LATE {
                self.looked_late = Instant::now();
                let patience = self.organiser.options.patience;
                for key in self.batches.overdue(patience, self.largest) {
                    self.send_again(&key)?;
                }
                self.send_rested()?;
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(self.set_aside);
            }
        }
    }

    /// Publishes batches until enough are out.
    fn fill(&mut self) -> Result<(), RunnerError> {
        let tables = self.tables();
        let most = (tables * 2).clamp(LEAST_OUT, MOST_OUT);
        while !self.is_exhausted && self.batches.out.len() < most {
            let seats = self.organiser.runner.boards.players().unwrap_or(2).max(1);
            let left = self
                .games
                .size_hint()
                .1
                .map(|games| games as u64 / u64::from(seats));
            let wanted = self.organiser.options.batch;
            let units = self.batches.next_units(wanted, left, tables);
            self.largest = self.largest.max(units);
            let mut games = Vec::new();
            for _ in 0..units {
                games.extend(self.next_unit());
            }
            let Some(first) = games.first().map(Pairing::id) else {
                return Ok(());
            };
            let mut numbers = Vec::new();
            for pairing in games {
                let job = self.organiser.runner.job(&pairing)?;
                numbers.push(pairing.number);
                let asked = Asked {
                    hash: job_hash(&job),
                    job,
                    batch: first.clone(),
                    pairing,
                };
                self.batches.asked.insert(asked.pairing.number, asked);
            }
            self.send(first, numbers, 1)?;
        }
        Ok(())
    }

    /// The games of the next unit; none if there are no more.
    fn next_unit(&mut self) -> Vec<Pairing> {
        let mut unit: Vec<Pairing> = Vec::new();
        loop {
            let Some(next) = self.next.take().or_else(|| self.games.next()) else {
                self.is_exhausted = true;
                return unit;
            };
            if unit.first().is_some_and(|first| first.unit != next.unit) {
                self.next = Some(next);
                return unit;
            }
            unit.push(next);
        }
    }

    /// How many games can be played at once.
    fn tables(&self) -> usize {
        let seats = self.organiser.runner.boards.players().unwrap_or(2).max(1) as usize;
        let workers = lock(&self.organiser.workers);
        let tables = workers
            .at_work()
            .map(|worker| (worker.cores / seats).max(1));
        tables.sum()
    }

    fn send(&mut self, key: String, numbers: Vec<u64>, tries: u32) -> Result<(), RunnerError> {
        let jobs = numbers
            .iter()
            .filter_map(|number| self.batches.asked.get(number));
        let jobs: Vec<Job> = jobs.map(|asked| asked.job.clone()).collect();
        self.publish(key.clone(), jobs, Vec::new())?;
        self.batches.note(key, numbers, tries);
        Ok(())
    }

    fn publish(&self, key: String, jobs: Vec<Job>, not: Vec<String>) -> Result<(), RunnerError> {
        let organiser = self.organiser;
        let needs = self.needs(&jobs);
        let level = needs.sandbox.min(wire::MOST_LEVEL);
        let words = || jobs.iter().flat_map(|job| &job.opening.seats);
        let programs = organiser.programs.iter();
        let programs = programs.filter(|(word, _)| words().any(|entrant| entrant.seat == **word));
        let mut excluded = organiser.ignored();
        excluded.extend(not);
        let batch = Batch {
            protocol: PROTOCOL,
            run: organiser.run.clone(),
            key: key.clone(),
            programs: programs.map(|(w, p)| (w.clone(), p.clone())).collect(),
            needs,
            not: excluded,
            jobs,
        };
        let bytes = wire::write(&batch).map_err(elsewhere)?;
        organiser.send(self.mail, level, key, bytes);
        Ok(())
    }

    /// What a machine must have for these games.
    fn needs(&self, jobs: &[Job]) -> Needs {
        let options = &self.organiser.options;
        let words = &self.organiser.programs;
        let mut seats = jobs.iter().flat_map(|job| &job.opening.seats);
        let has_program = seats.any(|entrant| words.contains_key(&entrant.seat));
        Needs {
            sandbox: if has_program { options.sandbox } else { 0 },
            // Where nobody plays by the clock every machine will do.
            speed: match jobs.iter().all(is_repeatable) {
                true => None,
                false => options.speed.clone(),
            },
        }
    }

    /// Publishes the games of a batch that did not come, under another key.
    fn send_again(&mut self, key: &str) -> Result<(), RunnerError> {
        let Some(out) = self.batches.out.remove(key) else {
            return Ok(());
        };
        let tries = out.tries + 1;
        let first = key.split('-').next().unwrap_or(key);
        tracing::debug!(key, tries, "a batch is published again");
        self.send(format!("{first}-{tries}"), out.games, tries)
    }

    /// Publishes what rested because somebody who does not count had taken it, once anybody else is
    /// there to play it.
    fn send_rested(&mut self) -> Result<(), RunnerError> {
        let rested = self.batches.rested();
        if rested.is_empty() {
            return Ok(());
        }
        {
            let mut workers = lock(&self.organiser.workers);
            if workers.at_work().next().is_none() {
                workers.remark(
                    "no worker is there whose results count: the games wait until one comes (`floe \
                     worker`)"
                        .to_owned(),
                );
                return Ok(());
            }
        }
        for key in rested {
            self.send_again(&key)?;
        }
        Ok(())
    }

    /// Takes in the result of a unit.
    fn take(
        &mut self,
        message: Message,
        done: &mut dyn FnMut(Pairing, Record) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        let key = message
            .subject
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_owned();
        let result: UnitResult = match wire::read(&message.payload) {
            Ok(result) => result,
            Err(error) => {
                lock(&self.organiser.workers).remark(format!("a result is no result: {error}"));
                self.mail.acknowledge(message);
                return Ok(ControlFlow::Continue(()));
            }
        };
        if let Some(again) = self.again.remove(&key) {
            self.mail.acknowledge(message);
            match result.worker == again.worker {
                // Whoever judges themselves says nothing.
                true => {
                    self.refuse(&result.worker, "it played a game again that it had played");
                    self.publish(key.clone(), vec![again.job.clone()], vec![result.worker])?;
                    self.again.insert(key, again);
                }
                false => self.compare(&again, result)?,
            }
            return Ok(ControlFlow::Continue(()));
        }
        let is_ignored = lock(&self.organiser.workers)
            .ignored
            .contains(&result.worker);
        let mut refused = Vec::new();
        let mut next = ControlFlow::Continue(());
        let mut has_counted = false;
        for game in result.games {
            let id = match &game.outcome {
                GameOutcome::Record(record) => &record.opening.id,
                GameOutcome::SetAside { id, .. } => id,
            };
            let Some(number) = number(id).ok() else {
                continue;
            };
            let Some(asked) = self.batches.asked.get(&number) else {
                // It is there already, or was never asked for.
                tracing::debug!(id, worker = result.worker, "dropped");
                continue;
            };
            if is_ignored {
                refused.push(number);
                continue;
            }
            match game.outcome {
                GameOutcome::SetAside { id, cause } => {
                    let seats = asked.job.opening.seats.iter();
                    let entrants = seats.map(|entrant| entrant.name.clone()).collect();
                    self.batches.came(number);
                    self.set_aside.push(SetAside {
                        id,
                        entrants,
                        cause,
                    });
                }
                GameOutcome::Record(record) => {
                    let needs = self.needs(std::slice::from_ref(&asked.job));
                    if let Err(why) = judge(&asked.job, &asked.hash, &needs, &game.job, &record) {
                        self.refuse(&result.worker, &why.to_string());
                        refused.push(number);
                        continue;
                    }
                    let Some(asked) = self.batches.came(number) else {
                        continue;
                    };
                    has_counted = true;
                    self.play_again(&asked, &record, &result.worker)?;
                    self.played += 1;
                    lock(&self.organiser.workers).games += 1;
                    next = done(asked.pairing, *record);
                    let (played, length) = (self.played, self.length);
                    let live = &self.organiser.runner.live;
                    live.publish(|| LiveEvent::Progress { played, length });
                    if next.is_break() {
                        break;
                    }
                }
            }
        }
        if has_counted {
            self.batches.took(Duration::from_millis(result.took_ms));
        }
        // Only now: what it says is in the file.
        self.mail.acknowledge(message);
        let mut keys: Vec<String> = refused
            .iter()
            .filter_map(|number| Some(self.batches.asked.get(number)?.batch.clone()))
            .collect();
        keys.sort();
        keys.dedup();
        let is_ignored = is_ignored
            || lock(&self.organiser.workers)
                .ignored
                .contains(&result.worker);
        for key in keys {
            match is_ignored {
                // It would take them again at once.
                true => self.batches.let_rest(&key),
                false => self.send_again(&key)?,
            }
        }
        Ok(next)
    }

    /// Notes that a worker sent what was not asked for.
    fn refuse(&self, worker: &str, why: &str) {
        lock(&self.organiser.workers).refuse(worker, why);
    }

    /// Has one game in so many played again by somebody else, if it must come out the same.
    fn play_again(
        &mut self,
        asked: &Asked,
        record: &Record,
        worker: &str,
    ) -> Result<(), RunnerError> {
        let chance = u32::from_str_radix(&asked.hash[..6], 16).unwrap_or(0) % 1000;
        if chance >= self.organiser.options.again_per_mille || !is_repeatable(&asked.job) {
            return Ok(());
        }
        let has_others = {
            let workers = lock(&self.organiser.workers);
            workers.at_work().any(|other| other.name != worker)
        };
        if !has_others {
            return Ok(());
        }
        let key = format!("again-{}", asked.job.opening.id);
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

    /// Compares what a game came to with what it came to the first time. Where they differ it is
    /// played here, and whoever is wrong is named.
    fn compare(&mut self, again: &Again, result: UnitResult) -> Result<(), RunnerError> {
        let game = result.games.into_iter().next().map(|game| game.outcome);
        let Some(GameOutcome::Record(second)) = game else {
            return Ok(());
        };
        if is_same_game(&again.record, &second) {
            return Ok(());
        }
        let seats = again.job.find_seats("/nonexistent".as_ref())?;
        let stop = Arc::new(AtomicBool::new(false));
        let here = play_job(
            &again.job,
            &seats,
            &Sandbox::none(),
            &stop,
            &Default::default(),
        )?;
        let Some(here) = here else {
            return Ok(());
        };
        let game = again.job.opening.id.clone();
        let (first, other) = (again.worker.clone(), result.worker);
        let worker = match is_same_game(&again.record, &here) {
            true => other,
            false => first,
        };
        let error = ClusterError::Deviates { worker, game };
        if let ClusterError::Deviates { worker, .. } = &error {
            let mut workers = lock(&self.organiser.workers);
            workers.ignored.insert(worker.clone());
            workers.remark(error.to_string());
        }
        Err(elsewhere(error))
    }

    /// Whether all games that are played again have come, or nobody plays them.
    fn is_checked(&mut self) -> bool {
        let patience = self.organiser.options.patience;
        let most = patience * 2;
        self.again.retain(|_, again| again.sent.elapsed() < most);
        self.again.is_empty()
    }
}

fn elsewhere(error: ClusterError) -> RunnerError {
    RunnerError::Elsewhere(Box::new(error))
}
