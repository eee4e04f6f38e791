//! Facts for scripts: one JSON object on one line (docs/json.md).

use std::io::Write;

use anyhow::Result;
use floe_games::json::Picture;
use floe_games::{AnyPosition, Play};
use floe_rules::Player;
use serde::Serialize;

/// Prints one object and ends its line.
pub(crate) fn print(out: &mut dyn Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

/// A position.
#[derive(Serialize)]
pub(crate) struct PositionFacts {
    game: &'static str,
    players: u32,
    /// The number of the player to move; `null` once the game is over.
    turn: Option<u32>,
    /// Scores by seat.
    scores: Vec<i64>,
    /// Places by seat, once the game is over.
    places: Option<Vec<u32>>,
    /// Whether the game is over.
    is_over: bool,
    /// The position in the game's own file format.
    position: String,
    picture: Picture,
}

impl PositionFacts {
    /// A position on its own.
    pub(crate) fn of(position: &dyn AnyPosition) -> Self {
        let outcome = position.outcome();
        PositionFacts {
            game: position.game().name(),
            players: position.players(),
            turn: position.turn().map(Player::number),
            scores: position.scores(),
            is_over: outcome.is_some(),
            places: outcome.map(|outcome| outcome.places().to_vec()),
            position: position.write(),
            picture: position.view().into(),
        }
    }

    /// The position of a game, in which players may be disqualified.
    pub(crate) fn of_play(play: &Play) -> Self {
        let outcome = play.outcome();
        PositionFacts {
            turn: play.turn().map(Player::number),
            scores: play.scores(),
            is_over: outcome.is_some(),
            places: outcome.map(|outcome| outcome.places().to_vec()),
            ..PositionFacts::of(play.position())
        }
    }
}
