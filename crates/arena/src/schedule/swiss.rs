use std::cmp::Reverse;

use floe_rules::random::Random;

use super::{Pairing, SwissScores, matching, rotations};

/// A Swiss tournament: in every round seats with about equally many points meet, no two meet twice
/// while that can be avoided, and all play all rounds.
///
/// Within a group of equal points the upper half meets the lower half in order. With an odd number
/// of seats, the lowest of those with the fewest byes has a bye. If this would leave a seat without
/// a new opponent, as few pairs as possible are changed; a rematch happens only if every way to
/// pair the round contains one.
///
/// Seats may join with a later round and leave with one: see [`Stay`].
///
/// A round depends on the seed, the seats present and the standings alone, so an interrupted
/// tournament resumes by counting its results again. O(seats²) a round, O(seats³) at worst.
///
/// ```
/// use floe_arena::schedule::{SwissScores, Swiss};
///
/// let swiss = Swiss::new(5, 2, 1);
/// let mut standings = SwissScores::new(5);
/// let round = swiss.next_round(0, &standings);
/// assert_eq!(round.tables.len(), 2);
/// for &table in &round.tables {
///     for _board in 0..2 {
///         standings.add(table, [4, 0]);
///     }
/// }
/// standings.add_bye(round.bye.unwrap(), 2 * 4);
/// let next = swiss.next_round(1, &standings);
/// assert!(next.bye != round.bye);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swiss {
    /// Random order of seats with equal standings.
    lot: Vec<usize>,
    /// The rounds in which each seat takes part.
    stays: Vec<Stay>,
    boards: u64,
}

/// The rounds, counted from 0, in which a seat takes part.
///
/// A seat that joins late gets half the points of each earlier round, as for a draw; a seat that
/// has left keeps its points and gets no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stay {
    /// The first round of the seat.
    pub joins: u64,
    /// The first round without the seat; `None` if it stays to the end.
    pub leaves: Option<u64>,
}

impl Stay {
    /// Whether the seat takes part in this round.
    pub fn covers(self, round: u64) -> bool {
        self.joins <= round && self.leaves.is_none_or(|leaves| round < leaves)
    }
}

/// One round of a Swiss tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// The pairs of this round, strongest first. The first-named seat has the first move in the
    /// first game.
    pub tables: Vec<[usize; 2]>,
    /// The seat that does not play.
    pub bye: Option<usize>,
}

impl Swiss {
    /// A tournament of `seats` seats that all play all rounds, with `boards` boards (units) per
    /// pair in each round.
    pub fn new(seats: usize, boards: u64, seed: u64) -> Self {
        Swiss::with_stays(vec![Stay::default(); seats], boards, seed)
    }

    /// A tournament in which seats may join late or leave. The rounds before that are drawn as if
    /// no seat did.
    pub fn with_stays(stays: Vec<Stay>, boards: u64, seed: u64) -> Self {
        let seats = 0..stays.len();
        let (mut order, mut late): (Vec<usize>, Vec<usize>) =
            seats.partition(|&seat| stays[seat].joins == 0);
        Random::seeded(seed).shuffle(&mut order);
        late.sort_by_key(|&seat| stays[seat].joins);
        order.extend(late);
        let mut lot = vec![0; stays.len()];
        for (place, &seat) in order.iter().enumerate() {
            lot[seat] = place;
        }
        Swiss { lot, stays, boards }
    }

    /// The seats present in a round, in order.
    pub fn present(&self, round: u64) -> impl Iterator<Item = usize> + '_ {
        let stays = self.stays.iter().enumerate();
        stays.filter_map(move |(seat, stay)| stay.covers(round).then_some(seat))
    }

    /// The seats that had not joined yet in a round.
    pub fn awaited(&self, round: u64) -> impl Iterator<Item = usize> + '_ {
        let stays = self.stays.iter().enumerate();
        stays.filter_map(move |(seat, stay)| (round < stay.joins).then_some(seat))
    }

    /// Number of pairs in a round.
    fn tables(&self, round: u64) -> u64 {
        self.present(round).count() as u64 / 2
    }

    /// Number of units before a round. O(seats · rounds in which a seat joins or leaves).
    pub fn units_before(&self, round: u64) -> u64 {
        let mut changes: Vec<u64> = vec![0, round];
        changes.extend(self.stays.iter().map(|stay| stay.joins));
        changes.extend(self.stays.iter().filter_map(|stay| stay.leaves));
        changes.retain(|&change| change <= round);
        changes.sort_unstable();
        changes.dedup();
        let stretches = changes.windows(2);
        let units = |ends: &[u64]| {
            let tables = (ends[1] - ends[0]).saturating_mul(self.tables(ends[0]));
            tables.saturating_mul(self.boards)
        };
        stretches.map(units).fold(0, u64::saturating_add)
    }

    /// Default number of rounds, enough to separate the best from the rest: the binary logarithm of
    /// the seats, rounded up.
    pub fn default_rounds(&self) -> u32 {
        self.lot.len().next_power_of_two().ilog2()
    }

    /// The pairs of this round, counted from 0, given everything played before it.
    ///
    /// Scores of another number of seats make an empty round.
    pub fn next_round(&self, number: u64, standings: &SwissScores) -> Round {
        if standings.seats() != self.lot.len() {
            return Round {
                tables: Vec::new(),
                bye: None,
            };
        }
        let mut ranking: Vec<usize> = self.present(number).collect();
        let seats = ranking.len();
        ranking.sort_by_cached_key(|&seat| (Reverse(standings.key(seat)), self.lot[seat]));

        let (likes, mut mate) = self.wishes(standings, &ranking);
        // The bye is the last vertex and chooses first: it takes the lowest seat that may have a
        // bye.
        for place in (0..likes.len()).rev().take(1).chain(0..likes.len()) {
            let free = likes[place]
                .iter()
                .copied()
                .find(|&other| mate[other].is_none());
            if let (None, Some(other)) = (mate[place], free) {
                mate[place] = Some(other);
                mate[other] = Some(place);
            }
        }
        matching::complete(&likes, &mut mate);
        self.pair_the_rest(standings, &ranking, &mut mate);

        let mut tables = Vec::with_capacity(seats / 2);
        let mut bye = None;
        for place in 0..seats {
            match mate[place] {
                Some(other) if other >= seats => bye = Some(ranking[place]),
                Some(other) if place < other => {
                    tables.push(self.seated(standings, [ranking[place], ranking[other]]));
                }
                _ => {}
            }
        }
        Round { tables, bye }
    }

    /// For every place in the ranking, and for the bye if there is one, the possible opponents,
    /// best first; and an empty pairing.
    fn wishes(
        &self,
        standings: &SwissScores,
        ranking: &[usize],
    ) -> (Vec<Vec<usize>>, Vec<Option<usize>>) {
        let seats = ranking.len();
        let points: Vec<u64> = ranking
            .iter()
            .map(|&seat| standings.half_points(seat))
            .collect();
        let mut likes: Vec<Vec<usize>> = Vec::with_capacity(seats + 1);
        for (place, &seat) in ranking.iter().enumerate() {
            let first = points.partition_point(|&p| p > points[place]);
            let past = points.partition_point(|&p| p >= points[place]);
            // Upper half against lower half: half a group away is best.
            let half = (past - first).div_ceil(2).max(1);
            let mut liked: Vec<usize> = (0..seats)
                .filter(|&other| other != place && standings.met(seat, ranking[other]) == 0)
                .collect();
            liked.sort_by_key(|&other| {
                (
                    points[place].abs_diff(points[other]),
                    place.abs_diff(other).abs_diff(half),
                )
            });
            likes.push(liked);
        }
        if seats % 2 == 1 {
            let fewest = ranking
                .iter()
                .map(|&seat| standings.byes(seat))
                .min()
                .unwrap_or(0);
            let may = |&place: &usize| standings.byes(ranking[place]) == fewest;
            let liked: Vec<usize> = (0..seats).rev().filter(may).collect();
            for &place in &liked {
                likes[place].push(seats);
            }
            likes.push(liked);
        }
        let mate = vec![None; likes.len()];
        (likes, mate)
    }

    /// Rematches for the remaining seats, those that met least often first.
    fn pair_the_rest(
        &self,
        standings: &SwissScores,
        ranking: &[usize],
        mate: &mut [Option<usize>],
    ) {
        let seats = ranking.len();
        // Choose the bye first here too, so that every other seat can meet any opponent.
        for place in (0..mate.len()).rev().take(1).chain(0..mate.len()) {
            if mate[place].is_some() {
                continue;
            }
            let free = (0..seats).filter(|&other| other != place && mate[other].is_none());
            let chosen = if place == seats {
                free.min_by_key(|&other| (standings.byes(ranking[other]), Reverse(other)))
            } else {
                free.min_by_key(|&other| {
                    (
                        standings.met(ranking[place], ranking[other]),
                        place.abs_diff(other),
                    )
                })
            };
            if let Some(other) = chosen {
                mate[place] = Some(other);
                mate[other] = Some(place);
            }
        }
    }

    /// The seat with fewer first moves gets the first move; if equal, the random draw decides.
    fn seated(&self, standings: &SwissScores, [one, other]: [usize; 2]) -> [usize; 2] {
        let key = |seat: usize| (standings.firsts(seat), self.lot[seat]);
        if key(one) <= key(other) {
            [one, other]
        } else {
            [other, one]
        }
    }

    /// The games of a round, counted from 0. Every round has its own numbers and boards; all pairs
    /// of a round play the same boards.
    pub fn pairings<'a>(
        &'a self,
        number: u64,
        round: &'a Round,
    ) -> impl Iterator<Item = Pairing> + 'a {
        let (before, tables) = (self.units_before(number), self.tables(number));
        (0..self.boards).flat_map(move |board| {
            let first = before + board * tables;
            (round.tables.iter().zip(first..))
                .flat_map(move |(table, unit)| rotations(unit, number * self.boards + board, table))
        })
    }
}
