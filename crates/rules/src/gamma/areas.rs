//! Areas as sets of fields that hang together.
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

use std::collections::TryReserveError;

use super::grid::{Field, Grid, Link, Owner, first_spares};
use super::memory::Memory;

/// The field left its node to others that hang from it, and has a spare one.
const MOVED: u8 = 1 << 3;

/// No link says this.
const NO_LINK: u64 = u64::MAX;

/// A player's areas next to a field.
pub(super) enum Met {
    None,
    /// One, and the field has joined it.
    Joined,
    /// Perhaps some.
    Some,
}

/// The sides of a field on which one player has fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnSides {
    /// One bit for each.
    bits: u32,
    /// The indices there. Where the board ends, the field's own.
    beside: [usize; 4],
}

impl OwnSides {
    #[inline(always)]
    pub(super) fn are_none(&self) -> bool {
        self.bits == 0
    }
}

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    #[inline]
    pub(super) fn link(&self, node: usize) -> u64 {
        match self.links.get(node) {
            Some(link) => link.unpack(),
            None => self.more_links[node - self.links.len()].unpack(),
        }
    }

    #[inline]
    fn set_link(&mut self, node: usize, link: u64) {
        match self.links.get_mut(node) {
            Some(old) => *old = L::pack(link),
            None => {
                let first = self.links.len();
                self.more_links[node - first] = L::pack(link);
            }
        }
    }

    /// The node of a field.
    #[inline]
    pub(super) fn node(&self, index: usize) -> usize {
        if self.nodes == self.owners.len() || self.walk_mark(index) & MOVED == 0 {
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
        let room = self.links.len() + self.more_links.len();
        let missing = (self.nodes + more as usize).saturating_sub(room);
        if missing > 0 {
            let more = missing.max(self.nodes - fields);
            self.more_links.try_reserve_exact(more)?;
            let length = self.more_links.len() + more;
            self.more_links.resize(length, L::pack(0));
        }
        Ok(true)
    }

    /// Moves the field to a spare node, for which room was made, and gives its number.
    pub(super) fn move_to_spare(&mut self, index: usize) -> usize {
        let node = self.nodes;
        self.nodes += 1;
        self.moved.insert(index, node);
        self.set_walk_mark(index, self.walk_mark(index) | MOVED);
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

    /// Whether the area has been examined (see `cuts`) and not changed since.
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

    /// Takes a free field for `player` if it is not at the edge of the board and joins one area that
    /// has not been looked through. For large boards; on arrays borrowed once, so that the
    /// processor has few steps.
    #[inline(always)]
    pub(super) fn join_inner(&mut self, field: Field, player: u32) -> Met {
        let Field { index, x } = field;
        let (owner, width) = (O::of(player), self.width as usize);
        let (owners, up) = (&mut *self.owners, index + width);
        let is_inner = x.wrapping_sub(1) < self.width.wrapping_sub(2);
        if !is_inner || index < width || up >= owners.len() || self.nodes != owners.len() {
            return Met::Some;
        }
        let links = &mut self.links[..owners.len()];
        let beside = [index - width, index - 1, index + 1, up];
        let mut link = NO_LINK;
        for next in beside {
            if owners[next] == owner {
                let other = links[next].unpack();
                if link != NO_LINK && link != other {
                    return Met::Some;
                }
                link = other;
            }
        }
        if link == NO_LINK {
            return Met::None;
        }
        // The link of a root leads nowhere.
        let Some(root) = links.get_mut((link & L::VALUE) as usize) else {
            return Met::Some;
        };
        let size = root.unpack();
        if link & L::ROOT != 0 || size & (L::ROOT | L::FLAG) != L::ROOT {
            return Met::Some;
        }
        *root = L::pack(size + 1);
        links[index] = L::pack(link & L::VALUE);
        for next in beside {
            if owners[next] == O::NOBODY {
                owners[next] = O::BESIDE;
            }
        }
        owners[index] = owner;
        Met::Joined
    }

    /// Marks the free fields on the sides of a field that is about to be taken, and perhaps this one.
    #[inline(always)]
    pub(super) fn mark_sides(&mut self, sides: &OwnSides) {
        if L::IS_SMALL {
            return; // most fields would be marked soon
        }
        for next in sides.beside {
            let holder = self.owners[next];
            self.owners[next] = match holder == O::NOBODY {
                true => O::BESIDE,
                false => holder,
            };
        }
    }

    /// The sides of a field, which is not `owner`'s, on which `owner` has fields. Without
    /// branches; see [`Link::IS_SMALL`].
    #[inline(always)]
    pub(super) fn own_sides(&self, field: Field, owner: O) -> OwnSides {
        let Field { index, x } = field;
        let width = self.width as usize;
        let up = index + width;
        let beside = [
            if index >= width { index - width } else { index },
            index - usize::from(x > 0),
            index + usize::from(x + 1 < self.width),
            if up < self.owners.len() { up } else { index },
        ];
        let mut bits = 0;
        for (side, &next) in beside.iter().enumerate() {
            bits |= u32::from(self.owners[next] == owner) << side;
        }
        OwnSides { bits, beside }
    }

    /// Joins a field to its owner's areas on these sides and makes them one; gives how many there
    /// were, and does nothing if there were none. `node` is the field's, and nothing hangs from it.
    #[inline]
    pub(super) fn join(&mut self, field: Field, node: usize, owner: O, own: &OwnSides) -> u32 {
        let has_moved = self.nodes != self.owners.len();
        let mut root = usize::MAX;
        // The link of a field already joined, to pass its siblings fast.
        let mut seen = u64::MAX;
        let mut count = 0;
        let mut sides = own.bits;
        while sides != 0 {
            let mut other = own.beside[sides.trailing_zeros() as usize & 3];
            sides &= sides - 1;
            if has_moved {
                other = self.node(other);
            }
            let link = self.link(other);
            if link == seen {
                continue;
            }
            if link & L::ROOT == 0 {
                seen = link;
                other = self.find((link & L::VALUE) as usize);
            }
            if other != root {
                count += 1;
                root = match count {
                    1 => other,
                    _ => self.unite(root, other),
                };
            }
        }
        if count > 0 {
            self.set_link(node, root as u64);
            let link = self.link(root);
            if link & L::FLAG == 0 {
                self.set_link(root, link + 1);
            } else {
                self.grow_examined(field, owner, root);
            }
        }
        count
    }

    #[cold]
    fn unite(&mut self, a: usize, b: usize) -> usize {
        let (sizes, sizeb) = (self.area_size(a), self.area_size(b));
        let (large, small) = if sizes >= sizeb { (a, b) } else { (b, a) };
        self.hang_founder(small, large);
        self.crown(large, sizes + sizeb);
        large
    }
}
