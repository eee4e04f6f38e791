//! The sandbox's helper as a separate program.

fn main() {
    floe_sandbox::helper_main();
    std::process::exit(2);
}
