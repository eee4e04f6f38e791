//! The clock: its display, and the end of a player's time.

use super::{Message, Screen};
use crate::texts::t;

/// The effect of a tick of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tick {
    /// The display is unchanged.
    Same,
    /// A second has passed, or an animation has advanced.
    Second,
    /// A player's time ran out: a turn was made.
    Flag,
}

impl Screen {
    /// Updates the clock, and disqualifies a player without time.
    pub(crate) fn tick(&mut self) -> Tick {
        if let Some(motion) = &self.motion {
            if motion.progress() >= 1.0 {
                self.motion = None;
            }
            return Tick::Second;
        }
        if self.is_over() || self.is_paused {
            return Tick::Same;
        }
        let before = self.shown.as_secs();
        self.shown = self.since.elapsed();
        if self.fall_flag() {
            return Tick::Flag;
        }
        match self.shown.as_secs() == before {
            true => Tick::Same,
            false => Tick::Second,
        }
    }

    /// Disqualifies the player to move if their time is over; returns whether it is.
    pub(crate) fn fall_flag(&mut self) -> bool {
        let Some(mover) = self.session.fall_flag(self.shown) else {
            return false;
        };
        let name = self.session.name(mover);
        let text = match self.session.is_you(mover) {
            true => t!("Your time is over; u undoes it."),
            false => t!("The time of {name} is over; u undoes it.", name),
        };
        self.message = Some(Message::Refusal(text));
        self.refresh();
        true
    }
}
