//! Tournaments on many machines, over NATS JetStream.
//!
//! An [organiser](Organiser) has pairings and wants records, as the runner of one machine does; a
//! [worker] turns the one into the other. The server between them is an existing product that only
//! carries messages: **the organiser's records decide what is played**. If the server loses a job, the
//! organiser publishes it again from the schedule; if a result comes twice, the organiser drops it.
//!
//! | content | module |
//! |---|---|
//! | messages and their subjects | [`wire`] |
//! | keys, permissions and the server's configuration | [`config`] |
//! | the connection, the streams | [`link`] |
//! | what an organiser stores next to the records | [`beside`] |
//! | programs as objects | [`programs`] |
//! | the organiser's binary for workers | [`update`] |
//! | playing games | [`worker`] |
//! | having games played | [`organiser`] |
//! | checking results | [`judging`] |
//! | the state of a cluster | [`status`], and as it changes [`monitor`] |
//!
//! All waiting uses monotonic clocks, never the wall clock.

pub mod beside;
pub mod config;
mod error;
pub mod judging;
pub mod link;
pub mod monitor;
pub mod organiser;
pub mod programs;
pub mod status;
pub mod update;
pub mod wire;
pub mod worker;

pub use error::ClusterError;
pub use link::Link;
pub use organiser::{Organiser, OrganiserOptions, PRIORITY, PRIORITY_OF_FINALS};
