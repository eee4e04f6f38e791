use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{ParseError, Player, Square};

/// A field of a Penguins board in two bytes: a [`Square`] for boards of up to 256 by 256.
///
/// Ordered from left to right, the bottom row first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Spot {
    /// Rows from the bottom edge, from zero.
    pub row: u8,
    /// Columns from the left edge, from zero.
    pub column: u8,
}

impl Spot {
    /// The field in this column and row, counted from the bottom left.
    pub const fn new(column: u8, row: u8) -> Self {
        Spot { row, column }
    }
}

impl From<Spot> for Square {
    fn from(spot: Spot) -> Square {
        Square::new(spot.column.into(), spot.row.into())
    }
}

impl TryFrom<Square> for Spot {
    type Error = Illegal;

    fn try_from(square: Square) -> Result<Spot, Illegal> {
        match (square.column.try_into(), square.row.try_into()) {
            (Ok(column), Ok(row)) => Ok(Spot { row, column }),
            _ => Err(Illegal::OffBoard { square }),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Square::from(*self).fmt(f)
    }
}

impl fmt::Debug for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A move: `d3` puts a penguin on a floe, `d3-d7` slides one.
///
/// ```
/// use floe_rules::penguins::{Move, Spot};
/// let slide: Move = "d3-d7".parse()?;
/// assert_eq!(slide, Move::Slide { from: Spot::new(3, 2), to: Spot::new(3, 6) });
/// assert_eq!(slide.to_string(), "d3-d7");
/// # Ok::<(), floe_rules::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Puts a penguin on a floe with one fish.
    Place {
        /// The floe.
        to: Spot,
    },
    /// Moves a penguin in a straight line.
    Slide {
        /// The penguin's field.
        from: Spot,
        /// The floe where the penguin stops.
        to: Spot,
    },
}

impl Move {
    /// The floe the penguin stands on afterwards.
    pub const fn to(self) -> Spot {
        match self {
            Move::Place { to } | Move::Slide { to, .. } => to,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place { to } => write!(f, "{to}"),
            Move::Slide { from, to } => write!(f, "{from}-{to}"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        const EXPECTED: &str = "`d3` places a penguin, `d3-d7` slides one";
        let spot = |square: Square, column: u32| {
            Spot::try_from(square)
                .map_err(|e| ParseError::new(1, column, e.to_string()).with_help(EXPECTED))
        };
        // Squares are ASCII, so bytes count columns.
        let column = |rest: &str| u32::try_from(text.len() - rest.len() + 1).unwrap_or(u32::MAX);
        let (first, rest) = Square::read_prefix(text)?;
        let first = spot(first, 1)?;
        if rest.is_empty() {
            return Ok(Move::Place { to: first });
        }
        let Some(rest) = rest.strip_prefix('-') else {
            let at = column(rest);
            return Err(ParseError::new(1, at, "text after the square").with_help(EXPECTED));
        };
        let at = column(rest);
        let (second, rest) = Square::read_prefix(rest).map_err(|e| e.moved_to(1, at))?;
        let second = spot(second, at)?;
        if !rest.is_empty() {
            let at = column(rest);
            return Err(ParseError::new(1, at, "text after the move").with_help(EXPECTED));
        }
        Ok(Move::Slide {
            from: first,
            to: second,
        })
    }
}

/// The reason why a move is illegal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum Illegal {
    /// No player can move any more.
    #[error("the game is over")]
    GameOver,
    /// The field does not exist.
    #[error("{square} is off the board")]
    OffBoard {
        /// The square named.
        square: Square,
    },
    /// A slide before all penguins are placed.
    #[error("penguins are still being placed: name the floe alone")]
    StillPlacing,
    /// A placement after the penguins have started to move.
    #[error("the penguins move now: name where one stands and where it goes")]
    AlreadyMoving,
    /// The target is water.
    #[error("{at} is water, not a floe")]
    Water {
        /// The target.
        at: Spot,
    },
    /// A penguin stands on the target.
    #[error("a penguin of player {owner} stands on {at}")]
    Occupied {
        /// The target.
        at: Spot,
        /// The penguin's owner.
        owner: Player,
    },
    /// Penguins start only on floes with exactly one fish.
    #[error("{at} holds {fish} fish, and penguins are placed where there is exactly one")]
    NotOneFish {
        /// The target.
        at: Spot,
        /// Number of fish on the field.
        fish: u8,
    },
    /// No penguin stands where the slide starts.
    #[error("no penguin stands on {at}")]
    NoPenguin {
        /// The start of the slide.
        at: Spot,
    },
    /// The penguin is another player's.
    #[error("the penguin on {at} is player {owner}'s")]
    NotYours {
        /// The penguin's field.
        at: Spot,
        /// The penguin's owner.
        owner: Player,
    },
    /// A move must change the penguin's field.
    #[error("the penguin already stands on {at}")]
    SameSquare {
        /// The penguin's field.
        at: Spot,
    },
    /// The target is neither in the same row nor in the same column.
    #[error("{from} and {to} are not in one row or column")]
    NotInLine {
        /// The penguin's field.
        from: Spot,
        /// The target.
        to: Spot,
    },
    /// Water on the way.
    #[error("there is water on the way, at {at}")]
    WaterBetween {
        /// The first such field.
        at: Spot,
    },
    /// A penguin on the way.
    #[error("a penguin of player {owner} is in the way, on {at}")]
    PenguinBetween {
        /// The penguin's field.
        at: Spot,
        /// The penguin's owner.
        owner: Player,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_they_are_written() {
        for text in ["a1", "d3-d7", "gr200", "iv256-a1"] {
            let mv: Move = text.parse().unwrap();
            assert_eq!(mv.to_string(), text);
            assert_eq!(format!("{mv:?}"), text);
        }
        assert!(size_of::<Move>() <= 6);
    }

    #[test]
    fn bad_moves_say_where() {
        for (text, column, cause) in [
            ("", 1, "expected a column letter"),
            ("d3d7", 3, "text after the square"),
            ("d3-", 4, "expected a column letter"),
            ("d3-d", 5, "expected a row number"),
            ("d3-d7-d9", 6, "text after the move"),
            ("d300", 1, "d300 is off the board"),
            ("d3-zz1", 4, "zz1 is off the board"),
        ] {
            let error = text.parse::<Move>().unwrap_err();
            assert_eq!(
                (error.column, error.cause.as_ref()),
                (column, cause),
                "{text:?}"
            );
        }
    }
}
