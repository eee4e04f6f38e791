use floe_rules::{Game, Position};
use floe_search::{Engine, Greedy, Limits, Random, Thought};
use thiserror::Error;

use crate::{Table, table};

/// An engine of some game: [`Engine`] without its types, with moves as text.
pub trait AnyEngine: Send {
    /// Thinks about a table where somebody is to move.
    fn think(&mut self, table: &dyn Table, limits: &Limits) -> Result<Thought<String>, ThinkError>;
}

/// Why an engine did not think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ThinkError {
    /// The engine was made for another game.
    #[error("an engine for {engine} cannot play {table}")]
    OtherGame {
        /// The engine's game.
        engine: &'static str,
        /// The table's game.
        table: &'static str,
    },
    /// Nobody is to move.
    #[error("the game is over")]
    Over,
}

/// What people are told about an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineInfo {
    /// The word for the engine on the command line and in files.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub about: &'static str,
}

/// One way to make an engine for positions `P`.
pub(crate) struct Kind<P> {
    pub(crate) info: EngineInfo,
    pub(crate) make: fn(seed: u64) -> Box<dyn Engine<P>>,
}

/// The engines that play every game.
pub(crate) fn every<P: Position>() -> [Kind<P>; 2] {
    [
        Kind {
            info: EngineInfo {
                name: "random",
                about: "any legal move, each as likely as the others",
            },
            make: |seed| Box::new(Random::seeded(seed)),
        },
        Kind {
            info: EngineInfo {
                name: "greedy",
                about: "the move that leads by most points at once",
            },
            make: |seed| Box::new(Greedy::seeded(seed)),
        },
    ]
}

/// The [`AnyEngine`] made of an engine of game `G`.
pub(crate) struct Erased<G: Game>(pub(crate) Box<dyn Engine<G::Position>>);

impl<G: Game> AnyEngine for Erased<G> {
    fn think(&mut self, table: &dyn Table, limits: &Limits) -> Result<Thought<String>, ThinkError> {
        let position = table::position::<G>(table).ok_or(ThinkError::OtherGame {
            engine: G::NAME,
            table: table.game().name(),
        })?;
        if position.turn().is_none() {
            return Err(ThinkError::Over);
        }
        let thought = self.0.think(position, limits);
        Ok(Thought {
            best: thought.best.to_string(),
            scores: thought.scores,
            depth: thought.depth,
            nodes: thought.nodes,
            line: thought.line.iter().map(ToString::to_string).collect(),
            proven: thought.proven,
        })
    }
}
