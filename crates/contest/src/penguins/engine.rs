//! The choice of the engine.

use std::time::Instant;

use floe_rules::Position;
use floe_rules::penguins::{Move, PenguinsPosition};
use floe_search::penguins::Searcher;
use floe_search::{Engine, Limits};

/// The move to make in an unfinished game.
pub(crate) fn choose(position: &PenguinsPosition, deadline: Instant) -> Move {
    // With one legal move, nothing needs thought.
    if let [only] = position.legal_moves()[..] {
        return only;
    }
    let limits = Limits {
        deadline: Some(deadline.into()),
        ..Limits::default()
    };
    Searcher::new().think(position, &limits).best
}
