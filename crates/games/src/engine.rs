use std::fmt::Display;

use floe_rules::{Game, Position};
use floe_search::{Engine, Limits, Spec, Thought};

use crate::error::ThinkError;
use crate::face::{AnyEngine, AnyPosition};
use crate::position::typed;

/// The [`AnyEngine`] around an engine of game `G`.
pub(crate) struct TypedEngine<G: Game> {
    engine: Box<dyn Engine<G::Position>>,
    spec: Spec,
}

impl<G: Game> TypedEngine<G> {
    pub(crate) fn new(engine: Box<dyn Engine<G::Position>>, spec: Spec) -> Self {
        TypedEngine { engine, spec }
    }

    /// The limits of a thought: the requested ones, or the spec's if none are requested.
    fn limits(&self, asked: &Limits) -> Limits {
        let is_asked = asked.deadline.is_some() || asked.nodes.is_some() || asked.depth.is_some();
        let Spec {
            time, nodes, depth, ..
        } = self.spec;
        if is_asked || (time.is_none() && nodes.is_none() && depth.is_none()) {
            return asked.clone();
        }
        Limits {
            stop: asked.stop.clone(),
            ..self.spec.limits(time.unwrap_or_default())
        }
    }
}

/// A position of this game that is not over.
pub(crate) fn unfinished<G: Game>(position: &dyn AnyPosition) -> Result<&G::Position, ThinkError> {
    let position = typed::<G>(position).ok_or(ThinkError::OtherGame {
        engine: G::NAME,
        game: position.game().name(),
    })?;
    match position.turn() {
        Some(_) => Ok(position),
        None => Err(ThinkError::Over),
    }
}

impl<G: Game> AnyEngine for TypedEngine<G> {
    fn think(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
    ) -> Result<Thought<String>, ThinkError> {
        let (position, limits) = (unfinished::<G>(position)?, self.limits(limits));
        Ok(written(&self.engine.think(position, &limits)))
    }

    fn is_forgetful(&self) -> bool {
        self.engine.is_forgetful()
    }

    fn rank(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
        top: usize,
    ) -> Result<Vec<Thought<String>>, ThinkError> {
        let (position, limits) = (unfinished::<G>(position)?, self.limits(limits));
        // Engines allocate space for `top` moves, so bound it.
        let top = top.min(position.legal_moves().len());
        let thoughts = self.engine.rank(position, &limits, top);
        Ok(thoughts.iter().map(written).collect())
    }
}

/// The same thought with moves as text.
pub(crate) fn written<M: Display>(thought: &Thought<M>) -> Thought<String> {
    Thought {
        best: thought.best.to_string(),
        scores: thought.scores.clone(),
        depth: thought.depth,
        nodes: thought.nodes,
        line: thought.line.iter().map(ToString::to_string).collect(),
        proven: thought.proven,
    }
}
