//! Every game behind one face, and records of games.
//!
//! Front ends never name a game. They take an [`AnyGame`] from the registry ([`games`],
//! [`find`]), start or read a position with it, and hold it as an [`AnyPosition`]; an
//! [`AnyEngine`] thinks about positions, and a [`BoundDialect`] says how programs are spoken to
//! about one. All of them are made from the traits of `floe-rules` and `floe-search` by code that
//! is written once, so a new game is one row in [`each_game`]. Engines are named by a
//! [`Spec`](floe_search::Spec), such as `floe:hard`.
//!
//! The erasure is per game, not per position: whatever visits many positions, such as
//! [`AnyPosition::perft`] or an engine's search, runs as generic code behind a single call.
//!
//! [`Play`] is a game under way, with what a [`Fault`] costs, and [`GameHistory`] one with the turns
//! that led there; [`record`] writes games down, reads them and plays them again.
//!
//! Nothing here starts a process or a thread, opens a file or reads a clock: the crate builds for
//! `wasm32-unknown-unknown`. There, games bring no puzzles, lessons and assignments, dialects ask but read
//! no answer, and nothing is observed for learners: a module for browsers is small, starts no program and
//! trains nothing.
//!
//! ```
//! let game = floe_games::games()[0];
//! let mut position = game.start(&game.default_setup(), 1)?;
//! let mut engine = game.engine(&"greedy:seed=1".parse()?);
//! while position.turn().is_some() {
//!     let thought = engine.think(&*position, &Default::default())?;
//!     position.play(&thought.best)?;
//! }
//! assert!(position.outcome().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dialect;
pub mod drawing;
mod engine;
mod entry;
mod error;
mod explain;
mod face;
mod fault;
#[cfg(feature = "serde")]
pub mod json;
mod names;
mod opening;
mod play;
mod position;
#[cfg(not(target_arch = "wasm32"))]
mod prover;
pub mod puzzle;
mod reason;
pub mod record;
mod registry;
pub mod review;
mod scale;
mod time_control;

pub use entry::GameEntry;
pub use error::{MoveError, StartError, ThinkError, Unknown};
pub use explain::explain;
#[cfg(not(target_arch = "wasm32"))]
pub use face::AnyProver;
pub use face::{AnyEngine, AnyGame, AnyPosition, BoundDialect, Starter};
pub use fault::{Fault, FaultKind};
pub use names::distinct_names;
pub use opening::{OpeningDrawer, is_candidate};
pub use play::Play;
pub use reason::Reason;
pub use record::{EventError, GameHistory, Turn};
pub use registry::{GameVisitor, NameTaken, each_game, find, games, register};
pub use scale::LeadScale;
pub use time_control::{NoTimeControl, TimeControl};

/// Whether games bring their puzzles, lessons and assignments, and what learners need. A WebAssembly
/// module, which is downloaded, goes without: pages have in themselves what they show.
const IS_WHOLE: bool = !cfg!(target_arch = "wasm32");

/// The examples of the crate's page run as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
