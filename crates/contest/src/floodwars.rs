//! Flood Wars at the keyboard: people or engines, line by line.

mod game;
mod picture;

pub use game::play;
pub use picture::board;
