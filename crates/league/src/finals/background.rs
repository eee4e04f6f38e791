//! Finals that are played beside something else, such as pages, whenever the journal says that the
//! organiser wants it.

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

/// How soon a request of the organiser is noticed.
const LOOK: Duration = Duration::from_millis(100);
/// Pause after a machine failure, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Plays a tournament: this machine's runner, or a cluster's.
type Players =
    dyn Fn(&Tournament) -> Result<Box<dyn PlaysGames + Send>, RunnerError> + Send + Sync + 'static;

/// Finals in a thread of their own. Dropping it stops them; no finished game is lost, and the next
/// start resumes them.
#[derive(Debug)]
pub struct BackgroundFinals {
    trouble: FinalsTrouble,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The failure that keeps background finals from being played. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct FinalsTrouble(Arc<Mutex<Option<String>>>);

impl FinalsTrouble {
    /// The failure, if there is one.
    pub fn now(&self) -> Option<String> {
        (self.0.lock()).clone()
    }

    fn set(&self, trouble: Option<String>) {
        *self.0.lock() = trouble;
    }
}

impl BackgroundFinals {
    /// Plays the last finals of a league whenever they are wanted, until this is dropped.
    pub fn start(
        league: &League,
        players: impl Fn(&Tournament) -> Result<Box<dyn PlaysGames + Send>, RunnerError>
        + Send
        + Sync
        + 'static,
    ) -> Result<BackgroundFinals, RunnerError> {
        let (trouble, stop) = (FinalsTrouble::default(), Arc::new(AtomicBool::new(false)));
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

    /// The failure that keeps them from being played.
    pub fn trouble(&self) -> FinalsTrouble {
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

/// The finals that the organiser wants to be played, if there are any.
fn wanted(league: &League) -> Result<Option<Freeze>, LeagueError> {
    league.look(|standing| {
        let last = standing.finals.last();
        last.filter(|_| standing.are_finals_wanted).cloned()
    })
}

struct Player {
    league: League,
    players: Box<Players>,
    trouble: FinalsTrouble,
    stop: Arc<AtomicBool>,
}

impl Player {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits for the organiser's word, and plays. After trouble of the machine it tries again, after
    /// longer and longer pauses.
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

    /// Waits for the pause, or until finals are not wanted any more.
    fn rest(&self, pause: Duration) {
        let until = Instant::now() + pause;
        while Instant::now() < until && !self.is_over() && !matches!(wanted(&self.league), Ok(None))
        {
            thread::park_timeout(LOOK);
        }
    }

    /// Plays until everything is played, or the organiser wants something else.
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
        // Games that were not played although the run was not stopped are tried again.
        match tournament.set_aside().first() {
            Some(aside) if ended == Ended::Stopped && !halt.load(Ordering::Relaxed) => {
                Err(RunnerError::Trouble(aside.clone()).into())
            }
            _ => Ok(ended),
        }
    }

    /// Plays what is missing. The games of a worker who does not play as others do are taken out, and
    /// others play them again.
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

    /// Stops the games once they are not wanted any more.
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
