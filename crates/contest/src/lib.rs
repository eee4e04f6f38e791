//! What the contest programs are made of, where tests, fuzzers and benchmarks can reach it.
//!
//! [`gamma`] is the course's program. [`penguins`] and [`floodwars`] are the games line by line
//! for people at a keyboard, on a common [`dialogue`]; what the contests' referees call lives in
//! the programs themselves.

pub mod dialogue;
pub mod floodwars;
pub mod gamma;
pub mod input;
pub mod penguins;
