//! Moves as somebody at a board makes them: a colour by a key, or by pointing at a square the
//! flood would join.

use super::{Colour, FloodPosition, Move};
use crate::{Choice, Position, Setting, Square, Values};

pub(super) const SETTINGS: &[Setting] = &[Setting {
    word: "style",
    values: Values::Words(&["uniform", "fair"]),
    usual: "uniform",
}];

pub(super) const RULES: &str = "\
Your flood starts in a corner: J at the bottom left, S at the top right.
Choose a colour that is neither flood's: yours takes it and joins every square of it that it touches.
A move that gains nothing is allowed. You cannot pass.
Squares that only you can still reach count as yours.
It is over when two colours are left, or after 150 moves; most squares win.";

/// The three colours. Costs the squares of the board.
pub(super) fn choices(position: &FloodPosition) -> Vec<Choice> {
    let Some(mover) = position.turn() else {
        return Vec::new();
    };
    let graph = position.graph();
    let frontier = position.frontier(mover);
    let before = position.score(mover);
    let choice = |colour: Colour| {
        let mut after = position.clone();
        after.play_unchecked(Move(colour));
        let is_joined = |square: &Square| {
            let joined = |c| frontier.contains(c) && graph.colour(c) == colour;
            graph.at(*square).is_some_and(joined)
        };
        let squares = (0..graph.height())
            .flat_map(|row| (0..graph.width()).map(move |column| Square::new(column, row)));
        let mut choice = Choice::new(Move(colour).to_string()).gaining(after.score(mover) - before);
        choice.takes = squares.filter(is_joined).collect();
        choice
    };
    let moves = position.legal_moves().into_iter();
    moves.map(|Move(colour)| choice(colour)).collect()
}

/// Why pointing at a square chooses nothing.
pub(super) fn refusal(position: &FloodPosition, at: Square) -> String {
    let Some(component) = position.graph().at(at) else {
        return format!("{at} is not on the board");
    };
    let colour = position.component_colour(component);
    match (position.check(Move(colour)), position.owner(component)) {
        (Err(reason), _) => reason.to_string(),
        (Ok(()), _) => {
            format!("your flood does not touch {at}: use the keys, or a square it touches")
        }
    }
}
