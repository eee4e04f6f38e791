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
    /// The version after the last undo.
    pub(super) undone: Option<usize>,
    /// When the current player's clock started.
    pub(super) turn_began: Instant,
    pub(super) touched: Instant,
}

impl RecordedGame {
    pub(super) fn game_state(&self) -> &GameState {
        self.feed.game_state()
    }

    /// The current position, if exactly `ply` turns led to it.
    pub(super) fn position_at(&self, ply: usize) -> Option<&dyn AnyPosition> {
        let play = self.game_state().play();
        let is_now = self.game_state().turns().len() == ply && play.turn().is_some();
        is_now.then(|| play.position())
    }

    /// The player to move, if this visitor may move now and has the current version.
    pub(super) fn turn_of(&mut self, visitor: &TokenHash, ply: usize) -> Result<Player, ActError> {
        self.touched = Instant::now();
        let player = self.game_state().play().turn().ok_or(ActError::Over)?;
        if !self.guests.holds(visitor) {
            return Err(ActError::NotYours);
        }
        if self.game_state().turns().len() != ply {
            return Err(ActError::Stale);
        }
        if !self.guests.seats[player.index()].is(visitor) {
            return Err(ActError::NotYourTurn);
        }
        Ok(player)
    }

    /// The player to move, if nothing has happened since this version.
    pub(super) fn turn_at(&self, version: usize) -> Result<Player, ActError> {
        let player = self.game_state().play().turn().ok_or(ActError::Over)?;
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

    /// Writes an event, and then applies it; if that ends the game, writes the end too.
    pub(super) fn write(&mut self, event: Event) -> Result<(), ActError> {
        self.journal.line(event.clone().into())?;
        self.apply(event)?;
        if let Some(end) = self.game_state().play().end() {
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

    /// The player's time limit for the next move.
    pub(super) fn allowed(&self, player: Player) -> Option<Duration> {
        let (moves, used) = self.game_state().used(player);
        self.guests.clock.left(moves, used)
    }

    /// The current clocks and names. With a clock, also the time of the turn so far, so that late
    /// watchers see the same clock.
    pub(super) fn company(&self) -> Company {
        let clock = |player: Player| ClockState {
            used_ms: milliseconds(self.game_state().used(player).1),
            left_ms: match self.allowed(player) {
                Some(_) if self.game_state().is_out_of_time(player) => Some(0),
                left => left.map(milliseconds),
            },
        };
        let players = self.game_state().start().players();
        let seats = self.guests.seats.iter();
        Company {
            clocks: Player::all(players).map(clock).collect(),
            names: seats.map(|seat| seat.shown().into_owned()).collect(),
            turn_ms: self.turn_ms(),
        }
    }

    fn turn_ms(&self) -> Option<u64> {
        self.allowed(self.game_state().play().turn()?)?;
        // The clock waits until all seats are taken.
        let lasted = match self.guests.seats.contains(&SeatHolder::Open) {
            true => Duration::ZERO,
            false => self.turn_began.elapsed(),
        };
        (lasted >= JUST_NOW).then(|| milliseconds(lasted))
    }
}
