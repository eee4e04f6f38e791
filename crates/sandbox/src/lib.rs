//! Running untrusted programs: start one, talk to it, end it, report what happened.
//!
//! [`run`] is for programs that are started for every move: all input at once, all output, the exit. [`Program`] is for those that stay up: lines out, lines in, each with a deadline. Either way the clock runs from the write of the request, the program's output and resources are limited ([`ResourceLimits`]), and when it has ended none of its processes is left.
//!
//! The program's own behaviour is a [`ProgramEnd`]; a failure before the program could run is a
//! [`MachineFailure`], which is not the program's fault.
//!
//! A program is never started by the caller itself. The caller starts a small *supervisor* (its own
//! binary again, or another one that calls [`helper_main`] first), which costs the same however
//! large the caller has grown. The supervisor watches memory and processes, adopts every orphan, kills
//! whatever is left and reports. It starts the *launcher*, a third copy, which closes the layers
//! asked for around itself and becomes the program, or with namespaces its first process.
//!
//! ```text
//! caller --control socket-- supervisor --channel-- launcher = program
//! ```
//!
//! Supervisor and launcher do all that does not depend on the program as soon as they are started, and
//! then wait for an order; a [`SupervisorPool`] has some waiting at all times.
//!
//! [`Layers`] are switches; [`Support`] tries which of them this machine supports, and for the others reports why not and what would help. The layers need Linux. On other systems [`run`] and [`Program`] still provide a private working directory, a clean environment, the clock and bounded output, but no other protection.
//!
//! `examples/cat.rs` runs `/bin/cat` behind every layer the machine has.

mod environment;
mod files;
#[cfg(target_os = "linux")]
mod helper;
mod launch;
mod layers;
mod limits;
mod output;
#[cfg(target_os = "linux")]
mod pipes;
mod supervisor_pool;
// On Linux only for its tests, so that it stays correct.
#[cfg(any(test, not(target_os = "linux")))]
#[cfg_attr(target_os = "linux", allow(unreachable_pub, dead_code))]
mod plain;
#[cfg(target_os = "linux")]
mod program;
mod program_copy;
mod report;
mod ring;
mod support;
mod trace;
mod work_folder;

pub use environment::SEARCH_PATH;
pub use files::ProgramFiles;
pub use launch::Launch;
pub use layers::Layers;
pub use limits::ResourceLimits;
pub use output::{LeftFiles, OutputError, read_output};
#[cfg(not(target_os = "linux"))]
pub use plain::{Program, run};
#[cfg(target_os = "linux")]
pub use program::{Program, run};
pub use program_copy::{FolderEntry, FolderError, ProgramCopy, is_of_system, list_folder};
pub use report::{Forbidden, MachineFailure, NextLine, ProgramEnd, RunReport};
pub use supervisor_pool::SupervisorPool;
pub use support::{Missing, Support};
pub use trace::{CallAnswer, CallTrace, TracedCall, trace_calls};
pub use work_folder::WorkFolder;

/// Becomes the sandbox's helper if the first argument says so, and then never returns; otherwise
/// does nothing. Call it first thing in `main`, before any thread is started.
///
/// ```
/// floe_sandbox::helper_main(); // not the helper: returns
/// ```
pub fn helper_main() {
    #[cfg(target_os = "linux")]
    helper::main();
}

/// The examples of the crate's page run as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
