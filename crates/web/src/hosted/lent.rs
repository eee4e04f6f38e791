//! Thoughts that the server lends to a player's browser.
//!
//! In a game of one person against engines alone, the person's browser thinks for the engines, if it
//! says that it can: a thousand such games cost the server next to nothing. The server stays the
//! referee, and thinks itself where no answer comes in time, or as soon as another visitor looks on. A
//! player who sends a worse move than the engine's own gains nothing by it: such a game has no clock
//! and counts nowhere, and no list of finished games has it but the player's own. The record marks
//! every move that came from a browser.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use floe_games::TimeControl;
use floe_games::json::milliseconds;
use floe_games::record::Event;
use serde::Serialize;

use super::act::ActError;
use super::progress::RecordedGame;
use super::table::Table;
use crate::token::TokenHash;

/// What the record says about a move that a browser sent for an engine.
const NOTE: &str = "thought in the player's browser";

/// Whether a game has moves that a player's browser thought of.
pub(super) fn is_marked(events: &[Event]) -> bool {
    (events.iter()).any(|event| matches!(event, Event::Move(made) if made.note == NOTE))
}

/// A thought that a player's browser is asked for.
#[derive(Debug, Serialize)]
pub(crate) struct LentThought {
    /// How many turns were made.
    ply: usize,
    /// The engine, by its word.
    engine: String,
    position: String,
    /// How long it thinks where its word does not say, in milliseconds.
    ms: u64,
}

/// A visitor without a seat who looks on, until this is dropped.
pub(crate) struct Onlooker(Arc<Table>);

impl Onlooker {
    /// Notes that a visitor looks on; nothing for a player.
    pub(crate) fn new(table: &Arc<Table>, visitor: &TokenHash) -> Option<Onlooker> {
        if table.guests().holds(visitor) {
            return None;
        }
        if table.onlookers().fetch_add(1, Ordering::Relaxed) == 0 {
            // A thought that is lent is taken back.
            table.wake();
        }
        Some(Onlooker(Arc::clone(table)))
    }
}

impl Drop for Onlooker {
    fn drop(&mut self) {
        self.0.onlookers().fetch_sub(1, Ordering::Relaxed);
    }
}

impl Table {
    /// Notes whether a player's browser thinks for the engines.
    pub(crate) fn set_helper(&self, visitor: &TokenHash, thinks: bool) {
        let mut progress = self.progress();
        if progress.guests.is_alone(visitor) {
            progress.guests.has_helper = thinks;
        }
    }

    /// The player's browser gave no answer: the server thinks until it says again that it can.
    pub(crate) fn give_up_helper(&self) {
        self.progress().guests.has_helper = false;
    }

    /// Whether the thought that the game waits for is lent to the player's browser.
    pub(super) fn is_lent(&self, progress: &RecordedGame) -> bool {
        let guests = &progress.guests;
        let play = progress.game_state().play();
        let engine = play.turn().map(|player| &guests.seats[player.index()]);
        guests.has_helper
            && guests.clock == TimeControl::Unlimited
            && play.out().is_empty()
            && engine.is_some_and(|holder| holder.spec().is_some())
            && self.onlookers().load(Ordering::Relaxed) == 0
    }

    /// The thought that this visitor's browser is asked for now.
    pub(crate) fn lent(&self, visitor: &TokenHash) -> Option<LentThought> {
        let progress = self.progress();
        if !self.is_lent(&progress) || !progress.guests.is_alone(visitor) {
            return None;
        }
        let play = progress.game_state().play();
        Some(LentThought {
            ply: progress.game_state().turns().len(),
            engine: progress.guests.seats[play.turn()?.index()]
                .word()
                .to_owned(),
            position: play.position().write(),
            ms: milliseconds(super::USUAL),
        })
    }

    /// Makes the move of an engine that was thought in this visitor's browser.
    pub(crate) fn answer_lent(
        &self,
        visitor: &TokenHash,
        ply: usize,
        mv: &str,
    ) -> Result<(), ActError> {
        let mut progress = self.progress();
        if !progress.guests.is_alone(visitor) {
            return Err(ActError::NotYours);
        }
        let player = progress.game_state().play().turn().ok_or(ActError::Over)?;
        if progress.game_state().turns().len() != ply {
            return Err(ActError::Stale);
        }
        if !self.is_lent(&progress) {
            return Err(ActError::NotYourTurn);
        }
        progress.game_state().play().position().check(mv)?;
        progress.write_move(player, mv, NOTE.to_owned())?;
        self.announce(progress);
        Ok(())
    }
}
