//! Moves as a person makes them on a board: a colour by its key, or by pointing at a square that
//! the flood would absorb.

use super::{Colour, FloodPosition, Move};
use crate::{Choice, Position, Setting, Square, Values};

pub(super) const SETTINGS: &[Setting] = &[Setting {
    word: "style",
    values: Values::Words(&["uniform", "fair"]),
    default: "uniform",
}];

pub(super) const RULES: &str = "\
J starts bottom-left and moves first; S starts top-right.
On your turn, choose one of the three colours that neither player has.
Your territory takes that colour and absorbs every connected square of it; gaining nothing is legal, passing is not.
The game ends when two colours remain, or after 150 moves.
You score your squares plus unowned regions that touch only your territory; the higher score wins, and equal scores draw.";

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

/// The reason why pointing at a square makes no move.
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
