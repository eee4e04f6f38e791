//! Tournaments on many machines, over NATS JetStream.
//!
//! An [organiser](Organiser) has pairings and wants records, as the runner of one machine does; a
//! [worker] turns the one into the other. What lies between them is a server that exists, and it is a
//! way to carry things, never the truth: **the organiser's records decide what is played**. Whatever
//! the server lost is published again from the schedule, whatever comes twice is dropped.
//!
//! | what | where |
//! |---|---|
//! | what is said, and under which subjects | [`wire`] |
//! | keys, permissions and the server's configuration | [`config`] |
//! | the connection, the streams | [`link`] |
//! | what an organiser stores next to the records | [`beside`] |
//! | programs as objects | [`programs`] |
//! | whoever plays | [`worker`] |
//! | whoever wants games played | [`organiser`] |
//! | whether a result is what was asked for | [`judging`] |
//! | looking from outside | [`status`] |
//!
//! No clock on a wall is read: whatever waits, waits by a clock that cannot be set.

pub mod beside;
pub mod config;
mod error;
pub mod judging;
pub mod link;
pub mod organiser;
pub mod programs;
pub mod status;
pub mod wire;
pub mod worker;

pub use error::ClusterError;
pub use link::Link;
pub use organiser::{Organiser, OrganiserOptions};
