//! The sandbox's helper as a program of its own; see `floe_arena::sandbox`.

fn main() {
    floe_arena::sandbox::helper_main();
    std::process::exit(2);
}
