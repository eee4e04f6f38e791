//! The sources of an organiser's games.

use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use floe_arena::runner::{NamedSeat, ScheduledGame};
use floe_arena::schedule::Pairing;

/// Time to wait for the other games of a unit: a feed returns whole units.
const REST_OF_A_UNIT: Duration = Duration::from_millis(20);

/// The feed of games.
pub(super) enum Giver<'a> {
    /// A schedule, which never waits, and the entrants its pairings name.
    Schedule(
        &'a mut (dyn Iterator<Item = Pairing> + Send),
        &'a [NamedSeat],
    ),
    /// A feed that may wait for results first, in a thread of its own.
    Somebody(Receiver<ScheduledGame>),
}

/// Games, unit after unit.
pub(super) struct GameFeed<'a> {
    giver: Giver<'a>,
    /// A game that was passed in and not returned yet.
    kept: Option<ScheduledGame>,
    /// Number of games, if known.
    pub(super) length: Option<u64>,
    /// Whether the source has ended.
    pub(super) is_over: bool,
}

impl<'a> GameFeed<'a> {
    pub(super) fn new(giver: Giver<'a>, length: Option<u64>) -> GameFeed<'a> {
        GameFeed {
            giver,
            kept: None,
            length,
            is_over: false,
        }
    }

    /// Whether the players of all games are the contest's entrants that their pairings name.
    pub(super) fn is_schedule(&self) -> bool {
        matches!(self.giver, Giver::Schedule(..))
    }

    /// Number of remaining games, if known; a feed that depends on results is asked for one unit at
    /// a time.
    pub(super) fn left(&self) -> Left {
        match &self.giver {
            Giver::Schedule(games, _) => match games.size_hint().1 {
                Some(games) => Left::Games(games as u64),
                None => Left::Many,
            },
            Giver::Somebody(_) => Left::OneByOne,
        }
    }

    /// The games of the next unit; empty if there are none now.
    pub(super) fn next_unit(&mut self) -> Vec<ScheduledGame> {
        let mut unit: Vec<ScheduledGame> = Vec::new();
        loop {
            let is_begun = !unit.is_empty();
            let Some(next) = self.kept.take().or_else(|| self.next_game(is_begun)) else {
                return unit;
            };
            let of = next.pairing.unit;
            if unit.first().is_some_and(|first| first.pairing.unit != of) {
                self.kept = Some(next);
                return unit;
            }
            let seats = next.pairing.seats.len();
            unit.push(next);
            if unit.len() >= seats {
                return unit;
            }
        }
    }

    fn next_game(&mut self, is_begun: bool) -> Option<ScheduledGame> {
        let next = match &mut self.giver {
            Giver::Schedule(games, entrants) => games.next().map(|pairing| {
                let players = pairing.seats.iter().map(|&number| entrants[number].clone());
                let players = players.collect();
                Ok(ScheduledGame { pairing, players })
            }),
            Giver::Somebody(games) => match games.try_recv() {
                Ok(game) => Some(Ok(game)),
                Err(TryRecvError::Disconnected) => None,
                Err(TryRecvError::Empty) if is_begun => match games.recv_timeout(REST_OF_A_UNIT) {
                    Ok(game) => Some(Ok(game)),
                    Err(RecvTimeoutError::Timeout) => Some(Err(NotYet)),
                    Err(RecvTimeoutError::Disconnected) => None,
                },
                Err(TryRecvError::Empty) => Some(Err(NotYet)),
            },
        };
        self.is_over |= next.is_none();
        next.and_then(Result::ok)
    }
}

/// More games will come, but none is ready.
struct NotYet;

/// The number of remaining games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// Most games to take.
    Games(u64),
    /// Unknown.
    Many,
    /// A feed that decides better later is asked for one game at a time.
    OneByOne,
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn game(unit: u64, turn: u64) -> ScheduledGame {
        ScheduledGame {
            pairing: Pairing {
                number: unit * 2 + turn,
                unit,
                board: unit,
                seats: vec![0, 1],
            },
            players: Vec::new(),
        }
    }

    #[test]
    fn units_are_whole_and_what_is_left_of_one_is_not_waited_for() {
        let (give, games) = mpsc::channel();
        let mut feed = GameFeed::new(Giver::Somebody(games), None);
        assert!(feed.next_unit().is_empty() && !feed.is_over);
        for (unit, turn) in [(0, 0), (0, 1), (1, 1), (2, 0), (2, 1), (3, 1)] {
            give.send(game(unit, turn)).unwrap();
        }
        let numbers = |feed: &mut GameFeed<'_>| -> Vec<u64> {
            let unit = feed.next_unit().into_iter();
            unit.map(|game| game.pairing.number).collect()
        };
        assert_eq!(numbers(&mut feed), [0, 1]);
        assert_eq!(numbers(&mut feed), [3]);
        assert_eq!(numbers(&mut feed), [4, 5]);
        assert_eq!(numbers(&mut feed), [7]);
        assert!(!feed.is_over);
        drop(give);
        assert!(feed.next_unit().is_empty() && feed.is_over);
    }
}
