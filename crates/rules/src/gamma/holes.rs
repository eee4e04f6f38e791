//! Does anything lie enclosed in a player's areas?
//!
//! Without holes an area has a single contour, so that it falls into as many pieces as a lost field
//! has gaps around it (see `cuts`), and no contour need be followed. Holes are counted without a
//! walk, by Euler's formula for fields, pairs of neighbours, and blocks of two by two:
//!
//! ```text
//! fields - pairs + blocks = areas - holes
//! ```

use super::grid::{Grid, Link, Owner};
use super::memory::Memory;
use super::tally::Holes;

impl<O: Owner, L: Link, M: Memory> Grid<O, L, M> {
    /// Whether it is known that no area of `owner` has a hole. O(1).
    pub(super) fn is_known_solid(&self, owner: O) -> bool {
        let last = self
            .players
            .of(owner.number())
            .and_then(|tally| tally.holes);
        last.is_some_and(|last| !last.are_there && last == self.holes_now(owner, false))
    }

    /// Finds out whether an area of `owner`, who has a tally, has a hole, and remembers it. O(n) in
    /// the order of memory, O(1) if nothing of his changed since the last time.
    pub(super) fn look_for_holes(&mut self, owner: O) {
        let (with, without) = (self.holes_now(owner, true), self.holes_now(owner, false));
        let tally = self.players.of_mut(owner.number());
        if tally.holes == Some(with) || tally.holes == Some(without) {
            return;
        }
        let areas = u64::from(tally.areas);
        let is_solid = without.at.0 == areas + self.pairs_less_blocks(owner);
        let tally = self.players.of_mut(owner.number());
        tally.holes = Some(if is_solid { without } else { with });
    }

    /// The facts to cache about a player's areas as they are.
    fn holes_now(&self, owner: O, are_there: bool) -> Holes {
        let tally = self.players.of(owner.number());
        let busy = tally.map_or(0, |tally| tally.busy);
        Holes {
            at: (busy, self.goldens),
            are_there,
        }
    }

    /// Pairs of neighbours among the fields of `owner`, less his blocks of two by two.
    fn pairs_less_blocks(&self, owner: O) -> u64 {
        let width = self.width as usize;
        let mut sum = 0;
        let mut rows = self.owners.chunks_exact(width);
        let mut row = rows.next().unwrap_or_default();
        for above in rows {
            let last = row[width - 1] == owner && above[width - 1] == owner;
            sum += pairs_between(row, above, owner) + u64::from(last);
            row = above;
        }
        let pairs = row.windows(2).filter(|pair| *pair == [owner, owner]);
        sum + pairs.count() as u64
    }
}

/// Pairs within a row and between it and that above, less blocks, but for the last column's.
fn pairs_between<O: Owner>(row: &[O], above: &[O], owner: O) -> u64 {
    /// As many fields as a byte can count two pairs for.
    const STEP: usize = 120;
    let inner = row.len() - 1;
    let mut sum = 0;
    let mut at = 0;
    while at < inner {
        let end = (at + STEP).min(inner);
        let pairs = row[at..end].iter().zip(&row[at + 1..=end]);
        let above_pairs = above[at..end].iter().zip(&above[at + 1..=end]);
        let mut some = 0u8;
        for ((&here, &right), (&up, &corner)) in pairs.zip(above_pairs) {
            let is_here = u8::from(here == owner);
            let is_right = u8::from(right == owner);
            let is_up = u8::from(up == owner);
            let is_block = is_right & is_up & u8::from(corner == owner);
            some += is_here & is_right;
            some += is_here & is_up;
            some -= is_here & is_block;
        }
        sum += u64::from(some);
        at = end;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gamma::grid::Measures;
    use crate::random::Random;

    /// Holes of all areas by a fill of what is not theirs, corners included, from the edge.
    fn holes(is_own: &[bool], width: usize, height: usize) -> usize {
        // A margin of one field all around is the outside.
        let (columns, rows) = (width + 2, height + 2);
        let mut is_open = vec![true; columns * rows];
        for (at, is_own) in is_own.iter().enumerate() {
            is_open[(at / width + 1) * columns + at % width + 1] = !is_own;
        }
        let mut grounds = 0;
        while let Some(start) = is_open.iter().position(|is_open| *is_open) {
            let mut waiting = vec![start];
            grounds += 1;
            while let Some(at) = waiting.pop() {
                if !std::mem::take(&mut is_open[at]) {
                    continue;
                }
                let (x, y) = (at % columns, at / columns);
                for (dx, dy) in [
                    (0, 0),
                    (0, 1),
                    (0, 2),
                    (1, 0),
                    (1, 2),
                    (2, 0),
                    (2, 1),
                    (2, 2),
                ] {
                    let (x, y) = ((x + dx).wrapping_sub(1), (y + dy).wrapping_sub(1));
                    if x < columns && y < rows {
                        waiting.push(y * columns + x);
                    }
                }
            }
        }
        grounds - 1
    }

    #[test]
    fn holes_are_found_where_a_fill_finds_them() {
        let mut random = Random::seeded(7);
        let mut both = [0, 0];
        for _ in 0..600 {
            let (width, height) = (1 + random.below(9) as u32, 1 + random.below(9) as u32);
            let measures = Measures {
                width,
                height,
                players: 2,
                limit: u32::MAX,
            };
            let mut grid: Grid<u8, u32> = Grid::new(measures).unwrap();
            let share = 1 + random.below(9);
            let mut is_own = Vec::new();
            for y in 0..height {
                for x in 0..width {
                    is_own.push(random.below(10) < share);
                    if is_own.last() == Some(&true) {
                        grid.take(1, grid.field(x, y)).unwrap();
                    }
                }
            }
            if !is_own.contains(&true) {
                continue;
            }
            grid.look_for_holes(1);
            let are_there = holes(&is_own, width as usize, height as usize) > 0;
            assert_eq!(grid.is_known_solid(1), !are_there, "{width} {is_own:?}");
            both[usize::from(are_there)] += 1;
        }
        assert!(both[0] > 50 && both[1] > 50, "{both:?}");
    }
}
