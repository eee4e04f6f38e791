//! The command `floe`: see the library of the same name.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Sandboxed programs are started by a copy of this binary.
    floe_sandbox::helper_main();
    floe::run(std::env::args_os())
}
