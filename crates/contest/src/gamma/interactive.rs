//! The interactive game, without a terminal: bytes of keys in, pictures out.
//!
//! A [`Decoder`] makes keys of bytes, an [`InteractiveGame`] plays them, and a [`Picture`] is what
//! the screen should show then. Everything here is a pure function of what came before, so that the
//! whole game can be played by a test.
//!
//! Players move in the order 1, 2, …; a player who can make neither a move nor a golden move is
//! skipped. A wrong action changes nothing, prints the reason, and keeps the turn. The game ends
//! when no player can move or a player ends it.

mod game;
mod keys;
mod picture;

pub use game::InteractiveGame;
pub use keys::{Decoder, Key};
pub use picture::{Cell, Picture, Style, View, needed};
