//! The behaviour of Penguins: rules, text, boards and the contest's dialect.

mod boards;
mod dialect;
mod play;
mod reading;
mod rules;
mod twin;
