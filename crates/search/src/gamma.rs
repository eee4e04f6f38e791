//! Gamma: who gets to which field first.
//!
//! The limit of areas is a budget for footholds: a player with areas to spare can land anywhere,
//! one without can only grow. So the engine judges a position by growing everybody's areas over
//! the free fields at once, and searches moves with alpha-beta on bit boards.
//!
//! | file | idea |
//! |---|---|
//! | `bits` | sets of fields and how they grow |
//! | `state` | the board of the search: moves made and undone, areas counted |
//! | `territory` | the judgement |
//! | `settled` | endings that need no search |
//! | `tree` | alpha-beta |
//! | `wide` | boards and tables too large for bit boards |

mod bits;
mod settled;
mod state;
mod territory;
mod tree;
mod wide;

use floe_rules::Position as _;
use floe_rules::gamma::{Move, Position};

use self::state::State;
use self::tree::Tree;
use crate::{Budget, Engine, Limits, Table, Thought};

/// What the table of positions may take.
const TABLE_BYTES: usize = 32 << 20;
/// More seats than this are a crowd, and nobody looks far ahead in one.
const MOST_SEATS: u32 = 16;

/// Floe's Gamma player.
///
/// ```
/// use floe_rules::{Position as _, gamma};
/// use floe_search::{Engine, Limits};
/// let board = gamma::Board::new(3, 3, 2, 1)?;
/// let position = gamma::Position::new(board);
/// let thought = floe_search::gamma::Settler::seeded(1).think(&position, &Limits::nodes(1000));
/// assert!(position.check(thought.best).is_ok());
/// # Ok::<(), gamma::NewError>(())
/// ```
#[derive(Debug)]
pub struct Settler {
    seed: u64,
    table: Table,
}

impl Settler {
    /// A player with dice of this seed. Only boards and tables too large for bit boards need
    /// dice; elsewhere all seeds play alike.
    pub fn seeded(seed: u64) -> Self {
        Settler {
            seed,
            table: Table::with_bytes(TABLE_BYTES),
        }
    }

    fn search<const W: usize>(&mut self, position: &Position, limits: &Limits) -> Thought<Move> {
        self.table.forget();
        let mut budget = Budget::new(limits);
        let mut tree = Tree::<W>::new(State::new(position), &mut self.table, &mut budget);
        let found = tree.think();
        let scores = tree.scores_after(&found);
        let line: Vec<Move> = found.line.iter().map(|&s| tree.to_move(s)).collect();
        Thought {
            best: line[0],
            scores,
            depth: found.depth,
            nodes: budget.nodes(),
            line,
            proven: found.proven && (found.is_settled || position.players() <= 2),
        }
    }
}

impl Engine<Position> for Settler {
    fn think(&mut self, position: &Position, limits: &Limits) -> Thought<Move> {
        assert!(position.turn().is_some(), "the game is over");
        let (width, height) = (position.board().width(), position.board().height());
        if position.players() == 1 || position.players() > MOST_SEATS {
            wide::think(position, limits, self.seed)
        } else if State::<1>::fits(width, height) {
            self.search::<1>(position, limits)
        } else if State::<2>::fits(width, height) {
            self.search::<2>(position, limits)
        } else if State::<4>::fits(width, height) {
            self.search::<4>(position, limits)
        } else if State::<8>::fits(width, height) {
            self.search::<8>(position, limits)
        } else if State::<16>::fits(width, height) {
            self.search::<16>(position, limits)
        } else if State::<40>::fits(width, height) {
            self.search::<40>(position, limits)
        } else if State::<64>::fits(width, height) {
            self.search::<64>(position, limits)
        } else {
            wide::think(position, limits, self.seed)
        }
    }
}
