//! Moves as somebody at a board makes them: pointing at a field, with a key of its own for the
//! golden move.

use super::{GammaPosition, Move};
use crate::{Choice, Position, Setting, Square, Values};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        word: "players",
        values: Values::Number(1..=9),
        usual: "2",
    },
    Setting {
        word: "areas",
        values: Values::Number(1..=99),
        usual: "3",
    },
];

/// What taking another player's field is called.
pub(super) const GOLDEN_MOVE: &str = "golden move";

pub(super) const RULES: &str = "\
Take free fields, one a turn. Your fields that touch by their sides are one area.
You may never have more areas than the limit: then only fields beside your own are left to you.
Once in the game you may take another player's field by the golden move, if that leaves neither of you too many areas.
Whoever cannot move is passed over. It is over when nobody can move; most fields win.";

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
