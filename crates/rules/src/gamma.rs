//! Gamma.
mod board;
mod cuts;
mod golden;
mod grid;
mod picture;
mod plain;
mod players;
mod walk;

pub use board::{Board, NewError, Refusal};
