//! Moves as a person makes them on a board: pointing at a field, with a key of its own for the
//! golden move.

use super::{GammaPosition, Move};
use crate::{Choice, Position, Setting, Square, Values};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        word: "players",
        values: Values::Number(1..=9),
        default: "2",
    },
    Setting {
        word: "areas",
        values: Values::Number(1..=99),
        default: "3",
    },
];

/// The name of taking another player's field.
pub(super) const GOLDEN_MOVE: &str = "golden move";

pub(super) const RULES: &str = "\
On your turn, claim one free field.
Your edge-connected fields form an area; you may never have more areas than the limit.
Once per game, a golden move captures an opponent's field, if neither of you then exceeds the limit.
A player without a legal move is skipped, and returns if a golden move creates one.
The game ends when no player can move; most fields wins.";

/// Every field that can be taken, then every one that can be taken by the golden move. Costs the
/// fields of the board.
pub(super) fn choices(position: &GammaPosition) -> Vec<Choice> {
    let moves = position.legal_moves().into_iter();
    moves
        .map(|mv| Choice {
            special: mv.golden.then_some(GOLDEN_MOVE),
            ..Choice::new(mv.to_string()).to(mv.to).gaining(1)
        })
        .collect()
}

/// Why a field cannot be taken.
pub(super) fn refusal(position: &GammaPosition, to: Square, golden: bool) -> String {
    match position.check(Move { to, golden }) {
        Err(reason) => reason.to_string(),
        Ok(()) => format!("{to} can be taken"),
    }
}
