//! The engine of Penguins: alpha-beta with an eye on who reaches what first.
//!
//! The search plays on a board of its own, with sets of fields in fixed numbers of words for the
//! usual sizes. It judges by queen-move territory and solves what is divided exactly.

mod board;
mod harvest;
mod search;
mod set;
mod territory;

use floe_rules::Position as _;
use floe_rules::penguins::{Move, Position};

use crate::{Engine, Limits, Table, Thought};
use board::Board;
use harvest::Harvest;
use search::Search;
use territory::FISH;

/// The engine.
///
/// It thinks in one thread and draws no dice: the same position and number of nodes give the same
/// thought, whatever it thought about before.
#[derive(Debug)]
pub struct Searcher {
    table: Table,
    harvest: Harvest,
}

impl Searcher {
    /// How much memory the table of results takes unless told otherwise.
    pub const TABLE_BYTES: usize = 32 << 20;

    /// An engine with the usual table.
    pub fn new() -> Self {
        Self::with_table(Self::TABLE_BYTES)
    }

    /// An engine whose table of results takes so many bytes at most. The memory is used as far as
    /// the search needs it.
    pub fn with_table(bytes: usize) -> Self {
        Searcher {
            table: Table::with_bytes(bytes),
            harvest: Harvest::new(),
        }
    }

    fn find<const N: usize, const S: usize>(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Thought<Move> {
        let board = Board::<N, S>::new(position);
        let mover = position.turn().expect("the game is over");
        let mut search = Search::new(board, &mut self.table, &mut self.harvest, limits);
        let found = search.run();
        let told = |step| search.board.told(step);
        // Who gets how much of the lead to come is anybody's guess; the lead is right.
        let mut scores = position.scores();
        let seats = scores.len();
        let others = (0..scores.len()).filter(|&seat| seat != mover.index());
        let best = others.map(|seat| scores[seat]).max();
        // Alone, the mover is ahead of what it had.
        let best = best.unwrap_or(scores[mover.index()]);
        scores[mover.index()] = best + i64::from((found.value + FISH / 2).div_euclid(FISH));
        Thought {
            best: told(found.best),
            scores,
            depth: found.depth,
            nodes: found.nodes,
            line: found.line.iter().map(|&step| told(step)).collect(),
            // Against everybody's joint play, a value is a promise but not what will be.
            proven: found.sure && (seats <= 2 || found.is_planned),
        }
    }
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine<Position> for Searcher {
    fn is_forgetful(&self) -> bool {
        true
    }

    fn think(&mut self, position: &Position, limits: &Limits) -> Thought<Move> {
        let shape = position.shape();
        let (columns, rows) = (shape.columns() as usize, shape.rows() as usize);
        if Board::<2, 11>::fits(columns, rows) {
            self.find::<2, 11>(position, limits)
        } else if Board::<4, 16>::fits(columns, rows) {
            self.find::<4, 16>(position, limits)
        } else if Board::<8, 21>::fits(columns, rows) {
            self.find::<8, 21>(position, limits)
        } else if Board::<32, 0>::fits(columns, rows) {
            self.find::<32, 0>(position, limits)
        } else if Board::<128, 0>::fits(columns, rows) {
            self.find::<128, 0>(position, limits)
        } else {
            self.find::<640, 0>(position, limits)
        }
    }
}
