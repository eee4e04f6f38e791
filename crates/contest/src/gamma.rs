//! The program `gamma`: commands on standard input, a line each, results on standard output.
//!
//! [`batch`] reads the language and knows nothing of a board; [`session`] plays what it reads and
//! knows nothing of streams but what to write to which; `main.rs` owns the streams.

pub mod batch;
pub mod session;
