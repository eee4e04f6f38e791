//! Many games at once, in threads, written into arrays of the caller.

use std::sync::{Mutex, MutexGuard, TryLockError};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::arrays::Target;
use crate::errors::{illegal, in_use, wrong};
use crate::position::{Position, described};
use crate::raw::{Boards, drawn};
use crate::rewards::Reward;
use crate::running::{Number, Places, Running};

/// Games at once, at most.
const MOST_GAMES: usize = 1 << 20;
/// Threads, at most.
const MOST_THREADS: usize = 1024;
/// Fewest games per thread; for fewer, waking a thread costs more than it saves.
const LEAST: usize = 8;

/// Many games at once. A step makes one move in each of them, without the interpreter's lock and in
/// as many threads as asked for; a game that ends is replaced by the next one at once.
///
/// >>> import floe
/// >>> envs = floe.vec_env("flood", 4, setup="6x6", seed=1)
/// >>> for _ in range(100):
/// ...     envs.step(envs.sample())
/// >>> envs.observations.shape, envs.turns.tolist(), envs.games_over
/// ((4, 10, 6, 6), [0, 0, 1, 1], 14)
#[pyclass(frozen, module = "floe")]
pub(crate) struct VecEnv {
    boards: Boards,
    reward: Reward,
    is_float: bool,
    threads: usize,
    observations: Target,
    masks: Target,
    rewards: Target,
    turns: Target,
    dones: Target,
    state: Mutex<State>,
}

struct State {
    games: Vec<Running>,
    pool: Option<ThreadPool>,
    seed: u64,
    games_over: u64,
}

impl VecEnv {
    fn state(&self) -> PyResult<MutexGuard<'_, State>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(state)) => Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => Err(in_use("environment")),
        }
    }

    /// Runs this on every game and its places, in all threads.
    fn each<T: Number>(
        &self,
        py: Python<'_>,
        state: &mut State,
        work: impl Fn(usize, &mut Running, &mut Places<'_, T>) -> PyResult<()> + Sync,
    ) -> PyResult<()> {
        let mut observations = self.observations.borrow::<T>(py)?;
        let mut masks = self.masks.borrow::<i8>(py)?;
        let mut rewards = self.rewards.borrow::<f32>(py)?;
        let mut turns = self.turns.borrow::<i32>(py)?;
        let mut dones = self.dones.borrow::<bool>(py)?;
        let observations = observations.as_slice_mut()?;
        let masks = masks.as_slice_mut()?;
        let rewards = rewards.as_slice_mut()?;
        let turns = turns.as_slice_mut()?;
        let dones = dones.as_slice_mut()?;
        let (size, actions) = (self.boards.size(), self.boards.actions);
        let players = self.boards.players as usize;
        let State { games, pool, .. } = state;
        py.detach(|| {
            type Zipped<'a, T> = (
                (
                    (
                        ((&'a mut Running, &'a mut [T]), &'a mut [i8]),
                        &'a mut [f32],
                    ),
                    &'a mut i32,
                ),
                &'a mut bool,
            );
            let one = |(number, zipped): (usize, Zipped<'_, T>)| {
                let (((((game, observation), mask), rewards), turn), done) = zipped;
                let mut places = Places {
                    observation,
                    mask,
                    rewards,
                    turn,
                    done,
                };
                work(number, game, &mut places)
            };
            match pool {
                None => (games.iter_mut())
                    .zip(observations.chunks_exact_mut(size))
                    .zip(masks.chunks_exact_mut(actions))
                    .zip(rewards.chunks_exact_mut(players))
                    .zip(turns)
                    .zip(dones)
                    .enumerate()
                    .try_for_each(one),
                Some(pool) => pool.install(|| {
                    (games.par_iter_mut())
                        .zip(observations.par_chunks_exact_mut(size))
                        .zip(masks.par_chunks_exact_mut(actions))
                        .zip(rewards.par_chunks_exact_mut(players))
                        .zip(turns)
                        .zip(dones)
                        .enumerate()
                        .with_min_len(LEAST)
                        .try_for_each(one)
                }),
            }
        })
    }

    /// The same for both types of observations.
    fn each_of_either(
        &self,
        py: Python<'_>,
        state: &mut State,
        work: &impl WorkOnEither,
    ) -> PyResult<()> {
        match self.is_float {
            true => self.each::<f32>(py, state, |number, game, places| {
                work.work(self, number, game, places)
            }),
            false => self.each::<u8>(py, state, |number, game, places| {
                work.work(self, number, game, places)
            }),
        }
    }
}

/// Work that suits both types of observations.
trait WorkOnEither: Sync {
    fn work<T: Number>(
        &self,
        env: &VecEnv,
        number: usize,
        game: &mut Running,
        places: &mut Places<'_, T>,
    ) -> PyResult<()>;
}

/// Restarts every game, from this seed on.
struct Reset {
    seed: u64,
    games: u64,
}

impl WorkOnEither for Reset {
    fn work<T: Number>(
        &self,
        env: &VecEnv,
        number: usize,
        game: &mut Running,
        places: &mut Places<'_, T>,
    ) -> PyResult<()> {
        let seed = self.seed.wrapping_add(number as u64);
        *game = Running::new(&env.boards, seed, self.games)?;
        places.rewards.fill(0.0);
        *places.done = false;
        game.write(places);
        Ok(())
    }
}

/// Makes one move in every game.
struct Step<'a> {
    actions: &'a [i64],
}

impl WorkOnEither for Step<'_> {
    fn work<T: Number>(
        &self,
        env: &VecEnv,
        number: usize,
        game: &mut Running,
        places: &mut Places<'_, T>,
    ) -> PyResult<()> {
        // Negative numbers were refused.
        let action = self.actions[number] as u64;
        game.advance(
            (&env.boards, env.reward),
            self.actions.len() as u64,
            action,
            places,
        )
    }
}

#[pymethods]
impl VecEnv {
    #[new]
    fn new(
        game: &str,
        setup: &str,
        seed: u64,
        reward: &str,
        threads: usize,
        arrays: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let boards = Boards::new(game, setup, seed)?;
        let array = |name: &str| -> PyResult<Bound<'_, PyAny>> {
            let found = arrays.get_item(name)?;
            found.ok_or_else(|| PyTypeError::new_err(format!("the array {name} is missing")))
        };
        let turns = array("turns")?;
        let games = turns.len()?;
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(wrong(format!("n is 1 to {MOST_GAMES}, not {games}")));
        }
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(wrong(format!(
                "threads is 1 to {MOST_THREADS}, not {threads}"
            )));
        }
        let shape = [&[games][..], &boards.shape].concat();
        let observations = array("observations")?;
        let as_bytes = Target::new::<u8>("observations", &observations, &shape);
        let is_float =
            matches!(&as_bytes, Err(error) if error.is_instance_of::<PyTypeError>(turns.py()));
        let pool = match threads.min(games.div_ceil(LEAST)) {
            0 | 1 => None,
            threads => {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                let cannot =
                    |error| PyRuntimeError::new_err(format!("cannot start threads: {error}"));
                Some(pool.map_err(cannot)?)
            }
        };
        let mut running = Vec::with_capacity(games);
        for _ in 0..games {
            running.push(Running::new(&boards, seed, 1)?);
        }
        let env = VecEnv {
            reward: reward.parse().map_err(wrong)?,
            is_float,
            threads,
            observations: match is_float {
                true => Target::new::<f32>("observations", &observations, &shape)?,
                false => as_bytes?,
            },
            masks: Target::new::<i8>(
                "action_masks",
                &array("action_masks")?,
                &[games, boards.actions],
            )?,
            rewards: Target::new::<f32>(
                "rewards",
                &array("rewards")?,
                &[games, boards.players as usize],
            )?,
            turns: Target::new::<i32>("turns", &turns, &[games])?,
            dones: Target::new::<bool>("dones", &array("dones")?, &[games])?,
            state: Mutex::new(State {
                games: running,
                pool,
                seed,
                games_over: 0,
            }),
            boards,
        };
        env.reset(turns.py(), Some(seed))?;
        Ok(env)
    }

    /// Restarts all games: game `i` with the board of seed `seed + i`. Without a seed, with the
    /// boards after those of the last reset.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        let mut state = self.state()?;
        let games = state.games.len() as u64;
        state.seed = seed.unwrap_or_else(|| state.seed.wrapping_add(games));
        state.games_over = 0;
        let seed = state.seed;
        self.each_of_either(py, &mut state, &Reset { seed, games })
    }

    /// Makes a move in every game. If one of them is not legal, `floe.IllegalMove` names the game,
    /// and no game has changed.
    ///
    /// Afterwards `dones` marks the games that ended and were replaced, and `rewards` has their
    /// seats' rewards; `turns`, `observations` and `action_masks` are those of the present games.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.state()?;
        let actions = read_actions(actions, state.games.len())?;
        let actions = actions.as_slice()?;
        for (number, (game, &action)) in state.games.iter().zip(actions).enumerate() {
            let checked = match u64::try_from(action) {
                Ok(action) => game.position.check_action(action),
                Err(_) => Err(floe_games::MoveError::NoMove(u64::MAX)),
            };
            checked.map_err(|error| {
                let what = match u64::try_from(action) {
                    Ok(action) => described(&*game.position, action),
                    Err(_) => format!("action {action}"),
                };
                illegal(format!("game {number}: {what}"), &error)
            })?;
        }
        self.each_of_either(py, &mut state, &Step { actions })?;
        let over = state.games.iter().filter(|game| game.is_restarted).count();
        state.games_over += over as u64;
        Ok(())
    }

    /// A random legal move for every game, as a new array or in `out`: the same for the same seed,
    /// whatever the number of threads.
    #[pyo3(signature = (out = None))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray1<i64>>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut state = self.state()?;
        let games = state.games.len();
        let out = out.unwrap_or_else(|| PyArray1::zeros(py, games, false));
        let target = Target::new::<i64>("out", out.as_any(), &[games])?;
        let mut actions = target.borrow::<i64>(py)?;
        let mut masks = self.masks.borrow::<i8>(py)?;
        let (actions, masks) = (actions.as_slice_mut()?, masks.as_slice_mut()?);
        let masks = masks.chunks_exact_mut(self.boards.actions);
        for ((action, game), mask) in actions.iter_mut().zip(&mut state.games).zip(masks) {
            // The caller may have changed the mask, so check that the drawn move is legal.
            let mut number = drawn(mask, &mut game.dice);
            let is_legal = |&number: &usize| game.position.check_action(number as u64).is_ok();
            if !number.as_ref().is_some_and(is_legal) {
                game.position.mask(mask);
                number = drawn(mask, &mut game.dice);
            }
            *action = number.unwrap_or(0) as i64;
        }
        Ok(out)
    }

    /// The position of a game.
    fn position(&self, game: usize) -> PyResult<Position> {
        let state = self.state()?;
        let found = state.games.get(game);
        let last = state.games.len() - 1;
        let found = found
            .ok_or_else(|| wrong(format!("there is no game {game}; games are 0 to {last}")))?;
        Ok(Position::new(found.position.clone()))
    }

    /// The seeds of the games under way.
    #[getter]
    fn seeds(&self) -> PyResult<Vec<u64>> {
        Ok(self.state()?.games.iter().map(|game| game.seed).collect())
    }

    /// Number of games that have ended since the last reset.
    #[getter]
    fn games_over(&self) -> PyResult<u64> {
        Ok(self.state()?.games_over)
    }

    /// The observation of the player to move in each game.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        self.observations.array(py)
    }

    /// 1 for every legal move of each game.
    #[getter]
    fn action_masks(&self, py: Python<'_>) -> Py<PyAny> {
        self.masks.array(py)
    }

    /// By game and seat, the reward of the game that ended with the last step; 0 if none ended.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyAny> {
        self.rewards.array(py)
    }

    /// The seat to move in each game.
    #[getter]
    fn turns(&self, py: Python<'_>) -> Py<PyAny> {
        self.turns.array(py)
    }

    /// Whether each game ended with the last step.
    #[getter]
    fn dones(&self, py: Python<'_>) -> Py<PyAny> {
        self.dones.array(py)
    }

    /// Number of games.
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.state()?.games.len())
    }

    /// Number of seats per game.
    #[getter]
    fn players(&self) -> u32 {
        self.boards.players
    }

    /// Number of threads that step games.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
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
}

/// The actions, one for each game.
fn read_actions<'py>(
    actions: &Bound<'py, PyAny>,
    games: usize,
) -> PyResult<PyReadonlyArray1<'py, i64>> {
    let array = actions.cast::<PyArray1<i64>>().map_err(|_| {
        PyTypeError::new_err(format!(
            "actions is no numpy array of {games} int64; np.asarray(actions, dtype=np.int64) makes one"
        ))
    })?;
    let array = array.try_readonly().map_err(wrong)?;
    let given = array.len()?;
    if given != games {
        return Err(wrong(format!("{given} actions for {games} games")));
    }
    if array.as_slice().is_err() {
        return Err(wrong(
            "actions is not contiguous; np.ascontiguousarray makes it so",
        ));
    }
    Ok(array)
}
