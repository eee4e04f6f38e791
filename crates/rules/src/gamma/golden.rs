//! Golden moves.
//!
//! A golden move must leave both its maker and its victim within the limit. The maker's side is
//! a look at the neighbours. The victim's side is settled by the first of these that can: the
//! areas he has to spare, the eight fields around, what an earlier look through the area found,
//! contours if they are short (see `cuts`), and last the grounds around the area (see `survey`).
//! How the area then falls apart is in `split`.

use std::ops::ControlFlow;

use super::grid::{Field, Grid, Link, Owner};
use super::memory::Memory;
use super::refusal::Refusal;

/// An area of at least one in this many fields costs more to walk through than the board to survey.
const LARGE: u64 = 32;

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    /// Checks `player`'s golden move on the field. Cost as
    /// [`splits_into_at_most`](Self::splits_into_at_most).
    pub(super) fn check_golden(&self, player: u32, field: Field) -> Result<(), Refusal> {
        self.weigh_golden(player, field, u64::MAX)
            .0
            .unwrap_or(Err(Refusal::VictimSplits))
    }

    /// The same, and the steps it took to find out how the victim's area falls; `None` if more
    /// than `patience` are needed.
    fn weigh_golden(
        &self,
        player: u32,
        field: Field,
        patience: u64,
    ) -> (Option<Result<(), Refusal>>, u64) {
        let refused = |refusal| (Some(Err(refusal)), 0);
        let tally = self.players.of(player);
        if tally.is_some_and(|tally| tally.golden_used) {
            return refused(Refusal::GoldenUsed);
        }
        let victim = self.owners[field.index];
        if victim.is_free() {
            return refused(Refusal::Free);
        }
        if victim == O::of(player) {
            return refused(Refusal::Own);
        }
        let areas = tally.map_or(0, |tally| tally.areas);
        if areas >= self.limit && self.own_sides(field, O::of(player)).are_none() {
            return refused(Refusal::TooManyAreas);
        }
        let (is_borne, steps) = self.bears_loss(field, victim, patience);
        let verdict = is_borne.map(|is_borne| match is_borne {
            true => Ok(()),
            false => Err(Refusal::VictimSplits),
        });
        (verdict, steps)
    }

    /// Whether the victim stays within the limit without the field, and the steps that took; `None`
    /// if more than `patience` steps are needed.
    fn bears_loss(&self, field: Field, victim: O, patience: u64) -> (Option<bool>, u64) {
        let areas = self
            .players
            .of(victim.number())
            .map_or(0, |tally| tally.areas);
        // The area goes, its pieces come: areas - 1 + pieces <= limit.
        let most = self.limit - areas.min(self.limit);
        if most >= 3 {
            return (Some(true), 0);
        }
        self.splits_into_at_most(field, victim, most + 1, patience)
    }

    /// Whether a golden move on this player's field is made only if his area stays whole.
    fn must_stay_whole(&self, victim: O) -> bool {
        let tally = self.players.of(victim.number());
        tally.is_some_and(|tally| tally.areas >= self.limit)
    }

    /// Lets `player` take another's field by his golden move; changes nothing if refused.
    ///
    /// O(1) plus the check when the area stays whole at a look at the eight fields around, else
    /// O(all pieces but the largest) or O(the shortest contours). Once an area has cost its own
    /// size in refused moves, it is looked through whole, or the ground around it if the area is
    /// large, and until it changes further refusals cost O(1).
    pub(super) fn take_golden(&mut self, player: u32, field: Field) -> Result<(), Refusal> {
        // A search for holes, and a survey, cost about as much as this many steps.
        let patience = self.owners.len() as u64 / 16 + 1024;
        let (mut verdict, mut steps) = self.weigh_golden(player, field, patience);
        if verdict.is_none() {
            self.look_around(self.owners[field.index]);
            (verdict, steps) = self.weigh_golden(player, field, u64::MAX);
        }
        if let Some(Err(refusal)) = verdict {
            if steps > 0 {
                self.charge(field, steps);
            }
            return Err(refusal);
        }
        let (owner, victim) = (O::of(player), self.owners[field.index]);
        let own = self.own_sides(field, owner);
        // Allocate first, so that running out of memory changes nothing.
        self.players.make(player)?;
        self.reserve_roots(player, 1)?;
        self.reserve_roots(victim.number(), 4)?;
        let is_whole = self.must_stay_whole(victim);
        let node = self.cut_out(field, owner, is_whole)?;
        self.goldens += 1;

        if self.is_watched {
            self.yield_border(victim.number(), field);
            self.forget_grounds(victim.number());
        }
        self.players.of_mut(victim.number()).busy -= 1;
        let merged = self.join(field, node, owner, &own);
        if merged == 0 {
            self.found(node);
            self.list_root(player, field.index);
        }
        let tally = self.players.of_mut(player);
        tally.areas = tally.areas + 1 - merged;
        tally.busy += 1;
        tally.golden_used = true;
        if self.is_watched {
            self.grow_border(player, field);
            self.heed_gain(player, field);
        }
        Ok(())
    }

    /// A refused move took this many steps: looks the area through if that has become cheaper.
    fn charge(&mut self, field: Field, steps: u64) {
        let size = self.area_size(self.root(field.index));
        let tally = self.players.of_mut(self.owners[field.index].number());
        tally.debt += steps;
        if tally.debt >= size {
            tally.debt = 0;
            let victim = self.owners[field.index];
            match size.saturating_mul(LARGE) >= self.owners.len() as u64 {
                true => self.look_around(victim),
                false => self.examine(field),
            }
        }
    }

    /// Finds out what settles how large areas of the victim fall. O(n).
    fn look_around(&mut self, victim: O) {
        self.look_for_holes(victim);
        if !self.is_known_solid(victim) {
            self.survey(victim);
        }
    }

    /// The victim is about to lose the field: free fields that only it touches leave his border.
    fn yield_border(&mut self, victim: u32, field: Field) {
        if self.players.of_mut(victim).border.is_some() {
            let lost = self.free_fields_touched_alone(victim, field);
            let border = &mut self.players.of_mut(victim).border;
            *border = border.map(|border| border - lost);
        }
    }

    /// Whether `player` has a golden move now.
    ///
    /// O(1) below the limit, or if nothing changed since the last call, or if the move found then
    /// is still legal. Else O(fields of the player + fields of neighbouring areas that changed
    /// since they were examined).
    pub(super) fn golden_possible(&mut self, player: u32) -> bool {
        let (areas, busy) = match self.players.of(player) {
            Some(tally) if tally.golden_used => return false,
            Some(tally) => (tally.areas, tally.busy),
            None => (0, 0),
        };
        if areas < self.limit {
            // Every area has a field whose loss does not split it.
            return self.owners.len() as u64 - self.free > busy;
        }
        let last = self.players.of_mut(player).golden;
        if last.at == self.version() + 1 {
            return last.possible;
        }
        let witness = last.witness.filter(|&index| {
            let field = self.field_at(index);
            self.check_golden(player, field).is_ok()
        });
        let witness = witness.or_else(|| self.find_golden(player));
        let version = self.version();
        let golden = &mut self.players.of_mut(player).golden;
        golden.at = version + 1;
        golden.possible = witness.is_some();
        golden.witness = witness;
        witness.is_some()
    }

    /// A field that `player`, who is at his limit, may take by his golden move: one next to his
    /// own whose loss its owner bears.
    fn find_golden(&mut self, player: u32) -> Option<usize> {
        let owner = O::of(player);
        let flow = self.each_field(player, |grid, field| {
            for next in grid.around(field) {
                let victim = grid.owner(next);
                if victim.is_free() || victim == owner {
                    continue;
                }
                let target = grid.field_at(next);
                if grid.bears_loss_examined(target, victim) {
                    return ControlFlow::Break(next);
                }
            }
            ControlFlow::Continue(())
        });
        flow.break_value()
    }

    /// The same as [`bears_loss`](Self::bears_loss), but looks an area through whole rather than
    /// follow contours for one field after another.
    fn bears_loss_examined(&mut self, field: Field, victim: O) -> bool {
        let areas = self.players.of_mut(victim.number()).areas;
        let most = self.limit - areas.min(self.limit) + 1;
        let pieces = self.most_pieces(field, victim);
        if pieces <= most {
            return true;
        }
        if pieces <= 1 {
            return false;
        }
        let root = self.root(field.index);
        if !self.is_examined(root) {
            if self.area_size(root).saturating_mul(8) >= self.owners.len() as u64 {
                self.look_for_holes(victim);
            }
            if !self.is_known_solid(victim) {
                self.examine(field);
            }
        }
        self.bears_loss(field, victim, u64::MAX).0 == Some(true)
    }
}

impl<O: Owner, L: Link> Grid<O, L> {
    /// Calls `each` with every field that `player` may take by his golden move, in order of
    /// their indices. O(n).
    pub(super) fn each_golden(&self, player: u32, mut each: impl FnMut(Field)) {
        if self
            .players
            .of(player)
            .is_some_and(|tally| tally.golden_used)
        {
            return;
        }
        let mut spent = 0;
        let mut examined: Option<Self> = None;
        for index in 0..self.owners.len() {
            let victim = self.owners[index];
            if victim.is_free() || victim == O::of(player) {
                continue;
            }
            let field = self.field_at(index);
            let grid = examined.as_ref().unwrap_or(self);
            let (verdict, steps) = grid.weigh_golden(player, field, u64::MAX);
            spent += steps;
            // When the contours have cost as much as the board, look whole areas through instead.
            if spent > self.owners.len() as u64 {
                let grid = examined.get_or_insert_with(|| self.clone());
                if !grid.is_examined(grid.root(index)) {
                    grid.examine(field);
                }
            }
            if verdict == Some(Ok(())) {
                each(field);
            }
        }
    }
}
