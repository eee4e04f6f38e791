//! Programs, engines and people against each other: seats, referee, runner, schedules, store,
//! tournaments, checkups.
//!
//! A word such as `./bot` or `floe:hard` names a [`Seat`](seat::Seat). A [`schedule`] gives
//! pairings; a [`Runner`](runner::Runner) plays them at several tables at once, each game by the
//! [`referee`], and gives records. Records are the truth: a [`store`] indexes them, a
//! [`scoreboard`] and a [`tournament`] say what they came to.

mod boards;
pub mod checkup;
pub mod journal;
pub mod referee;
pub mod runner;
pub mod schedule;
pub mod seat;
pub mod store;
pub mod tally;
pub mod tournament;

pub use boards::{Boards, BoardsError};
