use std::sync::Arc;
use std::time::{Duration, Instant};

use floe_search::Spec;

use super::{Chair, Decision, Failure, Sitter};
use crate::{AnyEngine, AnyGame};

/// An engine at the table. It keeps to what its spec says; without a word about time, nodes or
/// depth there it thinks for the time of a move, less a little for the way.
pub(super) struct Thinker {
    engine: Box<dyn AnyEngine>,
    spec: Spec,
}

impl Thinker {
    pub(super) fn new(game: &'static dyn AnyGame, spec: Spec) -> Self {
        Thinker {
            engine: game.engine(&spec),
            spec,
        }
    }
}

impl Sitter for Thinker {
    fn decide(&mut self, at: &Chair<'_>) -> Result<Decision, Failure> {
        let start = Instant::now();
        let allowed = Duration::from_millis(at.terms.move_ms);
        let mut limits = self.spec.limits(allowed - allowed / 20);
        limits.stop = Some(Arc::clone(at.stop));
        let thought = self.engine.think(at.table, &limits);
        let thought = thought.map_err(|error| Failure::Trouble(error.to_string()))?;
        let lead = thought.lead(at.player);
        let proven = if thought.proven { " proven" } else { "" };
        let note = match thought.nodes {
            0 => String::new(),
            nodes => format!(
                "depth {} score {lead:+} nodes {nodes}{proven}",
                thought.depth
            ),
        };
        Ok(Decision {
            mv: thought.best,
            wall: start.elapsed(),
            note,
            ..Decision::default()
        })
    }
}
