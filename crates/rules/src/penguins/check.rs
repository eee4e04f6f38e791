//! Errors of moves.

use std::cmp::Ordering;

use super::{Illegal, Move, PenguinsPosition, Phase, Spot};
use crate::{Player, Position};

impl PenguinsPosition {
    /// Checks a move; the error is the first reason against it.
    pub(super) fn check_move(&self, mv: Move) -> Result<(), Illegal> {
        let mover = self.turn().ok_or(Illegal::GameOver)?;
        let on_board = |spot: Spot| match self.shape().contains(spot) {
            true => Ok(()),
            false => Err(Illegal::OffBoard {
                square: spot.into(),
            }),
        };
        match (self.phase(), mv) {
            (Phase::Placement, Move::Slide { .. }) => Err(Illegal::StillPlacing),
            (Phase::Movement, Move::Place { .. }) => Err(Illegal::AlreadyMoving),
            (Phase::Placement, Move::Place { to }) => {
                on_board(to)?;
                self.check_target(to)?;
                match self.fish(to) {
                    1 => Ok(()),
                    fish => Err(Illegal::NotOneFish { at: to, fish }),
                }
            }
            (Phase::Movement, Move::Slide { from, to }) => {
                on_board(from)?;
                on_board(to)?;
                self.check_slide(mover, from, to)
            }
        }
    }

    fn check_target(&self, to: Spot) -> Result<(), Illegal> {
        if self.fish(to) > 0 {
            return Ok(());
        }
        Err(match self.owner(to) {
            Some(owner) => Illegal::Occupied { at: to, owner },
            None => Illegal::Water { at: to },
        })
    }

    fn check_slide(&self, mover: Player, from: Spot, to: Spot) -> Result<(), Illegal> {
        match self.owner(from) {
            None => return Err(Illegal::NoPenguin { at: from }),
            Some(owner) if owner != mover => return Err(Illegal::NotYours { at: from, owner }),
            Some(_) => {}
        }
        if from == to {
            return Err(Illegal::SameSquare { at: from });
        }
        if from.row != to.row && from.column != to.column {
            return Err(Illegal::NotInLine { from, to });
        }
        let step = |a: u8, b: u8| match a.cmp(&b) {
            Ordering::Less => a + 1,
            Ordering::Equal => a,
            Ordering::Greater => a - 1,
        };
        let next = |at: Spot| Spot::new(step(at.column, to.column), step(at.row, to.row));
        let mut at = next(from);
        while at != to {
            if self.fish(at) == 0 {
                return Err(match self.owner(at) {
                    Some(owner) => Illegal::PenguinBetween { at, owner },
                    None => Illegal::WaterBetween { at },
                });
            }
            at = next(at);
        }
        self.check_target(to)
    }
}
