use std::fmt::Display;

use floe_rules::{Game, Position};
use floe_search::{Engine, Limits, Thought};
use thiserror::Error;

use crate::AnyPosition;
use crate::position::typed;

/// An engine of some game: [`Engine`] without its types, with moves as text.
///
/// ```
/// use floe_search::Limits;
/// let game = floe_games::find("flood")?;
/// let position = game.start("6x6", 1)?;
/// let mut engine = game.engine(&"floe".parse()?);
/// let thoughts = engine.rank(&*position, &Limits::nodes(5_000), 2)?;
/// println!("{} leads by {}", thoughts[0].best, thoughts[0].lead(position.turn().unwrap()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnyEngine: Send {
    /// Thinks about a position in which somebody is to move.
    fn think(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
    ) -> Result<Thought<String>, ThinkError>;

    /// Whether one engine may play many games: see [`Engine::is_forgetful`].
    fn is_forgetful(&self) -> bool;

    /// Thinks about the `top` best moves of a position where somebody is to move; the best comes
    /// first. At least one, at most `top` (0 is the same as 1), fewer if time runs out: see
    /// [`Engine::rank`].
    fn rank(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
        top: usize,
    ) -> Result<Vec<Thought<String>>, ThinkError>;
}

/// Why an engine did not think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ThinkError {
    /// The engine was made for another game.
    #[error("an engine for {engine} cannot play {game}")]
    OtherGame {
        /// The engine's game.
        engine: &'static str,
        /// The position's game.
        game: &'static str,
    },
    /// Nobody is to move.
    #[error("the game is over")]
    Over,
}

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
