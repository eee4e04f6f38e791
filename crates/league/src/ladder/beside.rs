//! A ladder that is played beside something else, such as pages.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use floe_arena::live::{Broadcast, Latest};
use floe_arena::runner::{PlaysGames, Runner, RunnerError};
use tracing::warn;

use super::{Ladder, LadderError, LadderRunner, LadderTable};
use crate::folder::League;

/// How long a ladder rests after trouble of the machine, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// How often it is looked meanwhile whether somebody stops it.
const LOOK: Duration = Duration::from_millis(50);

/// A ladder in a thread of its own. Dropping it stops it; nothing that was played is lost.
#[derive(Debug)]
pub struct LadderBeside {
    live: Broadcast,
    tables: Latest<LadderTable>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LadderBeside {
    /// Opens the ladder of a league and plays it until this is dropped. Refuses if somebody else
    /// plays it.
    pub fn start(league: &League, runner: LadderRunner) -> Result<LadderBeside, LadderError> {
        LadderBeside::start_with(league, runner, |tables, _| Ok(Box::new(tables)))
    }

    /// The same with somebody else who plays what the tables of this machine would, such as the
    /// workers of a cluster.
    pub fn start_with(
        league: &League,
        runner: LadderRunner,
        players: impl FnOnce(Runner, &Ladder) -> Result<Box<dyn PlaysGames + Send>, RunnerError>,
    ) -> Result<LadderBeside, LadderError> {
        let ladder = Ladder::open(league)?;
        let players = players(runner.tables_of(&ladder), &ladder)?;
        let (live, tables) = (ladder.live().clone(), ladder.tables());
        let stop = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&stop);
        let play = move || play_on(ladder, &runner, &*players, &until);
        let thread = thread::Builder::new().name("ladder".to_owned()).spawn(play);
        let thread = thread.map_err(RunnerError::Thread)?;
        Ok(LadderBeside {
            live,
            tables,
            stop,
            thread: Some(thread),
        })
    }

    /// Where everything that happens in its games is told.
    pub fn live(&self) -> &Broadcast {
        &self.live
    }

    /// Its table as results come in.
    pub fn tables(&self) -> &Latest<LadderTable> {
        &self.tables
    }

    /// Whether it is still played, or waits to be played on after trouble of the machine.
    pub fn is_playing(&self) -> bool {
        self.thread
            .as_ref()
            .is_some_and(|thread| !thread.is_finished())
    }
}

/// Plays until somebody sets `stop`. After trouble of the machine, such as a full disk, it opens the
/// ladder again and goes on, after longer and longer pauses; at once where the games of a worker do not
/// count any more.
fn play_on(
    ladder: Ladder,
    runner: &LadderRunner,
    players: &dyn PlaysGames,
    stop: &Arc<AtomicBool>,
) {
    let league = ladder.league().clone();
    let (live, tables) = (ladder.live().clone(), ladder.tables());
    let mut open = Some(ladder);
    let mut pause = FIRST_PAUSE;
    loop {
        let began = Instant::now();
        let ladder = open.take().map_or_else(|| Ladder::open(&league), Ok);
        let played = ladder.and_then(|mut ladder| {
            (ladder.live, ladder.tables) = (live.clone(), tables.clone());
            loop {
                let played = runner.run_with(players, &mut ladder, stop, |_| {});
                let Err(LadderError::Runner(RunnerError::Deviates { worker, .. })) = &played else {
                    return played;
                };
                // Its games do not count; others play in their place.
                let taken;
                (ladder, taken) = ladder.without_games_of(worker)?;
                let (games, aside) = (taken.games, taken.aside.display());
                warn!(worker, games, %aside, "a worker's games were taken out");
            }
        });
        let Err(error) = played else {
            return;
        };
        if began.elapsed() > LONGEST_PAUSE {
            pause = FIRST_PAUSE;
        }
        warn!(%error, "the ladder stands still; it is tried again in {} s", pause.as_secs());
        let until = Instant::now() + pause;
        while Instant::now() < until {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            thread::sleep(LOOK);
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

impl Drop for LadderBeside {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
