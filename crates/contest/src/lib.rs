//! The code of the contest programs, as a library for tests, fuzzers and benchmarks.
//!
//! [`gamma`] is the course's program. [`penguins`] and [`floodwars`] are the games line by line for people at a keyboard, on a common [`dialogue`]; the commands for the contests' referees are in the programs themselves.

pub mod dialogue;
pub mod floodwars;
pub mod gamma;
pub mod input;
pub mod penguins;
