//! A board on which any player may move at any time.

use super::grid::{Grid, Link, Measures};
use super::memory::{Lent, Loan, Memory, Need, Own};
use super::refusal::{NewError, Refusal};
use crate::Player;

/// A Gamma board without turns: any player may move at any time. The C library and the batch
/// language are made of this.
///
/// `n` is the number of fields. Making a board costs nothing but address space; memory is taken
/// as fields are touched and players move, 5 bytes a field for up to 254 players and at most 2³⁰
/// fields, plus less than one byte and a half for walks, lists of areas and what splits leave behind.
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
pub struct Board<M: Memory = Own> {
    inner: Inner<M>,
}

/// The widths of an owner and of a link that a board needs. A WebAssembly module, which is downloaded,
/// has the smallest and one for all others: memory of 32 bits holds no huge board.
#[derive(Debug)]
enum Inner<M: Memory> {
    Small(Grid<u8, u16, M>),
    #[cfg(not(target_arch = "wasm32"))]
    Byte(Grid<u8, u32, M>),
    #[cfg(not(target_arch = "wasm32"))]
    Short(Grid<u16, u32, M>),
    Word(Grid<u32, u32, M>),
    #[cfg(not(target_arch = "wasm32"))]
    ByteHuge(Grid<u8, u64, M>),
    #[cfg(not(target_arch = "wasm32"))]
    WordHuge(Grid<u32, u64, M>),
}

/// Runs the same expression for the kind of grid that a board with these measures has.
macro_rules! choose {
    ($measures:expr, $memory:ty, $kind:ident, $grid:ident => $body:expr) => {{
        let (fields, players) = ($measures.fields(), $measures.players);
        let is_huge = fields >= <u32 as Link>::MOST_FIELDS;
        // One number means a free field with a taken one beside it.
        let (is_byte, is_short) = (players < 0xff, players < 0xffff);
        macro_rules! of {
            ($one:ident, $owner:ty, $link:ty) => {{
                type $grid = Grid<$owner, $link, $memory>;
                let $kind = Inner::<$memory>::$one;
                $body
            }};
        }
        match (is_byte, is_short, is_huge) {
            (true, _, _) if fields <= SMALL => of!(Small, u8, u16),
            #[cfg(not(target_arch = "wasm32"))]
            (true, _, false) => of!(Byte, u8, u32),
            #[cfg(not(target_arch = "wasm32"))]
            (_, true, false) => of!(Short, u16, u32),
            (_, _, false) => of!(Word, u32, u32),
            #[cfg(not(target_arch = "wasm32"))]
            (true, _, true) => of!(ByteHuge, u8, u64),
            #[cfg(not(target_arch = "wasm32"))]
            (_, _, true) => of!(WordHuge, u32, u64),
            #[cfg(target_arch = "wasm32")]
            (_, _, true) => None,
        }
    }};
}

/// The most fields of a board whose links are short. Below the most they could have, as spare nodes
/// need numbers too.
const SMALL: u64 = <u16 as Link>::MOST_FIELDS / 4 * 3;

/// Runs the same expression on whichever grid there is.
macro_rules! on {
    ($board:expr, $grid:ident => $body:expr) => {
        match $board {
            Inner::Small($grid) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            Inner::Byte($grid) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            Inner::Short($grid) => $body,
            Inner::Word($grid) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            Inner::ByteHuge($grid) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            Inner::WordHuge($grid) => $body,
        }
    };
}

impl Board {
    /// An empty board. O(1), whatever the size.
    pub fn new(width: u32, height: u32, players: u32, areas: u32) -> Result<Self, NewError> {
        let measures = measures(width, height, players, areas)?;
        let inner = choose!(measures, Own, kind, Kind => Kind::new(measures).map(kind));
        inner.map(|inner| Board { inner }).ok_or(NewError::Memory)
    }

    /// Calls `each` with the coordinates of every field the player may take by his golden move,
    /// row by row from the bottom-left. O(n).
    pub fn each_golden(&self, player: Player, mut each: impl FnMut(u32, u32)) {
        if self.has(player) {
            on!(&self.inner, grid => grid.each_golden(player.number(), |field| {
                each(field.x, grid.row(field));
            }));
        }
    }
}

impl Board<Lent> {
    /// How much memory [`lent`](Board::lent) needs for such a board.
    pub fn need(width: u32, height: u32, players: u32, areas: u32) -> Result<Need, NewError> {
        let measures = measures(width, height, players, areas)?;
        let need = choose!(measures, Lent, _kind, Kind => Kind::need(measures));
        need.ok_or(NewError::Memory)
    }

    /// An empty board in memory that is lent to it. O(1), whatever the size.
    pub fn lent(
        width: u32,
        height: u32,
        players: u32,
        areas: u32,
        loan: Loan,
    ) -> Result<Self, NewError> {
        let measures = measures(width, height, players, areas)?;
        let inner = choose!(measures, Lent, kind, Kind => Kind::lent(measures, loan).map(kind));
        inner.map(|inner| Board { inner }).ok_or(NewError::Memory)
    }
}

fn measures(width: u32, height: u32, players: u32, limit: u32) -> Result<Measures, NewError> {
    match width == 0 || height == 0 || players == 0 || limit == 0 {
        true => Err(NewError::Zero),
        false => Ok(Measures {
            width,
            height,
            players,
            limit,
        }),
    }
}

impl<M: Memory> Board<M> {
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

    fn tally<T: Default>(&self, player: Player, read: impl Fn(&super::tally::Tally) -> T) -> T {
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
            #[cfg(not(target_arch = "wasm32"))]
            Inner::Byte(grid) => Inner::Byte(grid.clone()),
            #[cfg(not(target_arch = "wasm32"))]
            Inner::Short(grid) => Inner::Short(grid.clone()),
            Inner::Word(grid) => Inner::Word(grid.clone()),
            #[cfg(not(target_arch = "wasm32"))]
            Inner::ByteHuge(grid) => Inner::ByteHuge(grid.clone()),
            #[cfg(not(target_arch = "wasm32"))]
            Inner::WordHuge(grid) => Inner::WordHuge(grid.clone()),
        };
        Board { inner }
    }

    fn clone_from(&mut self, source: &Self) {
        match (&mut self.inner, &source.inner) {
            (Inner::Small(grid), Inner::Small(source)) => grid.clone_from(source),
            #[cfg(not(target_arch = "wasm32"))]
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
                #[cfg(not(target_arch = "wasm32"))]
                (Inner::Byte(a), Inner::Byte(b)) => a.owners == b.owners,
                #[cfg(not(target_arch = "wasm32"))]
                (Inner::Short(a), Inner::Short(b)) => a.owners == b.owners,
                (Inner::Word(a), Inner::Word(b)) => a.owners == b.owners,
                #[cfg(not(target_arch = "wasm32"))]
                (Inner::ByteHuge(a), Inner::ByteHuge(b)) => a.owners == b.owners,
                #[cfg(not(target_arch = "wasm32"))]
                (Inner::WordHuge(a), Inner::WordHuge(b)) => a.owners == b.owners,
                _ => false,
            }
            && self.golden_used() == other.golden_used()
    }
}

impl Eq for Board {}
