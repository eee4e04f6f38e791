//! The small match whose standings end the tour.

use std::sync::Arc;
use std::thread;

use floe_games::AnyGame;
use parking_lot::Mutex;

/// The players.
const PLAYERS: [&str; 3] = ["floe:nodes=200", "greedy", "random:seed=1"];
/// Boards of each pair; each is played in both seats.
const BOARDS: u64 = 3;

/// A player's results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) games: u32,
    pub(crate) won: u32,
    pub(crate) drawn: u32,
}

impl Row {
    /// Points in percent: a draw is half a point.
    pub(crate) fn score(&self) -> u32 {
        match self.games {
            0 => 0,
            games => (100 * self.won + 50 * self.drawn) / games,
        }
    }
}

/// A match in a thread of its own.
pub(crate) struct Contest(Arc<Mutex<State>>);

struct State {
    rows: Vec<Row>,
    is_over: bool,
    /// Whether its standings are not needed any more.
    is_dropped: bool,
}

impl Contest {
    /// Begins the match.
    pub(crate) fn begin(game: &'static dyn AnyGame) -> Self {
        let contest = Contest::new();
        let shared = Arc::clone(&contest.0);
        let begun = thread::Builder::new()
            .name("engine".to_owned())
            .spawn(move || play(game, &shared));
        contest.0.lock().is_over |= begun.is_err();
        contest
    }

    /// Plays the whole match, and returns the standings.
    pub(crate) fn whole(game: &'static dyn AnyGame) -> Vec<Row> {
        let contest = Contest::new();
        play(game, &contest.0);
        contest.rows()
    }

    fn new() -> Self {
        let row = |name| Row {
            name,
            games: 0,
            won: 0,
            drawn: 0,
        };
        Contest(Arc::new(Mutex::new(State {
            rows: PLAYERS.map(row).to_vec(),
            is_over: false,
            is_dropped: false,
        })))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.lock().is_over
    }

    /// The table, the best player first.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows = self.0.lock().rows.clone();
        rows.sort_by_key(|row| std::cmp::Reverse(row.score()));
        rows
    }
}

impl Drop for Contest {
    fn drop(&mut self) {
        self.0.lock().is_dropped = true;
    }
}

/// Plays every pair on every board, in both seats.
fn play(game: &'static dyn AnyGame, shared: &Mutex<State>) {
    for seed in 0..BOARDS {
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            for seats in [[one, other], [other, one]] {
                let Some(winner) = play_one(game, seed, seats, shared) else {
                    return;
                };
                let mut state = shared.lock();
                for (place, &player) in seats.iter().enumerate() {
                    let row = &mut state.rows[player];
                    row.games += 1;
                    row.won += u32::from(winner == Some(place));
                    row.drawn += u32::from(winner.is_none());
                }
            }
        }
    }
    shared.lock().is_over = true;
}

/// Plays one game; returns the winner's seat, if there is a winner. `None` if the game cannot be
/// played or the tour is over.
fn play_one(
    game: &'static dyn AnyGame,
    seed: u64,
    seats: [usize; 2],
    shared: &Mutex<State>,
) -> Option<Option<usize>> {
    let mut position = game.start(game.first_setup(), seed).ok()?;
    let specs = seats.map(|player| PLAYERS[player].parse());
    let [Ok(first), Ok(second)] = specs else {
        return None;
    };
    let mut engines = [game.engine(&first), game.engine(&second)];
    while let Some(turn) = position.turn() {
        if shared.lock().is_dropped {
            return None;
        }
        let engine = engines.get_mut(turn.index())?;
        let thought = engine.think(&*position, &Default::default()).ok()?;
        position.play(&thought.best).ok()?;
    }
    let winner = position.outcome()?.winner();
    Some(winner.map(floe_rules::Player::index))
}
