//! Fuzz targets. Without the fuzzer each of them is a program that repeats files, such as one on which the fuzzer
//! ended:
//!
//! ```sh
//! cargo run -p floe-fuzz --bin archive -- fuzz/artifacts/archive/crash-1
//! ```

#[cfg(feature = "fuzzer")]
pub use libfuzzer_sys::fuzz_target;

/// Declares a fuzz target by what it does with a value.
#[cfg(not(feature = "fuzzer"))]
#[macro_export]
macro_rules! fuzz_target {
    (|$data:ident: $type:ty| $body:block) => {
        fn check($data: $type) $body

        fn main() {
            $crate::repeat(|bytes| {
                if let Ok(data) = $crate::value(bytes) {
                    check(data);
                }
            });
        }
    };
}

/// Gives `check` the bytes of each file that the command line names.
///
/// # Panics
///
/// If a file cannot be read.
pub fn repeat(check: impl Fn(&[u8])) {
    for name in std::env::args_os().skip(1) {
        let bytes = std::fs::read(&name);
        check(&bytes.unwrap_or_else(|error| panic!("{}: {error}", name.display())));
    }
}

/// The value that the fuzzer makes of these bytes.
///
/// # Errors
///
/// If they are too few.
pub fn value<'a, T: arbitrary::Arbitrary<'a>>(bytes: &'a [u8]) -> arbitrary::Result<T> {
    T::arbitrary_take_rest(arbitrary::Unstructured::new(bytes))
}
