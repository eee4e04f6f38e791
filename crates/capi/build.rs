//! Gives the shared library its name at run time, so that programs linked with one version go on
//! finding it when a newer one with the same interface is installed.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        let major = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libgamma.so.{major}");
    }
}
