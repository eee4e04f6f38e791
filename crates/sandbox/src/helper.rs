//! The helper's side: what runs between the caller and the program, in processes of its own.
//!
//! Both sockets arrive as standard input, the one descriptor that safe Rust may take over; the
//! program's own pipes travel along it. Neither survives into the program, so nothing it says can
//! be taken for the word of keeper or airlock, and trouble in setting up is never mistaken for the
//! program's failure.
//!
//! `wire` carries the order, `message` the answers; `keeper` and `airlock` are the two processes;
//! `watch` is what the keeper does while the program runs, with `turn`, `hold`, `disk`, `process_tree`
//! and `returned`; the rest are the layers.

mod airlock;
mod calls;
mod cgroup;
mod disk;
mod group_home;
mod hold;
mod keeper;
mod landlock;
mod message;
mod namespaces;
mod process_tree;
mod returned;
mod system_calls;
mod traced;
mod turn;
mod watch;
mod wire;

pub(crate) use calls::Verdict;
pub(crate) use cgroup::{Freezer, ProgramGroup};
pub(crate) use disk::Disk;
pub(crate) use group_home::{Home, home_if};
pub(crate) use message::{Done, EndCause, KeeperMessage, messages, word};
pub(crate) use process_tree::{Stat, descendants};
pub(crate) use traced::trace;
pub(crate) use turn::TurnWriter;
pub(crate) use wire::{KEEPER, Order, hand_over, receive_with};

/// Becomes keeper or airlock if the first argument says so.
pub(crate) fn main() {
    let mut words = std::env::args_os().skip(1);
    match words.next() {
        Some(role) if role == KEEPER => {
            // The caller may have inherited open descriptors; close all of them for the program.
            close_fds::set_fds_cloexec(3, &[]);
            keeper::main(words);
        }
        Some(role) if role == wire::AIRLOCK => airlock::main(words),
        Some(role) if role == traced::TRACED => traced::main(words),
        _ => {}
    }
}
