//! Rules and engines in a browser, without a server: `floe-games` behind JSON.
//!
//! [`answer`] takes a question and gives an answer, both JSON. Questions that the server's API knows
//! have its names, fields and answers (`positions`, `thoughts`, `paint` and so on), so that a page can
//! ask either; the rest is about games and records that no server knows. No game is named here: a
//! game in the registry is a game in the browser.
//!
//! Built for `wasm32-unknown-unknown` the crate is a module with three exports and one import, the
//! clock; `floe.js` next to it runs it in a worker. `crates/browser/build` makes both.
//!
//! ```
//! let answer = floe_browser::answer(r#"{ "ask": "positions", "game": "gamma", "setup": "3x3" }"#);
//! assert!(answer.starts_with(r#"{"answer":{"#));
//! let answer = floe_browser::answer(r#"{ "ask": "positions", "game": "chess" }"#);
//! assert!(answer.starts_with(r#"{"error":"unknown game `chess`;"#));
//! ```

mod clock;
#[cfg(target_arch = "wasm32")]
mod exports;
mod fields;
mod questions;
mod tables;
mod thinking;

pub use questions::answer;
