//! Plays the ladder: threads ask for games, and results return.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use floe_arena::live::LiveSocket;
use floe_arena::load::Reading;
use floe_arena::runner::{
    CorePool, GameSource, NextGame, Played, PlaysGames, Runner, ScheduledGame,
};
use floe_arena::seat::Sandbox;
use parking_lot::{Condvar, Mutex};

use super::{IdleReason, Ladder, LadderError};
use crate::time;

/// Interval at which played games are committed.
const COMMIT: Duration = Duration::from_millis(300);
/// Longest delay before the organiser's request, a new version or a stop is noticed while no game
/// is played.
const LOOK: Duration = Duration::from_millis(100);

/// Plays a ladder.
///
/// ```no_run
/// use floe_arena::seat::Sandbox;
/// use floe_league::{League, ladder::{Ladder, LadderRunner}};
/// let league = League::open("cup".as_ref())?;
/// let mut ladder = Ladder::open(&league)?;
/// let runner = LadderRunner { games: Some(100), ..LadderRunner::new(Sandbox::none(), 2) };
/// runner.run(&mut ladder, &Default::default(), |ladder| println!("{} games", ladder.games()))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LadderRunner {
    /// The sandbox of the programs.
    pub sandbox: Sandbox,
    /// Concurrent games; no more than the ladder has in progress.
    pub tables: usize,
    /// The pool from which each game gets one core per seat; without a pool, games share all cores.
    pub cores: Option<CorePool>,
    /// Most games to play; without it, the ladder plays until stopped.
    pub games: Option<u64>,
    /// The time, in seconds since 1970: it decides when a day ends.
    pub clock: fn() -> u64,
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// The requested number of games is played.
    Played,
    /// The ladder was stopped; the next run resumes it.
    Stopped,
    /// No game can start for now, and the run has a limit of games.
    IdleReason(IdleReason),
}

/// The state shared by the threads that play a ladder's games.
struct Shared<'a> {
    state: Mutex<State<'a>>,
    changed: Condvar,
    /// Number of versions that play.
    among: Arc<AtomicUsize>,
}

struct State<'a> {
    ladder: &'a mut Ladder,
    /// Number of games that may still begin.
    left: Option<u64>,
    under_way: u64,
    is_over: bool,
    failed: Option<LadderError>,
    ended: Option<RunEnd>,
}

impl LadderRunner {
    /// Plays until stopped, with `tables` concurrent games.
    pub fn new(sandbox: Sandbox, tables: usize) -> Self {
        LadderRunner {
            sandbox,
            tables,
            cores: None,
            games: None,
            clock: time::now,
        }
    }

    /// Plays until the limit of games is reached, or the caller sets `stop`; games in progress are
    /// then cancelled and played again next time. `watch` sees the ladder after every game.
    pub fn run(
        &self,
        ladder: &mut Ladder,
        stop: &Arc<AtomicBool>,
        watch: impl FnMut(&Ladder),
    ) -> Result<RunEnd, LadderError> {
        let runner = self.tables_of(ladder);
        self.run_with(&runner, ladder, stop, watch)
    }

    /// The runner for a ladder's games on this machine.
    pub fn tables_of(&self, ladder: &Ladder) -> Runner {
        let description = ladder.league.description();
        Runner {
            entrants: Vec::new(),
            boards: description.boards.clone(),
            limits: description.limits.clone(),
            sandbox: self.sandbox.clone(),
            tables: self.tables.clamp(1, ladder.queue.most_games()),
            cores: self.cores.clone(),
            live: ladder.live.clone(),
            meter: Reading::now,
        }
    }

    /// The same as [`run`](LadderRunner::run) with another runner, such as a cluster's.
    pub fn run_with(
        &self,
        players: &dyn PlaysGames,
        ladder: &mut Ladder,
        stop: &Arc<AtomicBool>,
        mut watch: impl FnMut(&Ladder),
    ) -> Result<RunEnd, LadderError> {
        // For pages and terminals that follow the games, until this returns.
        let _told = LiveSocket::beside(&ladder.league.ladder_file(), &ladder.live);
        let among = Arc::new(AtomicUsize::new(ladder.queue.chooser().playing()));
        let shared = Shared {
            among: Arc::clone(&among),
            state: Mutex::new(State {
                ladder,
                left: self.games,
                under_way: 0,
                is_over: false,
                failed: None,
                ended: None,
            }),
            changed: Condvar::new(),
        };
        let mut next = |halt: &AtomicBool| shared.next(self.clock, halt);
        let games = GameSource {
            next: &mut next as NextGame<'_>,
            among,
            length: self.games,
        };
        let mut committed = Instant::now();
        let played = players.play_games(games, stop, &mut |played| {
            let mut state = shared.state.lock();
            let taken = state.take_in(played).and_then(|()| {
                if committed.elapsed() > COMMIT {
                    state.ladder.store.commit()?;
                    committed = Instant::now();
                }
                Ok(())
            });
            let flow = match taken {
                Ok(()) => {
                    watch(state.ladder);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    state.failed = Some(error);
                    state.is_over = true;
                    ControlFlow::Break(())
                }
            };
            drop(state);
            shared.changed.notify_all();
            flow
        });
        let State {
            ladder,
            failed,
            ended,
            ..
        } = shared.state.into_inner();
        ladder.store.commit()?;
        if let Some(error) = failed {
            return Err(error);
        }
        played?;
        Ok(ended.unwrap_or(RunEnd::Stopped))
    }
}

impl<'a> Shared<'a> {
    /// The next game, for the thread that asks: waits until there is one. `None` once the run is
    /// over.
    fn next(&self, clock: fn() -> u64, halt: &AtomicBool) -> Option<ScheduledGame> {
        let mut state = self.state.lock();
        loop {
            if state.is_over || halt.load(Ordering::Relaxed) {
                return None;
            }
            if state.left == Some(0) {
                state.ended.get_or_insert(RunEnd::Played);
                return None;
            }
            // People wait for verdicts, so no game starts until judging is done.
            if CorePool::machine().has_precedence() {
                self.changed.wait_for(&mut state, LOOK);
                continue;
            }
            let next = state.ladder.next_game(clock());
            let playing = state.ladder.queue.chooser().playing();
            self.among.store(playing, Ordering::Relaxed);
            match next {
                Ok(Some((pairing, players))) => {
                    state.left = state.left.map(|left| left - 1);
                    state.under_way += 1;
                    return Some(ScheduledGame { pairing, players });
                }
                Ok(None) => {}
                Err(error) => {
                    state.failed = Some(error);
                    state.is_over = true;
                    return None;
                }
            }
            // A run of a fixed number of games does not wait for new submissions.
            if let (Some(_), Some(held), 0) = (state.left, state.ladder.held(), state.under_way) {
                state.ended = Some(RunEnd::IdleReason(held));
                return None;
            }
            self.changed.wait_for(&mut state, LOOK);
        }
    }
}

impl State<'_> {
    fn take_in(&mut self, played: Played) -> Result<(), LadderError> {
        self.under_way -= 1;
        match played {
            Played::Game(pairing, record) => self.ladder.add(&pairing, &record),
            Played::Not(pairing, failed) => self.ladder.give_up(pairing.unit, &failed.to_string()),
        }
    }
}
