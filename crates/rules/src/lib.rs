//! The rules of three grid games: Penguins, Gamma and Flood Wars.
//!
//! Two traits carry everything. A [`Position`] is a state of a game and all that a search needs;
//! a [`Game`] is its public face and all that a front end needs. Beside them, a [`Dialect`] says
//! how a family of bot programs is spoken to. Everything here is pure: no files, no clocks, no
//! threads, no randomness but from a seed.
//!
//! ```
//! use floe_rules::{Game, Position, flood::Flood};
//!
//! let mut position = Flood::start(&"10x7".parse()?, 42)?;
//! while position.turn().is_some() {
//!     let first = position.legal_moves()[0];
//!     position.play(first)?;
//! }
//! println!("{:?}", position.outcome());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `serde`, all that a front end shows or sends ([`View`], [`Choice`],
//! [`Outcome`], errors) can be written by serde. Variants are in kebab-case, fields in
//! snake_case; squares, moves and setups are their text, and players their number, from one.
//! What holds static words, such as a [`View`], can be written only; the rest is read too.

pub mod assignment;
mod brush;
mod choice;
mod conformance;
mod dialect;
mod encoding;
pub mod flood;
mod game;
pub mod gamma;
pub mod key;
mod lesson;
mod outcome;
pub mod penguins;
mod player;
mod position;
pub mod random;
mod request;
#[cfg(feature = "serde")]
mod serial;
pub mod setup;
mod setup_error;
mod slip;
mod square;
pub mod text;
mod view;

pub use brush::Brush;
pub use choice::{Choice, Setting, Values};
pub use conformance::{ConformanceCase, Expect, Occasion};
pub use dialect::{Answer, Dialect, DialectError, Sort};
pub use encoding::Encoding;
pub use game::Game;
pub use lesson::Step;
pub use outcome::Outcome;
pub use player::Player;
pub use position::{Position, perft};
pub use request::{Argument, Request};
pub use setup_error::SetupError;
pub use slip::{Slip, respelt};
pub use square::Square;
pub use text::{ParseError, Report};
pub use view::{Cell, Drawing, Emblem, Ink, Numbering, Prospect, SeatView, Shade, Shape, View};

/// Whether programs are judged here: their answers read, their errors explained, and they tried with known
/// cases. A WebAssembly module, which is downloaded, starts no program and goes without.
const JUDGES_PROGRAMS: bool = !cfg!(target_arch = "wasm32");

/// The examples of the crate's page run as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
