use std::fmt::Display;

use floe_rules::{Game, Position};
use floe_search::{Engine, Limits, Thought};

use crate::error::ThinkError;
use crate::face::{AnyEngine, AnyPosition};
use crate::position::typed;

/// The [`AnyEngine`] made of an engine of game `G`.
pub(crate) struct TypedEngine<G: Game>(pub(crate) Box<dyn Engine<G::Position>>);

impl<G: Game> TypedEngine<G> {
    /// The position to think about.
    fn position(position: &dyn AnyPosition) -> Result<&G::Position, ThinkError> {
        let position = typed::<G>(position).ok_or(ThinkError::OtherGame {
            engine: G::NAME,
            game: position.game().name(),
        })?;
        match position.turn() {
            Some(_) => Ok(position),
            None => Err(ThinkError::Over),
        }
    }
}

impl<G: Game> AnyEngine for TypedEngine<G> {
    fn think(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
    ) -> Result<Thought<String>, ThinkError> {
        let position = Self::position(position)?;
        Ok(written(&self.0.think(position, limits)))
    }

    fn is_forgetful(&self) -> bool {
        self.0.is_forgetful()
    }

    fn rank(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
        top: usize,
    ) -> Result<Vec<Thought<String>>, ThinkError> {
        let position = Self::position(position)?;
        // Engines make room for as many as are asked for.
        let top = top.min(position.legal_moves().len());
        let thoughts = self.0.rank(position, limits, top);
        Ok(thoughts.iter().map(written).collect())
    }
}

/// The same thought with its moves as text.
fn written<M: Display>(thought: &Thought<M>) -> Thought<String> {
    Thought {
        best: thought.best.to_string(),
        scores: thought.scores.clone(),
        depth: thought.depth,
        nodes: thought.nodes,
        line: thought.line.iter().map(ToString::to_string).collect(),
        proven: thought.proven,
    }
}
