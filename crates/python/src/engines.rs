//! Floe's engines.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

use floe_games::AnyEngine;
use floe_rules::Player;
use floe_search::{Kind, Limits, Spec};
use pyo3::prelude::*;

use crate::errors::{in_use, wrong};
use crate::position::Position;
use crate::waiting::until_done;

/// Default time limit of an engine.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// One of Floe's engines, named as in `floe match`: `floe`, `floe:hard`, `greedy`,
/// `mcts:nodes=10k,seed=3`. It plays every game.
///
/// >>> import floe
/// >>> engine = floe.engine("floe:nodes=2k")
/// >>> thought = engine.think(floe.start("gamma", "3x3,areas=1", seed=1))
/// >>> thought.move in floe.start("gamma", "3x3,areas=1").moves(), thought.nodes <= 2000
/// (True, True)
/// >>> floe.engine("stockfish")
/// Traceback (most recent call last):
///     ...
/// floe.Error: ...
#[pyclass(frozen, module = "floe")]
pub(crate) struct Engine {
    spec: Spec,
    /// One engine for each game so far.
    by_game: Mutex<HashMap<&'static str, Box<dyn AnyEngine>>>,
}

/// The result of an engine's thinking.
#[pyclass(frozen, module = "floe", get_all)]
#[derive(Clone)]
pub(crate) struct Thought {
    /// The move the engine would make.
    r#move: String,
    /// Expected final scores of every seat; only the lead of the player to move is reliable.
    scores: Vec<i64>,
    /// The moves the engine expects, its own first.
    line: Vec<String>,
    /// Depth of the search, in moves.
    depth: u32,
    /// Positions searched.
    nodes: u64,
    /// Whether the move is proven to be a best one.
    proven: bool,
    /// The engine's expected lead of the player to move at the end.
    lead: i64,
}

#[pymethods]
impl Thought {
    fn __repr__(&self) -> String {
        let Thought {
            r#move,
            lead,
            depth,
            nodes,
            proven,
            ..
        } = self;
        let proven = if *proven { ", proven" } else { "" };
        format!("<Thought {move}, lead {lead:+}, depth {depth}, {nodes} nodes{proven}>")
    }
}

/// Seconds as a duration.
pub(crate) fn seconds(time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time)
        .ok()
        .filter(|time| *time <= Duration::from_secs(1_000_000_000))
        .ok_or_else(|| {
            wrong(format!(
                "time must be a number of seconds, 0 or more, not {time}"
            ))
        })
}

impl Engine {
    pub(crate) fn read(spec: &str) -> PyResult<Self> {
        let spec = spec.parse::<Spec>().map_err(|error| {
            let help = if error.help.is_empty() { "" } else { "; " };
            wrong(format!(
                "engine {}: {}{help}{}",
                floe_rules::text::quoted(spec),
                error.cause,
                error.help
            ))
        })?;
        Ok(Engine {
            spec,
            by_game: Mutex::default(),
        })
    }

    fn limits(
        &self,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
    ) -> PyResult<Limits> {
        let spec = match (time, nodes, depth) {
            (None, None, None) => self.spec,
            (time, nodes, depth) => Spec {
                time: time.map(seconds).transpose()?,
                nodes,
                depth,
                ..self.spec
            },
        };
        Ok(spec.limits(DEFAULT_TIME))
    }

    /// Runs this with the engine of the position's game.
    fn ask(
        &self,
        py: Python<'_>,
        position: &Position,
        mut limits: Limits,
        top: usize,
    ) -> PyResult<Vec<Thought>> {
        let mut by_game = match self.by_game.try_lock() {
            Ok(by_game) => by_game,
            Err(TryLockError::Poisoned(by_game)) => by_game.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(in_use("engine")),
        };
        let position = &*position.inner;
        let Some(player) = position.turn() else {
            return Err(wrong("the game is over: there is nothing to think about"));
        };
        let game = position.game();
        let engine = by_game
            .entry(game.name())
            .or_insert_with(|| game.engine(&self.spec));
        let stop = Arc::new(AtomicBool::new(false));
        limits.stop = Some(Arc::clone(&stop));
        let mut work = || match top {
            0 | 1 => engine.think(position, &limits).map(|thought| vec![thought]),
            top => engine.rank(position, &limits, top),
        };
        let thoughts = match self.spec.kind {
            // These engines answer at once; a thread would take longer.
            Kind::Greedy | Kind::Random => work(),
            _ => until_done(py, &stop, work)?,
        };
        let thoughts = thoughts.map_err(wrong)?.into_iter();
        Ok(thoughts.map(|thought| exported(thought, player)).collect())
    }
}

fn exported(thought: floe_search::Thought<String>, player: Player) -> Thought {
    Thought {
        lead: thought.lead(player),
        r#move: thought.best,
        scores: thought.scores,
        line: thought.line,
        depth: thought.depth,
        nodes: thought.nodes,
        proven: thought.proven,
    }
}

#[pymethods]
impl Engine {
    #[new]
    fn new(spec: &str) -> PyResult<Self> {
        Engine::read(spec)
    }

    /// Thinks about a position until the first limit is reached: seconds, positions or moves ahead.
    /// Without limits, the engine's own count, or one second.
    ///
    /// Ctrl-C ends the thinking and raises `KeyboardInterrupt`.
    #[pyo3(signature = (position, time = None, nodes = None, depth = None))]
    fn think(
        &self,
        py: Python<'_>,
        position: &Position,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
    ) -> PyResult<Thought> {
        let limits = self.limits(time, nodes, depth)?;
        let thoughts = self.ask(py, position, limits, 1)?;
        let first = thoughts.into_iter().next();
        first.ok_or_else(|| wrong("the engine has no move"))
    }

    /// Finds the `top` best moves, best first. There may be fewer.
    #[pyo3(signature = (position, top = 3, time = None, nodes = None, depth = None))]
    fn rank(
        &self,
        py: Python<'_>,
        position: &Position,
        top: usize,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
    ) -> PyResult<Vec<Thought>> {
        let limits = self.limits(time, nodes, depth)?;
        self.ask(py, position, limits, top)
    }

    /// The engine for a new game: one with dice gets new dice, with this seed unless its spec has
    /// one; any other is the engine itself.
    fn seated(this: Py<Self>, py: Python<'_>, seed: u64) -> PyResult<Py<Self>> {
        let mut spec = this.get().spec;
        let rolls = matches!(spec.kind, Kind::Random | Kind::Greedy | Kind::Mcts);
        if !rolls && spec.level.is_none() {
            return Ok(this);
        }
        spec.seed.get_or_insert(seed);
        let engine = Engine {
            spec,
            by_game: Mutex::default(),
        };
        Py::new(py, engine)
    }

    /// The engine's name with its limits, written out.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    fn __repr__(&self) -> String {
        format!("floe.engine({:?})", self.spec())
    }
}
