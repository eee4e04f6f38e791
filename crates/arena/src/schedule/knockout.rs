use floe_rules::random::Random;
use serde::Serialize;
use thiserror::Error;

use super::{Pairing, rotations};

/// A knockout: the loser of a match leaves.
///
/// Seats are numbered by seed, 0 being the strongest. The bracket has the next power of two of
/// places; the strongest seeds get the empty ones as opponents, that is byes, and the first two can
/// only meet in the final. A match is the best of a number of units. If it is even after them, more
/// units follow one at a time. If it is even after those too, the sum of the margins decides if the
/// rules say so, and then a coin drawn from the seed: every tournament ends, and ends the same way
/// for the same seed. [`DecidedBy`] states which it was.
///
/// An entrant who withdraws loses by walkover, in the round given or the next one they would play
/// in. No entrant can join: the bracket is drawn at the start.
///
/// Results may come in any order: the open games depend on the set of results alone.
///
/// ```
/// use floe_arena::schedule::{Knockout, KnockoutRules};
///
/// let mut knockout = Knockout::new(3, KnockoutRules::default())?;
/// while let Some(pairing) = knockout.open().first() {
///     // The seat with the smaller number wins everything.
///     let [one, other] = [pairing.seats[0], pairing.seats[1]];
///     knockout.record(pairing.unit, if one < other { [4, 0] } else { [0, 4] })?;
/// }
/// assert_eq!(knockout.champion(), Some(0));
/// assert_eq!(knockout.places(), [Some(1), Some(2), Some(3)]);
/// # Ok::<(), floe_arena::schedule::KnockoutError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knockout {
    seats: usize,
    rules: KnockoutRules,
    /// The round, from 0, after which each seat leaves.
    leaves: Vec<Option<u32>>,
    /// Round after round; the match at `i` sends its winner to [`Knockout::next`] of `i`.
    matches: Vec<Slot>,
}

/// The rules that decide a knockout's matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnockoutRules {
    /// The units of a match; it ends early when the trailing seat cannot catch up.
    pub units: u64,
    /// Most extra units while a match is level.
    pub extra: u64,
    /// Whether the sum of margins breaks a tie before a coin does.
    pub margins_part_equals: bool,
    /// The seed of the coins.
    pub seed: u64,
}

/// The result of a unit of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitResult {
    /// The half points of both seats, in the order of the first game.
    pub half_points: [u64; 2],
    /// The first seat's score minus the other's, over all games of the unit.
    pub margin: i64,
}

impl From<[u64; 2]> for UnitResult {
    /// Half points alone, without a margin.
    fn from(half_points: [u64; 2]) -> Self {
        UnitResult {
            half_points,
            margin: 0,
        }
    }
}

/// How a match was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// By a bye: the seat had no opponent.
    Bye,
    /// The points.
    Points,
    /// The sum of margins, the points being even.
    Margins,
    /// By the coin, with all else equal.
    Coin,
    /// By walkover: the opponent had left.
    Walkover,
}

impl DecidedBy {
    /// The remark next to the winner, if points did not decide.
    pub const fn remark(self) -> Option<&'static str> {
        match self {
            DecidedBy::Bye | DecidedBy::Points => None,
            DecidedBy::Margins => Some("by margins"),
            DecidedBy::Coin => Some("by the coin"),
            DecidedBy::Walkover => Some("walkover"),
        }
    }
}

impl Default for KnockoutRules {
    /// Best of three units, up to three extra units, no margins, coins of seed 0.
    fn default() -> Self {
        KnockoutRules {
            units: 3,
            extra: 3,
            margins_part_equals: false,
            seed: 0,
        }
    }
}

/// The reason why a knockout does not exist or refuses a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum KnockoutError {
    /// Fewer than two seats.
    #[error("a knockout needs at least two seats, not {0}")]
    TooFewSeats(usize),
    /// A match without a unit.
    #[error("a match needs at least one unit")]
    NoUnits,
    /// More units than numbers.
    #[error("schedule exceeds 2^63 games; choose fewer boards or entrants")]
    TooMany,
    /// An unexpected result: the unit does not exist, or its players are not known yet.
    #[error("unit {0} is not scheduled")]
    NotOpen(u64),
    /// More than the four half points of two games.
    #[error("unit {0} has at most four half points to give")]
    Points(u64),
    /// One unit got two different results.
    #[error("unit {0} already has another result")]
    Twice(u64),
}

/// One match of a knockout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnockoutMatch {
    /// The match's number in the bracket, from 0, round after round.
    pub number: usize,
    /// The match's round, from 0.
    pub round: u32,
    /// The seats that meet; `None` if not known yet, or for a bye.
    pub seats: [Option<usize>; 2],
    /// Half points so far.
    pub half_points: [u64; 2],
    /// The winner, once known.
    pub winner: Option<usize>,
    /// How the match was decided, once known.
    pub decision: Option<DecidedBy>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Slot {
    round: u32,
    seats: [Option<usize>; 2],
    /// Results by unit of the match; `None` where not played yet.
    results: Vec<Option<UnitResult>>,
    winner: Option<usize>,
    decision: Option<DecidedBy>,
}

/// The half points of a unit: two games of two.
const UNIT: u64 = 4;

impl Knockout {
    /// A knockout of `seats` seats, numbered by seed.
    pub fn new(seats: usize, rules: KnockoutRules) -> Result<Self, KnockoutError> {
        Knockout::with_leavers(vec![None; seats], rules)
    }

    /// A knockout of these seats, numbered by seed; some withdraw after a round, counted from 0. If
    /// two withdrawn seats meet, the better seed advances, and loses the next match.
    pub fn with_leavers(
        leaves: Vec<Option<u32>>,
        rules: KnockoutRules,
    ) -> Result<Self, KnockoutError> {
        let seats = leaves.len();
        if seats < 2 {
            return Err(KnockoutError::TooFewSeats(seats));
        }
        if rules.units == 0 {
            return Err(KnockoutError::NoUnits);
        }
        let size = seats
            .checked_next_power_of_two()
            .ok_or(KnockoutError::TooMany)?;
        (rules.units.checked_add(rules.extra))
            .and_then(|units| units.checked_mul(size as u64 * 2 * UNIT))
            .ok_or(KnockoutError::TooMany)?;
        let mut matches = Vec::with_capacity(size - 1);
        let mut in_round = size / 2;
        for round in 0..size.ilog2() {
            let empty = Slot {
                round,
                seats: [None; 2],
                results: Vec::new(),
                winner: None,
                decision: None,
            };
            matches.extend(std::iter::repeat_n(empty, in_round));
            in_round /= 2;
        }
        let places = bracket(size);
        for (slot, pair) in matches.iter_mut().zip(places.chunks_exact(2)) {
            slot.seats = [pair[0], pair[1]].map(|seat| (seat < seats).then_some(seat));
        }
        let mut knockout = Knockout {
            seats,
            rules,
            leaves,
            matches,
        };
        for number in 0..size / 2 {
            knockout.walk_over(number);
            // More than half of the places have seats, so no first match has two empty ones.
            if let [Some(seat), None] | [None, Some(seat)] = knockout.matches[number].seats {
                knockout.advance(number, seat, DecidedBy::Bye);
            }
        }
        Ok(knockout)
    }

    /// Every match of the bracket, round after round.
    pub fn matches(&self) -> impl Iterator<Item = KnockoutMatch> + '_ {
        self.matches
            .iter()
            .enumerate()
            .map(|(number, slot)| KnockoutMatch {
                number,
                round: slot.round,
                seats: slot.seats,
                half_points: slot.half_points(),
                winner: slot.winner,
                decision: slot.decision,
            })
    }

    /// All games that may be played now, in any order: both orders of every unit of every match
    /// with two seats and no winner. If a match is decided in the meantime, its remaining units may
    /// be recorded or dropped; the winner stays the same.
    pub fn open(&self) -> Vec<Pairing> {
        let mut open = Vec::new();
        for (number, slot) in self.matches.iter().enumerate() {
            let ([Some(one), Some(other)], None) = (slot.seats, slot.winner) else {
                continue;
            };
            for unit in 0..slot.wanted(&self.rules) {
                if slot.result(unit).is_none() {
                    let board = u64::from(slot.round) * self.per_match() + unit;
                    let id = number as u64 * self.per_match() + unit;
                    open.extend(rotations(id, board, &[one, other]));
                }
            }
        }
        open
    }

    /// Records the result of a unit. The same result twice counts once.
    pub fn record(
        &mut self,
        unit: u64,
        result: impl Into<UnitResult>,
    ) -> Result<(), KnockoutError> {
        let result = result.into();
        let half_points = result.half_points;
        let number = usize::try_from(unit / self.per_match()).unwrap_or(usize::MAX);
        let within = unit % self.per_match();
        let rules = self.rules;
        let slot = self
            .matches
            .get_mut(number)
            .ok_or(KnockoutError::NotOpen(unit))?;
        let known = slot.seats.iter().all(Option::is_some);
        if !known || within >= slot.wanted(&rules) {
            return Err(KnockoutError::NotOpen(unit));
        }
        if half_points.iter().any(|&points| points > UNIT) || half_points[0] + half_points[1] > UNIT
        {
            return Err(KnockoutError::Points(unit));
        }
        match slot.result(within) {
            Some(before) if before == result => return Ok(()),
            Some(_) => return Err(KnockoutError::Twice(unit)),
            None => {}
        }
        let within = within as usize;
        if slot.results.len() <= within {
            slot.results.resize(within + 1, None);
        }
        slot.results[within] = Some(result);
        if slot.winner.is_some() {
            return Ok(());
        }
        if let Some((winner, decision)) = self.decided(number) {
            self.advance(number, winner, decision);
        }
        Ok(())
    }

    /// The winner of the knockout, once known.
    pub fn champion(&self) -> Option<usize> {
        self.matches.last().and_then(|last| last.winner)
    }

    /// The places by seat, counted from 1; `None` for seats still in. All who lost in one round
    /// share the best place they could have had.
    pub fn places(&self) -> Vec<Option<u64>> {
        let mut places = vec![None; self.seats];
        let rounds = self.matches.last().map_or(0, |last| last.round + 1);
        for slot in &self.matches {
            if let Some(winner) = slot.winner {
                for loser in slot
                    .seats
                    .into_iter()
                    .flatten()
                    .filter(|&seat| seat != winner)
                {
                    places[loser] = Some((1 << (rounds - slot.round - 1)) + 1);
                }
            }
        }
        if let Some(champion) = self.champion() {
            places[champion] = Some(1);
        }
        places
    }

    fn per_match(&self) -> u64 {
        self.rules.units + self.rules.extra
    }

    /// The match that the winner goes to, and the side.
    fn next(&self, number: usize) -> Option<(usize, usize)> {
        // Counted backwards from the final, the bracket is a heap.
        let from_end = self.matches.len() - 1 - number;
        let parent = from_end.checked_sub(1)? / 2;
        Some((self.matches.len() - 1 - parent, from_end % 2))
    }

    fn advance(&mut self, number: usize, winner: usize, decision: DecidedBy) {
        self.matches[number].winner = Some(winner);
        self.matches[number].decision = Some(decision);
        if let Some((next, side)) = self.next(number) {
            self.matches[next].seats[side] = Some(winner);
            self.walk_over(next);
        }
    }

    /// Ends an undecided match because a seat has left.
    fn walk_over(&mut self, number: usize) {
        let slot = &self.matches[number];
        let ([Some(one), Some(other)], None) = (slot.seats, slot.winner) else {
            return;
        };
        let has_left = |seat: usize| self.leaves[seat].is_some_and(|round| round <= slot.round);
        let winner = match (has_left(one), has_left(other)) {
            (false, false) => return,
            (true, false) => other,
            (false, true) => one,
            (true, true) => one.min(other),
        };
        self.advance(number, winner, DecidedBy::Walkover);
    }

    fn decided(&self, number: usize) -> Option<(usize, DecidedBy)> {
        let slot = &self.matches[number];
        let [Some(one), Some(other)] = slot.seats else {
            return None;
        };
        let [ours, theirs] = slot.half_points();
        let played = slot.results.iter().flatten().count() as u64;
        let left = self.rules.units.saturating_sub(played);
        if ours.abs_diff(theirs) > left * UNIT {
            let winner = if ours > theirs { one } else { other };
            return Some((winner, DecidedBy::Points));
        }
        if played < self.per_match() {
            return None;
        }
        let margin: i64 = slot.results.iter().flatten().map(|r| r.margin).sum();
        if self.rules.margins_part_equals && margin != 0 {
            let winner = if margin > 0 { one } else { other };
            return Some((winner, DecidedBy::Margins));
        }
        // Each match has its own coin, whatever order the matches end in.
        let mut coin = Random::seeded(self.rules.seed ^ (number as u64 + 1).rotate_left(32));
        let winner = if coin.below(2) == 0 { one } else { other };
        Some((winner, DecidedBy::Coin))
    }
}

impl Slot {
    fn result(&self, unit: u64) -> Option<UnitResult> {
        self.results
            .get(usize::try_from(unit).ok()?)
            .copied()
            .flatten()
    }

    fn half_points(&self) -> [u64; 2] {
        self.results
            .iter()
            .flatten()
            .map(|result| result.half_points)
            .fold([0; 2], |sum, r| [sum[0] + r[0], sum[1] + r[1]])
    }

    /// Number of units for now: the regular ones, and once these are level, one more than were
    /// played.
    fn wanted(&self, rules: &KnockoutRules) -> u64 {
        let played = self.results.iter().flatten().count() as u64;
        if self.winner.is_some() || played < rules.units {
            rules.units.max(self.results.len() as u64)
        } else {
            (played + 1).min(rules.units + rules.extra)
        }
    }
}

/// The seats by place in a bracket: if the stronger always wins, the numbers of two opponents have
/// the same sum in every round.
fn bracket(size: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < size {
        let sum = 2 * places.len() - 1;
        places = places.iter().flat_map(|&seat| [seat, sum - seat]).collect();
    }
    places
}

#[cfg(test)]
mod tests;
