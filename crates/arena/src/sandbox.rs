//! Where strangers' programs run.
//!
//! A program is never started by the referee itself. The referee starts a small *keeper* (its own
//! binary again, or another one that calls [`helper_main`] first), which costs the same however
//! large the referee has grown. The keeper watches memory and processes, adopts every orphan,
//! kills whatever is left and reports. It starts the *airlock*, a third copy, which closes the
//! layers asked for around itself and becomes the program, or with namespaces its first process.
//!
//! ```text
//! referee --control socket-- keeper --channel-- airlock = program
//! ```
//!
//! Both sockets arrive as standard input, the one descriptor that safe Rust may take over; the
//! program's own standard input travels along it. Neither survives into the program, so nothing
//! it says can be taken for the word of keeper or airlock, and trouble in setting up is never
//! mistaken for the program's failure.
//!
//! [`Layers`] are switches; [`Support`] tells by trying which of them this machine can give, and
//! for the others why not and what would help.

mod airlock;
mod filter;
mod keeper;
mod land;
mod layers;
mod root;
mod tree;
mod wire;

pub(crate) use keeper::{DONE, STARTED, STARTING, TROUBLE};
pub use layers::{Layers, Missing, Support};
pub(crate) use tree::{descendants, ticks};
pub(crate) use wire::{Order, hand_over};

use std::ffi::OsStr;

/// The first argument that turns a binary calling [`helper_main`] into the sandbox's helper.
pub(crate) const KEEPER: &str = "--floe-sandbox-keeper";
const AIRLOCK: &str = "--floe-sandbox-airlock";

/// Becomes the sandbox's helper if the first argument says so, and then never returns; otherwise
/// does nothing. Call it first thing in `main`, before any thread is started.
///
/// ```
/// floe_arena::sandbox::helper_main(); // not the helper: goes on
/// ```
pub fn helper_main() {
    let Some(role) = std::env::args_os().nth(1) else {
        return;
    };
    if role == OsStr::new(KEEPER) {
        // Whoever started the referee may have left descriptors open; none goes further than here.
        close_fds::set_fds_cloexec(3, &[]);
        keeper::main();
    }
    if role == OsStr::new(AIRLOCK) {
        airlock::main();
    }
}
