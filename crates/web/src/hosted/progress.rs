//! A game of people with its history: events are written to its record, applied, and sent to watchers.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use floe_arena::journal::RecordWriter;
use floe_games::record::{Event, Opening, PlayedMove, RecordLine};
use floe_games::{AnyPosition, EventError, Fault, FaultKind};
use floe_rules::Player;

use super::act::ActError;
use super::guests::{Guests, SeatHolder};
use crate::feed::{Company, Feed};
use crate::token::TokenHash;
use floe_games::json::{ClockState, GameState, milliseconds};

/// A turn shorter than this counts as just begun on every clock.
const JUST_NOW: Duration = Duration::from_millis(100);

/// A game with its history: each event is written to the record, applied, and sent to watchers.
pub(super) struct RecordedGame {
    pub(super) opening: Opening,
    pub(super) guests: Guests,
    pub(super) guests_file: PathBuf,
    pub(super) journal: RecordWriter,
    pub(super) feed: Feed,
    /// The version at which turns were last undone.
    pub(super) undone: Option<usize>,
    /// When the mover's clock began to run.
    pub(super) turn_began: Instant,
    pub(super) touched: Instant,
}

impl RecordedGame {
    pub(super) fn told(&self) -> &GameState {
        self.feed.told()
    }

    /// The current position, if exactly `ply` turns led to it.
    pub(super) fn position_at(&self, ply: usize) -> Option<&dyn AnyPosition> {
        let play = self.told().play();
        let is_now = self.told().turns().len() == ply && play.turn().is_some();
        is_now.then(|| play.position())
    }

    /// Whose turn it is, if this visitor may move now and sees the game as it is.
    pub(super) fn turn_of(&mut self, visitor: &TokenHash, ply: usize) -> Result<Player, ActError> {
        self.touched = Instant::now();
        let player = self.told().play().turn().ok_or(ActError::Over)?;
        if !self.guests.holds(visitor) {
            return Err(ActError::NotYours);
        }
        if self.told().turns().len() != ply {
            return Err(ActError::Stale);
        }
        if !self.guests.seats[player.index()].is(visitor) {
            return Err(ActError::NotYourTurn);
        }
        Ok(player)
    }

    /// Whose turn it is, if nothing has happened since this version.
    pub(super) fn turn_at(&self, version: usize) -> Result<Player, ActError> {
        let player = self.told().play().turn().ok_or(ActError::Over)?;
        match self.feed.version() == version {
            true => Ok(player),
            false => Err(ActError::Stale),
        }
    }

    pub(super) fn write_move(
        &mut self,
        player: Player,
        mv: &str,
        note: String,
    ) -> Result<(), ActError> {
        let wall = self.turn_began.elapsed();
        self.write(Event::Move(PlayedMove {
            seat: player.number(),
            mv: mv.to_owned(),
            wall_us: u64::try_from(wall.as_micros()).unwrap_or(u64::MAX),
            note,
            ..PlayedMove::default()
        }))
    }

    pub(super) fn write_fault(
        &mut self,
        player: Player,
        kind: FaultKind,
        message: &str,
    ) -> Result<(), ActError> {
        let wall = self.turn_began.elapsed().as_micros();
        let mut fault = Fault::new(player, kind, message);
        fault.wall_us = u64::try_from(wall).unwrap_or(u64::MAX);
        self.write(Event::Fault(Box::new(fault)))
    }

    /// Writes an event down, and then lets it happen; writes the end if it was that.
    pub(super) fn write(&mut self, event: Event) -> Result<(), ActError> {
        self.journal.line(event.clone().into())?;
        self.apply(event)?;
        if let Some(end) = self.told().play().end() {
            self.journal.line(RecordLine::End(end))?;
        }
        Ok(())
    }

    pub(super) fn apply(&mut self, event: Event) -> Result<(), EventError> {
        let is_back = matches!(event, Event::Back(_));
        self.feed.apply(event)?;
        if is_back {
            self.undone = Some(self.feed.version());
        }
        self.turn_began = Instant::now();
        Ok(())
    }

    /// How long a player has for the next move.
    pub(super) fn allowed(&self, player: Player) -> Option<Duration> {
        let (moves, used) = self.told().used(player);
        self.guests.clock.left(moves, used)
    }

    /// The clocks and names of now. With a clock, also the time of the turn so far: late watchers
    /// see the same clock as the others.
    pub(super) fn company(&self) -> Company {
        let clock = |player: Player| ClockState {
            used_ms: milliseconds(self.told().used(player).1),
            left_ms: match self.allowed(player) {
                Some(_) if self.told().is_out_of_time(player) => Some(0),
                left => left.map(milliseconds),
            },
        };
        let players = self.told().start().players();
        let seats = self.guests.seats.iter();
        Company {
            clocks: Player::all(players).map(clock).collect(),
            names: seats.map(|seat| seat.shown().into_owned()).collect(),
            turn_ms: self.turn_ms(),
        }
    }

    fn turn_ms(&self) -> Option<u64> {
        self.allowed(self.told().play().turn()?)?;
        // The clock waits until all players are there.
        let lasted = match self.guests.seats.contains(&SeatHolder::Open) {
            true => Duration::ZERO,
            false => self.turn_began.elapsed(),
        };
        (lasted >= JUST_NOW).then(|| milliseconds(lasted))
    }
}
