//! Questions from JSON that is parsed already: a module for browsers then has one parser of JSON, and this
//! crate's small code for each question.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::refused::Refused;

/// Parses a question.
pub fn parse(question: &str) -> Result<Value, Refused> {
    serde_json::from_slice(question.as_bytes()).map_err(|error| unreadable(&error.to_string()))
}

fn unreadable(error: &str) -> Refused {
    Refused::new(format!("the question cannot be read: {error}"))
}

/// A field that a question may leave out.
pub(super) fn optional<T: DeserializeOwned>(
    question: &Value,
    name: &str,
) -> Result<Option<T>, Refused> {
    let field = Option::<T>::deserialize(&question[name]);
    field.map_err(|error| unreadable(&format!("field `{name}`: {error}")))
}

/// A field that a question must have.
pub(super) fn required<T: DeserializeOwned>(question: &Value, name: &str) -> Result<T, Refused> {
    let field = optional(question, name)?;
    field.ok_or_else(|| unreadable(&format!("missing field `{name}`")))
}

/// For servers, which read questions from the bodies of requests.
macro_rules! questions {
    ($($question:ty),+) => {$(
        impl TryFrom<serde_json::Value> for $question {
            type Error = Refused;

            fn try_from(question: serde_json::Value) -> Result<Self, Refused> {
                Self::of(&question)
            }
        }
    )+};
}
pub(super) use questions;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::positions::Pointing;
    use super::super::thoughts::Thinking;
    use super::*;

    #[test]
    fn a_question_is_read_from_text_as_from_a_value() {
        let question = json!({ "game": "gamma", "setup": "4x4", "moves": ["b2"], "top": 2 });
        let read: Thinking = serde_json::from_str(&question.to_string()).unwrap();
        let of = Thinking::of(&question).unwrap();
        assert_eq!(format!("{read:?}"), format!("{of:?}"));
        assert_eq!((of.ms, of.top, of.explain), (300, 2, false));
    }

    #[test]
    fn a_wrong_or_missing_field_is_named() {
        let error = |question: &Value| Pointing::of(question).unwrap_err().message;
        let wrong = error(&json!({ "game": "gamma", "seed": "x", "square": "a1" }));
        assert!(wrong.contains("field `seed`: invalid type"), "{wrong}");
        for missing in [
            json!({ "game": "gamma" }),
            json!({ "game": "gamma", "square": null }),
        ] {
            let missing = error(&missing);
            assert!(missing.ends_with("missing field `square`"), "{missing}");
        }
        assert!(error(&json!(["gamma", "a1"])).ends_with("missing field `game`"));
    }
}
