//! Positions, moves, thoughts and games as JSON, as pages ask for them.
//!
//! The server's API and the module that runs in browsers answer with these, so that a page can ask
//! either. A question names its game; no question has state: a position is its text or its setup,
//! and the moves made from there.
//!
//! ```
//! use floe_games::json::{At, position};
//! let at: At = serde_json::from_str(r#"{ "game": "gamma", "setup": "4x4", "moves": ["b2"] }"#)?;
//! let answer = position(&at).expect("b2 is free");
//! assert_eq!(answer["turn"], 2);
//! let at: At = serde_json::from_str(r#"{ "game": "gamma", "setup": "4x4", "moves": ["b9"] }"#)?;
//! println!("{}", position(&at).unwrap_err().message);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod begin;
mod change;
mod choices;
mod field_set;
mod game_state;
mod picture;
mod positions;
mod questions;
mod records;
mod refused;
mod reviews;
mod start;
mod thoughts;
mod timeline;

pub use begin::{Opponent, default_size, opponents, person_name, rules, setup_of};
pub use change::PictureChange;
pub use choices::{PickGroup, pick_groups};
pub use field_set::FieldSet;
pub use game_state::{ClockState, GameState, milliseconds, result_words};
pub use picture::{Pick, Picture, pick, picks};
pub use positions::{At, Painting, Pointing, check, forms, paint, position, refusal};
pub use questions::parse;
pub use records::{ChosenRecord, RecordFile, course_of, list_records};
pub use refused::Refused;
pub use reviews::{Looked, review, verdict, worst};
pub use start::{AskedError, of_setup, of_text};
pub use thoughts::{Thinking, thoughts};
pub use timeline::{Ply, Timeline, Turn, keep_logs, last_pick, of_record};
