use std::cmp::Reverse;

use floe_arena::store::{Filter, GameSummary, Store, StoreError};

/// The closest and the most lopsided games, at most `most` of each and none twice. Games with a
/// fault show little about play and are left out. Holds a handful of games at a time.
pub(super) fn games(
    store: &Store,
    top: usize,
) -> Result<(Vec<GameSummary>, Vec<GameSummary>), StoreError> {
    // Among equally close games the longer ones, among equally lopsided ones the shorter.
    let mut closest = Best::new(2 * top, |game: &GameSummary| {
        (lead(game), Reverse(game.moves()), game.number)
    });
    let mut lopsided = Best::new(2 * top, |game: &GameSummary| {
        (Reverse(lead(game)), game.moves(), game.number)
    });
    store.each(&Filter::default(), |game| {
        if game.seats.iter().all(|seat| seat.fault.is_none()) {
            closest.add(&game);
            lopsided.add(&game);
        }
    })?;
    let mut closest = closest.sorted();
    closest.truncate(top);
    let is_new = |game: &GameSummary| closest.iter().all(|other| other.number != game.number);
    let mut lopsided: Vec<GameSummary> = lopsided.sorted().into_iter().filter(is_new).collect();
    lopsided.truncate(top);
    Ok((closest, lopsided))
}

/// The best score minus the next.
fn lead(game: &GameSummary) -> i64 {
    let mut scores: Vec<i64> = game.seats.iter().map(|seat| seat.score).collect();
    scores.sort_unstable_by_key(|&score| Reverse(score));
    match scores[..] {
        [first, second, ..] => first.saturating_sub(second),
        _ => 0,
    }
}

/// The games with the smallest keys.
struct Best<K, F> {
    most: usize,
    key: F,
    games: Vec<(K, GameSummary)>,
}

impl<K: Ord + Copy, F: Fn(&GameSummary) -> K> Best<K, F> {
    fn new(most: usize, key: F) -> Self {
        Best {
            most,
            key,
            games: Vec::new(),
        }
    }

    fn add(&mut self, game: &GameSummary) {
        let key = (self.key)(game);
        let place = self.games.partition_point(|(other, _)| *other < key);
        if place < self.most {
            self.games.insert(place, (key, game.clone()));
            self.games.truncate(self.most);
        }
    }

    fn sorted(self) -> Vec<GameSummary> {
        self.games.into_iter().map(|(_, game)| game).collect()
    }
}
