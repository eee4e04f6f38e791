use std::cmp::Reverse;

use floe_rules::random::Random;

use super::{Pairing, Standings, matching, rotations};

/// A Swiss tournament: in every round seats with about equally many points meet, nobody meets
/// anybody twice while that can be avoided, and all play all rounds.
///
/// Within a group of equal points the upper half meets the lower half in order. With an odd
/// number of seats, the lowest of those with the fewest byes has a bye. Where this would leave
/// somebody without a new opponent, as few pairs as possible are changed; a rematch happens only
/// if every way to pair the round contains one.
///
/// A round depends on the seed and the standings alone, so an interrupted tournament goes on by
/// counting its results again. O(seats²) a round, O(seats³) at worst.
///
/// ```
/// use floe_arena::schedule::{Standings, Swiss};
///
/// let swiss = Swiss::new(5, 2, 1);
/// let mut standings = Standings::new(5);
/// let round = swiss.next_round(&standings);
/// assert_eq!(round.tables.len(), 2);
/// for &table in &round.tables {
///     for _board in 0..2 {
///         standings.add(table, [4, 0]);
///     }
/// }
/// standings.add_bye(round.bye.unwrap(), 2 * 4);
/// let next = swiss.next_round(&standings);
/// assert!(next.bye != round.bye);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swiss {
    /// Who goes before whom where the standings do not tell.
    lot: Vec<usize>,
    boards: u64,
}

/// One round of a Swiss tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// Who meets whom, the strongest table first. The seat named first has the first move in the
    /// first game.
    pub tables: Vec<[usize; 2]>,
    /// Who does not play.
    pub bye: Option<usize>,
}

impl Swiss {
    /// A tournament of `seats`, with so many boards (units) a table in each round.
    pub fn new(seats: usize, boards: u64, seed: u64) -> Self {
        let mut order: Vec<usize> = (0..seats).collect();
        Random::seeded(seed).shuffle(&mut order);
        let mut lot = vec![0; seats];
        for (place, &seat) in order.iter().enumerate() {
            lot[seat] = place;
        }
        Swiss { lot, boards }
    }

    /// How many rounds it takes to tell the best from the rest: the binary logarithm of the
    /// seats, rounded up.
    pub fn usual_rounds(&self) -> u32 {
        self.lot.len().next_power_of_two().ilog2()
    }

    /// Who meets whom, given everything played so far.
    ///
    /// Standings of another number of seats make an empty round.
    pub fn next_round(&self, standings: &Standings) -> Round {
        let seats = standings.seats();
        if seats != self.lot.len() {
            return Round {
                tables: Vec::new(),
                bye: None,
            };
        }
        let mut ranking: Vec<usize> = (0..seats).collect();
        ranking.sort_by_cached_key(|&seat| (Reverse(standings.key(seat)), self.lot[seat]));

        let (likes, mut mate) = self.wishes(standings, &ranking);
        // The bye is the last vertex and chooses first: it takes the lowest who may.
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

    /// For every place in the ranking, and for the bye if there is one, whom it may meet, best
    /// first; and nobody paired yet.
    fn wishes(
        &self,
        standings: &Standings,
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

    /// Rematches for those who are left, those who met least often first.
    fn pair_the_rest(&self, standings: &Standings, ranking: &[usize], mate: &mut [Option<usize>]) {
        let seats = ranking.len();
        // The bye comes first here too: everybody else can meet anybody.
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

    /// The one that had the first move less often has it now; then the lot decides.
    fn seated(&self, standings: &Standings, [one, other]: [usize; 2]) -> [usize; 2] {
        let key = |seat: usize| (standings.firsts(seat), self.lot[seat]);
        if key(one) <= key(other) {
            [one, other]
        } else {
            [other, one]
        }
    }

    /// The games of a round, which is counted from 0. Every round has its own numbers and boards;
    /// the tables of a round play the same boards.
    pub fn pairings<'a>(
        &'a self,
        number: u64,
        round: &'a Round,
    ) -> impl Iterator<Item = Pairing> + 'a {
        let tables = (self.lot.len() / 2) as u64;
        (0..self.boards).flat_map(move |board| {
            let first = (number * self.boards + board) * tables;
            (round.tables.iter().zip(first..))
                .flat_map(move |(table, unit)| rotations(unit, number * self.boards + board, table))
        })
    }
}
