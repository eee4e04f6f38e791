//! A board on which any player may move at any time.

use super::grid::{Grid, Link};
use super::refusal::{NewError, Refusal};
use crate::Player;

/// A Gamma board without turns: any player may move at any time. The C library and the batch
/// language are made of this.
///
/// `n` is the number of fields. Making a board costs nothing but address space; memory is taken
/// as fields are touched and players move, 7 bytes a field for up to 255 players and at most 2³⁰
/// fields, plus less than one byte a field for lists of areas and for what splits leave behind.
///
/// ```
/// use floe_rules::Player;
/// use floe_rules::gamma::Board;
///
/// let (one, two) = (Player::new(0), Player::new(1));
/// let mut board = Board::new(10, 10, 2, 3)?;
/// board.take(one, 0, 0)?;
/// board.take(two, 3, 1)?;
/// assert!(board.take(one, 3, 1).is_err());
/// board.take_golden(one, 3, 1)?;
/// assert_eq!((board.busy_fields(one), board.free_fields(one)), (2, 98));
/// assert!(!board.golden_possible(one));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Board {
    inner: Inner,
}

/// The widths of an owner and of a link that a board needs.
#[derive(Debug)]
enum Inner {
    Small(Grid<u8, u16>),
    Byte(Grid<u8, u32>),
    Short(Grid<u16, u32>),
    Word(Grid<u32, u32>),
    ByteHuge(Grid<u8, u64>),
    WordHuge(Grid<u32, u64>),
}

/// The most fields of a board whose links are short. Below the most they could have, as spare nodes
/// need numbers too.
const SMALL: u64 = <u16 as Link>::MOST_FIELDS / 4;

/// Runs the same expression on whichever grid there is.
macro_rules! on {
    ($board:expr, $grid:ident => $body:expr) => {
        match $board {
            Inner::Small($grid) => $body,
            Inner::Byte($grid) => $body,
            Inner::Short($grid) => $body,
            Inner::Word($grid) => $body,
            Inner::ByteHuge($grid) => $body,
            Inner::WordHuge($grid) => $body,
        }
    };
}

impl Board {
    /// An empty board. O(1), whatever the size.
    pub fn new(width: u32, height: u32, players: u32, areas: u32) -> Result<Self, NewError> {
        if width == 0 || height == 0 || players == 0 || areas == 0 {
            return Err(NewError::Zero);
        }
        let fields = u64::from(width) * u64::from(height);
        let is_small = fields <= SMALL;
        let huge = fields >= <u32 as Link>::MOST_FIELDS;
        let inner = match (players, huge) {
            (..=0xff, _) if is_small => Grid::new(width, height, players, areas).map(Inner::Small),
            (..=0xff, false) => Grid::new(width, height, players, areas).map(Inner::Byte),
            (..=0xffff, false) => Grid::new(width, height, players, areas).map(Inner::Short),
            (_, false) => Grid::new(width, height, players, areas).map(Inner::Word),
            (..=0xff, true) => Grid::new(width, height, players, areas).map(Inner::ByteHuge),
            (_, true) => Grid::new(width, height, players, areas).map(Inner::WordHuge),
        };
        inner.map(|inner| Board { inner }).ok_or(NewError::Memory)
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        on!(&self.inner, grid => grid.width)
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        on!(&self.inner, grid => grid.height)
    }

    /// Players.
    pub fn players(&self) -> u32 {
        on!(&self.inner, grid => grid.players.count())
    }

    /// The most areas a player may have.
    pub fn areas(&self) -> u32 {
        on!(&self.inner, grid => grid.limit)
    }

    /// The owner of a field; `None` if it is free or not on the board. O(1).
    pub fn owner(&self, x: u32, y: u32) -> Option<Player> {
        if x >= self.width() || y >= self.height() {
            return None;
        }
        on!(&self.inner, grid => {
            use super::grid::Owner;
            Player::from_number(grid.owners[grid.field(x, y).index].number())
        })
    }

    /// Lets a player take a free field. Amortised nearly O(1).
    #[inline]
    pub fn take(&mut self, player: Player, x: u32, y: u32) -> Result<(), Refusal> {
        on!(&mut self.inner, grid => grid.take(player.number(), grid.locate(player, x, y)?))
    }

    /// Checks a [`take`](Board::take) without making it. O(1).
    pub fn check_take(&self, player: Player, x: u32, y: u32) -> Result<(), Refusal> {
        on!(&self.inner, grid => grid.check_take(player.number(), grid.locate(player, x, y)?))
    }

    /// Lets a player take another's field by the golden move.
    ///
    /// A refusal costs O(1) in most cases, and at most O(length of the shorter way around the
    /// victim's area from the field back to it). When refusals have cost as much as the area
    /// is large, the area is looked through once, and refusals cost O(1) until it changes; a field
    /// that joins or leaves it at one field changes nothing of that. A move that is made costs O(1)
    /// if the field lies on a simple edge of its area, and else as much as a refusal or as the
    /// pieces it makes have fields, the largest not counted.
    pub fn take_golden(&mut self, player: Player, x: u32, y: u32) -> Result<(), Refusal> {
        on!(&mut self.inner, grid => grid.take_golden(player.number(), grid.locate(player, x, y)?))
    }

    /// Checks a [`take_golden`](Board::take_golden) without making it. Costs as a refusal there,
    /// but caches nothing.
    pub fn check_golden(&self, player: Player, x: u32, y: u32) -> Result<(), Refusal> {
        on!(&self.inner, grid => grid.check_golden(player.number(), grid.locate(player, x, y)?))
    }

    /// Fields the player holds; 0 if there is no such player. O(1).
    pub fn busy_fields(&self, player: Player) -> u64 {
        self.tally(player, |tally| tally.busy)
    }

    /// Areas the player has; 0 if there is no such player. O(1).
    pub fn area_count(&self, player: Player) -> u32 {
        self.tally(player, |tally| tally.areas)
    }

    /// Whether the player still has the golden move; false if there is no such player. O(1).
    pub fn has_golden(&self, player: Player) -> bool {
        self.has(player) && !self.tally(player, |tally| tally.golden_used)
    }

    /// Free fields. O(1).
    pub fn free(&self) -> u64 {
        on!(&self.inner, grid => grid.free)
    }

    /// Fields the player could take now by a plain move; 0 if there is no such player.
    ///
    /// O(1), but O(fields of the player) the first time he is asked for at his limit (O(n) on
    /// boards that may have more than one area in 64 fields).
    pub fn free_fields(&mut self, player: Player) -> u64 {
        on!(&mut self.inner, grid => {
            if player.index() < grid.players.count() as usize {
                grid.free_fields(player.number())
            } else {
                0
            }
        })
    }

    /// Whether at least one golden move by this player is legal now.
    ///
    /// O(1) while the player is below the limit, or if nothing changed since the last call, or the
    /// golden move found then is still legal. Otherwise O(fields of the player + fields of the
    /// neighbouring areas that changed since they were last examined).
    pub fn golden_possible(&mut self, player: Player) -> bool {
        if !self.has(player) {
            return false;
        }
        on!(&mut self.inner, grid => grid.golden_possible(player.number()))
    }

    /// How many bytes [`write_text`](Board::write_text) writes; `None` if more than can be.
    pub fn text_size(&self) -> Option<usize> {
        on!(&self.inner, grid => grid.text_size())
    }

    /// Writes the board as text into `out`, which must be [`text_size`](Board::text_size) bytes
    /// long: rows from the top down, each ended by a newline, `.` for a free field. With at most
    /// 9 players a field is one character; with more, fields are right-aligned to the width of
    /// the largest player number and separated by one blank. O(bytes written).
    ///
    /// # Panics
    ///
    /// If `out` has another length.
    pub fn write_text(&self, out: &mut [u8]) {
        assert_eq!(
            Some(out.len()),
            self.text_size(),
            "the buffer must be as long as the text"
        );
        on!(&self.inner, grid => grid.write_text(out));
    }

    /// Calls `each` with the coordinates of every field the player may take by a plain move,
    /// row by row from the bottom-left. O(n).
    pub fn each_take(&self, player: Player, mut each: impl FnMut(u32, u32)) {
        if self.has(player) {
            on!(&self.inner, grid => grid.each_take(player.number(), |field| {
                each(field.x, grid.row(field));
            }));
        }
    }

    /// The same for the golden move. O(n).
    pub fn each_golden(&self, player: Player, mut each: impl FnMut(u32, u32)) {
        if self.has(player) {
            on!(&self.inner, grid => grid.each_golden(player.number(), |field| {
                each(field.x, grid.row(field));
            }));
        }
    }

    /// The players who have made their golden move, in order.
    pub(super) fn golden_used(&self) -> Vec<Player> {
        on!(&self.inner, grid => grid.players.golden_used().filter_map(Player::from_number).collect())
    }

    /// Puts a field of a position together: as [`take`](Board::take), but without a limit.
    pub(super) fn place(&mut self, player: Player, x: u32, y: u32) -> Result<(), Refusal> {
        on!(&mut self.inner, grid => {
            grid.take_within(player.number(), grid.locate(player, x, y)?, u32::MAX)
        })
    }

    /// Puts a position together: this player has made his golden move.
    pub(super) fn spend_golden(&mut self, player: Player) -> Result<(), Refusal> {
        on!(&mut self.inner, grid => grid.players.make(player.number())?.golden_used = true);
        Ok(())
    }

    /// A number that identifies the area; the field must be taken.
    pub(super) fn area_at(&self, x: u32, y: u32) -> usize {
        on!(&self.inner, grid => grid.root(grid.field(x, y).index))
    }

    fn has(&self, player: Player) -> bool {
        player.index() < self.players() as usize
    }

    fn tally<T: Default>(&self, player: Player, read: impl Fn(&super::players::Tally) -> T) -> T {
        if !self.has(player) {
            return T::default();
        }
        on!(&self.inner, grid => grid.players.of(player.number()).map(read).unwrap_or_default())
    }
}

impl Clone for Board {
    fn clone(&self) -> Self {
        let inner = match &self.inner {
            Inner::Small(grid) => Inner::Small(grid.clone()),
            Inner::Byte(grid) => Inner::Byte(grid.clone()),
            Inner::Short(grid) => Inner::Short(grid.clone()),
            Inner::Word(grid) => Inner::Word(grid.clone()),
            Inner::ByteHuge(grid) => Inner::ByteHuge(grid.clone()),
            Inner::WordHuge(grid) => Inner::WordHuge(grid.clone()),
        };
        Board { inner }
    }

    fn clone_from(&mut self, source: &Self) {
        match (&mut self.inner, &source.inner) {
            (Inner::Small(grid), Inner::Small(source)) => grid.clone_from(source),
            (Inner::Byte(grid), Inner::Byte(source)) => grid.clone_from(source),
            _ => *self = source.clone(),
        }
    }
}

/// Boards are equal when the same moves are possible on them from now on.
impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        let size = |board: &Board| {
            (
                board.width(),
                board.height(),
                board.players(),
                board.areas(),
            )
        };
        size(self) == size(other)
            && match (&self.inner, &other.inner) {
                (Inner::Small(a), Inner::Small(b)) => a.owners == b.owners,
                (Inner::Byte(a), Inner::Byte(b)) => a.owners == b.owners,
                (Inner::Short(a), Inner::Short(b)) => a.owners == b.owners,
                (Inner::Word(a), Inner::Word(b)) => a.owners == b.owners,
                (Inner::ByteHuge(a), Inner::ByteHuge(b)) => a.owners == b.owners,
                (Inner::WordHuge(a), Inner::WordHuge(b)) => a.owners == b.owners,
                _ => false,
            }
            && self.golden_used() == other.golden_used()
    }
}

impl Eq for Board {}
