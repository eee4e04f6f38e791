//! A game of people with its history: events are written to its record, applied, and told as states.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use floe_arena::journal::Journal;
use floe_games::record::{Event, Opening, PlayedMove, RecordLine};
use floe_games::{EventError, Fault, FaultKind};
use floe_rules::Player;

use super::act::ActError;
use super::guests::{Guests, SeatHolder};
use crate::token::TokenHash;
use floe_games::json::{ClockState, Told, milliseconds};

/// A turn shorter than this counts as just begun on every clock.
const JUST_NOW: Duration = Duration::from_millis(100);

/// A game with its history: each event is written to the record, applied, and told.
pub(super) struct Progress {
    pub(super) opening: Opening,
    pub(super) guests: Guests,
    pub(super) guests_file: PathBuf,
    pub(super) journal: Journal,
    pub(super) told: Told,
    /// The state after each event of the record; the first is the start.
    pub(super) states: Vec<Arc<str>>,
    /// When the mover's clock began to run.
    pub(super) turn_began: Instant,
    pub(super) touched: Instant,
}

impl Progress {
    /// Whose turn it is, if this visitor may move now and sees the game as it is.
    pub(super) fn turn_of(&mut self, visitor: &TokenHash, ply: usize) -> Result<Player, ActError> {
        self.touched = Instant::now();
        let player = self.told.play().turn().ok_or(ActError::Over)?;
        if !self.guests.holds(visitor) {
            return Err(ActError::NotYours);
        }
        if self.told.turns().len() != ply {
            return Err(ActError::Stale);
        }
        if !self.guests.seats[player.index()].is(visitor) {
            return Err(ActError::NotYourTurn);
        }
        Ok(player)
    }

    /// Whose turn it is, if nothing has happened since this version.
    pub(super) fn turn_at(&self, version: usize) -> Result<Player, ActError> {
        let player = self.told.play().turn().ok_or(ActError::Over)?;
        match self.states.len() - 1 == version {
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
        if let Some(end) = self.told.play().end() {
            self.journal.line(RecordLine::End(end))?;
        }
        Ok(())
    }

    pub(super) fn apply(&mut self, event: Event) -> Result<(), EventError> {
        self.told.apply(event)?;
        self.turn_began = Instant::now();
        self.tell();
        Ok(())
    }

    /// How long a player has for the next move.
    pub(super) fn allowed(&self, player: Player) -> Option<Duration> {
        let (moves, used) = self.told.used(player);
        self.guests.clock.left(moves, used)
    }

    /// Makes the state that follows the newest event.
    pub(super) fn tell(&mut self) {
        let clock = |player: Player| ClockState {
            used_ms: milliseconds(self.told.used(player).1),
            left_ms: match self.allowed(player) {
                Some(_) if self.told.is_out_of_time(player) => Some(0),
                left => left.map(milliseconds),
            },
        };
        let players = self.told.start().players();
        let clocks = Player::all(players).map(clock).collect();
        let seats = self.guests.seats.iter();
        let names: Vec<String> = seats.map(|seat| seat.shown().into_owned()).collect();
        let state = self.told.state(self.states.len(), clocks, &names);
        self.states.push(state.into());
    }

    /// The newest state and its version. With a clock, it has the time of the turn so far, as
    /// `turn_ms`: late watchers see the same clock as the others.
    pub(super) fn newest(&self) -> (usize, Arc<str>) {
        let last = self.states.len() - 1;
        let state = &self.states[last];
        let turn = self.told.play().turn();
        if turn.and_then(|player| self.allowed(player)).is_none() {
            return (last, Arc::clone(state));
        }
        // The clock waits until all players are there.
        let lasted = match self.guests.seats.contains(&SeatHolder::Open) {
            true => Duration::ZERO,
            false => self.turn_began.elapsed(),
        };
        // Watchers in step share one text.
        if lasted < JUST_NOW {
            return (last, Arc::clone(state));
        }
        let begin = format!("{{\"turn_ms\":{},", milliseconds(lasted));
        // A state is an object that has fields.
        (last, state.replacen('{', &begin, 1).into())
    }
}
