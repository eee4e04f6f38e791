//! Plays a ladder in the background, for example while pages are served.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use floe_arena::live::Broadcast;
use floe_arena::runner::{PlaysGames, Runner, RunnerError};
use tracing::warn;

use super::{Ladder, LadderError, LadderRunner};
use crate::folder::League;

/// Pause of a ladder after a machine failure, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// Interval between checks of the stop flag in a pause.
const LOOK: Duration = Duration::from_millis(50);

/// A ladder in a thread of its own. Dropping it stops it; no finished game is lost.
#[derive(Debug)]
pub struct BackgroundLadder {
    live: Broadcast,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl BackgroundLadder {
    /// Opens the ladder of a league and plays it until this is dropped. Fails if another process
    /// plays it.
    pub fn start(league: &League, runner: LadderRunner) -> Result<BackgroundLadder, LadderError> {
        BackgroundLadder::start_with(league, runner, |tables, _| Ok(Box::new(tables)))
    }

    /// The same with another runner, such as a cluster's.
    pub fn start_with(
        league: &League,
        runner: LadderRunner,
        players: impl FnOnce(Runner, &Ladder) -> Result<Box<dyn PlaysGames + Send>, RunnerError>,
    ) -> Result<BackgroundLadder, LadderError> {
        let ladder = Ladder::open(league)?;
        let players = players(runner.tables_of(&ladder), &ladder)?;
        let live = ladder.live().clone();
        let stop = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&stop);
        let play = move || play_on(ladder, &runner, &*players, &until);
        let thread = thread::Builder::new().name("ladder".to_owned()).spawn(play);
        let thread = thread.map_err(RunnerError::Thread)?;
        Ok(BackgroundLadder {
            live,
            stop,
            thread: Some(thread),
        })
    }

    /// The channel for live events of the ladder's games.
    pub fn live(&self) -> &Broadcast {
        &self.live
    }

    /// Whether the ladder is playing, or waits to resume after a machine failure.
    pub fn is_playing(&self) -> bool {
        self.thread
            .as_ref()
            .is_some_and(|thread| !thread.is_finished())
    }
}

/// Plays until the caller sets `stop`. After a machine failure, such as a full disk, it reopens the
/// ladder and resumes, after growing pauses; at once if a worker's games were removed.
fn play_on(
    ladder: Ladder,
    runner: &LadderRunner,
    players: &dyn PlaysGames,
    stop: &Arc<AtomicBool>,
) {
    let league = ladder.league().clone();
    let live = ladder.live().clone();
    let mut open = Some(ladder);
    let mut pause = FIRST_PAUSE;
    loop {
        let began = Instant::now();
        let ladder = open.take().map_or_else(|| Ladder::open(&league), Ok);
        let played = ladder.and_then(|mut ladder| {
            ladder.live = live.clone();
            loop {
                let played = runner.run_with(players, &mut ladder, stop, |_| {});
                let Err(LadderError::Runner(RunnerError::Deviates { worker, .. })) = &played else {
                    return played;
                };
                // The worker's games do not count, so other workers play them again.
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
        warn!(%error, "cannot play the ladder; trying again in {} s", pause.as_secs());
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

impl Drop for BackgroundLadder {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
