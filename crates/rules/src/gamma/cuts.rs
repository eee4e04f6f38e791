//! Into how many pieces does an area fall when it loses a field?
//!
//! The answer is read off the area's *contours*: walks along its edge with the left hand on
//! whatever is not the area. Each hole has one contour, and the outside has one. Around a field
//! the area's other fields form up to four groups with gaps between them, and every gap belongs
//! to one contour. Two gaps of one contour mean that the foreign ground in the one reaches
//! around to the other, so taking the field away cuts the area between them:
//!
//! ```text
//! pieces = 1 + gaps - contours through the field
//! ```
//!
//! For one field we follow the contours from all its gaps at once, a step each in turn, until
//! the answer is known ([`Grid::splits_into_at_most`]): that takes about as long as the shortest of them, no
//! memory, and changes nothing. For a whole area we follow every contour once and count for each
//! field how often it comes by ([`Grid::examine`]); the counts are good until the area changes.

use std::ops::ControlFlow;

use bytemuck::allocation::try_zeroed_slice_box;

use super::grid::{Direction, Field, Grid, Link, Owner};
use super::memory::Memory;

/// The contour under way has come by here.
const SEEN: u8 = 1;
/// How often a contour passed again: pieces less one.
const EXTRA_SHIFT: u32 = 1;
const EXTRA: u8 = 3 << EXTRA_SHIFT;
/// The directions in which a contour has left this field.
const LEFT_SHIFT: u32 = 3;
const LEFT: u8 = 15 << LEFT_SHIFT;

/// The eight fields around one: which of them belong to its owner.
pub(super) struct Ring {
    sides: [bool; 4],
    /// The corner between a direction and the next one to its left.
    corners: [bool; 4],
}

impl Ring {
    /// Whether the field on this side is the owner's.
    pub(super) fn has_side(&self, direction: Direction) -> bool {
        self.sides[direction.0 as usize]
    }
}

/// Where a contour leaves a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Exit {
    from: Field,
    to: Field,
    direction: Direction,
}

/// The pieces an area falls into without a field, as far as contours have shown.
///
/// While contours are followed, two sides are known to be in one piece, or not known to be. Once
/// all is settled, sides that are not in one piece are in different ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contours<O> {
    field: Field,
    owner: O,
    /// For each side of the field, the sides known to be in its piece, as bits; 0 if the area has
    /// no field on that side.
    groups: [u8; 4],
    walkers: [Option<Exit>; 4],
    /// Contours under way.
    gaps: usize,
}

impl<O> Contours<O> {
    /// Whether the pieces are known.
    pub(super) fn is_settled(&self) -> bool {
        self.gaps <= 1
    }

    /// The pieces, each by its sides; the sides of one may be in several of them until all is
    /// settled.
    pub(super) fn pieces(&self) -> impl Iterator<Item = PieceSides> + use<O> {
        let groups = self.groups;
        (0..4).filter_map(move |side| {
            let sides = groups[side];
            (sides.trailing_zeros() as usize == side).then_some(PieceSides(sides))
        })
    }

    /// Whether two sides are known to be in one piece.
    pub(super) fn are_one(&self, a: PieceSides, b: PieceSides) -> bool {
        self.groups[a.first().0 as usize] & b.first().bit() != 0
    }

    /// All pieces have turned out to be one.
    pub(super) fn join_all(&mut self) {
        let sides = self.groups.iter().fold(0, |all, sides| all | sides);
        for group in self.groups.iter_mut().filter(|group| **group != 0) {
            *group = sides;
        }
        self.gaps = 0;
    }

    /// Two pieces have turned out to be one.
    pub(super) fn join(&mut self, a: PieceSides, b: PieceSides) {
        join_groups(&mut self.groups, a.first(), b.first());
        if self.pieces().count() == 1 {
            self.gaps = 0;
        }
    }
}

/// Where a piece touches the field that was taken from between the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceSides(u8);

impl PieceSides {
    /// One of the sides.
    pub(super) fn first(self) -> Direction {
        Direction(self.0.trailing_zeros() as u8)
    }

    /// The sides of both.
    pub(super) fn and(self, other: PieceSides) -> PieceSides {
        PieceSides(self.0 | other.0)
    }

    /// Whether the piece is the only one.
    pub(super) fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }
}

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    /// The contours that find the pieces of the field's area without it. None has been followed
    /// yet, but sides joined by a corner are known to be in one piece.
    pub(super) fn contours(&self, field: Field, owner: O) -> Contours<O> {
        let ring = self.ring(field, owner);
        let mut groups = [0; 4];
        let mut walkers = [None; 4];
        let mut gaps = 0;
        for d in Direction::ALL {
            if !ring.sides[d.0 as usize] {
                continue;
            }
            groups[d.0 as usize] |= d.bit();
            if is_exit(&ring, d) {
                walkers[d.0 as usize] = self.beside(field, d).map(|to| Exit {
                    from: field,
                    to,
                    direction: d,
                });
                gaps += 1;
            } else {
                // The side to the left is joined to this one across a corner.
                join_groups(&mut groups, d, d.left());
            }
        }
        Contours {
            field,
            owner,
            groups,
            walkers,
            gaps,
        }
    }

    /// Follows each unfinished contour for `steps` steps, or until all is settled.
    ///
    /// Around each piece a contour leads from its side of the field back to it. All is settled
    /// after O(all of these but the longest) steps, and so after at most O(fields of all pieces but
    /// the largest) if there are several.
    pub(super) fn follow_contours(&mut self, contours: &mut Contours<O>, steps: u32) {
        // Contours are those of the area with the field, which may have another owner already.
        let index = contours.field.index;
        let owner = std::mem::replace(&mut self.owners[index], contours.owner);
        self.follow_within(contours, steps);
        self.owners[index] = owner;
    }

    fn follow_within(&self, contours: &mut Contours<O>, steps: u32) {
        for _ in 0..steps {
            for d in Direction::ALL {
                if contours.gaps <= 1 {
                    return;
                }
                let Some(exit) = contours.walkers[d.0 as usize] else {
                    continue;
                };
                if exit.to != contours.field {
                    let next = self.next_exit(exit, contours.owner);
                    contours.walkers[d.0 as usize] = Some(next);
                    continue;
                }
                contours.walkers[d.0 as usize] = None;
                join_groups(&mut contours.groups, d, exit.direction.back());
                contours.gaps -= 1;
            }
        }
    }

    /// A field joins an area that has been looked through. What was found still holds if it
    /// touches the area at one field: that one cuts it off now.
    #[cold]
    pub(super) fn grow_examined(&mut self, field: Field, owner: O, root: usize) {
        let size = self.area_size(root);
        let mut beside = self.around(field).into_iter();
        let only = beside.find(|&next| self.owner(next) == owner);
        let only = only.filter(|_| beside.all(|next| self.owner(next) != owner));
        if let Some(next) = only {
            self.cuts[field.index] &= !EXTRA;
            if size > 1 {
                self.cuts[next] += 1 << EXTRA_SHIFT;
            }
        }
        self.resize(root, size + 1, only.is_some());
    }

    /// An area that has been looked through has lost a field, which touched it at `side` alone,
    /// and whatever was behind that field: it is no longer cut off there.
    pub(super) fn shrink_examined(&mut self, side: Field) {
        let owner = self.owners[side.index];
        let is_alone = Direction::ALL
            .into_iter()
            .all(|d| self.beside_of(side, d, owner).is_none());
        if !is_alone {
            self.cuts[side.index] -= 1 << EXTRA_SHIFT;
        }
    }

    pub(super) fn ring(&self, field: Field, owner: O) -> Ring {
        let mut ring = Ring {
            sides: [false; 4],
            corners: [false; 4],
        };
        for d in Direction::ALL {
            let Some(side) = self.beside(field, d) else {
                continue;
            };
            ring.sides[d.0 as usize] = self.owners[side.index] == owner;
            ring.corners[d.0 as usize] = self.beside_of(side, d.left(), owner).is_some();
        }
        ring
    }

    /// The most pieces the field's area can fall into without it, by a look at its neighbours;
    /// and exactly that many if it is at most one. O(1).
    pub(super) fn most_pieces(&self, field: Field, owner: O) -> u32 {
        let ring = self.ring(field, owner);
        let sides = ring.sides.iter().filter(|&&s| s).count() as u32;
        match exits(&ring) {
            0 => sides.min(1),
            gaps => gaps,
        }
    }

    /// Whether the field's area falls into at most `most` pieces without it, and the steps that
    /// took; `None` if more than `patience` steps are needed. O(the shortest way around from the
    /// field back to it, along the edge of its area), at most O(fields of the area); O(1) if the
    /// area has been examined, or is known to have no hole; O(columns / 64) if the grounds around it
    /// are known.
    pub(super) fn splits_into_at_most(
        &self,
        field: Field,
        owner: O,
        most: u32,
        patience: u64,
    ) -> (Option<bool>, u64) {
        let gaps = self.most_pieces(field, owner);
        if gaps <= most {
            return (Some(true), 0);
        }
        if gaps <= 1 || self.is_known_solid(owner) {
            return (Some(false), 0);
        }
        if self.is_examined(self.root(field.index)) {
            return (Some(self.examined_pieces(field.index) <= most), 0);
        }
        if let Some(pieces) = self.surveyed_pieces(field, owner, gaps) {
            return (Some(pieces <= most), 0);
        }
        self.follow(field, owner, gaps, (most, patience))
    }

    /// Follows the contours from every gap of the field in turn until the answer is known.
    fn follow(
        &self,
        field: Field,
        owner: O,
        gaps: u32,
        (most, patience): (u32, u64),
    ) -> (Option<bool>, u64) {
        let ring = self.ring(field, owner);
        let first = Direction::ALL.into_iter().filter(|&d| is_exit(&ring, d));
        let mut walkers = [None; 4];
        let mut home = [Direction(0); 4];
        for (i, direction) in first.enumerate() {
            let to = self.beside(field, direction).unwrap_or(field);
            walkers[i] = Some(Exit {
                from: field,
                to,
                direction,
            });
            home[i] = direction;
        }
        let gaps = gaps as usize;
        // Where the contour that leaves by one gap comes back: the exit it would take next.
        let mut back = [usize::MAX; 4];
        let mut steps = 0;
        while steps <= patience {
            for i in 0..gaps {
                let Some(exit) = walkers[i] else { continue };
                steps += 1;
                let next = self.next_exit(exit, owner);
                if next.from != field {
                    walkers[i] = Some(next);
                    continue;
                }
                walkers[i] = None;
                back[i] = home.iter().position(|&d| d == next.direction).unwrap_or(i);
                let (closed, open) = cycles(&back[..gaps]);
                // The open ends join into one contour at least, and into one each at most.
                let fewest_pieces = 1 + gaps - closed - open;
                let most_pieces = 1 + gaps - closed - open.min(1);
                if most_pieces <= most as usize {
                    return (Some(true), steps);
                }
                if fewest_pieces > most as usize {
                    return (Some(false), steps);
                }
            }
        }
        (None, steps)
    }

    /// The exit a contour takes after this one: the first to its left.
    #[inline]
    fn next_exit(&self, exit: Exit, owner: O) -> Exit {
        let d = exit.direction;
        let Field { index, x } = exit.to;
        let width = self.width as usize;
        if x > 0 && x + 1 < self.width && index >= width {
            // Nothing but the end of the board can be in the way.
            let offsets = [1, width, usize::MAX, width.wrapping_neg()];
            for direction in [d.left(), d, d.right()] {
                let next = index.wrapping_add(offsets[direction.0 as usize]);
                if self.owner(next) == owner {
                    let right = u32::from(direction.0 == 0);
                    let left = u32::from(direction.0 == 2);
                    let to = Field {
                        index: next,
                        x: x + right - left,
                    };
                    return Exit {
                        from: exit.to,
                        to,
                        direction,
                    };
                }
            }
            return Exit {
                from: exit.to,
                to: exit.from,
                direction: d.back(),
            };
        }
        for direction in [d.left(), d, d.right()] {
            if let Some(to) = self.beside_of(exit.to, direction, owner) {
                return Exit {
                    from: exit.to,
                    to,
                    direction,
                };
            }
        }
        Exit {
            from: exit.to,
            to: exit.from,
            direction: d.back(),
        }
    }

    /// Counts for every field of the area at `field` how many pieces would be left without it.
    /// The counts hold until the area changes. O(fields of the area). The first time this takes a
    /// byte for each field of the board that is touched; does nothing if there is not enough memory.
    pub(super) fn examine(&mut self, field: Field) {
        if self.cuts.is_empty() {
            match try_zeroed_slice_box(self.owners.len()) {
                Ok(cuts) => self.cuts = cuts,
                Err(()) => return,
            }
        }
        let owner = self.owners[field.index];
        let root = self.root(field.index);
        if self.area_size(root).saturating_mul(8) >= self.owners.len() as u64 {
            // Most of what a walk would visit: in the order of memory that takes less time.
            self.each_of_area(root, owner, |grid, here| {
                grid.cuts[here.index] &= !(SEEN | EXTRA | LEFT);
            });
            self.each_of_area(root, owner, |grid, here| grid.follow_all(here, owner));
        } else {
            let flow = self.mark(field, |grid, here| {
                grid.cuts[here.index] &= !(SEEN | EXTRA | LEFT);
                ControlFlow::<()>::Continue(())
            });
            debug_assert!(flow.is_continue());
            self.unmark(field, |grid, here| grid.follow_all(here, owner));
        }
        self.set_examined(root);
    }

    /// Calls `visit` with every field of an area, by a look at every field of the board.
    fn each_of_area(&mut self, root: usize, owner: O, mut visit: impl FnMut(&mut Self, Field)) {
        let width = self.width as usize;
        for row in (0..self.owners.len()).step_by(width) {
            for x in 0..width {
                let index = row + x;
                if self.owners[index] == owner && self.root(index) == root {
                    visit(self, Field { index, x: x as u32 });
                }
            }
        }
    }

    /// Follows every contour that leaves this field and has not been followed.
    fn follow_all(&mut self, field: Field, owner: O) {
        let ring = self.ring(field, owner);
        for direction in Direction::ALL {
            let left = direction.bit() << LEFT_SHIFT;
            if !is_exit(&ring, direction) || self.cuts[field.index] & left != 0 {
                continue;
            }
            let to = self.beside(field, direction).unwrap_or(field);
            let first = Exit {
                from: field,
                to,
                direction,
            };
            let mut exit = first;
            loop {
                let mark = &mut self.cuts[exit.from.index];
                *mark |= exit.direction.bit() << LEFT_SHIFT;
                if *mark & SEEN != 0 {
                    *mark += 1 << EXTRA_SHIFT;
                }
                *mark |= SEEN;
                exit = self.next_exit(exit, owner);
                if exit == first {
                    break;
                }
            }
            loop {
                self.cuts[exit.from.index] &= !SEEN;
                exit = self.next_exit(exit, owner);
                if exit == first {
                    break;
                }
            }
        }
    }

    /// The pieces left without a field whose area has been examined and has other fields.
    fn examined_pieces(&self, index: usize) -> u32 {
        1 + u32::from((self.cuts[index] & EXTRA) >> EXTRA_SHIFT)
    }
}

/// Whether a contour leaves in this direction: the area continues there, and something on the left
/// of the way is not the area.
pub(super) fn is_exit(ring: &Ring, direction: Direction) -> bool {
    let (ahead, left) = (direction.0 as usize, direction.left().0 as usize);
    ring.sides[ahead] && !(ring.sides[left] && ring.corners[ahead])
}

/// Two sides belong to one piece: all sides of theirs have them all.
fn join_groups(groups: &mut [u8; 4], a: Direction, b: Direction) {
    let both = groups[a.0 as usize] | groups[b.0 as usize] | a.bit() | b.bit();
    for d in Direction::ALL {
        if both & d.bit() != 0 {
            groups[d.0 as usize] = both;
        }
    }
}

fn exits(ring: &Ring) -> u32 {
    Direction::ALL
        .into_iter()
        .filter(|&d| is_exit(ring, d))
        .count() as u32
}

/// Of a permutation of which some images are known: its closed cycles, and its open chains.
fn cycles(images: &[usize]) -> (usize, usize) {
    let open = images
        .iter()
        .filter(|&&image| image >= images.len())
        .count();
    let mut closed = 0;
    for start in 0..images.len() {
        let mut at = images[start];
        let mut least = start;
        while at < images.len() && at != start {
            least = least.min(at);
            at = images[at];
        }
        // Each cycle is counted at its least member.
        closed += usize::from(at == start && least == start);
    }
    (closed, open)
}

#[cfg(test)]
mod tests {
    use super::cycles;

    #[test]
    fn cycles_and_chains_are_told_apart() {
        const OPEN: usize = usize::MAX;
        assert_eq!(cycles(&[1, 0]), (1, 0));
        assert_eq!(cycles(&[0, 1]), (2, 0));
        assert_eq!(cycles(&[0, OPEN]), (1, 1));
        assert_eq!(cycles(&[1, OPEN, OPEN]), (0, 2));
        assert_eq!(cycles(&[2, OPEN, 0, OPEN]), (1, 2));
        assert_eq!(cycles(&[3, 2, 1, 0]), (2, 0));
    }
}
