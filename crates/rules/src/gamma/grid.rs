//! The fields of a board and the areas they form.

use std::collections::{HashMap, TryReserveError};
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, DefaultHasher};

use bytemuck::Pod;
use bytemuck::allocation::try_zeroed_slice_box;

use super::grounds::Grounds;
use super::memory::{Lent, Loan, Memory, Need, Own};
use super::players::Tallies;
use super::refusal::Refusal;
use crate::Player;

/// Storage of an owner's number, from 1, or of what is known about a free field.
pub(super) trait Owner: Copy + Eq + Debug + Pod + Send + Sync {
    /// A free field with only free fields beside it.
    const NOBODY: Self;
    /// Any other free field. The same number if players need all numbers.
    const BESIDE: Self;
    fn of(player: u32) -> Self;
    /// The owner's number; 0 for a free field.
    fn number(self) -> u32;
    #[inline]
    fn is_free(self) -> bool {
        self == Self::NOBODY || self == Self::BESIDE
    }
}

/// Storage of a field's link: a root's flag and size, or the path to one.
pub(super) trait Link: Copy + Eq + Debug + Pod + Send + Sync {
    /// The most fields a board with these links may have.
    const MOST_FIELDS: u64;
    fn pack(bits: u64) -> Self;
    fn unpack(self) -> u64;
    /// Whether boards with these links are small. On small boards edges and owners vary everywhere,
    /// so the processor predicts few branches. On large boards it predicts most, and runs ahead
    /// while memory loads.
    const IS_SMALL: bool;
    /// The bit that marks a root.
    const ROOT: u64;
    /// On a root: its area has been looked through and not changed since.
    /// On other fields: it founded an area, so others may hang from it.
    const FLAG: u64;
    /// The size of a root's area, or the index of the field a link points at.
    const VALUE: u64 = Self::FLAG - 1;
}

macro_rules! owner {
    ($($width:ty: $beside:expr),*) => {$(
        impl Owner for $width {
            const NOBODY: Self = 0;
            const BESIDE: Self = $beside;
            #[inline]
            fn of(player: u32) -> Self {
                player as $width
            }
            #[inline]
            fn number(self) -> u32 {
                match self.is_free() {
                    true => 0,
                    false => u32::from(self),
                }
            }
        }
    )*};
}
owner!(u8: u8::MAX, u16: u16::MAX, u32: 0);

macro_rules! link {
    ($($width:ty),*) => {$(
        impl Link for $width {
            const MOST_FIELDS: u64 = 1 << (<$width>::BITS - 2);
            const IS_SMALL: bool = <$width>::BITS == 16;
            const ROOT: u64 = 1 << (<$width>::BITS - 1);
            const FLAG: u64 = 1 << (<$width>::BITS - 2);
            #[inline]
            fn pack(bits: u64) -> Self {
                bits as $width
            }
            #[inline]
            fn unpack(self) -> u64 {
                u64::from(self)
            }
        }
    )*};
}
link!(u16, u32, u64);

/// A direction along the board's edges; turning left is adding one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Direction(pub(super) u8);

impl Direction {
    pub(super) const ALL: [Direction; 4] = [Direction(0), Direction(1), Direction(2), Direction(3)];

    #[inline]
    pub(super) const fn left(self) -> Self {
        Direction((self.0 + 1) & 3)
    }
    #[inline]
    pub(super) const fn back(self) -> Self {
        Direction((self.0 + 2) & 3)
    }
    #[inline]
    pub(super) const fn right(self) -> Self {
        Direction((self.0 + 3) & 3)
    }
    #[inline]
    pub(super) const fn bit(self) -> u8 {
        1 << self.0
    }
}

/// A field by its index, with its column, which shows whether it has a left and a right neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) index: usize,
    pub(super) x: u32,
}

/// Spare nodes for which a board of this many fields has room from the start.
pub(super) const fn first_spares(fields: usize) -> usize {
    fields / 128 + 4
}

/// The fields, who owns them, and the areas.
///
/// `owners`, `links` and `walks` take 1 + 4 + 0.5 bytes a field for up to 254 players; they come
/// zeroed from the system, so that a field costs nothing until it is touched. `cuts` takes one more
/// byte a field of areas that were looked through, and `grounds` four bytes a run. Lists of areas
/// and spare nodes together stay below one byte a field, plus some 200 bytes a golden move.
#[derive(Debug)]
pub(super) struct Grid<O: Owner, L: Link, M: Memory = Own> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) limit: u32,
    pub(super) owners: M::Slice<O>,
    /// A link for each node: those of the fields, and the first of the fields that moved.
    pub(super) links: M::Slice<L>,
    /// The links of further nodes.
    pub(super) more_links: Vec<L>,
    /// Number of links that are nodes.
    pub(super) nodes: usize,
    /// The nodes of the fields that moved; they have `MOVED` among their marks.
    pub(super) moved: HashMap<usize, usize, BuildHasherDefault<DefaultHasher>>,
    /// Golden moves made so far.
    pub(super) goldens: u64,
    /// Scratch for traversals, four bits a field; see `walk`.
    pub(super) walks: M::Slice<u8>,
    /// What the last look through an area found; see `cuts`. Empty until the first.
    pub(super) cuts: Box<[u8]>,
    pub(super) players: Tallies<M>,
    pub(super) free: u64,
    /// What surveys around players' areas found, while it holds.
    pub(super) grounds: Vec<Grounds>,
    /// Whether any player's `border` is maintained, or any `grounds` are.
    pub(super) is_watched: bool,
    /// Whether each player's list holds a field of each area. It does if all lists together stay
    /// below 1/64 of the fields, which bounds memory. Otherwise a scan finds a player's fields;
    /// since it only happens at the limit of areas, it costs little more than the player's own
    /// fields.
    pub(super) keeps_roots: bool,
}

/// The measures of a board, none of them 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measures {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) players: u32,
    pub(super) limit: u32,
}

impl Measures {
    pub(super) fn fields(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// The arrays of a new grid, zeroed.
struct Arrays<O: Owner, L: Link, M: Memory> {
    owners: M::Slice<O>,
    links: M::Slice<L>,
    walks: M::Slice<u8>,
    players: Tallies<M>,
}

impl<O: Owner, L: Link> Grid<O, L> {
    /// An empty grid; `None` if memory runs out.
    pub(super) fn new(measures: Measures) -> Option<Self> {
        let fields = usize::try_from(measures.fields()).ok()?;
        let arrays = Arrays {
            owners: try_zeroed_slice_box(fields).ok()?,
            links: try_zeroed_slice_box(nodes_at_first(fields)?).ok()?,
            walks: try_zeroed_slice_box(fields.div_ceil(2)).ok()?,
            players: Tallies::new(measures.players)?,
        };
        Some(Grid::of(measures, arrays))
    }
}

/// Words that hold this many bytes.
fn words(bytes: usize) -> usize {
    bytes.div_ceil(size_of::<u64>())
}

impl<O: Owner, L: Link> Grid<O, L, Lent> {
    /// What [`lent`](Self::lent) needs; `None` if no memory could be so large.
    pub(super) fn need(measures: Measures) -> Option<Need> {
        let fields = usize::try_from(measures.fields()).ok()?;
        let owners = words(fields.checked_mul(size_of::<O>())?);
        let near = owners.checked_add(words(fields.div_ceil(2)))?;
        let links = words(nodes_at_first(fields)?.checked_mul(size_of::<L>())?);
        Some(Need {
            near: near.checked_add(if L::IS_SMALL { links } else { 0 })?,
            far: if L::IS_SMALL { 0 } else { links },
            tallies: Tallies::<Lent>::at_first(measures.players),
        })
    }

    /// An empty grid in lent memory; `None` if that is too small, or memory runs out.
    pub(super) fn lent(measures: Measures, loan: Loan) -> Option<Self> {
        let fields = usize::try_from(measures.fields()).ok()?;
        let owners = words(fields * size_of::<O>());
        let walks = words(fields.div_ceil(2));
        let (owners, rest) = loan.near.split_at_mut_checked(owners)?;
        let (walks, rest) = rest.split_at_mut_checked(walks)?;
        let links = if L::IS_SMALL { rest } else { loan.far };
        let arrays = Arrays {
            owners: bytemuck::cast_slice_mut(owners).get_mut(..fields)?,
            links: bytemuck::cast_slice_mut(links).get_mut(..nodes_at_first(fields)?)?,
            walks: bytemuck::cast_slice_mut(walks),
            players: Tallies::lent(measures.players, loan.tallies)?,
        };
        Some(Grid::of(measures, arrays))
    }
}

/// Nodes for which a board of this many fields has room from the start.
fn nodes_at_first(fields: usize) -> Option<usize> {
    fields.checked_add(first_spares(fields))
}

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    fn of(measures: Measures, arrays: Arrays<O, L, M>) -> Self {
        let fields = measures.fields();
        let lists = u128::from(measures.limit) * u128::from(measures.players);
        Grid {
            width: measures.width,
            height: measures.height,
            limit: measures.limit,
            nodes: arrays.owners.len(),
            owners: arrays.owners,
            links: arrays.links,
            more_links: Vec::new(),
            moved: HashMap::default(),
            goldens: 0,
            walks: arrays.walks,
            cuts: Box::default(),
            players: arrays.players,
            free: fields,
            grounds: Vec::new(),
            is_watched: false,
            keeps_roots: lists <= u128::from(fields) / 64,
        }
    }

    /// Moves made so far, golden ones included.
    pub(super) fn version(&self) -> u64 {
        self.owners.len() as u64 - self.free + self.goldens
    }

    /// The field at these coordinates, for a player with this number; an error if either is missing.
    #[inline]
    pub(super) fn locate(&self, player: Player, x: u32, y: u32) -> Result<Field, Refusal> {
        if player.index() >= self.players.count() as usize {
            return Err(Refusal::NoSuchPlayer);
        }
        if x >= self.width || y >= self.height {
            return Err(Refusal::OffBoard);
        }
        Ok(self.field(x, y))
    }

    #[inline]
    pub(super) fn field(&self, x: u32, y: u32) -> Field {
        Field {
            index: y as usize * self.width as usize + x as usize,
            x,
        }
    }

    /// The field at an index. One division.
    pub(super) fn field_at(&self, index: usize) -> Field {
        Field {
            index,
            x: (index % self.width as usize) as u32,
        }
    }

    pub(super) fn row(&self, field: Field) -> u32 {
        (field.index / self.width as usize) as u32
    }

    /// The indices beside a field, by direction: right, up, left, down. One off the board is
    /// not an index of any array.
    #[inline]
    pub(super) fn around(&self, field: Field) -> [usize; 4] {
        let Field { index, x } = field;
        let width = self.width as usize;
        [
            if x + 1 < self.width {
                index + 1
            } else {
                usize::MAX
            },
            index + width,
            if x > 0 { index - 1 } else { usize::MAX },
            index.wrapping_sub(width),
        ]
    }

    /// The neighbouring field in this direction, if the board has one.
    #[inline]
    pub(super) fn beside(&self, field: Field, direction: Direction) -> Option<Field> {
        let Field { index, x } = field;
        let width = self.width as usize;
        match direction.0 {
            0 => (x + 1 < self.width).then(|| Field {
                index: index + 1,
                x: x + 1,
            }),
            1 => (index + width < self.owners.len()).then(|| Field {
                index: index + width,
                x,
            }),
            2 => (x > 0).then(|| Field {
                index: index - 1,
                x: x - 1,
            }),
            _ => (index >= width).then(|| Field {
                index: index - width,
                x,
            }),
        }
    }

    /// The owner of the field at an index; none off the board.
    #[inline]
    pub(super) fn owner(&self, index: usize) -> O {
        self.owners.get(index).copied().unwrap_or(O::NOBODY)
    }

    /// The field beside a field if `owner` holds it.
    #[inline]
    pub(super) fn beside_of(&self, field: Field, direction: Direction, owner: O) -> Option<Field> {
        self.beside(field, direction)
            .filter(|next| self.owners[next.index] == owner)
    }

    /// The field beside a field if it is free.
    #[inline]
    pub(super) fn beside_free(&self, field: Field, direction: Direction) -> Option<Field> {
        self.beside(field, direction)
            .filter(|next| self.owners[next.index].is_free())
    }

    /// Makes room to list `more` further areas of `player`, who has a tally. If the list has become
    /// long, fields he lost and all but one of each area leave it.
    #[inline]
    pub(super) fn reserve_roots(
        &mut self,
        player: u32,
        more: usize,
    ) -> Result<(), TryReserveError> {
        if !self.keeps_roots {
            return Ok(());
        }
        let most = 2 * self.players.of_mut(player).areas as usize + 8;
        if self.players.of_mut(player).roots.len() >= most {
            let mut roots = std::mem::take(&mut self.players.of_mut(player).roots);
            let owner = O::of(player);
            roots.retain(|&index| self.owners[index] == owner);
            roots.sort_unstable_by_key(|&index| self.root(index));
            roots.dedup_by_key(|index| self.root(*index));
            self.players.of_mut(player).roots = roots;
        }
        self.players.of_mut(player).roots.try_reserve(more)
    }

    /// Lists a field of an area, for which room was made.
    #[inline]
    pub(super) fn list_root(&mut self, player: u32, index: usize) {
        if self.keeps_roots {
            self.players.of_mut(player).roots.push(index);
        }
    }
}

impl<O: Owner, L: Link> Clone for Grid<O, L> {
    fn clone(&self) -> Self {
        Grid {
            owners: self.owners.clone(),
            links: self.links.clone(),
            more_links: self.more_links.clone(),
            moved: self.moved.clone(),
            walks: self.walks.clone(),
            cuts: self.cuts.clone(),
            players: self.players.clone(),
            grounds: self.grounds.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.owners.clone_from(&source.owners);
        self.links.clone_from(&source.links);
        self.more_links.clone_from(&source.more_links);
        self.moved.clone_from(&source.moved);
        self.walks.clone_from(&source.walks);
        self.cuts.clone_from(&source.cuts);
        self.players.clone_from(&source.players);
        self.grounds.clone_from(&source.grounds);
        let Grid {
            width,
            height,
            limit,
            free,
            is_watched,
            keeps_roots,
            goldens,
            nodes,
            ..
        } = *source;
        self.width = width;
        self.height = height;
        self.limit = limit;
        self.free = free;
        self.is_watched = is_watched;
        self.keeps_roots = keeps_roots;
        self.goldens = goldens;
        self.nodes = nodes;
    }
}
