//! The engine of Flood Wars: alpha-beta on components, with an eye on who reaches what first.
//!
//! A position is a few sets of components, one for each side and distance, and a move brings the
//! components nearer that it touches, directly or from afar; what the squares are worth by their
//! distances is summed up on the way. The search is exact wherever it can be: as soon as no region
//! touches both territories the scores are settled, whatever is still to be absorbed.
//!
//! # Cost
//!
//! Most of the time goes into the components that a move brings nearer: some hundred of them at 20x20
//! and seven hundred at 50x50. On small boards it takes about twenty instructions for each: the
//! neighbours are a few words that are joined in registers, and what the component adds to the worth
//! comes from a table. A position that is only looked at is not made: the loop runs without writing
//! anything. Following lists of neighbours instead of sets was three times slower.
//!
//! With more than 384 components, the search remembers what moves bring nearer (`waves`), as the same
//! side makes the same moves again and again. From the start at 50x50 a node takes 13,830 instructions
//! instead of 24,310 (callgrind: a search of 40,000 nodes less one of 1,000, board 1); ten searches of
//! 40,000 nodes took 1.0 s of a busy core instead of 1.8. On smaller boards memory is slower: with waves
//! remembered everywhere, searches took 6 % more time at 20x20 and 30 % more at 10x10. A node takes 4,090
//! instructions at 20x20 and 1,440 at 10x10.
//!
//! Before waves were remembered, a second on one core of a machine at rest was 1.2 to 1.7 M nodes and 33
//! to 40 plies at 20x20, 2.1 to 3.1 M and 38 to 51 at 10x10, 0.29 to 0.41 M and 29 to 36 at 50x50:
//!
//! ```text
//! cargo run --release -p floe-search --example floodspeed -- 20x20 1000
//! ```

mod bridge;
mod field;
mod reach;
mod root;
mod search;
mod state;
mod table;
mod waves;

use std::mem;

use floe_rules::Position;
use floe_rules::flood::{Colour, FloodPosition, Move};

use crate::threads::{beside, helpers};
use crate::{EVERY_SIZE, Engine, Limits, Thought};
use field::Ground;
use root::Found;
use search::Search;
use state::SearchState;
use table::FloodTable;
use waves::Waves;

/// The engine of Flood Wars.
///
/// It draws no dice: in one thread, the same position and number of nodes give the same thought,
/// whatever it thought about before.
pub struct Searcher {
    table: FloodTable,
    ground: Ground,
    waves: Waves,
}

impl Searcher {
    /// Default memory of the table of results.
    pub const TABLE_BYTES: usize = 64 << 20;

    /// An engine with the default table.
    pub fn new() -> Self {
        Self::with_table(Self::TABLE_BYTES)
    }

    /// An engine whose table of results takes at most `bytes` bytes. It is allocated at the first
    /// thought, and used as far as the search needs it.
    pub fn with_table(bytes: usize) -> Self {
        Searcher {
            table: FloodTable::with_bytes(bytes),
            ground: Ground::default(),
            waves: Waves::default(),
        }
    }

    fn find<const W: usize, const N: usize>(
        &mut self,
        position: &FloodPosition,
        limits: &Limits,
        top: usize,
    ) -> Vec<Found> {
        let helpers = helpers(limits);
        let limits = &limits.for_thread();
        let (table, ground, lent) = (&self.table, &self.ground, &mut self.waves);
        let search = |limits: &Limits, waves| {
            let state = SearchState::<W, N>::new(position, ground, waves);
            Search::new(state, table, limits)
        };
        let help = |(): &mut (), limits: &Limits, pace| search(limits, Waves::default()).help(pace);
        let decide = || {
            let mut search = search(limits, mem::take(lent));
            let found = search.run(limits, top);
            *lent = search.state.waves;
            found
        };
        let (mut found, helped) = beside(&mut vec![(); helpers], limits, help, decide);
        found.iter_mut().for_each(|found| found.nodes += helped);
        found
    }

    fn search(&mut self, position: &FloodPosition, limits: &Limits, top: usize) -> Vec<Found> {
        assert!(position.turn().is_some(), "the game is over");
        self.ground.survey(position);
        self.table.renew(lines(limits));
        match self.ground.words() {
            0..=1 if EVERY_SIZE => self.find::<1, 1>(position, limits, top),
            0..=2 if EVERY_SIZE => self.find::<2, 2>(position, limits, top),
            0..=4 => self.find::<4, 4>(position, limits, top),
            5 if EVERY_SIZE => self.find::<5, 5>(position, limits, top),
            5..=6 => self.find::<6, 5>(position, limits, top),
            7..=10 if EVERY_SIZE => self.find::<10, 5>(position, limits, top),
            7..=16 => self.find::<16, 5>(position, limits, top),
            17..=26 if EVERY_SIZE => self.find::<26, 5>(position, limits, top),
            27..=40 if EVERY_SIZE => self.find::<40, 5>(position, limits, top),
            _ => self.find::<64, 5>(position, limits, top),
        }
    }
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine<FloodPosition> for Searcher {
    /// Sets up in time that grows with the components of the board, a few nanoseconds each; from
    /// then on the work between two looks at the clock is bounded, however large the board.
    fn think(&mut self, position: &FloodPosition, limits: &Limits) -> Thought<Move> {
        let found = self.search(position, limits, 1);
        thought(position, &found[0])
    }

    /// The other moves are searched to the depth of the best, or as far as the limits allow.
    fn rank(
        &mut self,
        position: &FloodPosition,
        limits: &Limits,
        top: usize,
    ) -> Vec<Thought<Move>> {
        let all = self.search(position, limits, top.max(1));
        all.iter().map(|found| thought(position, found)).collect()
    }
}

fn thought(position: &FloodPosition, found: &Found) -> Thought<Move> {
    let colours = found.line.iter();
    let line: Vec<Move> = colours.map(|&c| Move(Colour::ALL[c as usize])).collect();
    Thought {
        best: line[0],
        scores: scores(position, found, &line),
        depth: found.depth,
        nodes: found.nodes,
        proven: found.worth.is_proven,
        line,
    }
}

/// The expected scores of both seats, J's first. Proven scores are those at the end of the line;
/// otherwise the whole board is shared so that the difference is the one found.
fn scores(position: &FloodPosition, found: &Found, line: &[Move]) -> Vec<i64> {
    if found.worth.is_proven {
        let mut last = position.clone();
        for &mv in line {
            last.play_unchecked(mv);
        }
        return last.scores();
    }
    let area = i64::from(position.graph().area());
    let ahead = i64::from(reach::difference(found.worth.value));
    let mover = (area + ahead).div_euclid(2).clamp(0, area);
    let mut scores = vec![area - mover; 2];
    scores[position.mover().index()] = mover;
    scores
}

/// More lines than any memory has.
const MOST_LINES: usize = usize::MAX >> 8;

/// Approximate number of table lines that a search within these limits can fill: a smaller table is
/// faster to access.
fn lines(limits: &Limits) -> usize {
    let by_nodes = limits.nodes.map(|nodes| nodes / 8);
    let by_time = limits.deadline.map(|deadline| {
        let micros = u64::try_from(deadline.left().as_micros()).unwrap_or(u64::MAX);
        micros / 4 * 3
    });
    let lines = by_nodes.into_iter().chain(by_time).min();
    let lines = lines.map(|lines| usize::try_from(lines).unwrap_or(usize::MAX));
    // The table rounds this up to a power of two, which must not overflow.
    lines.map_or(MOST_LINES, |lines| lines.clamp(1 << 8, MOST_LINES))
}
