//! Engines for every game of `floe-rules`.

mod engine;

pub use engine::{Engine, Limits, Thought};
