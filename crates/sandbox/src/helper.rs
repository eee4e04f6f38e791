//! The helper's side: what runs between the caller and the program, in processes of its own.
//!
//! Both sockets arrive as standard input, the one descriptor that safe Rust may take over; the
//! program's own pipes travel along it. Neither survives into the program, so nothing it says can
//! be taken for the word of supervisor or launcher, and trouble in setting up is never mistaken for the
//! program's failure.
//!
//! `wire` carries the order, `message` the answers; `supervisor` and `launcher` are the two processes;
//! `watch` is what the supervisor does while the program runs, with `turn`, `hold`, `disk`, `process_tree`
//! and `returned`; the rest are the layers.

mod calls;
mod cgroup;
mod disk;
mod group_home;
mod hold;
mod landlock;
mod launcher;
mod message;
mod namespaces;
mod process_tree;
mod returned;
mod supervisor;
mod system_calls;
mod traced;
mod turn;
mod watch;
mod wire;

pub(crate) use calls::Verdict;
pub(crate) use cgroup::{Freezer, ProgramGroup};
pub(crate) use disk::Disk;
pub(crate) use group_home::{Home, home_if};
pub(crate) use message::{Done, EndCause, SupervisorMessage, messages, word};
pub(crate) use process_tree::{Stat, descendants};
pub(crate) use traced::trace;
pub(crate) use turn::TurnWriter;
pub(crate) use wire::{Order, SUPERVISOR, hand_over, receive_with};

/// Becomes supervisor or launcher, according to the first argument.
pub(crate) fn main() {
    let mut words = std::env::args_os().skip(1);
    match words.next() {
        Some(role) if role == SUPERVISOR => {
            // The caller may have inherited open descriptors; close all of them for the program.
            close_fds::set_fds_cloexec(3, &[]);
            supervisor::main(words);
        }
        Some(role) if role == wire::LAUNCHER => launcher::main(words),
        Some(role) if role == traced::TRACED => traced::main(words),
        _ => {}
    }
}
