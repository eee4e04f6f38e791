//! Builds the crate again when the WebAssembly module was built, which is embedded if it is there.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=module");
}
