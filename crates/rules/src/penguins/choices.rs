//! Moves as somebody at a board makes them: pointing at a floe, or at a penguin and its floe.

use super::{Illegal, Move, PenguinsPosition, Phase, Spot};
use crate::{Choice, Position, Setting, Square, Values};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        word: "players",
        values: Values::Number(1..=9),
        usual: "2",
    },
    Setting {
        word: "penguins",
        values: Values::Number(1..=9),
        usual: "3",
    },
    Setting {
        word: "style",
        values: Values::Words(&["uniform", "island"]),
        usual: "uniform",
    },
];

pub(super) const RULES: &str = "\
First everybody puts penguins, one a turn, on floes with one fish.
Then a turn is one slide: a penguin goes in a straight line along a row or a column, as far as you like, never over water or another penguin.
You collect the fish where it stops; the floe it left turns to water.
Whoever cannot move is passed over. It is over when no penguin can move; most fish win.";

/// Costs the moves there are.
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

/// Why nothing can be picked up or put down here.
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
