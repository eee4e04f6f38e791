//! A runner plays the games of a schedule, several at once.
//!
//! Every concurrent game has a thread, in which its engines think, and leases cores of its own, on
//! which its programs run: a game's players never share a core with another game's, in this runner
//! or in any other of the process. The games come from an iterator that is asked for the next one
//! only when a thread is free, so a schedule of any length costs nothing. Records go to one place,
//! in the order the games end, and events to a [`Broadcast`].
//!
//! A machine failure is no result: the runner repeats the game, up to three times, with growing
//! pauses. If all fail, it reports a failed game with the names of its players, and plays the other
//! games. If several games in a row fail and no player is in all of them, the runner stops: the
//! machine needs help, not a player.

mod cores;

pub use cores::{CoreLease, CorePool, available_cores, default_concurrency, keep_to};

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use floe_games::record::{Machine, MoveLimits, Opening, OwnLimits, Record};
use parking_lot::Mutex;
use thiserror::Error;
use tracing::{debug, warn};

use crate::boards::{Boards, BoardsError};
use crate::job::{Job, JobError};
use crate::live::{Broadcast, LiveEvent};
use crate::load::{self, Reading};
use crate::referee::NoRecord;
use crate::schedule::Pairing;
use crate::seat::{Sandbox, Seat};
use crate::speed::machine_class;

/// Tries of a game after machine failures.
const TRIES: u32 = 3;
/// This many failed games in a row, without one played, suggest a machine failure.
const MANY_IN_A_ROW: usize = 3;

/// An entrant of a match or a tournament.
#[derive(Debug, Clone)]
pub struct NamedSeat {
    /// The name for standings and messages.
    pub name: String,
    /// The seat itself.
    pub seat: Seat,
    /// Its limits, if they differ from the common ones.
    pub limits: Option<MoveLimits>,
}

/// The entrants, boards, limits and concurrency of a run.
///
/// ```
/// use floe_arena::runner::{CorePool, NamedSeat, Runner};
/// use floe_arena::{Boards, schedule::Schedule, seat::{Sandbox, Seat}};
/// use std::ops::ControlFlow;
/// let game = floe_games::find("flood")?;
/// let entrant = |word: &str| -> Result<NamedSeat, Box<dyn std::error::Error>> {
///     let seat = Seat::read(word, game, ".".as_ref())?;
///     Ok(NamedSeat { name: word.into(), seat, limits: None })
/// };
/// let runner = Runner {
///     entrants: vec![entrant("greedy")?, entrant("random")?],
///     boards: Boards::made(game, "5x5", 1)?,
///     limits: Default::default(),
///     sandbox: Sandbox::none(),
///     tables: 1,
///     cores: Some(CorePool::machine()),
///     live: Default::default(),
///     meter: floe_arena::load::Reading::now,
/// };
/// let mut played = 0;
/// runner.run(Schedule::round_robin(2, 2, 3, 0)?.pairings(), &Default::default(), |_, record| {
///     record.verify().unwrap();
///     played += 1;
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(played, 6); // three boards in both orders
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Runner {
    /// The entrants by the numbers that a [`Pairing`] uses.
    pub entrants: Vec<NamedSeat>,
    /// The boards.
    pub boards: Boards,
    /// The limits of all entrants.
    pub limits: MoveLimits,
    /// The sandbox of the programs.
    pub sandbox: Sandbox,
    /// Concurrent games; at least one.
    pub tables: usize,
    /// The pool from which each game gets one core per seat; without a pool, games share all cores.
    pub cores: Option<CorePool>,
    /// The channel for live events.
    pub live: Broadcast,
    /// Reads the machine's load: [`Reading::now`], except in tests.
    pub meter: fn() -> Reading,
}

/// A failed game: it could not be played, through no fault of its players.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {id} ({}) could not be played: {cause}", entrants.join(" against "))]
pub struct FailedGame {
    /// The game.
    pub id: String,
    /// The game's players, by seat.
    pub entrants: Vec<String>,
    /// The failure of the last attempt.
    pub cause: String,
}

/// The reason why a runner stopped before the end of its schedule.
#[derive(Debug, Error)]
pub enum RunnerError {
    /// The machine failed again and again.
    #[error(transparent)]
    MachineFailure(#[from] FailedGame),
    /// A board could not be made.
    #[error(transparent)]
    Board(#[from] BoardsError),
    /// No machine can play the game.
    #[error(transparent)]
    Job(#[from] JobError),
    /// Threads cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
    /// A remote worker's games differ from those of other machines: the worker is banned, and none of
    /// its games counts.
    #[error("worker {worker} is banned: {evidence}; remove its key with `floe cluster remove`")]
    Deviates {
        /// The worker.
        worker: String,
        /// The observed difference, as the ban's reason.
        evidence: String,
    },
    /// A remote runner failed.
    #[error("{0}")]
    Elsewhere(Box<dyn std::error::Error + Send + Sync>),
}

/// Returns the next game; `None` after the last. Only one thread calls it at a time. It may wait
/// for a game until its flag is set.
pub type NextGame<'a> = &'a mut (dyn FnMut(&AtomicBool) -> Option<ScheduledGame> + Send);

/// Plays games and returns their records: on this machine, or on remote workers.
pub trait PlaysGames {
    /// The entrants by the numbers that a [`Pairing`] uses.
    fn entrants(&self) -> &[NamedSeat];

    /// Plays games that name their players, as [`Runner::run_games`] does.
    fn play_games(
        &self,
        games: GameSource<NextGame<'_>>,
        stop: &Arc<AtomicBool>,
        done: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError>;

    /// Plays games of the entrants, as [`Runner::run`] does.
    fn play_pairings(
        &self,
        games: &mut (dyn Iterator<Item = Pairing> + Send),
        stop: &Arc<AtomicBool>,
        done: &mut dyn FnMut(Pairing, Record) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        let entrants = self.entrants();
        if entrants.iter().any(|one| matches!(one.seat, Seat::Human)) {
            return Err(JobError::Human.into());
        }
        let length = games.size_hint().1.map(|games| games as u64);
        let mut next = |_: &AtomicBool| {
            let pairing = games.next()?;
            let players = pairing.seats.iter();
            let players = players.map(|&number| entrants[number].clone());
            Some(ScheduledGame {
                players: players.collect(),
                pairing,
            })
        };
        let source = GameSource {
            next: &mut next as NextGame<'_>,
            among: Arc::new(entrants.len().into()),
            length,
        };
        self.play_games(source, stop, &mut |played| match played {
            Played::Game(pairing, record) => done(pairing, *record),
            Played::Not(..) => ControlFlow::Continue(()),
        })
    }
}

impl PlaysGames for Runner {
    fn entrants(&self) -> &[NamedSeat] {
        &self.entrants
    }

    fn play_games(
        &self,
        games: GameSource<NextGame<'_>>,
        stop: &Arc<AtomicBool>,
        done: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        self.run_games(games, stop, done)
    }
}

/// A source of games.
#[derive(Debug, Clone)]
pub struct GameSource<F> {
    /// Returns the next game; `None` after the last. Only one thread calls it at a time. It may
    /// wait while its flag is not set.
    pub next: F,
    /// Number of entrants that take part; the source of games may change it.
    pub among: Arc<AtomicUsize>,
    /// Number of games, if known.
    pub length: Option<u64>,
}

/// A game and its players, by seat.
#[derive(Debug, Clone)]
pub struct ScheduledGame {
    /// The game's pairing.
    pub pairing: Pairing,
    /// The game's players.
    pub players: Vec<NamedSeat>,
}

/// The result of an attempt at a game.
#[derive(Debug, Clone)]
pub enum Played {
    /// The game was played.
    Game(Pairing, Box<Record>),
    /// The game failed.
    Not(Pairing, FailedGame),
}

impl Runner {
    /// Plays games until there are no more, the caller sets `stop`, or `done` breaks. `done` gets
    /// every record with its pairing, in the order the games end, on this thread.
    ///
    /// When stopped, games in progress are cancelled and leave no record. Returns the failed games.
    pub fn run(
        &self,
        games: impl Iterator<Item = Pairing> + Send,
        stop: &Arc<AtomicBool>,
        mut done: impl FnMut(Pairing, Record) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        let mut games = games;
        self.play_pairings(&mut games, stop, &mut done)
    }

    /// Plays games that each name their players, for contests that entrants join during play.
    /// `done` receives every played and every failed game.
    pub fn run_games(
        &self,
        games: GameSource<impl FnMut(&AtomicBool) -> Option<ScheduledGame> + Send>,
        stop: &Arc<AtomicBool>,
        mut done: impl FnMut(Played) -> ControlFlow<()>,
    ) -> Result<Vec<FailedGame>, RunnerError> {
        let GameSource {
            next,
            among,
            length,
        } = games;
        let tables = self.tables.max(1);
        let games = Mutex::new(next);
        // The runner's own flag, because the caller may reuse `stop` later.
        let halt = Arc::new(AtomicBool::new(false));
        let (results, hear) = mpsc::sync_channel(tables * 2);
        debug!(tables, ?length, "games begin");
        thread::scope(|scope| {
            for _ in 0..tables {
                let (games, results, halt) = (&games, results.clone(), Arc::clone(&halt));
                thread::Builder::new()
                    .name("table".to_owned())
                    .spawn_scoped(scope, move || self.table(games, &halt, &results))?;
            }
            drop(results);
            let mut played = 0;
            let result = hear_all(&hear, &among, stop, &halt, &mut |game| {
                played += u64::from(matches!(game, Played::Game(..)));
                let next = done(game);
                self.live.publish(|| LiveEvent::Progress { played, length });
                next
            });
            halt.store(true, Ordering::Relaxed);
            // Dropped so that no sender waits for space in the channel: later results are not
            // needed.
            drop(hear);
            result
        })
    }

    /// One worker thread: plays game after game.
    fn table(
        &self,
        games: &Mutex<impl FnMut(&AtomicBool) -> Option<ScheduledGame>>,
        halt: &Arc<AtomicBool>,
        results: &mpsc::SyncSender<Result<Played, RunnerError>>,
    ) {
        let mut kept: Vec<usize> = Vec::new();
        while !halt.load(Ordering::Relaxed) {
            let next = games.lock()(halt);
            let Some(ScheduledGame { pairing, players }) = next else {
                return;
            };
            let lease = match &self.cores {
                // The game shares all cores, but does not start while another lease wants to be
                // alone.
                None => CorePool::machine().lease(0, halt),
                Some(pool) => pool.lease(cores_for(&players), halt),
            };
            let Some(lease) = lease else {
                return;
            };
            let cores = lease.cores();
            let sandbox = self.sandbox.on_cores(cores);
            let seats: Vec<Seat> = players.iter().map(|one| one.seat.clone()).collect();
            let shared = sandbox.shared_cores(&seats);
            if kept != shared {
                cores::keep_to(&shared);
                kept = shared;
            }
            let job = self.job_of(&pairing, &players).map_err(RunnerError::from);
            let play = |mut job: Job| {
                job.opening.machine = Some(Machine {
                    class: machine_class(),
                    ..Machine::default()
                });
                play_metered(&job, &seats, &sandbox, halt, &self.live, self.meter)
            };
            let played = match job.and_then(play) {
                Ok(Some(record)) => Ok(Played::Game(pairing, Box::new(record))),
                Ok(None) => return,
                Err(RunnerError::MachineFailure(failed)) => Ok(Played::Not(pairing, failed)),
                Err(error) => Err(error),
            };
            drop(lease);
            if results.send(played).is_err() {
                return;
            }
        }
    }

    /// The game of a pairing as a job.
    pub fn job(&self, pairing: &Pairing) -> Result<Job, BoardsError> {
        let players = pairing.seats.iter();
        let players: Vec<NamedSeat> = players
            .map(|&number| self.entrants[number].clone())
            .collect();
        self.job_of(pairing, &players)
    }

    /// The game of a pairing as a job of these players, by seat.
    pub fn job_of(&self, pairing: &Pairing, players: &[NamedSeat]) -> Result<Job, BoardsError> {
        let (_, board) = self.boards.open(pairing.board)?;
        Ok(self.job_on(board, pairing, players))
    }

    /// The same, on a board opened by [`Boards::open`]. Opening a board can take longer than
    /// everything else, and games share boards.
    pub fn job_on(&self, board: Opening, pairing: &Pairing, players: &[NamedSeat]) -> Job {
        let mut opening = board;
        opening.id = pairing.id();
        opening.pair = Some(pairing.unit + 1);
        opening.limits = Some(self.limits.clone());
        opening.seats = (players.iter())
            .map(|one| one.seat.entrant(one.name.clone()))
            .collect();
        opening.own_limits = (1..)
            .zip(players)
            .filter_map(|(seat, one)| {
                let limits = one.limits.clone()?;
                Some(OwnLimits { seat, limits })
            })
            .collect();
        Job {
            opening,
            dice: pairing.number * 64,
        }
    }
}

/// Receives the threads' results, until they are done, `done` breaks, or the caller sets `stop`.
fn hear_all(
    hear: &mpsc::Receiver<Result<Played, RunnerError>>,
    among: &AtomicUsize,
    stop: &AtomicBool,
    halt: &AtomicBool,
    done: &mut dyn FnMut(Played) -> ControlFlow<()>,
) -> Result<Vec<FailedGame>, RunnerError> {
    let mut failed_games = Vec::new();
    let mut in_a_row: Vec<FailedGame> = Vec::new();
    let mut has_played = false;
    loop {
        // Check the caller's flag often, so that a key press stops the run at once.
        match hear.recv_timeout(Duration::from_millis(20)) {
            Ok(Ok(Played::Game(pairing, record))) => {
                has_played = true;
                failed_games.append(&mut in_a_row);
                if done(Played::Game(pairing, record)).is_break() {
                    return Ok(both(failed_games, in_a_row));
                }
            }
            Ok(Ok(Played::Not(pairing, failed))) => {
                in_a_row.push(failed.clone());
                if is_hopeless(&in_a_row, among.load(Ordering::Relaxed)) {
                    return Err(failed.into());
                }
                if done(Played::Not(pairing, failed)).is_break() {
                    return Ok(both(failed_games, in_a_row));
                }
            }
            Ok(Err(error)) => return Err(error),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                if let Some(failed) = in_a_row.pop_if(|_| !has_played) {
                    return Err(failed.into());
                }
                return Ok(both(failed_games, in_a_row));
            }
        }
        if stop.load(Ordering::Relaxed) {
            halt.store(true, Ordering::Relaxed);
            return Ok(both(failed_games, in_a_row));
        }
    }
}

/// Whether games fail for all players: no player is in every game that failed in a row, or every
/// player is in every game.
fn is_hopeless(in_a_row: &[FailedGame], among: usize) -> bool {
    let Some((last, before)) = in_a_row.split_last() else {
        return false;
    };
    let is_in_all = |name: &String| before.iter().all(|one| one.entrants.contains(name));
    let is_for_all = among <= last.entrants.len();
    in_a_row.len() >= MANY_IN_A_ROW && (is_for_all || !last.entrants.iter().any(is_in_all))
}

/// Cores a game needs: remote players need none of ours, and engines think in turn, each in its
/// own number of threads.
fn cores_for(players: &[NamedSeat]) -> usize {
    let here = players.iter();
    let here = here.filter(|one| !matches!(one.seat, Seat::Remote(_)));
    let threads = players.iter().filter_map(|one| match &one.seat {
        Seat::Engine(spec) => spec.threads,
        _ => None,
    });
    let threads = threads.max().unwrap_or(1) as usize;
    here.count().max(threads)
}

/// Plays one game as every runner does, here or on a worker: after a machine failure it tries again
/// a few times. `None` if the game was cancelled.
///
/// If the machine was overloaded, the record states it.
pub fn play_job(
    job: &Job,
    seats: &[Seat],
    sandbox: &Sandbox,
    stop: &Arc<AtomicBool>,
    live: &Broadcast,
) -> Result<Option<Record>, RunnerError> {
    play_metered(job, seats, sandbox, stop, live, Reading::now)
}

fn play_metered(
    job: &Job,
    seats: &[Seat],
    sandbox: &Sandbox,
    stop: &Arc<AtomicBool>,
    live: &Broadcast,
    meter: fn() -> Reading,
) -> Result<Option<Record>, RunnerError> {
    let mut cause = String::new();
    for attempt in 0..TRIES {
        let began = meter();
        match job.play(seats, sandbox, stop, live) {
            Ok(mut record) => {
                // Load matters only to seats whose play depends on time.
                if seats.iter().any(Seat::is_timed) {
                    load::mark(&mut record, meter().overload_since(began));
                }
                return Ok(Some(record));
            }
            Err(JobError::NoRecord(NoRecord::Stopped)) => return Ok(None),
            Err(JobError::NoRecord(NoRecord::MachineFailure(why))) => cause = why,
            Err(error) => return Err(error.into()),
        }
        warn!(game = job.opening.id, cause, "machine failure");
        thread::sleep(Duration::from_millis(200 << attempt));
    }
    let entrants = job.opening.seats.iter();
    Err(RunnerError::MachineFailure(FailedGame {
        id: job.opening.id.clone(),
        entrants: entrants.map(|entrant| entrant.name.clone()).collect(),
        cause,
    }))
}

fn both(mut one: Vec<FailedGame>, mut other: Vec<FailedGame>) -> Vec<FailedGame> {
    one.append(&mut other);
    one
}
