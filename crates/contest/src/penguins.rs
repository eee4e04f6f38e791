//! Penguins at the keyboard: two to nine people or engines, line by line.
//!
//! Everything speaks of fields as `x y`: x counts columns from the left, y rows from the top, both
//! from 0, as the edges of the drawn board do.

mod game;
mod picture;
mod words;

pub use game::play;
pub use picture::board;

use floe_rules::penguins::{Shape, Spot};

/// The letter that stands for the player with this index.
fn letter(index: usize) -> char {
    char::from(b'A' + index as u8 % 26)
}

/// `x y` of a field of a board.
fn place(shape: Shape, spot: Spot) -> Place {
    Place {
        x: spot.column.into(),
        y: (shape.rows() - 1).saturating_sub(spot.row.into()),
    }
}

/// A field by the numbers that people type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    x: u32,
    y: u32,
}

impl Place {
    /// The field on a board of this shape, if it exists.
    fn spot(self, shape: Shape) -> Option<Spot> {
        let row = shape.rows().checked_sub(1)?.checked_sub(self.y)?;
        let spot = Spot::new(self.x.try_into().ok()?, row.try_into().ok()?);
        shape.contains(spot).then_some(spot)
    }

    /// The field that is meant if the row was typed first.
    fn swapped(self) -> Place {
        Place {
            x: self.y,
            y: self.x,
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.x, self.y)
    }
}
