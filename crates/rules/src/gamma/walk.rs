//! Visiting every field of an area, or of a player, in no extra memory.
//!
//! A depth-first walk leaves at each field the direction it came from, two bits, and finds its
//! way back by them: no stack, no recursion, nothing to allocate, whatever the area's size. The
//! fields it has seen carry a bit, which a second walk takes off again.

use std::ops::ControlFlow;

use super::grid::{Direction, Field, Grid, Link, Owner};

/// This field has been visited by the walk under way.
const VISITED: u16 = 1;
/// Where the walk came from.
const CAME_SHIFT: u32 = 1;
const CAME: u16 = 3 << CAME_SHIFT;

impl<O: Owner, L: Link> Grid<O, L> {
    pub(super) fn is_visited(&self, index: usize) -> bool {
        self.marks[index] & VISITED != 0
    }

    /// Visits every field of the area at `start` that is not marked, and marks it. Stops early
    /// if `visit` breaks. O(fields visited).
    ///
    /// Every such walk is followed by [`unmark`](Self::unmark) from the same start.
    pub(super) fn mark<B>(
        &mut self,
        start: Field,
        visit: impl FnMut(&mut Self, Field) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.traverse(start, false, visit)
    }

    /// Visits every field that a walk from `start` marked, and takes its mark off.
    pub(super) fn unmark(&mut self, start: Field, mut visit: impl FnMut(&mut Self, Field)) {
        let _ = self.traverse(start, true, |grid, field| {
            visit(grid, field);
            ControlFlow::<()>::Continue(())
        });
    }

    fn traverse<B>(
        &mut self,
        start: Field,
        marked: bool,
        mut visit: impl FnMut(&mut Self, Field) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let owner = self.owners[start.index];
        if self.is_visited(start.index) != marked {
            return ControlFlow::Continue(());
        }
        self.marks[start.index] ^= VISITED;
        visit(self, start)?;
        let mut here = start;
        let mut tried = 0; // directions already tried from here
        loop {
            let step = (tried..4).find_map(|d| {
                let next = self.beside_of(here, Direction(d), owner)?;
                (self.is_visited(next.index) == marked).then_some((d, next))
            });
            if let Some((d, next)) = step {
                let mark = &mut self.marks[next.index];
                *mark = (*mark ^ VISITED) & !CAME | u16::from(d) << CAME_SHIFT;
                visit(self, next)?;
                here = next;
                tried = 0;
            } else if here == start {
                return ControlFlow::Continue(());
            } else {
                let came = ((self.marks[here.index] & CAME) >> CAME_SHIFT) as u8;
                let Some(back) = self.beside(here, Direction(came).back()) else {
                    unreachable!()
                };
                here = back;
                tried = came + 1;
            }
        }
    }

    /// Visits every field of a player until `visit` breaks.
    ///
    /// O(fields visited) where roots are listed, else O(fields of the board).
    pub(super) fn each_field<B>(
        &mut self,
        player: u32,
        mut visit: impl FnMut(&mut Self, Field) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let owner = O::of(player);
        if !self.keeps_roots {
            for index in 0..self.owners.len() {
                if self.owners[index] == owner {
                    let field = self.field_at(index);
                    visit(self, field)?;
                }
            }
            return ControlFlow::Continue(());
        }
        let roots = self.players.of_mut(player).roots.len();
        for at in 0..roots {
            let root = self.players.of_mut(player).roots[at];
            if self.owners[root] == owner && self.is_root(root) {
                let start = self.field_at(root);
                let flow = self.mark(start, &mut visit);
                self.unmark(start, |_, _| ());
                flow?;
            }
        }
        ControlFlow::Continue(())
    }
}
