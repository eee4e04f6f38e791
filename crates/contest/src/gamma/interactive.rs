//! The interactive game, without a terminal: bytes of keys in, pictures out.
//!
//! A [`Decoder`] makes keys of bytes, an [`InteractiveGame`] plays them, and a [`Picture`] is what the screen
//! should show then. Everything here is a pure function of what came before, so that the whole
//! game can be played by a test.
//!
//! The turn goes 1, 2, … and passes over whoever can make neither a move nor a golden move. A
//! wrong action changes nothing, says why, and leaves the turn where it is. The game ends when
//! nobody can move or somebody ends it.

mod game;
mod keys;
mod picture;

pub use game::InteractiveGame;
pub use keys::{Decoder, Key};
pub use picture::{Cell, Picture, Style, View, needed};
