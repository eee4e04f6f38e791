//! Per-player counters, in memory that grows with the players who moved.

use std::collections::TryReserveError;

use bytemuck::allocation::try_zeroed_slice_box;

use super::memory::{Lent, Memory, Own};
use super::tally::Tally;

const PAGE: usize = 64;

/// The tallies of up to 2³² players. If all fit on one page, it is there from the start; otherwise
/// pages are allocated when a player of theirs first moves.
#[derive(Debug)]
pub(super) struct Tallies<M: Memory = Own> {
    count: u32,
    /// The tallies of all players; empty if they fit on no page.
    few: M::Slice<Tally>,
    /// For each page of many players, where it starts in `many`, plus one; 0 while it is not
    /// allocated.
    pages: Box<[u32]>,
    many: Vec<Tally>,
}

impl Tallies {
    /// For players 1 to `count`; `None` if memory runs out.
    pub(super) fn new(count: u32) -> Option<Self> {
        let mut few = Vec::new();
        few.try_reserve_exact(Self::at_first(count)).ok()?;
        few.resize_with(Self::at_first(count), Tally::default);
        Tallies::with(count, few.into_boxed_slice())
    }
}

impl Tallies<Lent> {
    /// The same with lent memory.
    pub(super) fn lent(count: u32, few: &'static mut [Tally]) -> Option<Self> {
        (few.len() == Self::at_first(count)).then_some(())?;
        Tallies::with(count, few)
    }
}

impl<M: Memory> Tallies<M> {
    /// Tallies there are from the start.
    pub(super) fn at_first(count: u32) -> usize {
        match count as usize {
            players @ ..=PAGE => players,
            _ => 0,
        }
    }

    fn with(count: u32, few: M::Slice<Tally>) -> Option<Self> {
        let pages = match few.is_empty() {
            true => try_zeroed_slice_box((count as usize).div_ceil(PAGE)).ok()?,
            false => Box::default(),
        };
        Some(Tallies {
            count,
            few,
            pages,
            many: Vec::new(),
        })
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Where one of many players has his tally, if his page is there.
    #[inline]
    fn slot(&self, player: u32) -> Option<usize> {
        let seat = player as usize - 1;
        let page = *self.pages.get(seat / PAGE)? as usize;
        (page > 0).then(|| (page - 1) * PAGE + seat % PAGE)
    }

    /// The player's tally; `None` if no player of the page has moved.
    #[inline]
    pub(super) fn of(&self, player: u32) -> Option<&Tally> {
        match self.few.get(player as usize - 1) {
            Some(tally) => Some(tally),
            None => self.many.get(self.slot(player)?),
        }
    }

    /// The tally of a player who has one.
    #[inline]
    pub(super) fn of_mut(&mut self, player: u32) -> &mut Tally {
        let seat = player as usize - 1;
        if seat < self.few.len() {
            return &mut self.few[seat];
        }
        let slot = self.slot(player).expect("the player has a tally");
        &mut self.many[slot]
    }

    /// The player's tally, made if there is none yet.
    #[inline]
    pub(super) fn make(&mut self, player: u32) -> Result<&mut Tally, TryReserveError> {
        let seat = player as usize - 1;
        if seat < self.few.len() {
            return Ok(&mut self.few[seat]);
        }
        let slot = match self.slot(player) {
            Some(slot) => slot,
            None => self.add_page(player)?,
        };
        Ok(&mut self.many[slot])
    }

    /// The numbers of the players who have made their golden move, in order. O(players / 64 +
    /// players who moved).
    pub(super) fn golden_used(&self) -> impl Iterator<Item = u32> {
        let used = |tallies: &[Tally], first: usize| -> Vec<u32> {
            let tallies = tallies.iter().take(PAGE).enumerate();
            let used = tallies.filter(|(_, tally)| tally.golden_used);
            used.map(|(seat, _)| (first + seat) as u32 + 1).collect()
        };
        let pages = self.pages.iter().enumerate().filter(|(_, page)| **page > 0);
        let many = pages.flat_map(move |(page, &start)| {
            used(&self.many[(start as usize - 1) * PAGE..], page * PAGE)
        });
        used(&self.few, 0).into_iter().chain(many)
    }

    #[cold]
    fn add_page(&mut self, player: u32) -> Result<usize, TryReserveError> {
        let seat = player as usize - 1;
        let start = self.many.len();
        self.many.try_reserve(PAGE)?;
        self.many.resize_with(start + PAGE, Tally::default);
        // 2³² players on pages of 64 are 2²⁶ pages.
        self.pages[seat / PAGE] = (start / PAGE + 1) as u32;
        Ok(start + seat % PAGE)
    }
}

impl Clone for Tallies {
    fn clone(&self) -> Self {
        Tallies {
            count: self.count,
            few: self.few.clone(),
            pages: self.pages.clone(),
            many: self.many.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        if self.few.len() != source.few.len() {
            *self = source.clone();
            return;
        }
        self.count = source.count;
        self.pages.clone_from(&source.pages);
        self.many.resize_with(source.many.len(), Tally::default);
        let own = self.few.iter_mut().chain(&mut self.many);
        for (tally, source) in own.zip(source.few.iter().chain(&source.many)) {
            tally.copy(source);
        }
    }
}
