//! Cutting a field out of its area, and making areas of the pieces.
//!
//! From each side of the field a fill sets out (see `fill`), and they take turns until all but one
//! have ended. Those that ended have been through all pieces but the largest, and become areas. The
//! largest piece keeps the root of the area, so that the rest of it need not be looked at.
//!
//! Two sides may be in one piece. Contours find that early if the area is solid and they are short
//! (see `cuts`); fills that meet find it if the area is thin. Both run in turn, and the first to
//! finish ends the other.

use std::collections::TryReserveError;
use std::ops::ControlFlow;

use super::cuts::{Contours, PieceSides};
use super::fill::{Fills, Stop};
use super::grid::{Field, Grid, Link, Owner};
use super::memory::Memory;
use super::refusal::Refusal;

/// Steps along each contour before a fill is begun: enough around most fields.
const FIRST_STEPS: u32 = 256;
/// Fields that each fill visits in a turn, and steps along each contour in the same time.
const TURN_FIELDS: u64 = 256;
const TURN_STEPS: u32 = 64;

/// A piece, or what may turn out to be a part of one. Its number is its fill's.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Where it touches the field that was cut out.
    sides: PieceSides,
    /// A field of it there.
    start: Field,
    /// Whether its fill has ended. The fill of the largest piece has not.
    is_whole: bool,
}

/// An area while it falls apart.
struct Parting<O> {
    contours: Contours<O>,
    pieces: [Option<Piece>; 4],
    fills: Fills<O>,
}

impl<O> Parting<O> {
    fn pieces(&self) -> impl Iterator<Item = (usize, Piece)> {
        let pieces = self.pieces.into_iter().enumerate();
        pieces.filter_map(|(number, piece)| Some((number, piece?)))
    }

    /// How many fills must still end: all but one.
    fn under_way(&self) -> usize {
        self.pieces().filter(|(_, piece)| !piece.is_whole).count()
    }

    /// Two pieces have turned out to be one.
    fn join(&mut self, a: usize, b: usize) -> Result<(), TryReserveError> {
        let (leader, other) = (a.min(b), a.max(b));
        if let (Some(to), Some(from)) = (self.pieces[leader], self.pieces[other]) {
            self.fills.merge(leader, other)?;
            self.contours.join(to.sides, from.sides);
            self.pieces[other] = None;
            let sides = to.sides.and(from.sides);
            self.pieces[leader] = Some(Piece { sides, ..to });
        }
        Ok(())
    }

    /// Joins the pieces that contours have shown to be one.
    fn join_told(&mut self) -> Result<(), TryReserveError> {
        for (number, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            if let (Some(a), Some(b)) = (self.pieces[number], self.pieces[other])
                && self.contours.are_one(a.sides, b.sides)
            {
                self.join(number, other)?;
            }
        }
        Ok(())
    }
}

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    /// Gives the field to `owner`, makes each piece of its former area an area of the loser, and
    /// returns the field's new node. If memory runs out, changes nothing. `is_whole` says that there
    /// is one piece at most.
    pub(super) fn cut_out(
        &mut self,
        field: Field,
        owner: O,
        is_whole: bool,
    ) -> Result<usize, Refusal> {
        let loser = self.owners[field.index];
        let root = self.root(field.index);
        let mut contours = self.contours(field, loser);
        match is_whole {
            true => contours.join_all(),
            false => self.follow_contours(&mut contours, FIRST_STEPS),
        }
        self.owners[field.index] = owner;
        let mut parting = Parting {
            contours,
            pieces: self.sides_of(field, &contours),
            fills: Fills::new(loser, self.owners.len() / 16 + 64),
        };
        let filled = self.fill_all_but_one(&mut parting);
        for fill in &parting.fills.fills {
            self.unmark_founders(fill);
        }

        let size = self.area_size(root);
        let keeps_node = size == 1 || !self.is_founder(self.node(field.index));
        let whole = parting.pieces().filter(|(_, piece)| piece.is_whole);
        let founders: usize = whole
            .map(|(number, _)| parting.fills.fills[number].founders.len())
            .sum();
        let room = match filled {
            Ok(()) => self.reserve_spares(founders as u64 + u64::from(!keeps_node)),
            Err(_) => Ok(false),
        };
        let is_parted = match room {
            Ok(true) => {
                self.part(&parting, root, size - 1);
                true
            }
            Ok(false) => {
                self.return_to(root, &parting);
                self.follow_contours(&mut parting.contours, u32::MAX);
                parting.pieces = self.sides_of(field, &parting.contours);
                self.rebuild(&parting);
                false
            }
            Err(error) => {
                self.return_to(root, &parting);
                self.owners[field.index] = loser;
                return Err(error.into());
            }
        };
        let number = loser.number();
        for (_, piece) in parting.pieces() {
            self.list_root(number, piece.start.index);
        }
        let tally = self.players.of_mut(number);
        tally.areas = tally.areas - 1 + parting.pieces().count() as u32;
        // After a rebuilding nothing hangs from it any more.
        Ok(if keeps_node || !is_parted {
            self.node(field.index)
        } else {
            self.move_to_spare(field.index)
        })
    }

    /// The pieces around a field as far as contours have separated them.
    fn sides_of(&self, field: Field, contours: &Contours<O>) -> [Option<Piece>; 4] {
        let mut pieces = [None; 4];
        for (piece, sides) in pieces.iter_mut().zip(contours.pieces()) {
            *piece = self.beside(field, sides.first()).map(|start| Piece {
                sides,
                start,
                is_whole: false,
            });
        }
        pieces
    }

    /// Has the fills take turns until all but one have ended; the error is too little memory.
    fn fill_all_but_one(&mut self, parting: &mut Parting<O>) -> Result<(), Refusal> {
        if parting.under_way() <= 1 {
            return Ok(());
        }
        for number in 0..4 {
            if let Some(piece) = parting.pieces[number] {
                let stop = self.begin_fill(&mut parting.fills, number, piece.start);
                parting.heed(number, stop)?;
            }
        }
        let mut goal = 1;
        while parting.under_way() > 1 {
            for number in 0..4 {
                let is_open = parting.pieces[number].is_some_and(|piece| !piece.is_whole);
                if is_open && parting.under_way() > 1 {
                    let stop = self.advance(&mut parting.fills, number, goal);
                    parting.heed(number, stop)?;
                }
            }
            goal += TURN_FIELDS;
            if !parting.contours.is_settled() {
                self.follow_contours(&mut parting.contours, TURN_STEPS);
                parting.join_told()?;
            }
        }
        Ok(())
    }

    /// Gives each piece that was visited whole a root of its own. The rest keeps the root of them
    /// all, who have `size` fields together. Room for nodes was made.
    fn part(&mut self, parting: &Parting<O>, root: usize, size: u64) {
        let was_examined = self.is_examined(root);
        let mut rest = size;
        let mut rest_is_examined = was_examined;
        for (number, piece) in parting.pieces() {
            let is_examined = was_examined && piece.sides.is_single();
            if is_examined {
                self.shrink_examined(piece.start);
            }
            let fill = &parting.fills.fills[number];
            let mut tags = parting.fills.tags(number);
            if !piece.is_whole {
                tags.for_each(|tag| self.hang_founder(tag, root));
                rest_is_examined = is_examined;
                continue;
            }
            let mut founders = fill.founders.iter();
            let new_root = tags.next().or_else(|| {
                let first = founders.next()?;
                Some(self.move_to_spare(*first))
            });
            let Some(new_root) = new_root else { continue };
            tags.for_each(|tag| self.hang_founder(tag, new_root));
            for &founder in founders {
                let node = self.move_to_spare(founder);
                self.hang(node, new_root);
            }
            self.resize(new_root, fill.size, is_examined);
            rest -= fill.size;
        }
        if rest > 0 {
            self.resize(root, rest, rest_is_examined);
        }
    }

    /// Leaves everything that the fills have tagged in the area of `root`.
    fn return_to(&mut self, root: usize, parting: &Parting<O>) {
        for tag in (0..4).filter_map(|fill| parting.fills.tag(fill)) {
            self.hang_founder(tag, root);
        }
    }

    /// Gives every piece a root of its own, field by field, and needs no memory. All nodes of the
    /// area are rewritten, so that nothing hangs from those that fields leave behind.
    /// O(fields of all pieces).
    fn rebuild(&mut self, parting: &Parting<O>) {
        for (_, piece) in parting.pieces() {
            let root = self.node(piece.start.index);
            let mut size = 0;
            let _ = self.mark(piece.start, |grid, here| {
                size += 1;
                let node = grid.node(here.index);
                grid.hang(node, root);
                ControlFlow::<()>::Continue(())
            });
            self.crown(root, size);
            self.unmark(piece.start, |_, _| ());
        }
    }
}

impl<O> Parting<O> {
    /// Takes note of why a fill stopped.
    fn heed(&mut self, number: usize, stop: Stop) -> Result<(), Refusal> {
        match stop {
            Stop::Paused => {}
            Stop::Ended => {
                if let Some(piece) = &mut self.pieces[number] {
                    piece.is_whole = true;
                }
            }
            Stop::Met(other) => self.join(number, other)?,
            Stop::Memory => return Err(Refusal::Memory),
        }
        Ok(())
    }
}
