//! A ladder that is played beside something else, such as pages.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use floe_arena::live::{Broadcast, Latest};
use floe_arena::runner::{PlaysGames, Runner, RunnerError};
use tracing::warn;

use super::{Ladder, LadderError, LadderRunner, LadderTable};
use crate::folder::League;

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
        let mut ladder = Ladder::open(league)?;
        let players = players(runner.tables_of(&ladder), &ladder)?;
        let (live, tables) = (ladder.live().clone(), ladder.tables());
        let stop = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&stop);
        let play = move || {
            if let Err(error) = runner.run_with(&*players, &mut ladder, &until, |_| {}) {
                warn!(%error, "the ladder stands still");
            }
        };
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

    /// Whether it is still played: not if the machine failed again and again.
    pub fn is_playing(&self) -> bool {
        self.thread
            .as_ref()
            .is_some_and(|thread| !thread.is_finished())
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
