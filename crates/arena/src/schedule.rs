//! Schedules: the pairings of a contest, their boards and their order.
//!
//! The unit of a schedule is a board: two seats play it in both orders, `k` seats in all `k`
//! rotations, so that a lucky board or a good seat helps all alike. Only whole units count.
//!
//! [`Schedule`] covers formats that need no results, round-robins and gauntlets: it computes any pairing from its number alone. So ten million pairings cost no more memory than ten, and resuming needs no replay. [`Swiss`] and [`Knockout`] depend on results: they take the [`SwissScores`] or the results and return what to play next.
//!
//! Nothing here uses a clock or the system's randomness: the same arguments always make the same
//! schedule.

mod fixed;
mod knockout;
mod matching;
mod scores;
mod swiss;

pub use fixed::{Pairings, Schedule, ScheduleError};
pub use knockout::{DecidedBy, Knockout, KnockoutError, KnockoutMatch, KnockoutRules, UnitResult};
pub use scores::SwissScores;
pub use swiss::{Round, Stay, Swiss};

/// One scheduled game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// The game's number in its schedule, from 0: records and resuming use it.
    pub number: u64,
    /// The game's unit, from 0. A unit's games have consecutive numbers.
    pub unit: u64,
    /// The game's board, from 0; all units of one round share it.
    pub board: u64,
    /// The entrants by seat: the first moves first.
    pub seats: Vec<usize>,
}

impl Pairing {
    /// The game's name in records: its number, counted from 1.
    pub fn id(&self) -> String {
        (self.number + 1).to_string()
    }
}

/// The games of a unit: all rotations of `seats`, numbered from `unit · seats`.
fn rotations(unit: u64, board: u64, seats: &[usize]) -> impl Iterator<Item = Pairing> + '_ {
    (0..seats.len()).map(move |turn| rotation(unit, board, seats, turn))
}

fn rotation(unit: u64, board: u64, seats: &[usize], turn: usize) -> Pairing {
    let mut order = seats.to_vec();
    order.rotate_left(turn);
    Pairing {
        number: unit * seats.len() as u64 + turn as u64,
        unit,
        board,
        seats: order,
    }
}
