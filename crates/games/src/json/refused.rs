use floe_rules::ParseError;
use serde::Serialize;
use serde_json::{Value, json};
use thiserror::Error;

use super::start::AskedError;
use crate::Unknown;

/// The reason why a question has no answer.
#[derive(Debug, Clone, PartialEq, Error, Serialize)]
#[error("{message}")]
pub struct Refused {
    /// The error.
    #[serde(rename = "error")]
    pub message: String,
    /// The place: line, column and help for a text, `move` for a move, or nothing.
    pub place: Value,
}

impl Refused {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Refused::at(message, Value::Null)
    }

    /// An error with its place.
    pub fn at(message: impl Into<String>, place: Value) -> Self {
        Refused {
            message: message.into(),
            place,
        }
    }
}

impl From<ParseError> for Refused {
    fn from(error: ParseError) -> Self {
        let (line, column) = (error.line, error.column);
        let place = json!({ "line": line, "column": column, "help": error.help });
        Refused::at(error.cause, place)
    }
}

impl From<Unknown> for Refused {
    fn from(error: Unknown) -> Self {
        Refused::new(error.to_string())
    }
}

impl From<AskedError> for Refused {
    fn from(error: AskedError) -> Self {
        match error {
            AskedError::Text(error) => error.into(),
            error => Refused::new(error.to_string()),
        }
    }
}
