//! The sandbox's helper as a program of its own, for this crate's tests and benchmarks.

fn main() {
    floe_sandbox::helper_main();
    std::process::exit(2);
}
