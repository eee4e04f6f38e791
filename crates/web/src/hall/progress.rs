//! A game of people with its past: events are written to its record, applied, and told as states.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use floe_arena::journal::Journal;
use floe_games::record::{End, Event, GIVEN_UP, Opening, PlayedMove, RecordLine};
use floe_games::{AnyPosition, Fault, FaultKind, MoveError, Play};
use floe_rules::Player;
use serde::Serialize;

use super::guests::Guests;
use super::table::ActError;
use crate::course::last_pick;
use crate::picture::{Pick, Picture};
use crate::token::TokenHash;

/// A game with its past, as its record has it: what happens is written down, applied, and told.
pub(super) struct Progress {
    pub(super) opening: Opening,
    pub(super) guests: Guests,
    pub(super) guests_file: PathBuf,
    pub(super) journal: Journal,
    pub(super) start: Box<dyn AnyPosition>,
    pub(super) play: Play,
    pub(super) steps: Vec<Step>,
    /// What watchers are told after each event of the record; the first is the start.
    pub(super) states: Vec<Arc<str>>,
    /// When the mover's clock began to run.
    pub(super) turn_began: Instant,
    pub(super) touched: Instant,
}

/// A turn that stands.
pub(super) struct Step {
    pub(super) player: Player,
    pub(super) event: Event,
    pub(super) last: Option<Pick>,
}

impl Step {
    /// The move, or what somebody was put out for.
    pub(super) fn text(&self) -> &str {
        match &self.event {
            Event::Move(made) => &made.mv,
            Event::Fault(fault) => &fault.message,
            Event::Back(_) => "",
        }
    }

    pub(super) fn is_fault(&self) -> bool {
        matches!(self.event, Event::Fault(_))
    }

    pub(super) fn wall(&self) -> Duration {
        Duration::from_micros(match &self.event {
            Event::Move(made) => made.wall_us,
            Event::Fault(fault) => fault.wall_us,
            Event::Back(_) => 0,
        })
    }
}

/// What a page is told about a game.
#[derive(Serialize)]
struct State<'a> {
    version: usize,
    ply: usize,
    turn: Option<u32>,
    picture: Picture,
    moves: Vec<MoveEntry<'a>>,
    last: Option<&'a Pick>,
    scores: Vec<i64>,
    clocks: Vec<ClockState>,
    can_give_up: bool,
    over: Option<Over>,
}

#[derive(Serialize)]
struct MoveEntry<'a> {
    seat: u32,
    text: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    fault: bool,
    ms: u64,
}

#[derive(Serialize)]
struct ClockState {
    used_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_ms: Option<u64>,
}

#[derive(Serialize)]
struct Over {
    places: Vec<u32>,
    words: String,
}

impl Progress {
    /// Whose turn it is, if this visitor may move now and sees the game as it is.
    pub(super) fn turn_of(&mut self, visitor: &TokenHash, ply: usize) -> Result<Player, ActError> {
        self.touched = Instant::now();
        let player = self.play.turn().ok_or(ActError::Over)?;
        if !self.guests.holds(visitor) {
            return Err(ActError::NotYours);
        }
        if self.steps.len() != ply {
            return Err(ActError::Stale);
        }
        if !self.guests.seats[player.index()].is(visitor) {
            return Err(ActError::NotYourTurn);
        }
        Ok(player)
    }

    /// Whose turn it is, if nothing has happened since this version.
    pub(super) fn turn_at(&self, version: usize) -> Result<Player, ActError> {
        let player = self.play.turn().ok_or(ActError::Over)?;
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
        self.write(&Event::Move(PlayedMove {
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
        self.write(&Event::Fault(Box::new(fault)))
    }

    /// Writes an event down, and then lets it happen; writes the end if it was that.
    pub(super) fn write(&mut self, event: &Event) -> Result<(), ActError> {
        self.journal.line(event.clone().into())?;
        self.apply(event)?;
        if let (Some(outcome), Some(reason)) = (self.play.outcome(), self.play.reason()) {
            self.journal.line(RecordLine::End(End {
                scores: outcome.scores().to_vec(),
                places: outcome.places().to_vec(),
                reason,
            }))?;
        }
        Ok(())
    }

    pub(super) fn apply(&mut self, event: &Event) -> Result<(), MoveError> {
        match event {
            Event::Move(made) => self.apply_move(made)?,
            Event::Back(back) => {
                let left = self.steps.len().saturating_sub(back.moves as usize);
                self.steps.truncate(left);
                let mut play = Play::new(self.start.clone());
                for step in &self.steps {
                    let _ = match step.text() {
                        GIVEN_UP => play.give_up(),
                        mv => play.make(mv).is_ok(),
                    };
                }
                self.play = play;
            }
            Event::Fault(fault) => {
                let player = Player::from_number(fault.seat);
                let player = player.filter(|player| player.index() < self.guests.seats.len());
                if let Some(player) = player {
                    self.play.expel(player);
                    self.steps.push(Step {
                        player,
                        event: event.clone(),
                        last: None,
                    });
                }
            }
        }
        self.turn_began = Instant::now();
        self.tell();
        Ok(())
    }

    pub(super) fn apply_move(&mut self, made: &PlayedMove) -> Result<(), MoveError> {
        let Some(player) = self.play.turn() else {
            return Ok(());
        };
        let last = last_pick(self.play.position(), &made.mv);
        if made.mv == GIVEN_UP {
            self.play.give_up();
        } else {
            self.play.make(&made.mv)?;
        }
        self.steps.push(Step {
            player,
            event: Event::Move(made.clone()),
            last,
        });
        Ok(())
    }

    pub(super) fn used(&self, player: Player) -> (u32, Duration) {
        let own = self.steps.iter().filter(|step| step.player == player);
        own.fold((0, Duration::ZERO), |(moves, used), step| {
            (moves + 1, used + step.wall())
        })
    }

    /// How long a player has for the next move.
    pub(super) fn allowed(&self, player: Player) -> Option<Duration> {
        let (moves, used) = self.used(player);
        self.guests.clock.allows(moves, used)
    }

    /// Makes the state that follows the newest event.
    pub(super) fn tell(&mut self) {
        let position = self.play.position();
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let clock = |player: Player| ClockState {
            used_ms: milliseconds(self.used(player).1),
            left_ms: self.allowed(player).map(milliseconds),
        };
        let moves = (self.steps.iter())
            .map(|step| MoveEntry {
                seat: step.player.number(),
                text: step.text(),
                fault: step.is_fault(),
                ms: milliseconds(step.wall()),
            })
            .collect();
        let state = State {
            version: self.states.len(),
            ply: self.steps.len(),
            turn: self.play.turn().map(Player::number),
            picture: position.view().into(),
            moves,
            last: self.steps.last().and_then(|step| step.last.as_ref()),
            scores: self.play.scores(),
            clocks: Player::all(position.players()).map(clock).collect(),
            can_give_up: self.play.turn().is_some() && position.give_up().is_some(),
            over: self.play.outcome().map(|outcome| Over {
                places: outcome.places().to_vec(),
                words: result_words(&self.guests, outcome.scores(), outcome.places()),
            }),
        };
        let text = serde_json::to_string(&state).unwrap_or_default();
        self.states.push(text.into());
    }
}

/// The result in a sentence.
fn result_words(guests: &Guests, scores: &[i64], places: &[u32]) -> String {
    let name = |seat: usize| guests.seats[seat].name();
    let first: Vec<usize> = (0..places.len())
        .filter(|&seat| places[seat] == 1)
        .collect();
    let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
    let scores = scores.join(" : ");
    match first.as_slice() {
        [winner] => format!("{} wins, {scores}", name(*winner)),
        _ => format!("A draw, {scores}"),
    }
}
