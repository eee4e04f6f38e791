use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use floe_rules::Position;

/// Something that picks moves: one of Floe's own players.
pub trait Engine<P: Position>: Send {
    /// Thinks about a position in which somebody is to move.
    ///
    /// Always gives a legal move, however tight the limits are.
    ///
    /// # Panics
    ///
    /// If the game is over.
    fn think(&mut self, position: &P, limits: &Limits) -> Thought<P::Move>;
}

/// What ends an engine's thinking: whichever of these comes first. Without any, the engine
/// thinks until it has nothing more to find out.
#[derive(Clone, Default)]
pub struct Limits {
    /// When to have answered.
    pub deadline: Option<Instant>,
    /// How many positions to look at.
    pub nodes: Option<u64>,
    /// How many moves to look ahead.
    pub depth: Option<u32>,
    /// Set by somebody else to end the thinking at once.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Think for this long, from now.
    pub fn time(time: Duration) -> Self {
        Limits {
            deadline: Some(Instant::now() + time),
            ..Self::default()
        }
    }

    /// Look at this many positions: the same move on every machine.
    pub fn nodes(nodes: u64) -> Self {
        Limits {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Look this many moves ahead.
    pub fn depth(depth: u32) -> Self {
        Limits {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Whether the deadline has passed or somebody said stop. Reads the clock.
    pub fn is_over(&self) -> bool {
        self.stop
            .as_ref()
            .is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("deadline", &self.deadline)
            .field("nodes", &self.nodes)
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}

/// What an engine thought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought<M> {
    /// The move it would make.
    pub best: M,
    /// What it expects every seat to have in the end.
    pub scores: Vec<i64>,
    /// How many moves it looked ahead.
    pub depth: u32,
    /// How many positions it looked at.
    pub nodes: u64,
    /// The moves it expects, its own first.
    pub line: Vec<M>,
    /// Whether the scores are certain.
    pub proven: bool,
}
