//! The engine of Penguins: alpha-beta with an evaluation of who reaches what first.
//!
//! The search plays on a board of its own, with sets of fields in fixed numbers of words for common
//! sizes. It evaluates by queen-move territory and solves separated regions exactly. Between two
//! seats, on boards up to 20x20, a small network learned from self-play says what the territory is
//! worth. With more than two seats, `many` grows a best-first tree in which all play for their own result.

mod board;
mod features;
mod learned;
mod many;
mod search;
mod set;
mod solo_solver;
mod territory;
mod words;

use std::sync::Arc;

use floe_rules::Position;
use floe_rules::penguins::{Move, PenguinsPosition};

use crate::best_first::{BestFirst, Expected};
use crate::engine::{put_first, sort_lines};
use crate::network::{FEATURES, Network, chosen};
use crate::threads::{beside, helpers};
use crate::{Budget, EVERY_SIZE, Engine, Limits, MaxN, Thought, TranspositionTable};
use board::{Layout, SearchBoard};
use many::Many;
use search::{Found, Search};
use solo_solver::SoloMemory;
use territory::FISH;

/// Words of the largest boards that the learned evaluation has seen, of 20 by 20 fields.
const LARGEST_LEARNED: usize = 8;

/// The engine of Penguins.
///
/// It draws no dice: in one thread, the same position and number of nodes give the same thought,
/// whatever it thought about before. Between two seats it thinks in as many threads as it may.
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
    solo_memory: SoloMemory,
    /// One for each helper, where several threads think.
    helpers: Vec<SoloMemory>,
    /// For the ends of games among more than two.
    ends: MaxN<PenguinsPosition>,
    /// The learned evaluation of two seats; the hand-made one without it.
    network: Option<Arc<Network>>,
}

impl Searcher {
    /// Default memory of the table of results.
    pub const TABLE_BYTES: usize = 32 << 20;

    /// An engine with the default table.
    pub fn new() -> Self {
        Self::with_table(Self::TABLE_BYTES)
    }

    /// An engine whose table of results takes at most `bytes` bytes. The memory is used as far as
    /// the search needs it.
    pub fn with_table(bytes: usize) -> Self {
        Searcher {
            table: TranspositionTable::with_bytes(bytes),
            solo_memory: SoloMemory::new(),
            helpers: Vec::new(),
            ends: MaxN::new(),
            network: Some(learned::own()),
        }
    }

    /// The same engine with other weights of the learned evaluation, as `training/train.py` writes
    /// them, or with the hand-made evaluation for `None`. `None` if the bytes are not weights.
    #[must_use]
    pub fn with_weights(self, weights: Option<&[u8]>) -> Option<Self> {
        let network = chosen(weights, learned::read)?;
        Some(Searcher { network, ..self })
    }

    /// What the learned evaluation looks at in a position of two seats, and by how many hundredths
    /// of fish the evaluation expects the player to move to gain on the opponent. `None` where
    /// there is nothing to learn: no floe is in reach of both, or the board is too large.
    pub fn features(&mut self, position: &PenguinsPosition) -> Option<([i16; FEATURES], i32)> {
        if position.players() != 2 {
            return None;
        }
        match words(position) {
            2 => self.features_of::<2, 11>(position),
            4 => self.features_of::<4, 16>(position),
            LARGEST_LEARNED => self.features_of::<LARGEST_LEARNED, 21>(position),
            _ => None,
        }
    }

    fn features_of<const N: usize, const S: usize>(
        &mut self,
        position: &PenguinsPosition,
    ) -> Option<([i16; FEATURES], i32)> {
        let board = SearchBoard::<N, S>::new(position);
        let turn = board.turn?;
        let network = self.network.as_deref();
        self.table.forget();
        let (table, memory) = (&self.table, &mut self.solo_memory);
        let mut search = Search::new(board, table, memory, network, &Limits::nodes(1));
        search.features(turn)
    }

    fn find<const N: usize, const S: usize>(
        &mut self,
        position: &PenguinsPosition,
        limits: &Limits,
        top: Option<usize>,
    ) -> Vec<Thought<Move>> {
        let board = SearchBoard::<N, S>::new(position);
        let is_hurried = top.is_none() && limits.deadline.is_some();
        let top = top.unwrap_or(1).max(1);
        self.helpers.resize_with(helpers(limits), SoloMemory::new);
        let is_shared = position.players() <= 2;
        let limits = &match is_shared {
            true => limits.for_thread(),
            false => limits.clone(),
        };
        self.table.forget();
        let network = (self.network.as_deref()).filter(|_| N <= LARGEST_LEARNED);
        let (table, memory) = (&self.table, &mut self.solo_memory);
        let start = &board.clone();
        let mut search = Search::new(board, table, memory, network, limits);
        let help = |memory: &mut SoloMemory, limits: &Limits, pace| {
            Search::new(start.clone(), table, memory, network, limits).help(pace)
        };
        let (found, helped) = match is_shared {
            true => beside(&mut self.helpers, limits, help, || {
                Some(search.run(limits, top, is_hurried))
            }),
            false => (search.run_alone(limits, top, is_hurried), 0),
        };
        let Some(found) = found else {
            let (board, budget) = search.into_parts();
            return self.find_among_many(position, board, budget, limits, (top, is_hurried));
        };
        let now = position.scores();
        let thought = |found: &Found| {
            let line: Vec<Move> = found
                .line
                .iter()
                .map(|&s| search.board.as_move(s))
                .collect();
            let scores = search.scores(found);
            let scores = now.iter().zip(scores).map(|(now, more)| now + more);
            Thought {
                best: line[0],
                scores: scores.collect(),
                depth: found.depth,
                nodes: search.nodes() + helped,
                line,
                proven: found.proven,
            }
        };
        found.iter().map(thought).collect()
    }

    /// Thinks with all seats playing for themselves.
    fn find_among_many<const N: usize, const S: usize>(
        &mut self,
        position: &PenguinsPosition,
        board: SearchBoard<N, S>,
        mut budget: Budget,
        limits: &Limits,
        (top, is_hurried): (usize, bool),
    ) -> Vec<Thought<Move>> {
        let mut many = Many::new(board, &mut self.solo_memory);
        let mut tree = BestFirst::new(&mut many, &mut budget, many::STYLE);
        tree.grow(limits, is_hurried);
        let (is_known, expected) = (tree.is_known(), tree.best(top));
        let nodes = budget.nodes();
        let thought = |expected: &Expected| {
            let step = |&code: &u32| many.board.as_move(Many::<N, S>::step(code));
            let line: Vec<Move> = expected.line.iter().map(step).collect();
            let more = expected.scores.iter().zip(&many.board.scores);
            let more = more.map(|(&end, &now)| (end - FISH * now + FISH / 2).div_euclid(FISH));
            let scores = position.scores().into_iter().zip(more);
            Thought {
                best: line[0],
                scores: scores
                    .map(|(now, more)| now + i64::from(more.max(0)))
                    .collect(),
                depth: line.len() as u32,
                nodes,
                line,
                proven: false,
            }
        };
        let mut lines: Vec<Thought<Move>> = expected.iter().map(thought).collect();
        if is_known && let Some(proven) = self.ends.prove(position, limits, nodes) {
            put_first(proven, &mut lines, top);
        }
        sort_lines(position, &mut lines);
        lines
    }

    /// The `top` best moves; `None` asks for one, and for nothing else about the position.
    fn ask(
        &mut self,
        position: &PenguinsPosition,
        limits: &Limits,
        top: Option<usize>,
    ) -> Vec<Thought<Move>> {
        match words(position) {
            2 => self.find::<2, 11>(position, limits, top),
            4 if EVERY_SIZE => self.find::<4, 16>(position, limits, top),
            8 if EVERY_SIZE => self.find::<8, 21>(position, limits, top),
            4..=8 if !EVERY_SIZE => self.find::<8, 0>(position, limits, top),
            32 => self.find::<32, 0>(position, limits, top),
            128 if EVERY_SIZE => self.find::<128, 0>(position, limits, top),
            _ => self.find::<640, 0>(position, limits, top),
        }
    }
}

/// Words of sets of a position's fields.
fn words(position: &PenguinsPosition) -> usize {
    let shape = position.shape();
    Layout::of(shape.columns() as usize, shape.rows() as usize).words
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine<PenguinsPosition> for Searcher {
    fn is_forgetful(&self) -> bool {
        true
    }

    /// A move without alternative is given at once if there is a deadline.
    fn think(&mut self, position: &PenguinsPosition, limits: &Limits) -> Thought<Move> {
        self.ask(position, limits, None).swap_remove(0)
    }

    /// With two seats, the search for the best move comes first, and the others follow from the same
    /// table. With more, one tree has them all, and follows those further that promise more.
    fn rank(
        &mut self,
        position: &PenguinsPosition,
        limits: &Limits,
        top: usize,
    ) -> Vec<Thought<Move>> {
        self.ask(position, limits, Some(top))
    }
}

#[cfg(test)]
mod tests {
    use floe_rules::Game;
    use floe_rules::penguins::Penguins;

    use super::*;
    use crate::Dice;

    /// A module for browsers has fewer sizes of sets.
    #[test]
    fn larger_sets_find_the_same_moves() {
        let mut dice = Dice::seeded(4);
        let mut engine = Searcher::with_table(1 << 16);
        for (setup, sizes) in [("11x14", 4), ("14x14", 4), ("20x12", 8)] {
            let mut position = Penguins::start(&setup.parse().unwrap(), 7).unwrap();
            assert_eq!(words(&position), sizes);
            for _ in 0..6 {
                let limits = Limits::nodes(300);
                let wanted = engine.ask(&position, &limits, Some(2));
                let found = engine.find::<8, 0>(&position, &limits, Some(2));
                assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "{setup}");
                for _ in 0..5 {
                    let moves = position.legal_moves();
                    position.play_unchecked(moves[dice.index(moves.len())]);
                }
            }
        }
    }
}
