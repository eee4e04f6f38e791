//! The Python package's extension module, `floe._native`.
//!
//! What needs speed or the arena is here: positions, environments that step games, engines, records
//! and matches. The interfaces that learners know (PettingZoo, Gymnasium) are written in Python on
//! top of it, in `python/floe`. No game is named: all of them come from the registry.
// Other comments are help texts of Python: links and lists mean nothing to rustdoc.
#![allow(rustdoc::all)]

mod arrays;
mod engines;
mod errors;
mod functions;
mod play;
mod position;
mod raw;
mod record;
mod rewards;
mod running;
mod vector;
mod waiting;

use pyo3::prelude::*;

/// The native part of `floe`; import `floe` instead.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::engines::{Engine, Thought};
    #[pymodule_export]
    use super::errors::{Error, IllegalMove, InUse};
    #[pymodule_export]
    use super::play::{Standing, play_match};
    #[pymodule_export]
    use super::position::Position;
    #[pymodule_export]
    use super::raw::RawEnv;
    #[pymodule_export]
    use super::record::{Fault, Move, Record, append_records, parse_records, read_records};
    #[pymodule_export]
    use super::vector::VecEnv;
    #[pymodule_export]
    use super::{engine, game_rows, read, sizes, start};
}

/// All games: name, title, default setup, rules, and help on setups.
#[pyfunction]
fn game_rows() -> Vec<(
    &'static str,
    &'static str,
    String,
    &'static str,
    &'static str,
)> {
    let games = floe_games::games().into_iter();
    games
        .map(|game| {
            (
                game.name(),
                game.title(),
                game.default_setup(),
                game.rules(),
                game.setup_help(),
            )
        })
        .collect()
}

/// The position a game starts with: the same for the same setup and seed, on every machine.
///
/// >>> import floe
/// >>> print(floe.start("gamma", "3x2"), end="")
/// 2 . . .
/// 1 . . .
///   a b c
/// 1 > 0  0 of 3 areas, golden move left
/// 2   0  0 of 3 areas, golden move left
#[pyfunction]
#[pyo3(signature = (game, setup = "", seed = 0))]
fn start(game: &str, setup: &str, seed: u64) -> PyResult<position::Position> {
    let game = position::game(game)?;
    let position = position::started(game, setup, seed)?;
    Ok(position::Position::new(position))
}

/// Reads a position from the game's own text.
///
/// >>> import floe
/// >>> floe.read("flood", "J\n@#\n+@\n").moves()
/// ['@', '.', '*']
/// >>> floe.read("flood", "J\n@#\n+x\n")
/// Traceback (most recent call last):
///     ...
/// floe.Error: 3:2: ...
#[pyfunction]
fn read(game: &str, text: &str) -> PyResult<position::Position> {
    let position = position::game(game)?.read(text).map_err(errors::wrong)?;
    Ok(position::Position::new(position::bounded(position)?))
}

/// The engine of a name such as `floe:hard`, `greedy` or `mcts:nodes=10k`.
#[pyfunction]
fn engine(spec: &str) -> PyResult<engines::Engine> {
    engines::Engine::read(spec)
}

/// The sizes of an environment's arrays: actions; planes, rows and columns; seats.
#[pyfunction]
fn sizes(game: &str, setup: &str, seed: u64) -> PyResult<(usize, [usize; 3], u32)> {
    let boards = raw::Boards::new(game, setup, seed)?;
    Ok((boards.actions, boards.shape, boards.players))
}
