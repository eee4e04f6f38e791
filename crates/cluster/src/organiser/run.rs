//! One run of an organiser: until there are no more games, or the caller stops it.

mod failure_log;
mod outliers;
mod sending;
mod sharing;
mod spot_check;
mod stalls;
mod taking;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use floe_arena::runner::{FailedGame, Played, RunnerError};
use floe_games::record::{Opening, Record};

use self::failure_log::FailureLog;
use self::outliers::Tally;
use self::sharing::Sharing;
use self::spot_check::{Faults, SpotCheck};
use self::stalls::Stalls;
use super::Organiser;
use super::batches::Batches;
use super::game_feed::GameFeed;
use super::inbox::{Inbox, Incoming};
use super::queue::Queue;
use crate::error::ClusterError;
use crate::wire::Announcement;

/// Longest delay before a key press is noticed.
const LOOK: Duration = Duration::from_millis(20);
/// Interval between counts of able workers.
const COUNT: Duration = Duration::from_millis(50);
/// Interval between checks for late batches.
const LATE: Duration = Duration::from_millis(500);
/// Bounds on the number of batches in the cluster.
const LEAST_OUT: usize = 4;
const MOST_OUT: usize = 20_000;

pub(super) struct Run<'a, 's> {
    organiser: &'a Organiser,
    inbox: &'a Inbox,
    /// Set by the caller to stop.
    stop: &'a Arc<AtomicBool>,
    feed: GameFeed<'s>,
    batches: Batches,
    spot_checks: HashMap<String, SpotCheck>,
    /// Workers that failed each game.
    failure_log: FailureLog,
    stalls: Stalls,
    faults: Faults,
    tally: Tally,
    failed_games: Vec<FailedGame>,
    looked_late: Instant,
    played: u64,
    largest: u64,
    /// The board of the last requested game, with its number.
    last_board: Option<(u64, Arc<Opening>)>,
    /// Number of concurrent games, and when it was counted.
    tables: (usize, Instant),
    sharing: Sharing,
    /// Whether the server had results when it was looked at last: workers are faster than this machine.
    results_wait: bool,
}

impl<'a, 's> Run<'a, 's> {
    pub(super) fn new(
        organiser: &'a Organiser,
        feed: GameFeed<'s>,
        inbox: &'a Inbox,
        stop: &'a Arc<AtomicBool>,
    ) -> Run<'a, 's> {
        Run {
            organiser,
            inbox,
            stop,
            feed,
            batches: Batches::default(),
            spot_checks: HashMap::new(),
            failure_log: FailureLog::default(),
            stalls: Stalls::default(),
            faults: Faults::default(),
            tally: Tally::default(),
            failed_games: Vec::new(),
            looked_late: Instant::now(),
            played: 0,
            largest: 1,
            last_board: None,
            tables: (count_tables(organiser), Instant::now()),
            sharing: Sharing::default(),
            results_wait: false,
        }
    }

    pub(super) fn play(
        mut self,
        done: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        loop {
            self.look_at_shares();
            self.fill()?;
            self.organiser.workers.lock().out = self.batches.asked.len();
            if self.feed.is_over && self.batches.asked.is_empty() && self.spot_checks.is_empty() {
                return Ok(self.failed_games);
            }
            match self.inbox.incoming.recv_timeout(LOOK) {
                Ok(Incoming::Result(message)) => {
                    self.stalls.result_came = true;
                    if self.take(*message, done)?.is_break() {
                        return Ok(self.failed_games);
                    }
                }
                Ok(Incoming::Sent(key, sequence)) => self.batches.is_safe(&key, sequence),
                Ok(Incoming::Queue(queue)) => self.look_at_queue(&queue)?,
                Ok(Incoming::NotTaken(cause)) => self.report_not_taken(&cause),
                Ok(Incoming::Checked(key, here)) => {
                    let here = here.map(|here| *here);
                    if self.is_checked_here(&key, here, done)?.is_break() {
                        return Ok(self.failed_games);
                    }
                }
                Ok(Incoming::Stuck(kind)) => self.is_stuck(kind),
                Ok(Incoming::Renewed(kind, made)) => self.is_renewed(kind, made)?,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            if self.looked_late.elapsed() > LATE {
                self.looked_late = Instant::now();
                self.organiser.workers.lock().look_at_bans();
                self.check_late();
                self.send_overdue()?;
                self.send_rested()?;
            }
            if self.stop.load(Ordering::Relaxed) {
                return Ok(self.failed_games);
            }
        }
    }

    /// Publishes lost batches again, and checks that the server delivers.
    fn look_at_queue(&mut self, queue: &Queue) -> Result<(), RunnerError> {
        let streams = &self.organiser.streams;
        streams.jobs.store(queue.jobs, Ordering::Relaxed);
        streams.results.store(queue.results, Ordering::Relaxed);
        self.batches.are_delivered(&queue.delivered);
        self.results_wait = queue.waiting > 0;
        // A batch that is not in the queue may be among the results that wait.
        let is_there = |key: &str| self.results_wait || queue.keys.contains(key);
        for key in self.batches.lost(is_there) {
            self.send_again(&key)?;
        }
        self.suspect(queue);
        Ok(())
    }

    /// Reports that the server accepts no batches.
    fn report_not_taken(&self, cause: &str) {
        let mut workers = self.organiser.workers.lock();
        workers.remark(format!(
            "the server takes no games: {cause}; trying again until it does (is its disk full?)"
        ));
    }

    /// Number of concurrent games. Counted at intervals, because there may be thousands of workers
    /// and thousands of results per second.
    fn tables(&mut self) -> usize {
        if self.tables.1.elapsed() > COUNT {
            self.tables = (count_tables(self.organiser), Instant::now());
        }
        self.tables.0
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

/// The worker that played a game; empty if this machine played it.
fn worker_of(record: &Record) -> String {
    let machine = record.opening.machine.as_ref();
    machine.map_or(String::new(), |machine| machine.worker.clone())
}

fn elsewhere(error: ClusterError) -> RunnerError {
    RunnerError::Elsewhere(Box::new(error))
}
