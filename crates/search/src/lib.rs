//! Engines for every game of `floe-rules`.
//!
//! An [`Engine`] is given a position and [`Limits`] and comes back with a [`Thought`].

mod engine;
pub mod flood;
mod simple;

pub use engine::{Engine, Limits, Thought};
pub use simple::{Greedy, Random};
