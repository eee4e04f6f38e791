//! The sandbox's helper as a separate program, for this crate's tests and benchmarks.

fn main() {
    floe_sandbox::helper_main();
    std::process::exit(2);
}
