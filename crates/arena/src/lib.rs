//! Games between programs, engines and people: seats, referee, runner, schedules, store,
//! tournaments, conformance checks.
//!
//! A seat spec such as `./bot` or `floe:hard` names a [`Seat`](seat::Seat). A [`schedule`] yields
//! pairings; a pairing and its seats are a [`Job`](job::Job), a value that can be sent to another
//! machine. A [`Runner`](runner::Runner) turns jobs into records, several games at a time, each
//! game by the [`referee`], and publishes [`live`] events on the way. Records are the truth: a
//! [`store`] indexes them, a [`scoreboard`] and a [`tournament`] count the results.

pub mod amount;
mod boards;
pub mod conformance;
pub mod coursework;
pub mod history;
pub mod job;
pub mod journal;
pub mod live;
pub mod load;
mod openings;
pub mod referee;
mod replacement;
pub mod runner;
pub mod schedule;
pub mod scoreboard;
pub mod seat;
pub mod speed;
pub mod standings;
pub mod store;
pub mod tournament;

pub use boards::{Boards, BoardsError};
pub use openings::{OpeningList, Openings, OpeningsError};
