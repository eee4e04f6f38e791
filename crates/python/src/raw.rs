//! One game in progress, without an interface.

use std::sync::{Mutex, MutexGuard, TryLockError};

use floe_games::{AnyGame, AnyPosition, Starter};
use floe_rules::Player;
use floe_rules::random::Random;
use numpy::{PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::Target;
use crate::errors::{illegal, in_use, wrong};
use crate::position::{Position, bounded, described, game, sizes};
use crate::rewards::Reward;

/// No seat is to move.
pub(crate) const NONE: i32 = -1;

/// The boards of a setup, all of one size.
pub(crate) struct Boards {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) setup: String,
    starter: Box<dyn Starter>,
    pub(crate) actions: usize,
    pub(crate) shape: [usize; 3],
    pub(crate) players: u32,
}

/// Seeds to try, to check that all boards have one size.
const TRIED: u64 = 8;

impl Boards {
    /// The boards of this setup, starting with seed `seed`.
    pub(crate) fn new(name: &str, setup: &str, seed: u64) -> PyResult<Self> {
        let game = game(name)?;
        let setup = game
            .setup(setup)
            .map_err(|error| wrong(format!("setup: {error}")))?;
        let starter = game.starter(&setup).map_err(wrong)?;
        let first = bounded(starter.start(seed).map_err(wrong)?)?;
        let (actions, shape) = sizes(&*first)?;
        let boards = Boards {
            game,
            setup,
            starter,
            actions,
            shape,
            players: first.players(),
        };
        for seed in (1..TRIED).map(|step| seed.wrapping_add(step)) {
            boards.open(seed)?;
        }
        Ok(boards)
    }

    /// The board of a seed.
    pub(crate) fn open(&self, seed: u64) -> PyResult<Box<dyn AnyPosition>> {
        let position = self.starter.start(seed).map_err(wrong)?;
        if sizes(&*position)? != (self.actions, self.shape) || position.players() != self.players {
            return Err(wrong(format!(
                "setup {}: boards differ in size; an environment needs one, such as 16x16",
                floe_rules::text::quoted(&self.setup)
            )));
        }
        Ok(position)
    }

    pub(crate) fn size(&self) -> usize {
        self.shape.iter().product()
    }
}

/// One game under way. Observation, mask and rewards are always the same three arrays, which every
/// step writes into: copy what you want to keep.
///
/// >>> import floe
/// >>> raw = floe.raw_env("penguins", setup="5x5,penguins=1", seed=7)
/// >>> while raw.turn >= 0:
/// ...     turn = raw.step(raw.sample())
/// >>> raw.is_over, float(raw.rewards.sum())
/// (True, 0.0)
#[pyclass(frozen, module = "floe")]
pub(crate) struct RawEnv {
    boards: Boards,
    reward: Reward,
    observation: Target,
    mask: Target,
    rewards: Target,
    state: Mutex<State>,
}

struct State {
    position: Box<dyn AnyPosition>,
    dice: Random,
    seed: u64,
}

impl RawEnv {
    fn state(&self) -> PyResult<MutexGuard<'_, State>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(state)) => Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => Err(in_use("environment")),
        }
    }

    /// Writes the current position's data, and returns the player to move.
    fn write(&self, py: Python<'_>, position: &dyn AnyPosition) -> PyResult<i32> {
        let turn = position.turn();
        let mut observation = self.observation.borrow::<u8>(py)?;
        let mut mask = self.mask.borrow::<i8>(py)?;
        position.observe(turn.unwrap_or(Player::new(0)), observation.as_slice_mut()?);
        position.mask(mask.as_slice_mut()?);
        let Some(turn) = turn else {
            let mut rewards = self.rewards.borrow::<f32>(py)?;
            self.reward.of(position.scores(), rewards.as_slice_mut()?);
            return Ok(NONE);
        };
        Ok(turn.index() as i32)
    }
}

#[pymethods]
impl RawEnv {
    #[new]
    #[pyo3(signature = (game, setup, seed, reward, observation, mask, rewards))]
    fn new(
        game: &str,
        setup: &str,
        seed: u64,
        reward: &str,
        observation: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
        rewards: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let boards = Boards::new(game, setup, seed)?;
        let position = boards.open(seed)?;
        let env = RawEnv {
            reward: reward.parse().map_err(wrong)?,
            observation: Target::new::<u8>("observation", observation, &boards.shape)?,
            mask: Target::new::<i8>("action_mask", mask, &[boards.actions])?,
            rewards: Target::new::<f32>("rewards", rewards, &[boards.players as usize])?,
            state: Mutex::new(State {
                position,
                dice: Random::seeded(seed),
                seed,
            }),
            boards,
        };
        let state = env.state()?;
        env.write(observation.py(), &*state.position)?;
        drop(state);
        Ok(env)
    }

    /// Starts the game of this seed or, without one, of the seed after the last. Returns the seat
    /// to move.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<i32> {
        let mut state = self.state()?;
        let seed = seed.unwrap_or_else(|| state.seed.wrapping_add(1));
        let position = self.boards.open(seed)?;
        *state = State {
            position,
            dice: Random::seeded(seed),
            seed,
        };
        self.rewards.borrow::<f32>(py)?.as_slice_mut()?.fill(0.0);
        self.write(py, &*state.position)
    }

    /// Makes a move by its number, and returns the seat to move, or -1 once the game is over.
    ///
    /// A move that is not legal raises `floe.IllegalMove` and changes nothing.
    fn step(&self, py: Python<'_>, action: u64) -> PyResult<i32> {
        let mut state = self.state()?;
        let played = state.position.play_action(action);
        played.map_err(|error| illegal(described(&*state.position, action), &error))?;
        self.write(py, &*state.position)
    }

    /// A random legal move; the same seed gives the same moves.
    fn sample(&self, py: Python<'_>) -> PyResult<usize> {
        let mut state = self.state()?;
        let mut mask = self.mask.borrow::<i8>(py)?;
        let mask = mask.as_slice_mut()?;
        state.position.mask(mask);
        drawn(mask, &mut state.dice).ok_or_else(|| wrong("the game is over; reset starts another"))
    }

    /// The legal moves by number.
    fn legal_actions(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let mask = self.mask.borrow::<i8>(py)?;
        let mask = mask.as_slice()?;
        Ok((0..mask.len())
            .filter(|&action| mask[action] != 0)
            .collect())
    }

    /// A seat's observation, as a new array.
    fn observe<'py>(&self, py: Python<'py>, seat: u32) -> PyResult<Bound<'py, PyArray3<u8>>> {
        if seat >= self.boards.players {
            return Err(wrong(format!(
                "there is no seat {seat}; seats are 0 to {}",
                self.boards.players - 1
            )));
        }
        let state = self.state()?;
        let mut planes = vec![0; self.boards.size()];
        state.position.observe(Player::new(seat), &mut planes);
        numpy::PyArray1::from_vec(py, planes).reshape(self.boards.shape)
    }

    /// The current position.
    fn position(&self) -> PyResult<Position> {
        Ok(Position::new(self.state()?.position.clone()))
    }

    /// The move of a number as text.
    fn r#move(&self, action: u64) -> PyResult<String> {
        let state = self.state()?;
        let text = state.position.action_move(action);
        text.ok_or_else(|| illegal(action, &floe_games::MoveError::NoMove(action)))
    }

    /// The observation of the player to move.
    #[getter]
    fn observation(&self, py: Python<'_>) -> Py<PyAny> {
        self.observation.array(py)
    }

    /// 1 for every legal move.
    #[getter]
    fn action_mask(&self, py: Python<'_>) -> Py<PyAny> {
        self.mask.array(py)
    }

    /// Every seat's reward: 0 until the game is over.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyAny> {
        self.rewards.array(py)
    }

    /// The seat to move, or -1 once the game is over.
    #[getter]
    fn turn(&self) -> PyResult<i32> {
        let turn = self.state()?.position.turn();
        Ok(turn.map_or(NONE, |turn| turn.index() as i32))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        Ok(self.state()?.position.turn().is_none())
    }

    /// Every seat's score so far.
    #[getter]
    fn scores(&self) -> PyResult<Vec<i64>> {
        Ok(self.state()?.position.scores())
    }

    /// Number of seats.
    #[getter]
    fn players(&self) -> u32 {
        self.boards.players
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.boards.game.name()
    }

    /// The setup, written out.
    #[getter]
    fn setup(&self) -> &str {
        &self.boards.setup
    }

    /// The seed of the game under way.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.state()?.seed)
    }
}

/// A random legal move number, all equally likely; `None` if there is none.
pub(crate) fn drawn(mask: &[i8], dice: &mut Random) -> Option<usize> {
    /// Small enough that counts fit into bytes, so that sixteen are added at once.
    const STRETCH: usize = 128;
    let count = |stretch: &[i8]| {
        let ones: u8 = stretch.iter().map(|&is| u8::from(is != 0)).sum();
        usize::from(ones)
    };
    let legal: usize = mask.chunks(STRETCH).map(count).sum();
    if legal == 0 {
        return None;
    }
    let mut skip = dice.index(legal);
    for (number, stretch) in mask.chunks(STRETCH).enumerate() {
        let here = count(stretch);
        if skip < here {
            let places = stretch.iter().enumerate().filter(|&(_, &is)| is != 0);
            let place = places.map(|(at, _)| at).nth(skip)?;
            return Some(number * STRETCH + place);
        }
        skip -= here;
    }
    None
}
