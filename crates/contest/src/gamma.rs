//! The program `gamma`: commands on standard input, a line each, results on standard output.
//!
//! [`batch`] reads the language and knows nothing of a board; [`session`] plays what it reads and
//! knows nothing of streams but what to write to which; [`interactive`] is the game on the screen,
//! from bytes of keys to a picture; `main.rs` and `terminal.rs` own the streams.

pub mod batch;
pub mod interactive;
pub mod session;
