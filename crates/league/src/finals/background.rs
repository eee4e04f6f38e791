//! Finals played in the background, for example while pages are served, whenever the journal says
//! that the organiser started them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use floe_arena::runner::{PlaysGames, RunnerError};
use floe_arena::tournament::{Ended, Tournament};
use parking_lot::Mutex;
use tracing::warn;

use super::{FinalsError, Freeze, are_over, note_end, open, play};
use crate::event::Event;
use crate::folder::{League, LeagueError};

/// Longest delay before a request of the organiser is noticed.
const LOOK: Duration = Duration::from_millis(100);
/// Pause after a machine failure, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Plays a tournament, on this machine or a cluster.
type Players =
    dyn Fn(&Tournament) -> Result<Box<dyn PlaysGames + Send>, RunnerError> + Send + Sync + 'static;

/// Finals in a thread of their own. Dropping it stops them; no finished game is lost, and the next
/// start resumes them.
#[derive(Debug)]
pub struct BackgroundFinals {
    trouble: FinalsFailure,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The failure that keeps background finals from being played. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct FinalsFailure(Arc<Mutex<Option<String>>>);

impl FinalsFailure {
    /// The failure, if there is one.
    pub fn now(&self) -> Option<String> {
        (self.0.lock()).clone()
    }

    fn set(&self, trouble: Option<String>) {
        *self.0.lock() = trouble;
    }
}

impl BackgroundFinals {
    /// Plays a league's latest finals whenever the organiser starts them, until this is dropped.
    pub fn start(
        league: &League,
        players: impl Fn(&Tournament) -> Result<Box<dyn PlaysGames + Send>, RunnerError>
        + Send
        + Sync
        + 'static,
    ) -> Result<BackgroundFinals, RunnerError> {
        let (trouble, stop) = (FinalsFailure::default(), Arc::new(AtomicBool::new(false)));
        let player = Player {
            league: league.clone(),
            players: Box::new(players),
            trouble: trouble.clone(),
            stop: Arc::clone(&stop),
        };
        let thread = thread::Builder::new().name("finals".to_owned());
        let thread = thread.spawn(move || player.work());
        Ok(BackgroundFinals {
            trouble,
            stop,
            thread: Some(thread.map_err(RunnerError::Thread)?),
        })
    }

    /// The failure that prevents background finals.
    pub fn trouble(&self) -> FinalsFailure {
        self.trouble.clone()
    }
}

impl Drop for BackgroundFinals {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// The finals that the organiser has started, if any.
fn wanted(league: &League) -> Result<Option<Freeze>, LeagueError> {
    league.look(|standing| {
        let last = standing.finals.last();
        last.filter(|_| standing.are_finals_wanted).cloned()
    })
}

struct Player {
    league: League,
    players: Box<Players>,
    trouble: FinalsFailure,
    stop: Arc<AtomicBool>,
}

impl Player {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits for the organiser's start, and plays. After a machine failure, it tries again, after
    /// growing pauses.
    fn work(&self) {
        let mut pause = FIRST_PAUSE;
        while !self.is_over() {
            let played = match wanted(&self.league) {
                Ok(Some(freeze)) => self.play(&freeze),
                Ok(None) => {
                    self.trouble.set(None);
                    pause = FIRST_PAUSE;
                    thread::park_timeout(LOOK);
                    continue;
                }
                Err(error) => Err(error.into()),
            };
            let Err(error) = played else {
                self.trouble.set(None);
                pause = FIRST_PAUSE;
                continue;
            };
            warn!(%error, "cannot play the finals; trying again in {} s", pause.as_secs());
            self.trouble.set(Some(error.to_string()));
            self.rest(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Waits for the pause, or until the organiser stops the finals.
    fn rest(&self, pause: Duration) {
        let until = Instant::now() + pause;
        while Instant::now() < until && !self.is_over() && !matches!(wanted(&self.league), Ok(None))
        {
            thread::park_timeout(LOOK);
        }
    }

    /// Plays until all games are played, or the organiser stops the finals.
    fn play(&self, freeze: &Freeze) -> Result<(), FinalsError> {
        let tournament = open(&self.league, freeze)?;
        let ended = match are_over(&tournament) {
            true => note_end(&self.league).map(|()| Ended::Finished)?,
            false => self.play_missing(freeze, tournament)?,
        };
        if ended == Ended::Finished {
            self.league.record(Event::FinalsWanted { is_so: false })?;
        }
        Ok(())
    }

    fn play_missing(&self, freeze: &Freeze, tournament: Tournament) -> Result<Ended, FinalsError> {
        let players = (self.players)(&tournament)?;
        let (halt, is_done) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
        let (tournament, ended) = thread::scope(|scope| {
            let watcher = thread::Builder::new().name("finals watcher".to_owned());
            let watcher = watcher.spawn_scoped(scope, || self.watch(freeze, &halt, &is_done));
            let watcher = watcher.map_err(RunnerError::Thread)?;
            let ended = self.play_without_liars(tournament, &*players, &halt);
            is_done.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            ended
        })?;
        // If the run was not stopped, its missing games are retried.
        match tournament.failed_games().first() {
            Some(failed) if ended == Ended::Stopped && !halt.load(Ordering::Relaxed) => {
                Err(RunnerError::MachineFailure(failed.clone()).into())
            }
            _ => Ok(ended),
        }
    }

    /// Plays the missing games. If a worker's games differ from others' results, they are removed,
    /// and other workers play them again.
    fn play_without_liars(
        &self,
        mut tournament: Tournament,
        players: &dyn PlaysGames,
        halt: &Arc<AtomicBool>,
    ) -> Result<(Tournament, Ended), FinalsError> {
        loop {
            let error = match play(&self.league, &mut tournament, players, halt, || {}) {
                Ok(ended) => return Ok((tournament, ended)),
                Err(error) => error,
            };
            let Some(worker) = error.deviating_worker() else {
                return Err(error);
            };
            let taken;
            (tournament, taken) = tournament.without_games_of(worker, false)?;
            let (games, aside) = (taken.games, taken.aside.display());
            warn!(worker, games, %aside, "a worker's games were taken out");
        }
    }

    /// Stops the games once the organiser stops the finals.
    fn watch(&self, freeze: &Freeze, halt: &AtomicBool, is_done: &AtomicBool) {
        while !is_done.load(Ordering::Relaxed) {
            let is_wanted = match wanted(&self.league) {
                Ok(now) => now.is_some_and(|now| now.number == freeze.number),
                // A file unreadable now may be readable soon.
                Err(_) => true,
            };
            if self.is_over() || !is_wanted {
                halt.store(true, Ordering::Relaxed);
            }
            thread::park_timeout(LOOK);
        }
    }
}
