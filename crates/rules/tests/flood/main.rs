//! Flood Wars, checked against its rules.

mod contest;
mod play;
mod text;
mod twin;
