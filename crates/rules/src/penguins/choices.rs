//! Moves as a person makes them on a board: pointing at a floe, or at a penguin and its target.

use super::{Illegal, Move, PenguinsPosition, Phase, Spot};
use crate::{Choice, Position, Setting, Square, Values};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        word: "players",
        values: Values::Number(1..=9),
        default: "2",
    },
    Setting {
        word: "penguins",
        values: Values::Number(1..=9),
        default: "3",
    },
    Setting {
        word: "style",
        values: Values::Words(&["uniform", "island"]),
        default: "uniform",
    },
];

pub(super) const RULES: &str = "\
Players take turns placing a penguin on a free one-fish floe, collecting that fish, until all stand or no such floe is left.
Then each turn slides one penguin any distance along a row or column, never across water or penguins.
You collect the fish where it stops; the floe it left becomes water.
You must move if you can; once all your penguins are blocked, your turns are skipped.
The game ends when no penguin can move; most fish wins, and equal fish tie.";

/// Costs the number of legal moves.
pub(super) fn choices(position: &PenguinsPosition) -> Vec<Choice> {
    let choice = |mv: Move| {
        let gain = i64::from(position.fish(mv.to()));
        let choice = Choice::new(mv.to_string()).to(mv.to().into()).gaining(gain);
        match mv {
            Move::Place { .. } => choice,
            Move::Slide { from, .. } => choice.from(from.into()),
        }
    };
    position.legal_moves().into_iter().map(choice).collect()
}

/// Explains why no penguin can be picked up or put down here.
pub(super) fn refusal(position: &PenguinsPosition, from: Option<Square>, at: Square) -> String {
    match explain(position, from, at) {
        Ok(text) => text,
        Err(illegal) => illegal.to_string(),
    }
}

fn explain(
    position: &PenguinsPosition,
    from: Option<Square>,
    at: Square,
) -> Result<String, Illegal> {
    let to = Spot::try_from(at)?;
    match (position.phase(), from) {
        (Phase::Placement, _) => position.check(Move::Place { to })?,
        (Phase::Movement, Some(from)) => {
            let from = Spot::try_from(from)?;
            position.check(Move::Slide { from, to })?;
        }
        (Phase::Movement, None) => {
            let Some(mover) = position.turn() else {
                return Err(Illegal::GameOver);
            };
            return Ok(match position.owner(to) {
                Some(owner) if owner != mover => Illegal::NotYours { at: to, owner }.to_string(),
                Some(_) => format!("the penguin on {at} is blocked: it cannot move any more"),
                None => "pick up one of your penguins first".to_owned(),
            });
        }
    }
    Ok(format!("a penguin can go to {at}"))
}
