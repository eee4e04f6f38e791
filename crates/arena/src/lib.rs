//! Every game behind one face.
//!
//! Front ends never name a game. They take an [`AnyGame`] from the registry ([`games`],
//! [`find`]), start or read a position with it, and hold the position as a [`Table`]; an
//! [`AnyEngine`] thinks about tables. All three are made from the traits of `floe-rules` and
//! `floe-search` by code that is written once, so a new game is one row in [`each_game`].
//! Engines are named by a [`Spec`](floe_search::Spec), such as `floe:hard`.
//!
//! The erasure is per game, not per position: whatever visits many positions, such as
//! [`Table::perft`] or an engine's search, runs as generic code behind a single call.
//!
//! ```
//! let game = floe_arena::games()[0];
//! let mut table = game.start(&game.default_setup(), 1)?;
//! let mut engine = game.engine(&"greedy:seed=1".parse()?);
//! while table.turn().is_some() {
//!     let thought = engine.think(&*table, &Default::default())?;
//!     table.play(&thought.best)?;
//! }
//! assert!(table.outcome().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod boards;
pub mod checkup;
pub mod crew;
mod engine;
mod entry;
mod fault;
mod play;
pub mod process;
pub mod rating;
pub mod record;
pub mod referee;
mod registry;
pub mod sandbox;
pub mod schedule;
pub mod seat;
mod speech;
pub mod store;
mod table;
pub mod tally;
pub mod tournament;

pub use boards::{Boards, BoardsError};
pub use engine::{AnyEngine, ThinkError};
pub use entry::{AnyGame, Entry, StartError};
pub use fault::{Fault, FaultKind};
pub use play::{Play, Reason};
pub use registry::{Unknown, Visitor, each_game, find, games};
pub use speech::Speech;
pub use table::{MoveError, Table};
