//! Plain moves, and the free fields a player may take.

use std::ops::ControlFlow;

use super::areas::{Met, OwnSides};
use super::grid::{Direction, Field, Grid, Link, Owner};
use super::memory::Memory;
use super::refusal::Refusal;

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    /// Checks `player`'s plain move on the field. O(1).
    pub(super) fn check_take(&self, player: u32, field: Field) -> Result<(), Refusal> {
        if !self.owners[field.index].is_free() {
            return Err(Refusal::Occupied);
        }
        let owner = O::of(player);
        let areas = self.players.of(player).map_or(0, |tally| tally.areas);
        if areas >= self.limit && self.own_sides(field, owner).are_none() {
            return Err(Refusal::TooManyAreas);
        }
        Ok(())
    }

    /// Lets `player` take a free field. Amortised nearly O(1); changes nothing if refused.
    #[inline]
    pub(super) fn take(&mut self, player: u32, field: Field) -> Result<(), Refusal> {
        self.take_within(player, field, self.limit)
    }

    /// The same with another limit of areas: reading rebuilds a position in an order in which no
    /// game was played.
    #[inline(always)]
    pub(super) fn take_within(
        &mut self,
        player: u32,
        field: Field,
        limit: u32,
    ) -> Result<(), Refusal> {
        let holder = self.owners[field.index];
        if L::IS_SMALL {
            if holder != O::NOBODY {
                return Err(Refusal::Occupied);
            }
            let own = self.own_sides(field, O::of(player));
            return match own.are_none() {
                true => self.take_apart(player, field, limit),
                false => self.take_joined(player, field, &own),
            };
        }
        // One look suffices for most fields.
        if holder == O::BESIDE {
            return match self.join_inner(field, player) {
                Met::None => self.take_apart(player, field, limit),
                Met::Joined => {
                    self.players.of_mut(player).busy += 1;
                    self.count_take(player, field);
                    Ok(())
                }
                Met::Some => self.take_near(player, field, limit),
            };
        }
        match holder == O::NOBODY {
            true => self.take_apart(player, field, limit),
            false => Err(Refusal::Occupied),
        }
    }

    /// Takes a free field beside which others may be. On its own, so that what is done more often
    /// needs few registers.
    #[inline(never)]
    fn take_near(&mut self, player: u32, field: Field, limit: u32) -> Result<(), Refusal> {
        let own = self.own_sides(field, O::of(player));
        match own.are_none() {
            true => self.take_apart(player, field, limit),
            false => self.take_joined(player, field, &own),
        }
    }

    /// Takes a field with none of the player's beside it, if he may have one more area.
    #[inline(always)]
    fn take_apart(&mut self, player: u32, field: Field, limit: u32) -> Result<(), Refusal> {
        let areas = self.players.of(player).map_or(0, |tally| tally.areas);
        match areas >= limit {
            true => Err(Refusal::TooManyAreas),
            false => self.found_area(player, field),
        }
    }

    #[inline(always)]
    fn take_joined(&mut self, player: u32, field: Field, own: &OwnSides) -> Result<(), Refusal> {
        let merged = self.join(field, field.index, O::of(player), own);
        let tally = self.players.of_mut(player);
        tally.busy += 1;
        tally.areas -= merged - 1;
        self.mark_sides(own);
        self.set_owner(player, field);
        Ok(())
    }

    #[inline(always)]
    fn set_owner(&mut self, player: u32, field: Field) {
        self.owners[field.index] = O::of(player);
        self.count_take(player, field);
    }

    #[inline(always)]
    fn count_take(&mut self, player: u32, field: Field) {
        self.free -= 1;
        if self.is_watched {
            self.heed_take(player, field);
        }
    }

    /// The field, which was free, has become `player`'s.
    #[inline(never)]
    fn heed_take(&mut self, player: u32, field: Field) {
        self.shrink_borders(player, field);
        self.grow_border(player, field);
        self.heed_gain(player, field);
    }

    /// Makes a field with none of the player's beside it an area of his own.
    #[inline(never)]
    fn found_area(&mut self, player: u32, field: Field) -> Result<(), Refusal> {
        let owner = O::of(player);
        self.players.make(player)?;
        self.reserve_roots(player, 1)?;
        self.list_root(player, field.index);
        let tally = self.players.of_mut(player);
        tally.busy += 1;
        tally.areas += 1;
        self.found(field.index);
        let sides = self.own_sides(field, owner);
        self.mark_sides(&sides);
        self.set_owner(player, field);
        Ok(())
    }

    /// Fields the player could take now by a plain move. O(1) below the limit; at the limit
    /// O(fields of the player) the first time, O(1) from then on.
    #[inline]
    pub(super) fn free_fields(&mut self, player: u32) -> u64 {
        let Some(tally) = self
            .players
            .of(player)
            .filter(|tally| tally.areas >= self.limit)
        else {
            return self.free;
        };
        tally.border.unwrap_or_else(|| self.measure_border(player))
    }

    /// Counts the free fields beside a player's, and keeps the count up from now on.
    #[cold]
    #[inline(never)]
    fn measure_border(&mut self, player: u32) -> u64 {
        let owner = O::of(player);
        let mut border = 0;
        let _ = self.each_field(player, |grid, field| {
            for next in Direction::ALL
                .map(|d| grid.beside_free(field, d))
                .into_iter()
                .flatten()
            {
                // A free field with several of the player's beside it counts at the first.
                let around = grid.around(next);
                let first = around.into_iter().find(|&n| grid.owner(n) == owner);
                border += u64::from(first == Some(field.index));
            }
            ControlFlow::<()>::Continue(())
        });
        self.players.of_mut(player).border = Some(border);
        self.is_watched = true;
        border
    }

    /// A free field is `player`'s now: it no longer borders on any player.
    fn shrink_borders(&mut self, player: u32, field: Field) {
        let mut done = [player; 4]; // `player` himself only if he had a field beside it
        let mut count = 0;
        for next in self.around(field) {
            let neighbour = self.owner(next).number();
            if neighbour == 0 || done[..count].contains(&neighbour) {
                continue;
            }
            done[count] = neighbour;
            count += 1;
            if let Some(border) = &mut self.players.of_mut(neighbour).border {
                *border -= 1;
            }
        }
    }

    /// The field has become `player`'s: free fields that only it touches are new at his border.
    pub(super) fn grow_border(&mut self, player: u32, field: Field) {
        if self.players.of_mut(player).border.is_some() {
            let fresh = self.free_fields_touched_alone(player, field);
            let border = &mut self.players.of_mut(player).border;
            *border = border.map(|border| border + fresh);
        }
    }

    /// Free fields beside `field` with no other field of `player` beside them.
    pub(super) fn free_fields_touched_alone(&self, player: u32, field: Field) -> u64 {
        let owner = O::of(player);
        let is_alone = |d: &Direction| {
            self.beside_free(field, *d).is_some_and(|next| {
                let mut around = self.around(next).into_iter();
                around.all(|n| n == field.index || self.owner(n) != owner)
            })
        };
        Direction::ALL.iter().filter(|d| is_alone(d)).count() as u64
    }

    /// Calls `each` with every field that `player` may take by a plain move, in order of their
    /// indices. O(n).
    pub(super) fn each_take(&self, player: u32, mut each: impl FnMut(Field)) {
        for index in 0..self.owners.len() {
            let field = self.field_at(index);
            if self.check_take(player, field).is_ok() {
                each(field);
            }
        }
    }
}
