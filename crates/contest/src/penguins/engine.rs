//! The one place that says who plays.

use std::time::Instant;

use floe_rules::Position as _;
use floe_rules::penguins::{Move, Position};
use floe_search::{Engine, Greedy, Limits};

/// The move to make in a position in which somebody is to move.
pub(crate) fn choose(position: &Position, deadline: Instant) -> Move {
    // The same position gives the same dice, so that a call can be repeated.
    let mut engine = Greedy::seeded(position.key());
    let limits = Limits {
        deadline: Some(deadline),
        ..Limits::default()
    };
    engine.think(position, &limits).best
}
