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
//! Keeper and airlock do all that does not depend on the program as soon as they are started, and
//! then wait for an order; a [`Stable`](crate::process::Stable) has some waiting at all times.
//!
//! Both sockets arrive as standard input, the one descriptor that safe Rust may take over; the
//! program's own pipes travel along it. Neither survives into the program, so nothing
//! it says can be taken for the word of keeper or airlock, and trouble in setting up is never
//! mistaken for the program's failure.
//!
//! [`Layers`] are switches; [`Support`] tells by trying which of them this machine can give, and
//! for the others why not and what would help.
//!
//! All of this is Linux's. Elsewhere programs run in no layer at all, and [`Support`] says so.

mod layers;
pub use layers::{Layers, Missing, Support};

#[cfg(target_os = "linux")]
mod airlock;
#[cfg(target_os = "linux")]
mod disk;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod group;
#[cfg(target_os = "linux")]
mod keeper;
#[cfg(target_os = "linux")]
mod land;
#[cfg(target_os = "linux")]
mod root;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod wire;

#[cfg(target_os = "linux")]
pub(crate) use {
    group::{Group, home_if as group_home_if},
    keeper::{DONE, STARTED, STARTING, TROUBLE},
    tree::{descendants, ticks},
    wire::{Order, hand_over},
};

/// The first argument that turns a binary calling [`helper_main`] into the sandbox's helper.
#[cfg(target_os = "linux")]
pub(crate) const KEEPER: &str = "--floe-sandbox-keeper";
#[cfg(target_os = "linux")]
const AIRLOCK: &str = "--floe-sandbox-airlock";

/// Becomes the sandbox's helper if the first argument says so, and then never returns; otherwise
/// does nothing. Call it first thing in `main`, before any thread is started.
///
/// ```
/// floe_arena::sandbox::helper_main(); // not the helper: goes on
/// ```
pub fn helper_main() {
    #[cfg(target_os = "linux")]
    {
        let mut words = std::env::args_os().skip(1);
        match words.next() {
            Some(role) if role == KEEPER => {
                // Whoever started the referee may have left descriptors open; none goes further.
                close_fds::set_fds_cloexec(3, &[]);
                keeper::main(words);
            }
            Some(role) if role == AIRLOCK => airlock::main(words),
            _ => {}
        }
    }
}
