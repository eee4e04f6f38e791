//! The order in which moves are tried.

use std::cmp::Reverse;
use std::hash::{Hash, Hasher};

use floe_rules::Position;
use floe_rules::key::mix;

/// One move ahead of the root: a position, its moves and what is left of them to try.
#[derive(Debug)]
pub(super) struct Frame<P: Position> {
    pub(super) position: P,
    pub(super) moves: Vec<P::Move>,
    /// The moves left to try: their order value, and the index of the move.
    pub(super) order: Vec<(i32, u32)>,
    /// The last two moves that made others needless as far ahead as this.
    pub(super) killers: [Option<P::Move>; 2],
}

impl<P: Position> Frame<P> {
    pub(super) fn new(position: &P) -> Self {
        Frame {
            position: position.clone(),
            moves: Vec::new(),
            order: Vec::new(),
            killers: [None; 2],
        }
    }

    /// Lists the moves, in their own order.
    pub(super) fn list(&mut self) {
        self.position.moves(&mut self.moves);
        self.order.clear();
        self.order
            .extend((0..self.moves.len() as u32).map(|i| (0, i)));
    }

    /// Orders the moves: the table's, the killers, then by history.
    pub(super) fn promise(&mut self, side: bool, table_best: Option<u32>, history: &History) {
        for (promise, index) in &mut self.order {
            let mv = self.moves[*index as usize];
            *promise = if table_best == Some(*index) {
                i32::MAX
            } else if self.killers[0] == Some(mv) {
                i32::MAX - 1
            } else if self.killers[1] == Some(mv) {
                i32::MAX - 2
            } else {
                history.of(mv, side)
            };
        }
    }

    /// Takes the most promising move that is left; of equals, the first.
    pub(super) fn next(&mut self) -> Option<(P::Move, u32)> {
        let best =
            (0..self.order.len()).max_by_key(|&i| (self.order[i].0, Reverse(self.order[i].1)))?;
        let (_, index) = self.order.swap_remove(best);
        Some((self.moves[index as usize], index))
    }

    /// Notes that a move made all others needless.
    pub(super) fn credit(&mut self, mv: P::Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}

/// Places for the moves of one side.
const PLACES: usize = 1 << 12;
/// Limit of every count: less than any killer's order value.
const MOST: i32 = 1 << 30;

/// History heuristic: how often moves caused cutoffs, anywhere in the tree.
///
/// Moves with equal hashes share a slot. That may worsen the order of a search, but never its
/// result.
#[derive(Debug)]
pub(super) struct History(Vec<i32>);

impl History {
    pub(super) fn new() -> Self {
        History(vec![0; 2 * PLACES])
    }

    /// The credit of a move of this side.
    #[inline]
    pub(super) fn of<M: Hash>(&self, mv: M, side: bool) -> i32 {
        self.0[place(mv, side)]
    }

    /// Notes that a move made all others needless in a search so deep.
    pub(super) fn credit<M: Hash>(&mut self, mv: M, side: bool, depth: u32) {
        let credit = &mut self.0[place(mv, side)];
        *credit = (*credit + (depth * depth) as i32).min(MOST);
    }

    /// Lets older credits count less.
    pub(super) fn fade(&mut self) {
        self.0.iter_mut().for_each(|credit| *credit /= 8);
    }

    /// Lets nothing so far count.
    pub(super) fn forget(&mut self) {
        self.0.fill(0);
    }
}

/// Where a move's credit is kept.
#[inline]
fn place<M: Hash>(mv: M, side: bool) -> usize {
    let mut hash = Mixer(0);
    mv.hash(&mut hash);
    (mix(hash.0) as usize % PLACES) + if side { PLACES } else { 0 }
}

/// A quick hash that is the same on every platform, as long as moves hash small numbers.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u64(b.into()));
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credits_add_up_fade_and_never_pass_a_killer() {
        let mut history = History::new();
        history.credit(7u32, true, 3);
        history.credit(7u32, true, 1);
        assert_eq!((history.of(7u32, true), history.of(7u32, false)), (10, 0));
        history.fade();
        assert_eq!(history.of(7u32, true), 1);
        (0..20_000).for_each(|_| history.credit(7u32, true, 250));
        assert_eq!(history.of(7u32, true), MOST);
        history.forget();
        assert_eq!(history.of(7u32, true), 0);
    }
}
