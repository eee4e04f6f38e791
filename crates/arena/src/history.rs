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
    curves: RatingCurves,
    /// Games from one point to the next; a power of two times the seats of a table.
    distance: u64,
    /// Bytes of the file of records that are counted.
    bytes: u64,
}

/// What a history shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RatingCurves {
    names: Vec<String>,
    points: Vec<Point>,
}

impl RatingCurves {
    /// All entrants, in the order in which points list their ratings.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The points, from the first.
    pub fn points(&self) -> &[Point] {
        &self.points
    }
}

/// The standings after some number of games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// Games counted up to this point.
    pub games: u64,
    /// When the last of these games began, in seconds since 1970; 0 if unknown.
    pub began: u64,
    /// The Elo of all entrants above the mean, in the order of the names; `None` before their first
    /// game.
    pub elo: Vec<Option<f64>>,
}

impl RatingHistory {
    /// An empty history of these entrants, with `seats` seats per game.
    pub fn new(names: impl IntoIterator<Item = String>, seats: usize) -> Self {
        let scoreboard = Scoreboard::new(names, seats);
        RatingHistory {
            curves: RatingCurves {
                names: scoreboard.names().to_vec(),
                points: Vec::new(),
            },
            scoreboard,
            distance: seats.max(1) as u64,
            bytes: 0,
        }
    }

    /// Adds an entrant who has not played yet.
    pub fn enter(&mut self, name: String) {
        self.scoreboard.enter(name.clone());
        self.curves.names.push(name);
        for point in &mut self.curves.points {
            point.elo.push(None);
        }
    }

    /// All entrants, in the order in which points list their ratings.
    pub fn names(&self) -> &[String] {
        self.curves.names()
    }

    /// The points, from the first.
    pub fn points(&self) -> &[Point] {
        self.curves.points()
    }

    /// What there is to show, without what counts further games.
    pub fn curves(&self) -> &RatingCurves {
        &self.curves
    }

    /// Adds the games finished since the last call. Games of other entrants are skipped. Reads only
    /// new games, and sets at most [`POINTS`] points, each of which costs a rating of all entrants.
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
        // The file is in order of time.
        games.sort_by_key(|game| game.place.start);
        let seats = |game: &GameSummary| -> Option<Vec<usize>> {
            let seats = game.seats.iter();
            seats
                .map(|part| numbers.get(part.entrant).copied().flatten())
                .collect()
        };
        // How many count is known only once they are counted.
        let counted = games.iter().filter_map(|game| Some((game, seats(game)?)));
        let whole = self.scoreboard.games_with(counted);
        while whole / self.distance > POINTS as u64 {
            self.distance *= 2;
        }
        let distance = self.distance;
        self.curves
            .points
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
        self.curves.points.push(Point {
            games: self.scoreboard.games(),
            began,
            elo: self.scoreboard.quick_elo(),
        });
    }
}
