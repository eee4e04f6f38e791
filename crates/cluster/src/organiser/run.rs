//! One run of an organiser: until there are no more games, or none are wanted.

mod again;
mod outliers;
mod sharing;
mod stalls;
mod troubles;

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use floe_arena::job::Job;
use floe_arena::live::LiveEvent;
use floe_arena::runner::{NamedSeat, Played, RunnerError, ScheduledGame, SetAside};
use floe_arena::store::number;
use floe_games::record::{Opening, Record};

use self::again::{Again, Faults};
use self::outliers::{Outliers, Tally};
use self::sharing::Sharing;
use self::stalls::Stalls;
use self::troubles::Troubles;
use super::Organiser;
use super::batches::{Asked, Batches};
use super::mail::{Letter, Mail, Queue};
use super::source::{Left, Source};
use crate::error::ClusterError;
use crate::judging::{has_engine, has_program, is_repeatable, judge};
use crate::wire::{
    self, Announcement, Batch, GameOutcome, Needs, PROTOCOL, UnitResult, job_hash, program_key,
    sender_and_key,
};

/// How soon a key press is noticed.
const LOOK: Duration = Duration::from_millis(20);
/// Interval between counts of able workers.
const COUNT: Duration = Duration::from_millis(50);
/// Interval between looks for late batches.
const LATE: Duration = Duration::from_millis(500);
/// Fewest and most batches that are out.
const LEAST_OUT: usize = 4;
const MOST_OUT: usize = 20_000;

pub(super) struct Run<'a, 's> {
    organiser: &'a Organiser,
    mail: &'a Mail,
    /// Set by the caller to stop.
    stop: &'a Arc<AtomicBool>,
    source: Source<'s>,
    batches: Batches,
    again: HashMap<String, Again>,
    /// Workers that failed each game.
    troubles: Troubles,
    stalls: Stalls,
    faults: Faults,
    tally: Tally,
    set_aside: Vec<SetAside>,
    looked_late: Instant,
    played: u64,
    largest: u64,
    /// The board of the last game that was asked for, with its number.
    last_board: Option<(u64, Arc<Opening>)>,
    /// Number of concurrent games, and when it was counted.
    tables: (usize, Instant),
    sharing: Sharing,
}

impl<'a, 's> Run<'a, 's> {
    pub(super) fn new(
        organiser: &'a Organiser,
        source: Source<'s>,
        mail: &'a Mail,
        stop: &'a Arc<AtomicBool>,
    ) -> Run<'a, 's> {
        Run {
            organiser,
            mail,
            stop,
            source,
            batches: Batches::default(),
            again: HashMap::new(),
            troubles: Troubles::default(),
            stalls: Stalls::default(),
            faults: Faults::default(),
            tally: Tally::default(),
            set_aside: Vec::new(),
            looked_late: Instant::now(),
            played: 0,
            largest: 1,
            last_board: None,
            tables: (count_tables(organiser), Instant::now()),
            sharing: Sharing::default(),
        }
    }

    pub(super) fn play(
        mut self,
        done: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<Vec<SetAside>, RunnerError> {
        loop {
            self.fill()?;
            self.organiser.workers.lock().out = self.batches.asked.len();
            if self.source.is_over && self.batches.asked.is_empty() && self.again.is_empty() {
                return Ok(self.set_aside);
            }
            match self.mail.letters.recv_timeout(LOOK) {
                Ok(Letter::Result(message)) => {
                    self.stalls.result_came = true;
                    if self.take(*message, done)?.is_break() {
                        return Ok(self.set_aside);
                    }
                }
                Ok(Letter::Sent(key, sequence)) => self.batches.is_safe(&key, sequence),
                Ok(Letter::Queue(queue)) => self.look_at_queue(&queue)?,
                Ok(Letter::NotTaken(cause)) => self.tell_not_taken(&cause),
                Ok(Letter::Checked(key, here)) => {
                    let here = here.map(|here| *here);
                    if self.is_checked_here(&key, here, done)?.is_break() {
                        return Ok(self.set_aside);
                    }
                }
                Ok(Letter::Stuck(kind)) => self.is_stuck(kind),
                Ok(Letter::Renewed(kind, made)) => self.is_renewed(kind, made)?,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            self.look_at_shares();
            if self.looked_late.elapsed() > LATE {
                self.looked_late = Instant::now();
                self.organiser.workers.lock().look_at_bans();
                self.check_late();
                self.send_overdue()?;
                self.send_rested()?;
            }
            if self.stop.load(Ordering::Relaxed) {
                return Ok(self.set_aside);
            }
        }
    }

    /// Publishes what was lost, and looks whether the server hands out what it has.
    fn look_at_queue(&mut self, queue: &Queue) -> Result<(), RunnerError> {
        let streams = &self.organiser.streams;
        streams.jobs.store(queue.jobs, Ordering::Relaxed);
        streams.results.store(queue.results, Ordering::Relaxed);
        self.batches.are_delivered(&queue.delivered);
        for key in self.batches.lost(|key| queue.keys.contains(key)) {
            self.send_again(&key)?;
        }
        self.suspect(queue);
        Ok(())
    }

    /// Says that the server takes no batches.
    fn tell_not_taken(&self, cause: &str) {
        let mut workers = self.organiser.workers.lock();
        workers.remark(format!(
            "the server takes no games: {cause}; trying again until it does (is its disk full?)"
        ));
    }

    /// Publishes again what a worker has for too long, or had when it fell silent.
    fn send_overdue(&mut self) -> Result<(), RunnerError> {
        let organiser = self.organiser;
        if organiser.link.health.borrow().lost.is_some() {
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
    fn fill(&mut self) -> Result<(), RunnerError> {
        let tables = self.tables();
        let most = self.window(tables);
        while !self.source.is_over && self.batches.out.len() < most {
            let mut games = Vec::new();
            for _ in 0..self.next_units(tables) {
                games.extend(self.source.next_unit());
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
                    hash: job_hash(&job),
                    batch: first.clone(),
                    players: (!self.source.is_schedule()).then_some(players),
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

    /// A board; games on the same one follow each other.
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
        let left = match self.source.left() {
            Left::Games(games) => Some(games / u64::from(seats)),
            Left::Many => None,
            Left::OneByOne => return 1,
        };
        let wanted = self.organiser.options.batch;
        let units = self.batches.next_units(wanted, left, tables);
        self.largest = self.largest.max(units);
        units
    }

    /// Uploads the programs of these players, with retries while the server is away; false if the
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

    /// Number of concurrent games. Counted now and then: there may be thousands of workers, and
    /// thousands of results in a second.
    fn tables(&mut self) -> usize {
        if self.tables.1.elapsed() > COUNT {
            self.tables = (count_tables(self.organiser), Instant::now());
        }
        self.tables.0
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
        let not = self.troubles.who_may_not(&numbers, &self.able(&jobs));
        let level = self.needs(&jobs).sandbox.min(wire::MOST_LEVEL);
        self.publish(key.clone(), jobs, not)?;
        self.batches.note(key, numbers, tries, level);
        Ok(())
    }

    /// The jobs of games that were asked for.
    fn jobs(&self, numbers: &[u64]) -> Vec<Job> {
        let asked = numbers.iter();
        let asked = asked.filter_map(|number| self.batches.asked.get(number));
        let jobs = asked.map(|asked| asked.job(&self.organiser.runner));
        jobs.collect()
    }

    fn publish(&self, key: String, jobs: Vec<Job>, not: Vec<String>) -> Result<(), RunnerError> {
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
        organiser.send(self.mail, level, key, bytes);
        Ok(())
    }

    /// The requirements of these games.
    fn needs(&self, jobs: &[Job]) -> Needs {
        let options = &self.organiser.options;
        Needs {
            sandbox: match jobs.iter().any(has_program) {
                true => options.sandbox,
                false => 0,
            },
            // If no player has a time limit, every machine will do.
            speed: match jobs.iter().all(is_repeatable) {
                true => None,
                false => options.speed.clone(),
            },
        }
    }

    /// The names of present workers that could play these games.
    fn able(&self, jobs: &[Job]) -> Vec<String> {
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

    /// Publishes batches that rested because an excluded worker had taken them, once another worker
    /// is there.
    fn send_rested(&mut self) -> Result<(), RunnerError> {
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
        done: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        let (sender, key) = sender_and_key(&message.subject).unwrap_or_default();
        let (sender, key) = (sender.to_owned(), key.to_owned());
        let mut result: UnitResult = match wire::read(&message.payload) {
            Ok(result) => result,
            Err(error) => {
                self.refuse(&sender, &format!("a message that is no result: {error}"));
                self.mail.acknowledge(message);
                return Ok(ControlFlow::Continue(()));
            }
        };
        // The server says who sent it, whatever it says itself.
        let is_forged = result.worker != sender;
        if is_forged {
            self.refuse(
                &sender,
                &format!("a result in the name of {}", result.worker),
            );
            result.worker = sender;
        }
        let is_stranger = self.organiser.workers.lock().is_stranger(&result);
        if let Some(again) = self.again.remove(&key) {
            self.mail.acknowledge(message);
            if result.worker == again.worker {
                // A worker cannot confirm its own game.
                self.refuse(&result.worker, "it played a game again that it had played");
                self.check_here(key, again, None);
            } else if is_forged || is_stranger {
                // Nor does one who plays otherwise anyway.
                self.publish(key.clone(), vec![again.job.clone()], vec![result.worker])?;
                self.again.insert(key, again);
            } else {
                return self.compare(key, again, result, done);
            }
            return Ok(ControlFlow::Continue(()));
        }
        let is_banned = self.organiser.workers.lock().is_banned(&result.worker);
        if is_banned && !is_forged {
            self.refuse(&result.worker, "it is banned");
        }
        let is_outdated = result.session != self.organiser.session;
        let mut refused = Vec::new();
        let (mut untried, mut missing) = (Vec::new(), Vec::new());
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
            if is_banned || is_forged {
                refused.push(number);
                continue;
            }
            let job = asked.job(&self.organiser.runner);
            if is_stranger && has_engine(&job) {
                untried.push(number);
                continue;
            }
            if is_outdated && game.job != asked.hash {
                // It was asked for so, before entrants or limits were changed.
                self.organiser.workers.lock().is_outdated(&result.worker);
                untried.push(number);
                continue;
            }
            match game.outcome {
                GameOutcome::SetAside {
                    missing: Some(object),
                    ..
                } if self.organiser.carry_again(&object) => missing.push(number),
                GameOutcome::SetAside { id, cause, .. } => {
                    let able = self.able(std::slice::from_ref(&job));
                    self.troubles.note(number, &result.worker);
                    if !self.troubles.is_hopeless(number, &able) {
                        untried.push(number);
                        continue;
                    }
                    let seats = job.opening.seats.iter();
                    let entrants = seats.map(|entrant| entrant.name.clone()).collect();
                    let aside = SetAside {
                        id,
                        entrants,
                        cause,
                    };
                    self.set_aside.push(aside.clone());
                    if let Some(asked) = self.batches.came(number) {
                        next = done(Played::Not(asked.pairing, aside));
                        if next.is_break() {
                            break;
                        }
                    }
                }
                GameOutcome::Record(mut record) => {
                    // Games are removed by this name, so no worker may use another's.
                    let machine = record.opening.machine.get_or_insert_default();
                    machine.worker.clone_from(&result.worker);
                    let needs = self.needs(std::slice::from_ref(&job));
                    if let Err(why) = judge(&job, &asked.hash, &needs, &game.job, &record) {
                        self.refuse(&result.worker, &why.to_string());
                        refused.push(number);
                        continue;
                    }
                    let Some(asked) = self.batches.came(number) else {
                        continue;
                    };
                    has_counted = true;
                    next = self.take_in(asked, job, record, &result.worker, done)?;
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
        for key in self.batches_of(&untried) {
            self.send_again(&key)?;
        }
        for key in self.batches_of(&missing) {
            // Until the program is there.
            self.batches.let_rest(&key);
        }
        let keys = self.batches_of(&refused);
        let is_banned = self.organiser.workers.lock().is_banned(&result.worker);
        for key in keys {
            match is_banned {
                // It would take them again at once.
                true => self.batches.let_rest(&key),
                false => self.send_again(&key)?,
            }
        }
        Ok(next)
    }

    /// Hands over a game that counts.
    fn count(
        &mut self,
        asked: Asked,
        record: Box<Record>,
        done: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, RunnerError> {
        self.played += 1;
        let (id, worker) = (asked.pairing.id(), worker_of(&record));
        let faults = record.faults().count() as u64;
        self.organiser.workers.lock().note_game(&worker, faults);
        self.tally.add(&worker, &record);
        let next = done(Played::Game(asked.pairing, record));
        let (played, length) = (self.played, self.source.length);
        let live = &self.organiser.runner.live;
        live.publish(|| LiveEvent::Progress { played, length });
        match self.tally.look() {
            Outliers::One(worker) if !worker.is_empty() => {
                self.tally.forget(&worker);
                Err(self.is_outlier(worker, id, "and others come out otherwise than elsewhere"))
            }
            Outliers::Either(workers) => {
                let workers: Vec<String> = workers.into_iter().collect();
                self.organiser.workers.lock().remark(format!(
                    "the games of workers {} come out otherwise, by more than chance, and no third worker \
                     says who is right: start one, or ban one of them (`floe cluster ban`)",
                    workers.join(" and ")
                ));
                Ok(next)
            }
            _ => Ok(next),
        }
    }

    /// The batches that games are in.
    fn batches_of(&self, numbers: &[u64]) -> BTreeSet<String> {
        let asked = numbers
            .iter()
            .filter_map(|number| self.batches.asked.get(number));
        asked.map(|asked| asked.batch.clone()).collect()
    }

    /// Notes that a worker sent what was not asked for.
    fn refuse(&self, worker: &str, why: &str) {
        self.organiser.workers.lock().refuse(worker, why);
    }
}

fn count_tables(organiser: &Organiser) -> usize {
    let seats = organiser.runner.boards.players().unwrap_or(2).max(1);
    let workers = organiser.workers.lock();
    let tables = workers.at_work().map(|worker| tables_of(worker, seats));
    tables.sum()
}

/// Concurrent games of a worker.
fn tables_of(worker: &Announcement, seats: u32) -> usize {
    (worker.cores / seats as usize).max(1)
}

/// Who played a game; empty if it was this machine.
fn worker_of(record: &Record) -> String {
    let machine = record.opening.machine.as_ref();
    machine.map_or(String::new(), |machine| machine.worker.clone())
}

fn elsewhere(error: ClusterError) -> RunnerError {
    RunnerError::Elsewhere(Box::new(error))
}
