//! A runner plays the games of a schedule at several tables at once.
//!
//! Every table has a thread, in which its engines think, and cores of its own, on which its
//! programs run: a game's players never share a core with another game's. The games come from an
//! iterator that is asked for the next one only when a table is free, so a schedule of any length
//! costs nothing; records go to one place, in the order the games end.
//!
//! Trouble of the machine is no result: the game is played again, three times in all, with a
//! pause that grows, before the runner gives up.

mod cores;

pub use cores::{available_cores, tables_for};

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use thiserror::Error;

use crate::boards::{Boards, BoardsError};
use crate::referee::{self, NoRecord};
use crate::schedule::Pairing;
use crate::seat::{Sandbox, Seat, SeatDriver};
use floe_games::record::{MoveLimits, Record};

/// How often a game is tried when the machine fails.
const TRIES: u32 = 3;

/// Somebody who plays in a match or a tournament.
#[derive(Debug, Clone)]
pub struct NamedSeat {
    /// What they are called in tables.
    pub name: String,
    /// Who they are.
    pub seat: Seat,
}

/// Who plays, on which boards, under which limits, at how many tables at once.
#[derive(Debug, Clone)]
pub struct Runner {
    /// Those the numbers of a [`Pairing`] stand for.
    pub entrants: Vec<NamedSeat>,
    /// The boards.
    pub boards: Boards,
    /// What everybody is allowed.
    pub limits: MoveLimits,
    /// Where programs run.
    pub sandbox: Sandbox,
    /// How many games at once; at least one.
    pub tables: usize,
    /// Whether each table keeps to cores of its own.
    pub pins: bool,
}

/// Why a runner stopped before its schedule was over.
#[derive(Debug, Error)]
pub enum RunnerError {
    /// The machine failed again and again.
    #[error("game {id} could not be played: {cause}")]
    Trouble {
        /// The game.
        id: String,
        /// What happened.
        cause: String,
    },
    /// A board could not be made.
    #[error(transparent)]
    Board(#[from] BoardsError),
    /// A person was to play, whom a runner cannot ask.
    #[error("`human` plays with `floe play`; a match is for programs and engines")]
    Human,
    /// Threads cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
}

impl Runner {
    /// Plays games until there are no more, somebody sets `stop`, or `done` says so. `done` gets
    /// every record with its pairing, in the order the games end, on this thread.
    ///
    /// When stopped, games under way are broken off and leave no record.
    pub fn run(
        &self,
        games: impl Iterator<Item = Pairing> + Send,
        stop: &Arc<AtomicBool>,
        mut done: impl FnMut(Pairing, Record) -> ControlFlow<()>,
    ) -> Result<(), RunnerError> {
        if self
            .entrants
            .iter()
            .any(|one| matches!(one.seat, Seat::Human))
        {
            return Err(RunnerError::Human);
        }
        let seats = self.boards.players().unwrap_or(2) as usize;
        let share = match self.pins {
            true => cores::shares(self.tables.max(1), seats),
            false => vec![Vec::new(); self.tables.max(1)],
        };
        let games = Mutex::new(games);
        // The runner's own way to end; somebody's `stop` may be used for other things after us.
        let halt = Arc::new(AtomicBool::new(false));
        let (tell, hear) = mpsc::sync_channel(self.tables.max(1) * 2);
        thread::scope(|scope| {
            for cores in share {
                let (games, tell, halt) = (&games, tell.clone(), Arc::clone(&halt));
                thread::Builder::new()
                    .name("table".to_owned())
                    .spawn_scoped(scope, move || self.table(&cores, games, &halt, &tell))?;
            }
            drop(tell);
            let result = self.hear(&hear, stop, &halt, &mut done);
            halt.store(true, Ordering::Relaxed);
            // Nobody waits for room in the channel: what comes now is not wanted any more.
            drop(hear);
            result
        })
    }

    fn hear(
        &self,
        hear: &mpsc::Receiver<Result<(Pairing, Record), RunnerError>>,
        stop: &AtomicBool,
        halt: &AtomicBool,
        done: &mut dyn FnMut(Pairing, Record) -> ControlFlow<()>,
    ) -> Result<(), RunnerError> {
        loop {
            // Somebody's flag is looked at often enough for a person who pressed a key.
            match hear.recv_timeout(Duration::from_millis(20)) {
                Ok(Ok((pairing, record))) => {
                    if done(pairing, record).is_break() {
                        return Ok(());
                    }
                }
                Ok(Err(error)) => return Err(error),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
                return Ok(());
            }
        }
    }

    /// One table: plays game after game.
    fn table(
        &self,
        cores: &[usize],
        games: &Mutex<impl Iterator<Item = Pairing>>,
        halt: &Arc<AtomicBool>,
        tell: &mpsc::SyncSender<Result<(Pairing, Record), RunnerError>>,
    ) {
        cores::keep_to(cores);
        let sandbox = self.sandbox.on_cores(cores);
        while !halt.load(Ordering::Relaxed) {
            let next = games.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(pairing) = next else { return };
            let result = match self.game(&pairing, &sandbox, halt) {
                Ok(Some(record)) => Ok((pairing, record)),
                Ok(None) => return,
                Err(error) => Err(error),
            };
            if tell.send(result).is_err() {
                return;
            }
        }
    }

    /// One game; `None` if it was broken off.
    pub fn game(
        &self,
        pairing: &Pairing,
        sandbox: &Sandbox,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Record>, RunnerError> {
        let mut cause = String::new();
        for attempt in 0..TRIES {
            let (table, mut opening) = self.boards.open(pairing.board)?;
            let game = self.boards.game();
            let players = pairing.seats.iter().map(|&number| &self.entrants[number]);
            opening.id = pairing.id();
            opening.pair = Some(pairing.unit + 1);
            opening.limits = Some(self.limits.clone());
            opening.began = now();
            opening.seats = players
                .clone()
                .map(|one| one.seat.entrant(one.name.clone()))
                .collect();
            if players.clone().any(|one| one.seat.is_program()) {
                opening.sandbox = Some(sandbox.layers().level());
            }
            let drivers = players.enumerate().map(|(seat, one)| {
                // Dice nobody named are the game's own, so that games differ and can be repeated.
                let dice = pairing.number * 64 + seat as u64 + 1;
                one.seat.driver(game, sandbox, dice)
            });
            let drivers: Option<Vec<Box<dyn SeatDriver>>> = drivers.collect();
            let mut drivers = drivers.ok_or(RunnerError::Human)?;
            match referee::play(table, &mut drivers, opening, stop, &mut |_| {}) {
                Ok(record) => return Ok(Some(record)),
                Err(NoRecord::Stopped) => return Ok(None),
                Err(NoRecord::Trouble(why)) => cause = why,
            }
            thread::sleep(Duration::from_millis(200 << attempt));
        }
        Err(RunnerError::Trouble {
            id: pairing.id(),
            cause,
        })
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs())
}
