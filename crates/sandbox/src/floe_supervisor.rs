//! The sandbox's helper as a program of its own.

fn main() {
    floe_sandbox::helper_main();
    std::process::exit(2);
}
