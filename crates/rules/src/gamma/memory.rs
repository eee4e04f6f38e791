//! Who holds the memory of a board.

use std::fmt::Debug;
use std::ops::DerefMut;

use super::tally::Tally;

/// Who holds the memory of a board's arrays: the board ([`Own`]) or the caller who made it ([`Lent`]).
pub trait Memory: Debug + 'static {
    /// An array of a board.
    type Slice<T: Debug + 'static>: DerefMut<Target = [T]> + Debug;
}

/// The board holds its arrays, each in an allocation of its own.
#[derive(Debug)]
pub enum Own {}

impl Memory for Own {
    type Slice<T: Debug + 'static> = Box<[T]>;
}

/// The caller lends the arrays, so that they and the board can share one allocation.
#[derive(Debug)]
pub enum Lent {}

impl Memory for Lent {
    type Slice<T: Debug + 'static> = &'static mut [T];
}

/// How much memory a board needs that is lent its arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// Zeroed words that every move touches.
    pub near: usize,
    /// Zeroed words that moves touch which are made; none on small boards, where `near` has room
    /// for these. Large boards take them from an allocation of their own: two of middling size come
    /// from the heap, ready for use, where one large one would come from the system, page by page.
    pub far: usize,
    /// Players whose facts have a place from the start; none if there are many players.
    pub tallies: usize,
}

/// The memory lent to a board.
#[derive(Debug)]
pub struct Loan {
    /// As many zeroed words as [`Need::near`] says.
    pub near: &'static mut [u64],
    /// As many zeroed words as [`Need::far`] says.
    pub far: &'static mut [u64],
    /// As many default values as [`Need::tallies`] says. The board puts allocations into them, so
    /// they must be dropped after it.
    pub tallies: &'static mut [Tally],
}
