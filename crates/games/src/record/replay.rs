use floe_rules::text::quoted;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::history::GameHistory;
use super::{Event, Record};
use crate::{AnyPosition, Play, find};

/// A contradiction between a record and the rules.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("game {id}, {place}: {cause}")]
pub struct Mismatch {
    /// The game's id.
    pub id: String,
    /// The place in the record, such as `event 12`.
    pub place: String,
    /// The number of lines after the first of the record.
    pub line: usize,
    /// The error.
    pub cause: String,
}

/// A record that is played again, event by event.
///
/// ```
/// # use floe_games::record::{Opening, Record, Replay, Entrant, VERSION};
/// # let record = Record::new(Opening { floe: VERSION, game: "flood".into(), start: "J\n@#\n+@\n".into(),
/// #     seats: vec![Entrant::default(), Entrant::default()], ..Opening::default() });
/// let mut replay = Replay::new(&record)?;
/// while let Some(event) = replay.step()? {
///     println!("{event:?}");
/// }
/// println!("{}", replay.play().position().write());
/// # Ok::<(), floe_games::record::Mismatch>(())
/// ```
#[derive(Debug)]
pub struct Replay<'a> {
    record: &'a Record,
    history: GameHistory,
    next: usize,
}

impl<'a> Replay<'a> {
    /// The record's start.
    pub fn new(record: &'a Record) -> Result<Self, Mismatch> {
        let at_start = |cause: String| mismatch(record, "start", 0, cause);
        let game = find(&record.opening.game).map_err(|e| at_start(e.to_string()))?;
        let position = game.read(&record.opening.start);
        let position = position.map_err(|e| at_start(e.to_string()))?;
        let (seats, named) = (position.players() as usize, record.opening.seats.len());
        if seats != named {
            return Err(at_start(format!("{named} names for {seats} seats")));
        }
        Ok(Replay {
            record,
            history: GameHistory::new(position),
            next: 0,
        })
    }

    /// The game now.
    pub fn play(&self) -> &Play {
        self.history.play()
    }

    /// The game with its turns so far.
    pub fn history(&self) -> &GameHistory {
        &self.history
    }

    /// The next event, after the game has made it; `None` at the end of the record.
    pub fn step(&mut self) -> Result<Option<&'a Event>, Mismatch> {
        let Some(event) = self.record.events.get(self.next) else {
            return Ok(None);
        };
        self.next += 1;
        let applied = self.history.apply(event.clone());
        applied.map_err(|error| {
            let place = format!("event {}", self.next);
            mismatch(self.record, &place, self.next, error.to_string())
        })?;
        Ok(Some(event))
    }
}

fn mismatch(record: &Record, place: &str, line: usize, cause: String) -> Mismatch {
    Mismatch {
        id: record.opening.id.clone(),
        place: place.to_owned(),
        line,
        cause,
    }
}

impl Record {
    /// The game with all its turns, replayed.
    pub fn history(&self) -> Result<GameHistory, Mismatch> {
        let mut replay = Replay::new(self)?;
        while replay.step()?.is_some() {}
        Ok(replay.history)
    }

    /// The game after this many moves; after the last if there are fewer. Costs all moves.
    pub fn at(&self, moves: usize) -> Result<Play, Mismatch> {
        let history = self.history()?;
        let turns = history.turns().iter().enumerate();
        let mut made = turns.filter(|(_, turn)| turn.is_move());
        let last = moves.min(history.moves()).checked_sub(1);
        let last = last.and_then(|last| made.nth(last));
        Ok(history.play_at(last.map_or(0, |(turn, _)| turn + 1)))
    }

    /// Plays the opening from the position before it, and compares the result with the start.
    fn verify_opening(&self, start: &dyn AnyPosition) -> Result<(), Mismatch> {
        let opening = &self.opening;
        if opening.opening.is_empty() {
            return Ok(());
        }
        let wrong = |cause: String| mismatch(self, "opening", 0, cause);
        let game = start.game();
        let before = match (&opening.opening_from, &opening.setup, opening.seed) {
            (Some(text), ..) => game.read(text).map_err(|error| wrong(error.to_string()))?,
            (None, Some(setup), Some(seed)) => {
                let made = game.start(setup, seed);
                made.map_err(|error| wrong(error.to_string()))?
            }
            _ => return Err(wrong("the position before it is missing".into())),
        };
        let mut position = before;
        for (number, mv) in (1..).zip(&opening.opening) {
            let made = position.play(mv);
            made.map_err(|error| wrong(format!("move {number}, {}: {error}", quoted(mv))))?;
        }
        match position.is_same(start) {
            true => Ok(()),
            false => Err(wrong("it does not lead to the start of the game".into())),
        }
    }

    /// Replays everything, from the opening on, and compares the end with the rules.
    pub fn verify(&self) -> Result<Play, Mismatch> {
        let mut replay = Replay::new(self)?;
        self.verify_opening(replay.play().position())?;
        while replay.step()?.is_some() {}
        let play = replay.history.into_play();
        let Some(end) = &self.end else {
            return Ok(play);
        };
        let last = self.events.len() + 1;
        let wrong = |cause: String| Err(mismatch(self, "end", last, cause));
        let Some(right) = play.end() else {
            return wrong("the game is not over".into());
        };
        if *end == right {
            return Ok(play);
        }
        wrong(format!(
            "scores {:?}, places {:?}, {:?}; by the rules {:?}, {:?}, {:?}",
            end.scores, end.places, end.reason, right.scores, right.places, right.reason
        ))
    }
}
