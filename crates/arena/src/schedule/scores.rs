use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The scores of all seats against each other, in half points: a loss brings 0, a draw 1, a win 2.
///
/// Filled with whole units, in any order. Memory and the cost of a tie-break grow with the
/// opponents a seat has met.
///
/// ```
/// use floe_arena::schedule::SwissScores;
///
/// let mut standings = SwissScores::new(3);
/// standings.add([0, 1], [3, 1]);
/// standings.add([2, 1], [4, 0]);
/// assert_eq!(standings.order(), [2, 0, 1]);
/// assert_eq!(standings.buchholz(1), 7);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissScores {
    lines: Vec<EntrantScore>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct EntrantScore {
    points: u64,
    byes: u64,
    bye_points: u64,
    firsts: u64,
    /// By opponent: units played, half points won.
    met: BTreeMap<usize, (u64, u64)>,
}

impl SwissScores {
    /// Scores before the first game.
    pub fn new(seats: usize) -> Self {
        SwissScores {
            lines: vec![EntrantScore::default(); seats],
        }
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        self.lines.len()
    }

    /// Counts a unit: its players, first the one with the first move in the first game, and the
    /// half points of each. Panics if a seat is out of range.
    pub fn add(&mut self, seats: [usize; 2], half_points: [u64; 2]) {
        for me in 0..2 {
            let line = &mut self.lines[seats[me]];
            line.points += half_points[me];
            line.firsts += u64::from(me == 0);
            let met = line.met.entry(seats[1 - me]).or_default();
            met.0 += 1;
            met.1 += half_points[me];
        }
    }

    /// Counts a round without an opponent, and the half points the seat gets for it.
    pub fn add_bye(&mut self, seat: usize, half_points: u64) {
        let line = &mut self.lines[seat];
        line.byes += 1;
        line.points += half_points;
        line.bye_points += half_points;
    }

    /// The half points of a seat.
    pub fn half_points(&self, seat: usize) -> u64 {
        self.lines[seat].points
    }

    /// Number of units between two seats.
    pub fn met(&self, one: usize, other: usize) -> u64 {
        self.lines[one].met.get(&other).map_or(0, |met| met.0)
    }

    /// Number of a seat's byes.
    pub fn byes(&self, seat: usize) -> u64 {
        self.lines[seat].byes
    }

    /// Number of units in which a seat had the first move of the first game.
    pub fn firsts(&self, seat: usize) -> u64 {
        self.lines[seat].firsts
    }

    /// Buchholz: the half points of all opponents, each counted once however many boards were
    /// played. A higher value means stronger opponents. A bye counts as an opponent with the seat's
    /// own points, so that it neither helps nor hurts.
    pub fn buchholz(&self, seat: usize) -> u64 {
        let line = &self.lines[seat];
        let opponents: u64 = line.met.keys().map(|&other| self.lines[other].points).sum();
        opponents + line.byes * line.points
    }

    /// Sonneborn-Berger: the half points won against each opponent times that opponent's half
    /// points. A higher value means stronger beaten opponents.
    pub fn sonneborn_berger(&self, seat: usize) -> u64 {
        let line = &self.lines[seat];
        let opponents = line
            .met
            .iter()
            .map(|(&other, met)| met.1 * self.lines[other].points);
        opponents.sum::<u64>() + line.bye_points * line.points
    }

    /// All seats, best first: by points, then Buchholz, then Sonneborn-Berger, then number. O(seats
    /// · opponents).
    pub fn order(&self) -> Vec<usize> {
        let mut seats: Vec<usize> = (0..self.seats()).collect();
        seats.sort_by_cached_key(|&seat| std::cmp::Reverse(self.key(seat)));
        seats
    }

    /// Which of two seats stands higher; equal if no tie-break separates them.
    pub fn compare(&self, one: usize, other: usize) -> Ordering {
        self.key(one).cmp(&self.key(other))
    }

    pub(super) fn key(&self, seat: usize) -> (u64, u64, u64) {
        (
            self.half_points(seat),
            self.buchholz(seat),
            self.sonneborn_berger(seat),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tie_breaks_are_those_of_a_table_made_by_hand() {
        // 0 beats 1 and 2; 1 beats 2; 3 has a bye and draws 2.
        let mut standings = SwissScores::new(4);
        standings.add([0, 1], [4, 0]);
        standings.add([2, 0], [1, 3]);
        standings.add([1, 2], [3, 1]);
        standings.add([2, 3], [2, 2]);
        standings.add_bye(3, 4);
        let points: Vec<u64> = (0..4).map(|seat| standings.half_points(seat)).collect();
        assert_eq!(points, [7, 3, 4, 6]);
        assert_eq!(standings.buchholz(0), 3 + 4);
        assert_eq!(standings.buchholz(2), 7 + 3 + 6);
        assert_eq!(standings.buchholz(3), 4 + 6);
        assert_eq!(standings.sonneborn_berger(0), 4 * 3 + 3 * 4);
        assert_eq!(standings.sonneborn_berger(3), 2 * 4 + 4 * 6);
        assert_eq!(standings.order(), [0, 3, 2, 1]);
        assert_eq!(standings.firsts(2), 2);
        assert_eq!((standings.met(0, 2), standings.met(0, 3)), (1, 0));
    }

    #[test]
    fn several_boards_count_one_opponent() {
        let mut standings = SwissScores::new(2);
        standings.add([0, 1], [4, 0]);
        standings.add([1, 0], [1, 3]);
        assert_eq!(standings.buchholz(0), 1);
        assert_eq!(standings.met(1, 0), 2);
        assert_eq!(standings.compare(0, 1), Ordering::Greater);
    }
}
