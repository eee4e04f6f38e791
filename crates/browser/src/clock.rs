//! The clock: in WebAssembly the host's, elsewhere the system's.

use floe_search::Clock;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) const CLOCK: Clock = Clock::SYSTEM;

#[cfg(target_arch = "wasm32")]
pub(crate) const CLOCK: Clock = Clock::new(host::clock);

#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)] // an import is declared in an unsafe block
mod host {
    use std::time::Duration;

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since some fixed moment, never going back.
        safe fn now() -> f64;
    }

    pub(super) fn clock() -> Duration {
        Duration::from_secs_f64((now() / 1000.0).max(0.0))
    }
}
