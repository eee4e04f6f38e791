//! Cutting a field out of its area, and making areas of the pieces.
//!
//! Contours tell which sides of the field are in which piece (see `cuts`). From each piece a walk
//! sets out, a step each in turn, until all but one have ended. Those that ended have been through
//! all pieces but the largest: their fields go to new roots. The largest piece keeps the root of
//! the area, so that its fields need not be looked at.

use super::Refusal;
use super::cuts::Pieces;
use super::grid::{Field, Grid, Link, Owner};
use super::walk::{Step, Walk};

/// A piece as far as its walk has been through it.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// A field of it beside the field that was cut out.
    start: Field,
    /// Whether that is the only one.
    is_single: bool,
    walk: Option<Walk>,
    size: u64,
    /// Fields among them from which others may hang.
    founders: u64,
    is_whole: bool,
}

impl<O: Owner, L: Link> Grid<O, L> {
    /// Gives the field to `owner`, makes each piece of what was its area an area of the loser, and
    /// gives the node that the field has from now on. Changes nothing if memory cannot be had.
    pub(super) fn cut_out(&mut self, field: Field, owner: O) -> Result<usize, Refusal> {
        let loser = self.owners[field.index];
        let root = self.root(field.index);
        let (size, was_examined) = (self.area_size(root), self.is_examined(root));
        let found = self.pieces(field, loser);
        self.owners[field.index] = owner;
        let mut pieces = self.walk_all_but_one(field, &found);
        let pieces = &mut pieces[..found.count()];

        let keeps_node = size == 1 || !self.is_founder(self.node(field.index));
        let founders: u64 = pieces
            .iter()
            .filter(|p| p.is_whole)
            .map(|p| p.founders)
            .sum();
        let is_parted = match self.reserve_spares(founders + u64::from(!keeps_node)) {
            Ok(is_room) => is_room,
            Err(error) => {
                self.unmark_pieces(pieces);
                self.owners[field.index] = loser;
                return Err(error.into());
            }
        };
        if is_parted {
            self.part(pieces, root, size - 1, was_examined);
        } else {
            self.unmark_pieces(pieces);
            self.rebuild(pieces);
        }
        let number = loser.number();
        for piece in pieces.iter() {
            self.list_root(number, piece.start.index);
        }
        let tally = self.players.of_mut(number);
        tally.areas = tally.areas - 1 + pieces.len() as u32;
        // After a rebuilding nothing hangs from it any more.
        Ok(if keeps_node || !is_parted {
            self.node(field.index)
        } else {
            self.move_to_spare(field.index)
        })
    }

    /// Walks through the pieces in turn until all but one have been visited, and marked, whole.
    fn walk_all_but_one(&mut self, field: Field, found: &Pieces) -> [Piece; 4] {
        let mut pieces = [Piece {
            start: field,
            is_single: false,
            walk: None,
            size: 0,
            founders: 0,
            is_whole: false,
        }; 4];
        let mut under_way = 0;
        for sides in found.iter() {
            let start = self.beside(field, sides.first()).unwrap_or(field);
            let is_alone = found.count() == 1;
            pieces[under_way] = Piece {
                start,
                is_single: sides.is_single(),
                walk: (!is_alone).then(|| self.begin_walk(start)),
                size: 1,
                founders: u64::from(self.is_founder(self.node(start.index))),
                is_whole: false,
            };
            under_way += 1;
        }
        while under_way > 1 {
            for piece in &mut pieces[..found.count()] {
                let Some(walk) = piece.walk.as_mut().filter(|_| !piece.is_whole) else {
                    continue;
                };
                match self.step(walk) {
                    Step::Entered(next) => {
                        piece.size += 1;
                        piece.founders += u64::from(self.is_founder(self.node(next.index)));
                    }
                    Step::Returned => {}
                    Step::Ended => {
                        piece.is_whole = true;
                        under_way -= 1;
                    }
                }
                if under_way == 1 {
                    break;
                }
            }
        }
        pieces
    }

    fn unmark_pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces.iter().filter(|piece| piece.walk.is_some()) {
            self.unmark(piece.start, |_, _| ());
        }
    }

    /// Gives each piece that was visited whole a root of its own. The rest keeps the root of them
    /// all, who had `size` fields together. Room for nodes was made.
    fn part(&mut self, pieces: &[Piece], root: usize, size: u64, was_examined: bool) {
        let mut rest = size;
        for piece in pieces {
            let is_examined = was_examined && piece.is_single;
            if is_examined {
                self.shrink_examined(piece.start);
            }
            if !piece.is_whole {
                continue;
            }
            let mut node = self.node(piece.start.index);
            if self.is_founder(node) {
                node = self.move_to_spare(piece.start.index);
            }
            self.unmark(piece.start, |grid, here| {
                if here == piece.start {
                    return;
                }
                let mut own = grid.node(here.index);
                if grid.is_founder(own) {
                    own = grid.move_to_spare(here.index);
                }
                grid.hang(own, node);
            });
            self.resize(node, piece.size, is_examined);
            rest -= piece.size;
        }
        for piece in pieces.iter().filter(|piece| !piece.is_whole) {
            if piece.walk.is_some() {
                self.unmark(piece.start, |_, _| ());
            }
            self.resize(root, rest, was_examined && piece.is_single);
        }
    }

    /// Gives every piece a root of its own, field by field, and needs no spare nodes. All nodes of
    /// the area are written anew, so that nothing hangs from those that fields leave behind.
    /// O(fields of all pieces).
    fn rebuild(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            let root = self.node(piece.start.index);
            let mut size = 0;
            let _ = self.mark(piece.start, |grid, here| {
                size += 1;
                let node = grid.node(here.index);
                grid.hang(node, root);
                std::ops::ControlFlow::<()>::Continue(())
            });
            self.crown(root, size);
            self.unmark(piece.start, |_, _| ());
        }
    }
}
