//! The grounds around a player's areas: which of the other fields hang together, corners included.
//!
//! Every contour of an area (see `cuts`) goes along one ground, and no two along the same. It may be
//! found with all areas of the player in the way: what is beside a contour hangs together along it.
//! So an area falls into
//!
//! ```text
//! 1 + gaps around the lost field - grounds in these gaps
//! ```
//!
//! pieces. A survey finds the grounds in the order of memory, row by row, which takes less time than
//! to follow long contours. It stores for each *run*, a stretch of fields in a row that are not the
//! player's, the number of its ground, and one bit where it starts.

use super::cuts::{Ring, is_exit};
use super::fill::count;
use super::grid::{Direction, Field, Grid, Link, Owner};
use super::grounds::{Grounds, OUTSIDE, Row};
use super::memory::Memory;

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    /// Finds the grounds around the areas of `owner`, unless that takes too much memory.
    /// O(n).
    pub(super) fn survey(&mut self, owner: O) {
        if self.grounds_of(owner).is_some() {
            return;
        }
        // As many runs in all as the fields of a board could have around one player.
        let most = self.owners.len() / 2 + self.height as usize + 1;
        let Some(grounds) = self.find_grounds(owner, most) else {
            return;
        };
        let runs = |grounds: &Grounds| grounds.labels.len();
        if self.grounds.iter().map(runs).sum::<usize>() + runs(&grounds) > most {
            self.grounds.clear();
        }
        if self.grounds.try_reserve(1).is_ok() {
            self.grounds.push(grounds);
            self.is_watched = true;
        }
    }

    fn find_grounds(&self, owner: O, most: usize) -> Option<Grounds> {
        let width = self.width as usize;
        let words = width.div_ceil(64);
        let mut grounds = Grounds::new(owner.number(), words, self.height as usize)?;
        let (mut row, mut below) = (Row::default(), Row::default());
        row.runs.try_reserve(width / 2 + 1).ok()?;
        below.runs.try_reserve(width / 2 + 1).ok()?;
        let last = self.height - 1;
        for (y, owners) in (0..).zip(self.owners.chunks_exact(width)) {
            (row, below) = (below, row);
            row.first = grounds.labels.len();
            find_runs(owners, owner, &mut row.runs);
            if row.first + row.runs.len() > most {
                return None;
            }
            grounds.labels.try_reserve(row.runs.len()).ok()?;
            grounds.before.push(u32::try_from(row.first).ok()?);
            let end = grounds.starts.len() + words;
            grounds.starts.resize(end, 0);
            let starts = &mut grounds.starts[end - words..];
            for run in &row.runs {
                starts[run.0 as usize / 64] |= 1 << (run.0 % 64);
            }
            grounds.add_row(&row, &below, self.width, y == 0 || y == last);
        }
        // A run's ground has an earlier run, whose ground is known already.
        for run in 0..grounds.labels.len() {
            grounds.labels[run] = grounds.labels[grounds.labels[run] as usize];
        }
        Some(grounds)
    }

    fn grounds_of(&self, owner: O) -> Option<&Grounds> {
        let player = owner.number();
        self.grounds.iter().find(|grounds| grounds.player == player)
    }

    /// Into how many pieces the area of `owner` falls without the field, around which there are so
    /// many gaps; `None` if the grounds are not known.
    pub(super) fn surveyed_pieces(&self, field: Field, owner: O, gaps: u32) -> Option<u32> {
        let grounds = self.grounds_of(owner)?;
        let words = (self.width as usize).div_ceil(64);
        let ring = self.ring(field, owner);
        let mut found = [u32::MAX; 4];
        let mut count = 0;
        for direction in Direction::ALL {
            if !is_exit(&ring, direction) {
                continue;
            }
            let label = match self.gap(field, &ring, direction) {
                Some(gap) => grounds.at(words, gap.index / self.width as usize, gap.x),
                None => OUTSIDE as u32,
            };
            if !found.contains(&label) {
                found[count] = label;
                count += 1;
            }
        }
        Some(1 + gaps - count as u32)
    }

    /// A field of the gap to the left of an exit; `None` if that is off the board.
    fn gap(&self, field: Field, ring: &Ring, exit: Direction) -> Option<Field> {
        let left = exit.left();
        match ring.has_side(left) {
            true => self.beside(self.beside(field, exit)?, left),
            false => self.beside(field, left),
        }
    }

    /// The field has become `player`'s: forgets his grounds if they may have changed.
    pub(super) fn heed_gain(&mut self, player: u32, field: Field) {
        let owner = O::of(player);
        let around = self.around(field).into_iter();
        if around.filter(|&next| self.owner(next) == owner).count() > 1 {
            self.forget_grounds(player);
        }
    }

    /// Forgets a player's grounds.
    pub(super) fn forget_grounds(&mut self, player: u32) {
        self.grounds.retain(|grounds| grounds.player != player);
    }
}

/// Lists the runs of a row that are not `owner`'s, for all of which there is room.
fn find_runs<O: Owner>(row: &[O], owner: O, into: &mut Vec<(u32, u32)>) {
    into.clear();
    let mut x = 0;
    loop {
        x += count(&row[x..], |o| o == owner);
        if x == row.len() {
            return;
        }
        let start = x;
        x += count(&row[x..], |o| o != owner);
        into.push((start as u32, x as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gamma::grid::Measures;
    use crate::random::Random;

    /// Compares what the grounds say of each field with what contours say; gives how often the area
    /// would stay whole although there are gaps, and how often it would not.
    fn compare(grid: &Grid<u8, u32>) -> [usize; 2] {
        let mut plain = grid.clone();
        plain.grounds.clear();
        let mut counts = [0, 0];
        for index in 0..grid.owners.len() {
            let field = grid.field_at(index);
            let gaps = grid.most_pieces(field, 1);
            if grid.owners[index] != 1 || gaps <= 1 {
                continue;
            }
            for most in 1..4 {
                let pieces = grid.surveyed_pieces(field, 1, gaps).unwrap();
                let expected = plain.splits_into_at_most(field, 1, most, u64::MAX).0;
                assert_eq!(Some(pieces <= most), expected, "{index} of {grid:?}");
            }
            let is_whole = grid.surveyed_pieces(field, 1, gaps) == Some(1);
            counts[usize::from(!is_whole)] += 1;
        }
        counts
    }

    #[test]
    fn grounds_say_the_same_as_contours_and_hold_until_they_are_forgotten() {
        let mut random = Random::seeded(11);
        let mut counts = [0, 0];
        let (mut held, mut forgotten) = (0, 0);
        for game in 0..400 {
            let width = match game % 8 {
                0 => 60 + random.below(80) as u32,
                _ => 1 + random.below(9) as u32,
            };
            let height = 1 + random.below(9) as u32;
            let measures = Measures {
                width,
                height,
                players: 3,
                limit: u32::MAX,
            };
            let mut grid: Grid<u8, u32> = Grid::new(measures).unwrap();
            let fields = u64::from(width) * u64::from(height);
            for step in 0..fields * 2 {
                let index = random.below(fields) as usize;
                let player = 1 + random.below(5).saturating_sub(2) as u32;
                let field = grid.field_at(index);
                let was_known = grid.grounds_of(1).is_some();
                if step % 9 == 8 {
                    let _ = grid.take_golden(player, field);
                } else if grid.take(player, field).is_err() {
                    continue;
                }
                match grid.grounds_of(1) {
                    Some(_) => held += 1,
                    None if was_known => forgotten += 1,
                    None => {}
                }
                if grid.players.of(1).is_some_and(|tally| tally.busy > 0) {
                    grid.survey(1);
                    assert!(grid.grounds_of(1).is_some());
                    let [whole, split] = compare(&grid);
                    counts = [counts[0] + whole, counts[1] + split];
                }
            }
        }
        assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
        assert!(held > 100 && forgotten > 100, "{held} {forgotten}");
    }
}
