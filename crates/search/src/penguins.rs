//! The engine of Penguins: alpha-beta with an evaluation of who reaches what first.
//!
//! The search plays on a board of its own, with sets of fields in fixed numbers of words for common
//! sizes. It evaluates by queen-move territory and solves separated regions exactly. In games of
//! more than two it assumes that all opponents play against it together; only if the search reaches
//! the end of the game is each assumed to play for their own lead.

mod board;
mod search;
mod set;
mod solo_solver;
mod territory;

use floe_rules::Position;
use floe_rules::penguins::{Move, PenguinsPosition};

use crate::{Engine, Limits, MaxN, Thought, TranspositionTable};
use board::SearchBoard;
use search::{Found, Search};
use solo_solver::SoloMemory;

/// The engine of Penguins.
///
/// It thinks in one thread and draws no dice: the same position and number of nodes give the same
/// thought, whatever it thought about before.
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
    solo_memory: SoloMemory,
    /// For the ends of games among more than two.
    ends: MaxN<PenguinsPosition>,
}

/// Node limit of the search for the end of a game of more than two.
const END_NODES: u64 = 400_000;

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
            ends: MaxN::new(),
        }
    }

    fn find<const N: usize, const S: usize>(
        &mut self,
        position: &PenguinsPosition,
        limits: &Limits,
        top: Option<usize>,
    ) -> Vec<Thought<Move>> {
        let board = SearchBoard::<N, S>::new(position);
        let is_hurried = top.is_none() && limits.deadline.is_some();
        let mut search = Search::new(board, &mut self.table, &mut self.solo_memory, limits);
        let found = search.run(top.unwrap_or(1).max(1), is_hurried);
        let now = position.scores();
        let thought = |found: &Found| {
            let line: Vec<Move> = found.line.iter().map(|&s| search.board.told(s)).collect();
            let scores = search.scores(found);
            let scores = now.iter().zip(scores).map(|(now, more)| now + more);
            Thought {
                best: line[0],
                scores: scores.collect(),
                depth: found.depth,
                nodes: search.nodes(),
                line,
                // Against all opponents' joint play, a value is only a lower bound.
                proven: found.proven && (position.players() <= 2 || found.is_planned),
            }
        };
        let thoughts: Vec<_> = found.iter().map(thought).collect();
        // The ends were in sight, but of a game of all against one.
        if found.len() == 1 && found[0].proven && !thoughts[0].proven {
            let left = limits
                .nodes
                .map_or(END_NODES, |nodes| nodes - search.nodes());
            let limits = Limits {
                nodes: Some(left.min(END_NODES)),
                ..limits.clone()
            };
            let mut thought = self.ends.think(position, &limits);
            if thought.proven {
                thought.nodes += search.nodes();
                return vec![thought];
            }
        }
        thoughts
    }

    /// The `top` best moves; `None` asks for one, and for nothing else about the position.
    fn ask(
        &mut self,
        position: &PenguinsPosition,
        limits: &Limits,
        top: Option<usize>,
    ) -> Vec<Thought<Move>> {
        let shape = position.shape();
        let (columns, rows) = (shape.columns() as usize, shape.rows() as usize);
        if SearchBoard::<2, 11>::fits(columns, rows) {
            self.find::<2, 11>(position, limits, top)
        } else if SearchBoard::<4, 16>::fits(columns, rows) {
            self.find::<4, 16>(position, limits, top)
        } else if SearchBoard::<8, 21>::fits(columns, rows) {
            self.find::<8, 21>(position, limits, top)
        } else if SearchBoard::<32, 0>::fits(columns, rows) {
            self.find::<32, 0>(position, limits, top)
        } else if SearchBoard::<128, 0>::fits(columns, rows) {
            self.find::<128, 0>(position, limits, top)
        } else {
            self.find::<640, 0>(position, limits, top)
        }
    }
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

    /// All moves are searched to the same depth, so their values compare.
    fn rank(
        &mut self,
        position: &PenguinsPosition,
        limits: &Limits,
        top: usize,
    ) -> Vec<Thought<Move>> {
        self.ask(position, limits, Some(top))
    }
}
