//! The clocks of a game: time used, time left, and who has run out of time.

use std::time::Duration;

use floe_games::{Fault, FaultKind};
use floe_rules::Player;

use super::{Session, TimeControl};

impl Session {
    /// The time each player has used.
    pub(crate) fn clocks(&self) -> Vec<Duration> {
        self.clocks_at(self.turns().len())
    }

    /// Sets people's time control.
    pub fn set_time_control(&mut self, time_control: TimeControl) {
        self.time_control = time_control;
    }

    /// People's time control.
    pub(crate) fn time_control(&self) -> TimeControl {
        self.time_control
    }

    /// Time left to a player after `running` in this turn; `None` if it is not limited.
    pub(crate) fn time_left(&self, player: Player, running: Duration) -> Option<Duration> {
        if !self.seats[player.index()].is_human() {
            return None;
        }
        let (moves, used) = self.history.used(player);
        let left = self.time_control.left(moves, used)?;
        Some(left.saturating_sub(running))
    }

    /// The time each player had used after this many turns.
    pub(crate) fn clocks_at(&self, turns: usize) -> Vec<Duration> {
        let mut clocks = vec![Duration::ZERO; self.seats.len()];
        for turn in self.turns().iter().take(turns) {
            clocks[turn.player.index()] += turn.time();
        }
        clocks
    }

    /// Disqualifies the player to move if `running` in this turn exceeds the time left; returns the
    /// player.
    pub(crate) fn fall_flag(&mut self, running: Duration) -> Option<Player> {
        let mover = self.turn()?;
        if self.time_left(mover, running) != Some(Duration::ZERO) {
            return None;
        }
        let mut fault = Fault::new(mover, FaultKind::Timeout, "the time on the clock is over");
        fault.wall_us = super::microseconds(running);
        self.put_out(fault);
        Some(mover)
    }
}
