//! Rating history: the ratings at some points of a contest.
//!
//! A contest may have a hundred thousand games, and its history needs some dozens of points. So a
//! point is set every fixed number of games. When there are too many points, every second one is
//! dropped and the distance is doubled. Later games cost no more than themselves and the points
//! they set, and the history of a contest is the same whether it was followed game by game or read
//! at the end.

use serde::Serialize;

use crate::scoreboard::Scoreboard;
use crate::store::{Filter, GameSummary, Store, StoreError};

/// The most points a history has.
pub const POINTS: usize = 96;

/// Ratings at some points of a contest, in the order in which its games were finished.
///
/// ```
/// use floe_arena::history::RatingHistory;
/// let history = RatingHistory::new(["mimi".to_owned(), "floe:hard".to_owned()], 2);
/// assert!(history.points().is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct RatingHistory {
    scoreboard: Scoreboard,
    points: Vec<Point>,
    /// Games from one point to the next; a power of two times the seats of a table.
    distance: u64,
    /// Bytes of the file of records that are counted.
    bytes: u64,
}

/// Where a contest stood after some of its games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// Games counted by then.
    pub games: u64,
    /// When the last of them began, in seconds since 1970; 0 if unknown.
    pub began: u64,
    /// The Elo of all entrants above the mean, in the order of the names; `None` before their first
    /// game.
    pub elo: Vec<Option<f64>>,
}

impl RatingHistory {
    /// An empty history of these entrants, with `seats` seats per game.
    pub fn new(names: impl IntoIterator<Item = String>, seats: usize) -> Self {
        RatingHistory {
            scoreboard: Scoreboard::new(names, seats),
            points: Vec::new(),
            distance: seats.max(1) as u64,
            bytes: 0,
        }
    }

    /// One more, who has not played before now.
    pub fn enter(&mut self, name: String) {
        self.scoreboard.enter(name);
        for point in &mut self.points {
            point.elo.push(None);
        }
    }

    /// All entrants, in the order in which points list their ratings.
    pub fn names(&self) -> &[String] {
        self.scoreboard.names()
    }

    /// The points, from the first.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Takes in the games finished since the last call. Games of other entrants are skipped. Reads
    /// only new games, and sets at most [`POINTS`] points, each of which costs a rating of all
    /// entrants.
    pub fn catch_up(&mut self, store: &Store) -> Result<(), StoreError> {
        let number = |name: &str| self.names().iter().position(|known| known == name);
        let entrants = store.entrants().iter();
        let numbers: Vec<Option<usize>> = entrants.map(|entrant| number(&entrant.name)).collect();
        let mut games: Vec<GameSummary> = Vec::new();
        let filter = Filter {
            from_byte: Some(self.bytes),
            ..Filter::default()
        };
        store.each(&filter, |game| games.push(game))?;
        // The order of the file is that of time.
        games.sort_by_key(|game| game.place.start);
        let seats = |game: &GameSummary| -> Option<Vec<usize>> {
            let seats = game.seats.iter();
            seats
                .map(|part| numbers.get(part.entrant).copied().flatten())
                .collect()
        };
        // How many count is known only once they are counted.
        let mut ahead = self.scoreboard.clone();
        for game in &games {
            if let Some(seats) = seats(game) {
                ahead.add(game, &seats);
            }
        }
        while ahead.games() / self.distance > POINTS as u64 {
            self.distance *= 2;
        }
        let distance = self.distance;
        self.points
            .retain(|point| point.games.is_multiple_of(distance));
        for game in games {
            self.bytes = self.bytes.max(game.place.end);
            let Some(seats) = seats(&game) else { continue };
            if self.scoreboard.add(&game, &seats).is_some()
                && self.scoreboard.games().is_multiple_of(self.distance)
            {
                self.set_point(game.began);
            }
        }
        Ok(())
    }

    fn set_point(&mut self, began: u64) {
        self.points.push(Point {
            games: self.scoreboard.games(),
            began,
            elo: self.scoreboard.quick_elo(),
        });
    }
}
