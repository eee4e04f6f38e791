//! The fields of a board and the areas they form.
//!
//! Areas are kept by union-find with union by size and path halving. The links live in one flat
//! array, a word a field, and only fields that *founded* an area (were taken with none of the
//! player's fields beside them, or lead a piece that was split off) ever have other fields hanging
//! from them. So a field that founded nothing can leave its area, or be hung under another root,
//! without a look at the rest.
//!
//! A field that founded an area and leaves it leaves its *node* behind, the word from which others
//! hang, and *moves* to a spare node. So an area may have its root at a field that is no longer in
//! it. A node's number is its field's index, or the number of fields plus its place among the
//! spare ones.

use std::collections::{HashMap, TryReserveError};
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, DefaultHasher};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;

use super::Refusal;
use super::players::Tallies;
use crate::Player;

/// How a field stores its owner's number, from 1; 0 means that nobody owns it.
pub(super) trait Owner: Copy + Eq + Debug + Zeroable + Send + Sync {
    const NOBODY: Self;
    fn of(player: u32) -> Self;
    fn number(self) -> u32;
}

/// How a field stores its link: a root's flag and size, or the way to one.
pub(super) trait Link: Copy + Eq + Debug + Zeroable + Send + Sync {
    /// The most fields a board with these links may have.
    const MOST_FIELDS: u64;
    fn pack(bits: u64) -> Self;
    fn unpack(self) -> u64;
    /// The bit that marks a root.
    const ROOT: u64;
    /// On a root: its area has been looked through and not changed since.
    /// On other fields: it founded an area, so others may hang from it.
    const FLAG: u64;
    /// The size of a root's area, or the index of the field a link points at.
    const VALUE: u64 = Self::FLAG - 1;
}

macro_rules! owner {
    ($($width:ty),*) => {$(
        impl Owner for $width {
            const NOBODY: Self = 0;
            #[inline]
            fn of(player: u32) -> Self {
                player as $width
            }
            #[inline]
            fn number(self) -> u32 {
                u32::from(self)
            }
        }
    )*};
}
owner!(u8, u16, u32);

macro_rules! link {
    ($($width:ty),*) => {$(
        impl Link for $width {
            const MOST_FIELDS: u64 = 1 << (<$width>::BITS - 2);
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
link!(u32, u64);

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
    pub(super) const fn bit(self) -> u16 {
        1 << self.0
    }
}

/// A field by its index, with the column that tells whether it has a left and a right neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) index: usize,
    pub(super) x: u32,
}

/// The field left its node to others that hang from it, and has a spare one.
const MOVED: u16 = 1 << 10;

/// How many spare nodes a board of so many fields has room for from the start.
const fn first_spares(fields: usize) -> usize {
    fields / 128 + 4
}

/// Boards of up to so many fields are small: see [`Grid::own_sides`].
const SMALL: usize = 1024;

/// What [`Grid::join`] has joined so far.
struct Joined {
    root: usize,
    /// The link of a field already joined, to pass its siblings fast.
    seen: u64,
    count: u32,
}

/// The fields, who owns them, and the areas.
///
/// `owners`, `links` and `marks` take 1 + 4 + 2 bytes a field for up to 255 players; they come
/// zeroed from the system, so that a field costs nothing until it is touched. Lists of areas and
/// spare nodes together stay below one byte a field, plus some 200 bytes a golden move.
#[derive(Debug)]
pub(super) struct Grid<O, L> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) limit: u32,
    pub(super) owners: Box<[O]>,
    /// A link for each node: those of the fields, those of the fields that moved, and room for
    /// more of these.
    pub(super) links: Vec<L>,
    /// How many of the links are nodes.
    nodes: usize,
    /// The nodes of the fields that moved; they have `MOVED` among their marks.
    moved: HashMap<usize, usize, BuildHasherDefault<DefaultHasher>>,
    /// Golden moves made so far.
    pub(super) goldens: u64,
    /// Scratch for traversals and what the last look through an area found; see `cuts`.
    pub(super) marks: Box<[u16]>,
    pub(super) players: Tallies,
    pub(super) free: u64,
    /// Moves made so far, golden ones included.
    pub(super) version: u64,
    /// Whether any player's `border` is kept up.
    pub(super) tracks_borders: bool,
    /// Whether a field of each area is listed with its player. They are when all lists together can't exceed a
    /// sixty-fourth of the fields, so that memory stays within its bound; otherwise a player's
    /// fields are found by a scan, which is then never far above the fields he holds when the
    /// question arises (at his limit).
    pub(super) keeps_roots: bool,
}

impl<O: Owner, L: Link> Grid<O, L> {
    /// An empty grid; `None` if memory cannot be had.
    pub(super) fn new(width: u32, height: u32, players: u32, limit: u32) -> Option<Self> {
        let fields = u64::from(width) * u64::from(height);
        let length = usize::try_from(fields).ok()?;
        let lists = u128::from(limit) * u128::from(players);
        Some(Grid {
            width,
            height,
            limit,
            owners: try_zeroed_slice_box(length).ok()?,
            links: try_zeroed_slice_box(length.checked_add(first_spares(length))?)
                .ok()?
                .into_vec(),
            nodes: length,
            moved: HashMap::default(),
            goldens: 0,
            marks: try_zeroed_slice_box(length).ok()?,
            players: Tallies::new(players)?,
            free: fields,
            version: 0,
            tracks_borders: false,
            keeps_roots: lists <= u128::from(fields) / 64,
        })
    }

    /// The field at these coordinates, if there is one, for a player, if there is such a one.
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

    /// The field beside a field, if the board goes on there.
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

    /// Who owns the field at an index; nobody off the board.
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

    #[inline]
    pub(super) fn link(&self, node: usize) -> u64 {
        self.links[node].unpack()
    }

    #[inline]
    fn set_link(&mut self, node: usize, link: u64) {
        self.links[node] = L::pack(link);
    }

    /// The node of a field.
    #[inline]
    pub(super) fn node(&self, index: usize) -> usize {
        if self.nodes == self.owners.len() || self.marks[index] & MOVED == 0 {
            index
        } else {
            self.moved[&index]
        }
    }

    /// Makes room for `more` spare nodes; `Ok(false)` if that would take more memory than they
    /// may have.
    pub(super) fn reserve_spares(&mut self, more: u64) -> Result<bool, TryReserveError> {
        let fields = self.owners.len();
        let spares = (self.nodes - fields) as u64 + more;
        let most = first_spares(fields) as u64 + 4 * self.goldens;
        if spares > most || fields as u64 + spares > L::VALUE {
            return Ok(false);
        }
        self.moved.try_reserve(more as usize)?;
        let missing = (self.nodes + more as usize).saturating_sub(self.links.len());
        if missing > 0 {
            let more = missing.max(self.nodes - fields);
            self.links.try_reserve_exact(more)?;
            self.links.resize(self.links.len() + more, L::pack(0));
        }
        Ok(true)
    }

    /// Moves the field to a spare node, for which room was made, and gives its number.
    pub(super) fn move_to_spare(&mut self, index: usize) -> usize {
        let node = self.nodes;
        self.nodes += 1;
        self.moved.insert(index, node);
        self.marks[index] |= MOVED;
        node
    }

    /// The root of a taken field's area. O(log n).
    pub(super) fn root(&self, index: usize) -> usize {
        let mut index = self.node(index);
        loop {
            let link = self.link(index);
            if link & L::ROOT != 0 {
                return index;
            }
            index = (link & L::VALUE) as usize;
        }
    }

    /// The same, and halves the way for the next time. Amortised nearly O(1).
    #[inline]
    fn find(&mut self, mut index: usize) -> usize {
        let mut link = self.link(index);
        while link & L::ROOT == 0 {
            let parent = (link & L::VALUE) as usize;
            let above = self.link(parent);
            if above & L::ROOT != 0 {
                return parent;
            }
            self.set_link(index, (link & L::FLAG) | (above & L::VALUE));
            index = (above & L::VALUE) as usize;
            link = self.link(index);
        }
        index
    }

    pub(super) fn area_size(&self, root: usize) -> u64 {
        self.link(root) & L::VALUE
    }

    /// Whether the area has been looked through (see `cuts`) and not changed since.
    pub(super) fn is_examined(&self, root: usize) -> bool {
        self.link(root) & L::FLAG != 0
    }

    /// Changes the size of an area, and says whether what was found in it still holds.
    pub(super) fn resize(&mut self, root: usize, size: u64, is_examined: bool) {
        let flag = if is_examined { L::FLAG } else { 0 };
        self.set_link(root, L::ROOT | flag | size);
    }

    pub(super) fn set_examined(&mut self, root: usize) {
        self.set_link(root, self.link(root) | L::FLAG);
    }

    /// Whether other nodes may hang from this one.
    pub(super) fn is_founder(&self, node: usize) -> bool {
        self.link(node) & (L::ROOT | L::FLAG) != 0
    }

    /// Makes a field's node an area of its own.
    #[inline]
    pub(super) fn found(&mut self, node: usize) {
        self.set_link(node, L::ROOT | 1);
    }

    /// Hangs a node that nothing hangs from under a root without counting it there.
    pub(super) fn hang(&mut self, node: usize, root: usize) {
        self.set_link(node, root as u64);
    }

    /// Hangs a node from which others hang under a root without counting any of them there.
    pub(super) fn hang_founder(&mut self, node: usize, root: usize) {
        self.set_link(node, L::FLAG | root as u64);
    }

    /// Makes a node the root of an area of this size, not looked through.
    pub(super) fn crown(&mut self, node: usize, size: u64) {
        self.set_link(node, L::ROOT | size);
    }

    /// Joins a field to its owner's areas beside it and makes them one; gives how many there
    /// were, and does nothing if there were none. `node` is the field's, and nothing hangs from it.
    #[inline]
    pub(super) fn join(&mut self, field: Field, node: usize, owner: O) -> u32 {
        let mut joined = Joined {
            root: usize::MAX,
            seen: u64::MAX,
            count: 0,
        };
        if self.owners.len() <= SMALL {
            self.join_small(field, owner, &mut joined);
        } else {
            let [right, up, left, down] = self.around(field);
            // Fields taken row by row find their area below or to the left.
            self.join_if_own(down, owner, &mut joined);
            self.join_if_own(left, owner, &mut joined);
            self.join_if_own(right, owner, &mut joined);
            self.join_if_own(up, owner, &mut joined);
        }
        if joined.count > 0 {
            self.set_link(node, joined.root as u64);
            let link = self.link(joined.root);
            if link & L::FLAG != 0 {
                self.grow_examined(field, owner, joined.root);
            } else {
                self.set_link(joined.root, link + 1);
            }
        }
        joined.count
    }

    /// The areas beside a field of a small board.
    #[inline(never)]
    fn join_small(&mut self, field: Field, owner: O, joined: &mut Joined) {
        let (mut sides, beside) = self.own_sides(field, owner);
        while sides != 0 {
            let next = beside[sides.trailing_zeros() as usize];
            sides &= sides - 1;
            self.join_one(next, joined);
        }
    }

    #[inline(always)]
    fn join_if_own(&mut self, next: usize, owner: O, joined: &mut Joined) {
        if self.owner(next) == owner {
            self.join_one(next, joined);
        }
    }

    /// The sides of a field on which `owner` has fields, as bits, and the indices there. Without
    /// branches: on a small board the processor foresees none of them, as edges and fields of all
    /// players are everywhere. On large ones it does, and goes on while memory is awaited.
    #[inline(always)]
    fn own_sides(&self, field: Field, owner: O) -> (u32, [usize; 4]) {
        let Field { index, x } = field;
        let width = self.width as usize;
        let is_board = [
            x + 1 < self.width,
            index + width < self.owners.len(),
            x > 0,
            index >= width,
        ];
        let beside = [
            index + usize::from(is_board[0]),
            if is_board[1] { index + width } else { index },
            index - usize::from(is_board[2]),
            if is_board[3] { index - width } else { index },
        ];
        let mut sides = 0;
        for (side, &next) in beside.iter().enumerate() {
            let is_own = is_board[side] & (self.owners[next] == owner);
            sides |= u32::from(is_own) << side;
        }
        (sides, beside)
    }

    #[inline(always)]
    fn join_one(&mut self, next: usize, joined: &mut Joined) {
        let mut other = self.node(next);
        let link = self.link(other);
        if link == joined.seen {
            return;
        }
        if link & L::ROOT == 0 {
            joined.seen = link;
            other = self.find((link & L::VALUE) as usize);
        }
        if other != joined.root {
            joined.count += 1;
            joined.root = if joined.count == 1 {
                other
            } else {
                self.unite(joined.root, other)
            };
        }
    }

    #[cold]
    fn unite(&mut self, a: usize, b: usize) -> usize {
        let (sizes, sizeb) = (self.area_size(a), self.area_size(b));
        let (large, small) = if sizes >= sizeb { (a, b) } else { (b, a) };
        self.hang_founder(small, large);
        self.crown(large, sizes + sizeb);
        large
    }

    /// Makes room to list so many more areas of `player`, who has a tally. Fields he lost and all
    /// but one of each area leave the list when it has become long.
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
            moved: self.moved.clone(),
            marks: self.marks.clone(),
            players: self.players.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.owners.clone_from(&source.owners);
        self.links.clone_from(&source.links);
        self.moved.clone_from(&source.moved);
        self.marks.clone_from(&source.marks);
        self.players.clone_from(&source.players);
        let Grid {
            width,
            height,
            limit,
            free,
            version,
            tracks_borders,
            keeps_roots,
            goldens,
            nodes,
            ..
        } = *source;
        self.width = width;
        self.height = height;
        self.limit = limit;
        self.free = free;
        self.version = version;
        self.tracks_borders = tracks_borders;
        self.keeps_roots = keeps_roots;
        self.goldens = goldens;
        self.nodes = nodes;
    }
}
