//! Plays the missing games of a tournament.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tracing::debug;

use super::plan::Stage;
use super::repair::ScheduleRepair;
use super::{Ended, Tournament, TournamentError};
use crate::runner::PlaysGames;
use crate::schedule::Pairing;
use crate::store::{Store, StoreError};
use floe_games::record::Record;

/// Interval at which played games are committed.
const COMMIT: Duration = Duration::from_millis(300);

impl Tournament {
    /// Plays the missing games until none is left or the caller sets `stop`, which cancels games in
    /// progress. `watch` sees the tournament after every game.
    ///
    /// The runner must come from [`runner`](Self::runner), or play the same games on other
    /// machines.
    pub fn run(
        &mut self,
        runner: &dyn PlaysGames,
        stop: &Arc<AtomicBool>,
        mut watch: impl FnMut(&Tournament, &Record),
    ) -> Result<Ended, TournamentError> {
        let ended = self.play_stages(runner, stop, &mut watch);
        self.store.commit()?;
        debug!(
            name = self.description.name,
            ?ended,
            "the tournament pauses or is over"
        );
        ended
    }

    fn play_stages(
        &mut self,
        runner: &dyn PlaysGames,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn FnMut(&Tournament, &Record),
    ) -> Result<Ended, TournamentError> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(Ended::Stopped);
            }
            let before = self.store.games()?;
            match self.plan.stage(&self.units)? {
                None => return Ok(Ended::Finished),
                Some(Stage::Games(games)) => {
                    let mut missing = Vec::new();
                    for game in games {
                        if !self.store.has(game.number)? {
                            missing.push(game);
                        }
                    }
                    self.play(runner, missing.into_iter(), stop, watch)?;
                }
                Some(Stage::All(schedule)) if self.mended.is_some() => {
                    let missing = |mended: Option<ScheduleRepair>| {
                        let mended = mended.into_iter();
                        mended.flat_map(|mended| mended.missing(&schedule))
                    };
                    self.play(runner, missing(self.mended.clone()), stop, watch)?;
                    self.mend()?;
                    return Ok(match missing(self.mended.clone()).next() {
                        None => Ended::Finished,
                        Some(_) => Ended::Stopped,
                    });
                }
                Some(Stage::All(schedule)) => {
                    let gaps = gaps(&mut self.store, schedule.len())?;
                    let games = gaps.into_iter().flatten();
                    let games = games.filter_map(move |number| schedule.pairing(number));
                    self.play(runner, games, stop, watch)?;
                    let is_whole = self.store.games()? >= self.plan.length().unwrap_or(0);
                    return Ok(if is_whole {
                        Ended::Finished
                    } else {
                        Ended::Stopped
                    });
                }
            }
            if self.store.games()? == before {
                // No game was added, so retrying is pointless.
                return Ok(Ended::Stopped);
            }
        }
    }

    fn play(
        &mut self,
        runner: &dyn PlaysGames,
        mut games: impl Iterator<Item = Pairing> + Send,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn FnMut(&Tournament, &Record),
    ) -> Result<(), TournamentError> {
        let mut failed = None;
        let mut committed = Instant::now();
        let played = runner.play_pairings(&mut games, stop, &mut |_, record| {
            let added = self.add(&record).and_then(|()| {
                if committed.elapsed() > COMMIT {
                    self.store.commit()?;
                    committed = Instant::now();
                }
                Ok(())
            });
            match added {
                Ok(()) => {
                    watch(self, &record);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        match failed {
            Some(error) => Err(error.into()),
            None => {
                // A round that is drawn again retries its failed games.
                let failed_now = played?;
                self.failed_games
                    .retain(|old| failed_now.iter().all(|new| new.id != old.id));
                self.failed_games.extend(failed_now);
                Ok(())
            }
        }
    }
}

/// The numbers below `length` without a game, as ranges. Reads the numbers after the first missing
/// one; memory grows with the gaps, which are few.
fn gaps(store: &mut Store, length: u64) -> Result<Vec<Range<u64>>, StoreError> {
    const STEP: usize = 4096;
    let mut next = store.first_open()?;
    let mut gaps = Vec::new();
    loop {
        let numbers = store.numbers(next, STEP)?;
        for &number in &numbers {
            if number > next {
                gaps.push(next..number.min(length));
            }
            next = number + 1;
        }
        if numbers.len() < STEP {
            gaps.push(next..length.max(next));
            return Ok(gaps);
        }
    }
}
