use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use floe_search::Spec;

use super::{Failure, SeatDriver, TimedMove, TurnContext};
use floe_games::{AnyEngine, AnyGame};

/// An engine in a seat. Its spec sets the limits; a spec without limits gets the time limit of a
/// move, less a little for overhead.
pub(super) struct EngineDriver {
    /// `None` once the engine is on the shelf for reuse.
    engine: Option<Box<dyn AnyEngine>>,
    game: &'static dyn AnyGame,
    spec: Spec,
}

/// An engine that has played, for reuse by the next game with the same spec.
type Rested = (&'static str, Spec, Box<dyn AnyEngine>);

/// Engines stored per thread.
const SHELF: usize = 4;

thread_local! {
    /// Making an engine with its tables takes longer than many games, so engines are reused.
    static RESTED: RefCell<Vec<Rested>> = const { RefCell::new(Vec::new()) };
}

impl EngineDriver {
    pub(super) fn new(game: &'static dyn AnyGame, spec: Spec) -> Self {
        let rested = RESTED.with_borrow_mut(|shelf| {
            let fits = |(name, of, _): &Rested| *name == game.name() && *of == spec;
            let at = shelf.iter().position(fits)?;
            Some(shelf.swap_remove(at).2)
        });
        EngineDriver {
            engine: Some(rested.unwrap_or_else(|| game.engine(&spec))),
            game,
            spec,
        }
    }
}

impl Drop for EngineDriver {
    fn drop(&mut self) {
        let Some(engine) = self.engine.take().filter(|engine| engine.is_forgetful()) else {
            return;
        };
        let rested = (self.game.name(), self.spec, engine);
        // When a thread ends, its reusable engines may be dropped already.
        let _ = RESTED.try_with(|shelf| {
            let mut shelf = shelf.borrow_mut();
            if shelf.len() == SHELF {
                shelf.remove(0);
            }
            shelf.push(rested);
        });
    }
}

impl SeatDriver for EngineDriver {
    fn decide(&mut self, at: &TurnContext<'_>) -> Result<TimedMove, Failure> {
        let start = Instant::now();
        let allowed = Duration::from_millis(at.limits.move_ms);
        let mut limits = self.spec.limits(allowed - allowed / 20);
        limits.stop = Some(Arc::clone(at.stop));
        let Some(engine) = &mut self.engine else {
            return Err(Failure::MachineFailure("the engine is gone".into()));
        };
        let thought = engine.think(at.position, &limits);
        let thought = thought.map_err(|error| Failure::MachineFailure(error.to_string()))?;
        let lead = thought.lead(at.player);
        let proven = if thought.proven { " proven" } else { "" };
        let note = match thought.nodes {
            0 => String::new(),
            nodes => format!(
                "depth {} score {lead:+} nodes {nodes}{proven}",
                thought.depth
            ),
        };
        Ok(TimedMove {
            mv: thought.best,
            wall: start.elapsed(),
            note,
            ..TimedMove::default()
        })
    }
}
