//! Fields of questions.

use floe_games::json::Refused;
use serde_json::Value;

/// A text that a question must have.
pub(crate) fn text<'a>(question: &'a Value, field: &str) -> Result<&'a str, Refused> {
    let text = question[field].as_str();
    text.ok_or_else(|| Refused::new(format!("the question has no text `{field}`")))
}

/// A whole number that a question must have.
pub(crate) fn number(question: &Value, field: &str) -> Result<u64, Refused> {
    let number = question[field].as_u64();
    number.ok_or_else(|| Refused::new(format!("the question has no whole number `{field}`")))
}
