//! Publishes batches: new ones, and again those that were lost, late or refused.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use floe_arena::job::Job;
use floe_arena::runner::{NamedSeat, RunnerError, ScheduledGame};
use floe_games::record::Opening;

use super::super::batches::{Asked, most_units};
use super::super::game_feed::Left;
use super::super::inbox::Wanted;
use super::{LATE, Run, elsewhere};
use crate::error::ClusterError;
use crate::judging::{has_engine, has_program, is_repeatable};
use crate::wire::{self, Batch, Needs, PROTOCOL, job_digest, program_key};

impl Run<'_, '_> {
    /// Publishes batches again that a worker has held too long, or held when it fell silent.
    pub(super) fn send_overdue(&mut self) -> Result<(), RunnerError> {
        let organiser = self.organiser;
        // Nothing is late that may be among the results that wait.
        if self.results_wait || organiser.link.health.borrow().lost.is_some() {
            return Ok(());
        }
        let patience = organiser.options.patience;
        {
            let workers = organiser.workers.lock();
            (self.batches).are_held(&workers.held(&organiser.run, patience));
        }
        let mut late = self.batches.silent(patience);
        late.extend(self.batches.overdue(patience, self.largest));
        for key in late {
            organiser.withdraw(&key);
            self.send_again(&key)?;
        }
        Ok(())
    }

    /// Publishes batches until enough are out.
    pub(super) fn fill(&mut self) -> Result<(), RunnerError> {
        let tables = self.tables();
        let most = self.window(tables);
        while !self.feed.is_over && self.batches.out.len() < most {
            let mut games = Vec::new();
            for _ in 0..self.next_units(tables) {
                games.extend(self.feed.next_unit());
            }
            let Some(first) = games.first().map(|game| game.pairing.id()) else {
                return Ok(());
            };
            let (mut numbers, mut jobs) = (Vec::new(), Vec::new());
            for ScheduledGame { pairing, players } in games {
                if !self.carry_programs(&players)? {
                    return Ok(());
                }
                let board = self.board(pairing.board)?;
                let runner = &self.organiser.runner;
                let job = runner.job_on(Opening::clone(&board), &pairing, &players);
                numbers.push(pairing.number);
                let asked = Asked {
                    digest: job_digest(&job),
                    batch: Arc::default(),
                    players: (!self.feed.is_schedule()).then_some(players),
                    board,
                    pairing,
                };
                jobs.push(job);
                self.batches.asked.insert(asked.pairing.number, asked);
            }
            self.send_jobs(first, numbers, jobs, 1)?;
        }
        Ok(())
    }

    /// The board of a game; consecutive games share it.
    fn board(&mut self, number: u64) -> Result<Arc<Opening>, RunnerError> {
        match &self.last_board {
            Some((last, board)) if *last == number => Ok(Arc::clone(board)),
            _ => {
                let (_, opening) = self.organiser.runner.boards.open(number)?;
                let board = Arc::new(opening);
                self.last_board = Some((number, Arc::clone(&board)));
                Ok(board)
            }
        }
    }

    /// Units of the next batch.
    fn next_units(&mut self, tables: usize) -> u64 {
        let seats = self.organiser.runner.boards.players().unwrap_or(2).max(1);
        let left = match self.feed.left() {
            Left::Games(games) => Some(games / u64::from(seats)),
            Left::Many => None,
            Left::OneByOne => return 1,
        };
        let wanted = self.organiser.options.batch;
        let most = most_units(self.window(tables), seats);
        let units = self.batches.next_units(wanted, left, tables, most);
        self.largest = self.largest.max(units);
        units
    }

    /// Uploads the programs of these players, with retries while the server is away; `false` if the
    /// caller stops the run.
    fn carry_programs(&self, players: &[NamedSeat]) -> Result<bool, RunnerError> {
        loop {
            match self.organiser.carry_programs(players) {
                Ok(()) => return Ok(true),
                Err(ClusterError::Server { .. }) if self.stop.load(Ordering::Relaxed) => {
                    return Ok(false);
                }
                Err(error @ ClusterError::Server { .. }) => {
                    tracing::debug!(%error, "a program did not get through");
                    thread::sleep(LATE);
                }
                Err(error) => return Err(elsewhere(error)),
            }
        }
    }

    fn send(&mut self, key: String, numbers: Vec<u64>, tries: u32) -> Result<(), RunnerError> {
        let jobs = self.jobs(&numbers);
        self.send_jobs(key, numbers, jobs, tries)
    }

    fn send_jobs(
        &mut self,
        key: String,
        numbers: Vec<u64>,
        jobs: Vec<Job>,
        tries: u32,
    ) -> Result<(), RunnerError> {
        let not = self.failure_log.who_may_not(&numbers, &self.able(&jobs));
        let level = self.needs(&jobs).sandbox.min(wire::MOST_LEVEL);
        let wanted = self.publish(key.clone(), jobs, not)?;
        self.batches.note(key, numbers, tries, level, wanted);
        Ok(())
    }

    /// The jobs of requested games.
    pub(super) fn jobs(&self, numbers: &[u64]) -> Vec<Job> {
        let asked = numbers.iter();
        let asked = asked.filter_map(|number| self.batches.asked.get(number));
        let jobs = asked.map(|asked| asked.job(&self.organiser.runner));
        jobs.collect()
    }

    pub(super) fn publish(
        &self,
        key: String,
        jobs: Vec<Job>,
        not: Vec<String>,
    ) -> Result<Wanted, RunnerError> {
        let organiser = self.organiser;
        let needs = self.needs(&jobs);
        let level = needs.sandbox.min(wire::MOST_LEVEL);
        let seats = jobs.iter().flat_map(|job| &job.opening.seats);
        let keys: BTreeSet<String> = seats.filter_map(program_key).collect();
        let programs = {
            let known = organiser.programs.lock();
            let found = keys.into_iter().filter_map(|key| {
                let packed = known.get(&key)?.clone();
                Some((key, packed))
            });
            found.collect()
        };
        let mut excluded: Vec<String> = organiser.banned().into_keys().collect();
        excluded.extend(not);
        if jobs.iter().any(has_engine) {
            excluded.extend(organiser.workers.lock().strangers());
        }
        let batch = Batch {
            protocol: PROTOCOL,
            run: organiser.run.clone(),
            key: key.clone(),
            session: organiser.session.clone(),
            results: organiser.streams.results.load(Ordering::Relaxed),
            patience_ms: organiser.options.patience.as_millis() as u64,
            programs,
            needs,
            not: excluded,
            is_watched: organiser.runner.live.is_listened_to(),
            jobs,
        };
        let bytes = wire::write(&batch).map_err(elsewhere)?;
        let wanted = Wanted::default();
        organiser.send(self.inbox, level, key, bytes, &wanted);
        Ok(wanted)
    }

    /// The requirements of these games.
    pub(super) fn needs(&self, jobs: &[Job]) -> Needs {
        let options = &self.organiser.options;
        Needs {
            sandbox: match jobs.iter().any(has_program) {
                true => options.sandbox,
                false => 0,
            },
            // If no player has a time limit, every machine is fast enough.
            speed: match jobs.iter().all(is_repeatable) {
                true => None,
                false => options.speed.clone(),
            },
        }
    }

    /// The names of present workers that can play these games.
    pub(super) fn able(&self, jobs: &[Job]) -> Vec<String> {
        let needs = self.needs(jobs);
        let game = self.organiser.runner.boards.game().name();
        let has_engine = jobs.iter().any(has_engine);
        let workers = self.organiser.workers.lock();
        let strangers = workers.strangers();
        let able = workers.at_work().filter(|worker| {
            let is_fast = needs.speed.as_ref().is_none_or(|rule| {
                let speed = worker.speeds.of(game).unwrap_or(0);
                rule.time_percent(speed).is_some()
            });
            let is_stranger = has_engine && strangers.contains(&worker.name);
            worker.sandbox >= needs.sandbox && is_fast && !is_stranger
        });
        able.map(|worker| worker.name.clone()).collect()
    }

    /// Publishes a batch's missing games under another key.
    pub(super) fn send_again(&mut self, key: &str) -> Result<(), RunnerError> {
        let Some(out) = self.batches.out.remove(key) else {
            return Ok(());
        };
        let tries = out.tries + 1;
        let first = key.split('-').next().unwrap_or(key);
        tracing::debug!(key, tries, "a batch is published again");
        self.send(format!("{first}-{tries}"), out.games, tries)
    }

    /// Publishes batches that rested because only excluded workers were present, once another
    /// worker is there.
    pub(super) fn send_rested(&mut self) -> Result<(), RunnerError> {
        let mut rested = self.batches.rested();
        let tables = self.tables();
        let room = self.window(tables).saturating_sub(self.batches.active());
        rested.truncate(room);
        if rested.is_empty() {
            return Ok(());
        }
        {
            let mut workers = self.organiser.workers.lock();
            if workers.at_work().next().is_none() {
                workers.remark(
                    "no present worker's results count: the games wait for another worker (`floe \
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
}
