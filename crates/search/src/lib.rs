//! Engines for every game of `floe-rules`.
//!
//! An [`Engine`] takes a position and [`Limits`] and returns a [`Thought`].
//!
//! | engine | seats | idea |
//! |---|---|---|
//! | [`Random`], [`Greedy`] | any | dice; one move ahead |
//! | [`Minimax`] | any | every line to its end: the oracle the others are checked against |
//! | [`AlphaBeta`] | two; more against all others | iterative deepening with a [`TranspositionTable`] |
//! | [`MaxN`] | any | all players play for their own lead |
//! | [`Mcts`] | any | random playouts and UCT |
//!
//! A [`Prover`] proves positions that are too large for one search, and keeps a [`ProofTable`] between
//! runs; [`Informed`] is an engine with such a table.
//!
//! The searches evaluate their leaves by an [`Evaluate`], and keep to their limits with a
//! [`Budget`].
//!
//! People and files name engines by a [`Spec`] such as `floe:hard`; a game's [`Roster`] makes the
//! engine it names.
//!
#![doc = include_str!("strength.md")]

mod alphabeta;
mod best_first;
mod budget;
mod clock;
mod dice;
mod engine;
mod evaluate;
pub mod flood;
pub mod gamma;
mod level;
mod lines;
mod maxn;
mod mcts;
mod minimax;
mod network;
pub mod penguins;
mod proof;
mod roster;
#[cfg(feature = "serde")]
mod serial;
mod simple;
mod sort;
mod spec;
pub mod table;
mod threads;

pub use alphabeta::AlphaBeta;
pub use budget::Budget;
pub use clock::{Clock, Deadline};
pub use dice::Dice;
pub use engine::{Engine, Limits, Thought};
pub use evaluate::{Evaluate, Scores, lead};
pub use level::{Strength, Weakened};
pub use maxn::MaxN;
pub use mcts::Mcts;
pub use minimax::Minimax;
pub use proof::{Informed, ProofTable, Prover, Proving};
pub use roster::{FLOOD, GAMMA, PENGUINS, Roster};
pub use simple::{Greedy, Random};
pub use spec::{Kind, Level, Spec};
pub use table::{Bound, TableEntry, TranspositionTable};
pub use threads::available_threads;

/// Searches are compiled for many sizes of boards. A WebAssembly module, which is downloaded, has fewer,
/// since larger sizes find the same moves, one copy of the code that shifts all but the smallest sets of
/// fields, and no engines that are only for comparison.
const EVERY_SIZE: bool = !cfg!(target_arch = "wasm32");

/// The examples of the crate's page run as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
