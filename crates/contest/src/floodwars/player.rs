//! The engine.

use std::time::{Duration, Instant};

use floe_rules::Position;
use floe_rules::flood::{Colour, FloodPosition};
use floe_search::flood::Searcher;
use floe_search::{Engine, Limits};

/// The part of the program's time for thinking; the rest is for starting, output and ending.
pub(crate) fn share(time: Duration) -> Duration {
    time - (time / 4).min(Duration::from_millis(20))
}

/// The colour to choose, found before the deadline.
///
/// A finished board is answered too, with any of the three colours that neither player has: the
/// program does not know how many moves were made, and a referee that asks expects an answer.
pub(crate) fn choose(position: &FloodPosition, deadline: Instant) -> Colour {
    if position.turn().is_none() {
        return position.choices()[0];
    }
    let limits = Limits {
        deadline: Some(deadline.into()),
        ..Limits::default()
    };
    Searcher::new().think(position, &limits).best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_the_time_is_for_thinking() {
        let share = |ms| share(Duration::from_millis(ms)).as_micros();
        assert_eq!([850, 100, 20, 1].map(share), [830_000, 80_000, 15_000, 750]);
    }
}
