use super::sweep::{Flood, Slides, sweep};
use crate::Square;
use crate::penguins::{Bits, Spot};

/// Most rows and most columns of a board.
pub const LONGEST: u32 = 200;

/// The size of a board, and which bit of a set is which field.
///
/// Rows lie one after the other from the bottom, each with one bit more than the board has
/// columns. That guard bit is never a floe, so a run of floes ends with its row and a shift
/// never carries a field into the next row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    columns: u16,
    rows: u16,
}

impl Shape {
    /// A board of this size; `None` unless both numbers are from 1 to 200.
    pub fn new(columns: u32, rows: u32) -> Option<Self> {
        let fits = 1..=LONGEST;
        (fits.contains(&columns) && fits.contains(&rows)).then_some(Shape {
            columns: columns as u16,
            rows: rows as u16,
        })
    }

    /// Number of columns.
    pub const fn columns(self) -> u32 {
        self.columns as u32
    }

    /// Number of rows.
    pub const fn rows(self) -> u32 {
        self.rows as u32
    }

    /// Number of fields.
    pub const fn fields(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The distance from a field's bit to that of the field above it.
    #[inline]
    pub const fn stride(self) -> usize {
        self.columns as usize + 1
    }

    /// Number of bits in a set of fields.
    pub const fn bits(self) -> usize {
        self.stride() * self.rows as usize
    }

    /// The board with columns and rows exchanged.
    pub const fn transposed(self) -> Shape {
        Shape {
            columns: self.rows,
            rows: self.columns,
        }
    }

    /// The bit of a field.
    #[inline]
    pub const fn index(self, spot: Spot) -> usize {
        spot.row as usize * self.stride() + spot.column as usize
    }

    /// The field of a bit. Costs a division.
    #[inline]
    pub const fn spot(self, index: usize) -> Spot {
        Spot {
            row: (index / self.stride()) as u8,
            column: (index % self.stride()) as u8,
        }
    }

    /// Whether the field is on the board.
    #[inline]
    pub const fn contains(self, spot: Spot) -> bool {
        (spot.column as u16) < self.columns && (spot.row as u16) < self.rows
    }

    /// The field at a square; `None` off the board.
    pub fn at(self, square: Square) -> Option<Spot> {
        let spot = Spot::try_from(square).ok()?;
        self.contains(spot).then_some(spot)
    }

    /// Every field, from left to right, bottom row first.
    pub fn spots(self) -> impl Iterator<Item = Spot> {
        (0..self.rows as u8)
            .flat_map(move |row| (0..self.columns as u8).map(move |column| Spot { row, column }))
    }

    /// The empty set for this board.
    pub fn empty(self) -> Bits {
        Bits::empty(self.bits())
    }

    /// The set of these fields, all on the board.
    pub fn set(self, spots: impl IntoIterator<Item = Spot>) -> Bits {
        let mut set = self.empty();
        for spot in spots {
            set.insert(self.index(spot));
        }
        set
    }

    /// The fields of `within` that are adjacent to a field of `set`. Four shifts.
    pub fn neighbours(self, set: &Bits, within: &Bits) -> Bits {
        let mut out = set.empty_like();
        for by in [1, self.stride()] {
            out.add_shifted_up(set, by);
            out.add_shifted_down(set, by);
        }
        out &= within;
        out
    }

    /// The fields of `within` connected to `set` through `within`, including fields of `set` in
    /// `within`. As many steps as the longest path.
    pub fn flood(self, set: &Bits, within: &Bits) -> Bits {
        if let Some(all) = sweep::<Flood>(set, within, self.stride()) {
            return all;
        }
        let mut all = set.clone();
        all &= within;
        let mut edge = self.neighbours(set, within);
        edge -= &all;
        while !edge.is_empty() {
            all |= &edge;
            edge = self.neighbours(&edge, within);
            edge -= &all;
        }
        all
    }

    /// The fields within one slide over fields of `within` from any field of `set`. In each
    /// direction, as many steps as the longest slide or, on a large board, as its binary digits.
    pub fn slides(self, set: &Bits, within: &Bits) -> Bits {
        if let Some(reach) = sweep::<Slides>(set, within, self.stride()) {
            return reach;
        }
        let mut out = set.empty_like();
        for step in [1, self.stride()] {
            for shift in [Bits::add_shifted_up, Bits::add_shifted_down] {
                out |= &rays(set, within, step, shift);
            }
        }
        out
    }
}

/// Slides in one direction, by doubling: after round k every field up to 2^k away is reached.
fn rays(set: &Bits, within: &Bits, step: usize, shift: fn(&mut Bits, &Bits, usize)) -> Bits {
    let mut reach = set.empty_like();
    shift(&mut reach, set, step);
    reach &= within;
    let mut open = within.clone();
    let mut by = step;
    loop {
        let mut next = set.empty_like();
        shift(&mut next, &reach, by);
        next &= &open;
        if !next.exceeds(&reach) {
            return reach;
        }
        reach |= &next;
        let mut further = set.empty_like();
        shift(&mut further, &open, by);
        open &= &further;
        by *= 2;
    }
}
