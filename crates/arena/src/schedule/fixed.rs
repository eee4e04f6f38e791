use std::iter::FusedIterator;

use floe_rules::random::Random;
use thiserror::Error;

use super::{Pairing, rotation};

/// A schedule that needs no results: every pairing follows from its number.
///
/// All pairings play one board before the next, so that wherever the contest stops, all entrants
/// have played about equally often. O(seats) memory, O(seats per game²) time per pairing.
///
/// ```
/// use floe_arena::schedule::Schedule;
///
/// let schedule = Schedule::round_robin(200, 2, 300, 1)?;
/// assert_eq!(schedule.len(), 200 * 199 * 300);
/// let resumed = schedule.starting_at(11_000_000).next();
/// assert_eq!(resumed, schedule.pairing(11_000_000));
/// # Ok::<(), floe_arena::schedule::ScheduleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The entrants behind the numbers below: shuffled by the seed.
    names: Vec<usize>,
    /// Seats at a table.
    table: usize,
    /// Units on one board.
    tables: u64,
    boards: u64,
    /// The step between tables, coprime to their number.
    stride: u64,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    RoundRobin,
    /// Number of challengers; they come first among the names.
    Gauntlet(usize),
}

/// The reason why a schedule cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// A game needs two seats at least.
    #[error("a game needs at least two seats, not {0}")]
    AnyPosition(usize),
    /// A game needs more seats than there are entrants.
    #[error("{table} seats per game, but only {seats} entrants")]
    TooFewSeats {
        /// Number of entrants.
        seats: usize,
        /// The seats a table has.
        table: usize,
    },
    /// A gauntlet without a challenger or without opponents.
    #[error("a gauntlet needs a challenger and {1} opponents at least, not {0} challengers alone")]
    Challengers(usize, usize),
    /// More than 2^63 games.
    #[error("schedule exceeds 2^63 games; choose fewer boards or entrants")]
    TooMany,
}

impl Schedule {
    /// Every `table` of the `seats` meet on every board, in all rotations.
    pub fn round_robin(
        seats: usize,
        table: usize,
        boards: u64,
        seed: u64,
    ) -> Result<Self, ScheduleError> {
        check_table(seats, table)?;
        let tables = choose(seats, table).ok_or(ScheduleError::TooMany)?;
        Self::new(seats, table, tables, boards, seed, Kind::RoundRobin)
    }

    /// Each of the first `challengers` seats meets every `table - 1` of the others on every board,
    /// in all rotations. Challengers do not meet each other; the others meet only in games with a
    /// challenger.
    pub fn gauntlet(
        seats: usize,
        challengers: usize,
        table: usize,
        boards: u64,
        seed: u64,
    ) -> Result<Self, ScheduleError> {
        check_table(seats, table)?;
        let others = seats.saturating_sub(challengers);
        if challengers == 0 || others < table - 1 {
            return Err(ScheduleError::Challengers(challengers, table - 1));
        }
        let tables = choose(others, table - 1)
            .and_then(|tables| tables.checked_mul(challengers as u64))
            .ok_or(ScheduleError::TooMany)?;
        Self::new(
            seats,
            table,
            tables,
            boards,
            seed,
            Kind::Gauntlet(challengers),
        )
    }

    fn new(
        seats: usize,
        table: usize,
        tables: u64,
        boards: u64,
        seed: u64,
        kind: Kind,
    ) -> Result<Self, ScheduleError> {
        tables
            .checked_mul(boards)
            .and_then(|units| units.checked_mul(table as u64))
            .filter(|&games| games <= u64::MAX / 2)
            .ok_or(ScheduleError::TooMany)?;
        let mut random = Random::seeded(seed);
        let mut names: Vec<usize> = (0..seats).collect();
        let challengers = if let Kind::Gauntlet(challengers) = kind {
            challengers
        } else {
            0
        };
        random.shuffle(&mut names[..challengers]);
        random.shuffle(&mut names[challengers..]);
        // About the golden section of the tables, so that consecutive games share few seats.
        let mut stride = ((tables as f64 * 0.618_034) as u64).max(1);
        while gcd(stride, tables) != 1 {
            stride += 1;
        }
        Ok(Schedule {
            names,
            table,
            tables,
            boards,
            stride,
            kind,
        })
    }

    /// Number of games.
    #[expect(
        clippy::len_without_is_empty,
        reason = "it is a number of games, not a container"
    )]
    pub fn len(&self) -> u64 {
        self.units() * self.table as u64
    }

    /// Number of units.
    pub fn units(&self) -> u64 {
        self.tables * self.boards
    }

    /// Seats per game, which is also the number of games in a unit.
    pub fn table(&self) -> usize {
        self.table
    }

    /// Boards that each pairing plays.
    pub fn boards(&self) -> u64 {
        self.boards
    }

    /// The game with this number, if it exists.
    pub fn pairing(&self, number: u64) -> Option<Pairing> {
        if number >= self.len() {
            return None;
        }
        let (unit, turn) = (number / self.table as u64, number % self.table as u64);
        let board = unit / self.tables;
        Some(rotation(unit, board, &self.seats(unit), turn as usize))
    }

    /// All pairings, computed one at a time.
    pub fn pairings(&self) -> Pairings<'_> {
        self.starting_at(0)
    }

    /// The pairings from this number on. Starts in constant time.
    pub fn starting_at(&self, number: u64) -> Pairings<'_> {
        Pairings {
            schedule: self,
            next: number.min(self.len()),
        }
    }

    /// The players of a unit, in the order of its first game.
    fn seats(&self, unit: u64) -> Vec<usize> {
        let (board, place) = (unit / self.tables, unit % self.tables);
        let strided = |place: u64, places: u64| {
            (u128::from(place) * u128::from(self.stride) % u128::from(places)) as u64
        };
        let mut seats = match self.kind {
            Kind::RoundRobin if self.table == 2 => circle(self.names.len() as u64, place),
            Kind::RoundRobin => subset(self.names.len(), self.table, strided(place, self.tables)),
            Kind::Gauntlet(challengers) => {
                // Challengers take turns, so that all have played equally many games at any time.
                let c = challengers as u64;
                let others = strided(place / c, self.tables / c);
                let mut seats = subset(self.names.len() - challengers, self.table - 1, others);
                seats.iter_mut().for_each(|seat| *seat += challengers);
                seats.insert(0, (place % c) as usize);
                seats
            }
        };
        // Rotations keep the cyclic order of the seats; over the boards, every cyclic order occurs.
        arrange(&mut seats[1..], board.wrapping_add(place));
        seats.iter_mut().for_each(|seat| *seat = self.names[*seat]);
        seats
    }
}

fn check_table(seats: usize, table: usize) -> Result<(), ScheduleError> {
    match table {
        0 | 1 => Err(ScheduleError::AnyPosition(table)),
        _ if table > seats => Err(ScheduleError::TooFewSeats { seats, table }),
        _ => Ok(()),
    }
}

/// The pairings of a [`Schedule`] in order. `nth` and `len` are O(1).
#[derive(Debug, Clone)]
pub struct Pairings<'a> {
    schedule: &'a Schedule,
    next: u64,
}

impl Iterator for Pairings<'_> {
    type Item = Pairing;

    fn next(&mut self) -> Option<Pairing> {
        let pairing = self.schedule.pairing(self.next)?;
        self.next += 1;
        Some(pairing)
    }

    fn nth(&mut self, skipped: usize) -> Option<Pairing> {
        self.next = self
            .next
            .saturating_add(skipped as u64)
            .min(self.schedule.len());
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.schedule.len() - self.next);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}

impl FusedIterator for Pairings<'_> {}

/// The pair of a round-robin by the circle method: the seats stand on a circle, which turns once
/// per round, and each meets the seat opposite. With an even number, one seat stays in the middle.
fn circle(seats: u64, place: u64) -> Vec<usize> {
    let ring = if seats.is_multiple_of(2) {
        seats - 1
    } else {
        seats
    };
    let tables = seats / 2;
    let (round, table) = (place / tables, place % tables);
    let (one, other) = if table == 0 && ring < seats {
        (round, ring)
    } else {
        let across = if ring < seats { table } else { table + 1 };
        ((round + across) % ring, (round + ring - across) % ring)
    };
    vec![one as usize, other as usize]
}

/// The subset of `0..seats` with `size` members and this number in the combinatorial number system:
/// `number` is the sum of `choose(member, position + 1)` over the members in order.
fn subset(seats: usize, size: usize, mut number: u64) -> Vec<usize> {
    let mut members = vec![0; size];
    let mut below = seats;
    for position in (0..size).rev() {
        // The largest member whose count of smaller subsets still fits.
        let (mut low, mut high) = (position, below);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if choose(middle, position + 1).is_some_and(|count| count <= number) {
                low = middle;
            } else {
                high = middle;
            }
        }
        number -= choose(low, position + 1).unwrap_or(0);
        members[position] = low;
        below = low;
    }
    members
}

/// Puts `items` in the order with this number, counted modulo the number of orders.
fn arrange(items: &mut [usize], mut number: u64) {
    for start in 0..items.len() {
        let left = (items.len() - start) as u64;
        let chosen = start + (number % left) as usize;
        number /= left;
        items.swap(start, chosen);
    }
}

/// Number of subsets with `size` members of a set of `seats`; `None` if it exceeds a u64.
fn choose(seats: usize, size: usize) -> Option<u64> {
    if size > seats {
        return Some(0);
    }
    let mut count: u128 = 1;
    for i in 0..size.min(seats - size) {
        count = count.checked_mul((seats - i) as u128)? / (i as u128 + 1);
        if count > u128::from(u64::MAX) {
            return None;
        }
    }
    u64::try_from(count).ok()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_numbered_without_gaps() {
        for (seats, size) in [(1, 1), (5, 1), (6, 3), (9, 4), (5, 5)] {
            let count = choose(seats, size).unwrap();
            let mut all: Vec<_> = (0..count).map(|n| subset(seats, size, n)).collect();
            assert!(
                all.iter()
                    .all(|s| s.windows(2).all(|w| w[0] < w[1]) && s[size - 1] < seats)
            );
            all.sort();
            all.dedup();
            assert_eq!(all.len() as u64, count);
        }
    }

    #[test]
    fn nobody_plays_twice_in_a_round_of_the_circle() {
        for seats in 2..12u64 {
            let rounds = if seats % 2 == 0 { seats - 1 } else { seats };
            for round in 0..rounds {
                let mut playing: Vec<usize> = (0..seats / 2)
                    .flat_map(|t| circle(seats, round * (seats / 2) + t))
                    .collect();
                playing.sort_unstable();
                playing.dedup();
                assert_eq!(
                    playing.len() as u64,
                    seats / 2 * 2,
                    "{seats} seats, round {round}"
                );
            }
        }
    }

    #[test]
    fn binomials_beyond_the_end_are_none() {
        assert_eq!(choose(67, 33), Some(14_226_520_737_620_288_370));
        assert_eq!(choose(68, 34), None);
        assert_eq!(choose(3, 5), Some(0));
        assert_eq!(
            Schedule::round_robin(200, 100, 1, 0),
            Err(ScheduleError::TooMany)
        );
    }
}
