//! Questions from JSON that is parsed already: a module for browsers then has one parser of JSON, and this
//! crate's small code for each question.

use serde::Deserialize;
use serde_json::Value;

use super::positions::{At, Painting, Pointing};
use super::records::{ChosenRecord, RecordFile};
use super::refused::Refused;
use super::reviews::Looked;
use super::thoughts::Thinking;

/// Parses a question.
pub fn parse(question: &str) -> Result<Value, Refused> {
    serde_json::from_slice(question.as_bytes()).map_err(|error| unreadable(&error))
}

fn unreadable(error: &serde_json::Error) -> Refused {
    Refused::new(format!("the question cannot be read: {error}"))
}

macro_rules! questions {
    ($($question:ty),+) => {$(
        impl $question {
            /// Reads the question.
            pub fn of(question: &Value) -> Result<Self, Refused> {
                Self::deserialize(question).map_err(|error| unreadable(&error))
            }
        }
    )+};
}

questions!(
    At,
    ChosenRecord,
    Looked,
    Painting,
    Pointing,
    RecordFile,
    Thinking
);
