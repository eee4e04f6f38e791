//! Visiting every field of an area, or of a player, in no extra memory.
//!
//! A depth-first walk leaves at each field the direction it came from, two bits, and finds its
//! way back by them: no stack, no recursion, nothing to allocate, whatever the area's size. The
//! fields it has seen carry a bit, which a second walk takes off again.

use std::ops::ControlFlow;

use super::grid::{Direction, Field, Grid, Link, Owner};
use super::memory::Memory;

/// This field has been visited by the walk under way.
pub(super) const VISITED: u8 = 1;
/// Where the walk came from.
pub(super) const CAME_SHIFT: u32 = 1;
pub(super) const CAME: u8 = 3 << CAME_SHIFT;

/// A walk under way.
#[derive(Debug, Clone, Copy)]
struct Walk {
    start: Field,
    here: Field,
    /// Directions already tried from here.
    tried: u8,
}

/// The last step of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// It came to a field it had not visited.
    Entered(Field),
    /// It went back to a field it came from.
    Returned,
    /// It has visited everything and is back where it began.
    Ended,
}

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    /// What walks and fills have noted about a field: four bits.
    #[inline(always)]
    pub(super) fn walk_mark(&self, index: usize) -> u8 {
        self.walks[index / 2] >> (index % 2 * 4) & 15
    }

    #[inline(always)]
    pub(super) fn set_walk_mark(&mut self, index: usize, mark: u8) {
        let shift = index % 2 * 4;
        let both = &mut self.walks[index / 2];
        *both = *both & !(15 << shift) | mark << shift;
    }

    #[inline(always)]
    fn step_to(&mut self, walk: &mut Walk, owner: O, marked: bool) -> Step {
        let here = walk.here;
        let next = (walk.tried..4).find_map(|d| {
            let next = self.beside_of(here, Direction(d), owner)?;
            (self.is_visited(next.index) == marked).then_some((d, next))
        });
        if let Some((d, next)) = next {
            let mark = (self.walk_mark(next.index) ^ VISITED) & !CAME;
            self.set_walk_mark(next.index, mark | d << CAME_SHIFT);
            walk.here = next;
            walk.tried = 0;
            return Step::Entered(next);
        }
        if here == walk.start {
            return Step::Ended;
        }
        let came = (self.walk_mark(here.index) & CAME) >> CAME_SHIFT;
        let Some(back) = self.beside(here, Direction(came).back()) else {
            unreachable!()
        };
        walk.here = back;
        walk.tried = came + 1;
        Step::Returned
    }

    fn is_visited(&self, index: usize) -> bool {
        self.walk_mark(index) & VISITED != 0
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
        self.set_walk_mark(start.index, self.walk_mark(start.index) ^ VISITED);
        let mut walk = Walk {
            start,
            here: start,
            tried: 0,
        };
        visit(self, start)?;
        loop {
            match self.step_to(&mut walk, owner, marked) {
                Step::Entered(field) => visit(self, field)?,
                Step::Returned => {}
                Step::Ended => return ControlFlow::Continue(()),
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
        let listed = self.players.of_mut(player).roots.len();
        let mut flow = ControlFlow::Continue(());
        let mut begun = 0;
        while begun < listed && flow.is_continue() {
            let start = self.players.of_mut(player).roots[begun];
            begun += 1;
            // Of several fields of one area the first has it visited.
            if self.owners[start] == owner {
                flow = self.mark(self.field_at(start), &mut visit);
            }
        }
        for at in 0..begun {
            let start = self.players.of_mut(player).roots[at];
            if self.owners[start] == owner {
                self.unmark(self.field_at(start), |_, _| ());
            }
        }
        flow
    }
}
