//! One of many games, with its places in the output arrays.

use floe_games::AnyPosition;
use floe_rules::Player;
use floe_rules::random::Random;
use pyo3::prelude::*;

use crate::errors::{illegal, wrong};
use crate::position::described;
use crate::raw::Boards;
use crate::rewards::Reward;

/// One game.
pub(crate) struct Running {
    pub(crate) position: Box<dyn AnyPosition>,
    pub(crate) dice: Random,
    /// The seed of the game under way.
    pub(crate) seed: u64,
    /// Whether the last step ended a game.
    pub(crate) is_restarted: bool,
}

/// The places of one game in the arrays.
pub(crate) struct Places<'a, T> {
    pub(crate) observation: &'a mut [T],
    pub(crate) mask: &'a mut [i8],
    pub(crate) rewards: &'a mut [f32],
    pub(crate) turn: &'a mut i32,
    pub(crate) done: &'a mut bool,
}

/// A number of an observation.
pub(crate) trait Number: numpy::Element + Copy + Send {
    fn observe(position: &dyn AnyPosition, seat: Player, into: &mut [Self]);
}

impl Number for u8 {
    fn observe(position: &dyn AnyPosition, seat: Player, into: &mut [u8]) {
        position.observe(seat, into);
    }
}

impl Number for f32 {
    fn observe(position: &dyn AnyPosition, seat: Player, into: &mut [f32]) {
        let mut bytes = vec![0; into.len()];
        position.observe(seat, &mut bytes);
        for (number, byte) in into.iter_mut().zip(bytes) {
            *number = byte.into();
        }
    }
}

impl Running {
    /// The game of a seed or, if its board has no legal move, of the seed `step` further on.
    pub(crate) fn new(boards: &Boards, mut seed: u64, step: u64) -> PyResult<Self> {
        let position = boards.open_playable(&mut seed, step)?;
        Ok(Running {
            position,
            dice: Random::seeded(floe_rules::key::mix(seed)),
            seed,
            is_restarted: false,
        })
    }

    /// Writes the observation of the player to move.
    pub(crate) fn write<T: Number>(&self, places: &mut Places<'_, T>) {
        let turn = self.position.turn().unwrap_or(Player::new(0));
        T::observe(&*self.position, turn, places.observation);
        self.position.mask(places.mask);
        *places.turn = turn.index() as i32;
    }

    /// Makes a move already found legal; if the game is over, gives the rewards and starts the next
    /// game, `step` seeds further on.
    pub(crate) fn advance<T: Number>(
        &mut self,
        (boards, reward): (&Boards, Reward),
        step: u64,
        action: u64,
        places: &mut Places<'_, T>,
    ) -> PyResult<()> {
        let played = self.position.play_action(action);
        played.map_err(|error| illegal(described(&*self.position, action), &error))?;
        self.is_restarted = self.position.turn().is_none();
        *places.done = self.is_restarted;
        match self.is_restarted {
            true => {
                reward.of(self.position.scores(), places.rewards);
                self.seed = self.seed.wrapping_add(step);
                self.position = boards.open_playable(&mut self.seed, step)?;
            }
            false => places.rewards.fill(0.0),
        }
        self.write(places);
        Ok(())
    }
}

impl Boards {
    /// The board of a seed, or of the next one with a legal move: a few boards have none at the
    /// start.
    fn open_playable(&self, seed: &mut u64, step: u64) -> PyResult<Box<dyn AnyPosition>> {
        for _ in 0..1000 {
            let position = self.open(*seed)?;
            if position.turn().is_some() {
                return Ok(position);
            }
            *seed = seed.wrapping_add(step);
        }
        Err(wrong(format!(
            "setup {}: no player can move on these boards; change the size or the setup",
            floe_rules::text::quoted(&self.setup)
        )))
    }
}
