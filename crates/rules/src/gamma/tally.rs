//! The facts that a board stores about one player.

/// What a board stores about one player, so that most queries need no look at the fields.
#[derive(Debug, Clone, Default)]
pub struct Tally {
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
    /// Result of the last search for holes in his areas.
    pub(super) holes: Option<Holes>,
    /// Steps spent on refused golden moves against him since his areas were last looked
    /// through whole.
    pub(super) debt: u64,
    /// At least one field of each of his areas, and perhaps fields he lost; see
    /// `Grid::keeps_roots`.
    pub(super) roots: Vec<usize>,
}

impl Tally {
    /// Takes over another's numbers and keeps the memory of the list.
    pub(super) fn copy(&mut self, source: &Tally) {
        let mut roots = std::mem::take(&mut self.roots);
        roots.clone_from(&source.roots);
        *self = Tally {
            busy: source.busy,
            areas: source.areas,
            golden_used: source.golden_used,
            border: source.border,
            golden: source.golden,
            holes: source.holes,
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
    /// The fields he held, and the golden moves made on the board. While both are as they were, so
    /// are his areas: he loses fields by golden moves alone.
    pub(super) at: (u64, u64),
    pub(super) are_there: bool,
}
