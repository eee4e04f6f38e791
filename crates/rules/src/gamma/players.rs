//! Per-player counters, in memory that grows with the players who moved.

use std::collections::TryReserveError;

use bytemuck::allocation::try_zeroed_slice_box;

/// Cached facts about one player, so that most queries need no look at the fields.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// Fields held.
    pub(super) busy: u64,
    /// Areas held.
    pub(super) areas: u32,
    /// Whether the golden move has been made.
    pub(super) golden_used: bool,
    /// Free fields next to the player's own: unknown until first asked for, maintained from then
    /// on.
    pub(super) border: Option<u64>,
    /// The last answer about the golden move.
    pub(super) golden: Remembered,
    /// Steps spent on refused golden moves against him since his areas were last looked
    /// through whole.
    pub(super) debt: u64,
    /// At least one field of each of his areas, and perhaps fields he lost; see
    /// `Grid::keeps_roots`.
    pub(super) roots: Vec<usize>,
}

impl Tally {
    /// Takes over another's numbers and keeps the memory of the list.
    fn copy(&mut self, source: &Tally) {
        let mut roots = std::mem::take(&mut self.roots);
        roots.clone_from(&source.roots);
        *self = Tally {
            busy: source.busy,
            areas: source.areas,
            golden_used: source.golden_used,
            border: source.border,
            golden: source.golden,
            debt: source.debt,
            roots,
        };
    }
}

/// The last answer to "is a golden move possible?".
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Remembered {
    /// Number of moves made on the board at that time, plus one; 0 for never.
    pub(super) at: u64,
    /// The answer.
    pub(super) possible: bool,
    /// A field that made it yes.
    pub(super) witness: Option<usize>,
}

/// Result of a search for holes in a player's areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Holes {
    pub(super) player: u32,
    /// The fields he held, and the golden moves made on the board. While both are as they were, so
    /// are his areas: he loses fields by golden moves alone.
    pub(super) at: (u64, u64),
    pub(super) are_there: bool,
}

const PAGE: usize = 64;

/// The tallies of up to 2³² players, in pages allocated when a player of the page first moves. If
/// all fit on one page, it is allocated from the start.
#[derive(Debug)]
pub(super) struct Tallies {
    count: u32,
    /// For each page of players, where it starts in `tallies`, plus one; 0 while it is not
    /// allocated. Empty if all players fit on one page.
    pages: Box<[u32]>,
    tallies: Vec<Tally>,
}

impl Tallies {
    /// For players 1 to `count`; `None` if memory runs out.
    pub(super) fn new(count: u32) -> Option<Self> {
        let players = count as usize;
        let mut tallies = Vec::new();
        let mut pages = Box::default();
        if players <= PAGE {
            tallies.try_reserve_exact(players).ok()?;
            tallies.resize_with(players, Tally::default);
        } else {
            pages = try_zeroed_slice_box(players.div_ceil(PAGE)).ok()?;
        }
        Some(Tallies {
            count,
            pages,
            tallies,
        })
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    #[inline]
    fn slot(&self, player: u32) -> Option<usize> {
        let seat = player as usize - 1;
        if self.pages.is_empty() {
            return Some(seat);
        }
        let page = self.pages[seat / PAGE] as usize;
        (page > 0).then(|| (page - 1) * PAGE + seat % PAGE)
    }

    /// The player's tally; `None` if no player of the page has moved.
    #[inline]
    pub(super) fn of(&self, player: u32) -> Option<&Tally> {
        self.tallies.get(self.slot(player)?)
    }

    /// The tally of a player who has one.
    #[inline]
    pub(super) fn of_mut(&mut self, player: u32) -> &mut Tally {
        let slot = self.slot(player).expect("the player has a tally");
        &mut self.tallies[slot]
    }

    /// The player's tally, made if there is none yet.
    #[inline]
    pub(super) fn make(&mut self, player: u32) -> Result<&mut Tally, TryReserveError> {
        let slot = match self.slot(player) {
            Some(slot) => slot,
            None => self.add_page(player)?,
        };
        Ok(&mut self.tallies[slot])
    }

    /// The numbers of the players who have made their golden move, in order. O(players / 64 +
    /// players who moved).
    pub(super) fn golden_used(&self) -> impl Iterator<Item = u32> {
        // The one page of few players has no entry.
        let pages = if self.pages.is_empty() {
            &[1]
        } else {
            &*self.pages
        };
        let pages = pages.iter().enumerate().filter(|(_, page)| **page > 0);
        pages.flat_map(move |(page, &start)| {
            let start = (start as usize - 1) * PAGE;
            let tallies = self.tallies[start..].iter().take(PAGE).enumerate();
            let used = tallies.filter(|(_, tally)| tally.golden_used);
            used.map(move |(seat, _)| (page * PAGE + seat) as u32 + 1)
        })
    }

    #[cold]
    fn add_page(&mut self, player: u32) -> Result<usize, TryReserveError> {
        let seat = player as usize - 1;
        let start = self.tallies.len();
        self.tallies.try_reserve(PAGE)?;
        self.tallies.resize_with(start + PAGE, Tally::default);
        // 2³² players on pages of 64 are 2²⁶ pages.
        self.pages[seat / PAGE] = (start / PAGE + 1) as u32;
        Ok(start + seat % PAGE)
    }
}

impl Clone for Tallies {
    fn clone(&self) -> Self {
        Tallies {
            count: self.count,
            pages: self.pages.clone(),
            tallies: self.tallies.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.count = source.count;
        self.pages.clone_from(&source.pages);
        self.tallies
            .resize_with(source.tallies.len(), Tally::default);
        for (tally, source) in self.tallies.iter_mut().zip(&source.tallies) {
            tally.copy(source);
        }
    }
}
