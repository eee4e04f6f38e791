//! Records that a user opens in a page: a list of them, and one game to step through.

use serde::Deserialize;
use serde_json::{Value, json};

use super::game_state::result_words;
use super::questions::{optional, questions, required};
use super::refused::Refused;
use super::timeline::of_record;
use crate::find;
use crate::record::{self, Record};

questions!(ChosenRecord, RecordFile);

/// A file of records.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub struct RecordFile {
    text: String,
}

impl RecordFile {
    /// Reads the question.
    pub fn of(question: &Value) -> Result<Self, Refused> {
        Ok(RecordFile {
            text: required(question, "text")?,
        })
    }
}

/// One game of a file of records.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub struct ChosenRecord {
    text: String,
    /// The game's index, from zero.
    index: usize,
}

impl ChosenRecord {
    /// Reads the question.
    pub fn of(question: &Value) -> Result<Self, Refused> {
        Ok(ChosenRecord {
            text: required(question, "text")?,
            index: optional(question, "index")?.unwrap_or_default(),
        })
    }
}

/// The games of a file, in order; unreadable ones with the reason.
pub fn list_records(file: &RecordFile) -> Value {
    let games: Vec<Value> = record::read(file.text.as_bytes())
        .map(|record| match record {
            Ok(record) => listed(&record),
            Err(error) => json!({ "error": error.to_string() }),
        })
        .collect();
    json!({ "games": games })
}

fn listed(record: &Record) -> Value {
    let opening = &record.opening;
    let title = find(&opening.game).map_or(opening.game.as_str(), |game| game.title());
    json!({
        "id": opening.id,
        "game": opening.game,
        "title": title,
        "players": names(record),
        "turns": record.events.len(),
        "result": result(record),
        // The rules' objection.
        "problem": record.verify().err().map(|error| error.to_string()),
    })
}

fn names(record: &Record) -> Vec<String> {
    let seats = record.opening.seats.iter();
    seats.map(|seat| seat.name.clone()).collect()
}

fn result(record: &Record) -> Option<String> {
    let end = record.end.as_ref()?;
    let words = result_words(&names(record), &end.scores, &end.places);
    Some(words)
}

/// Every position of one game.
pub fn course_of(chosen: &ChosenRecord) -> Result<Value, Refused> {
    let found = record::read(chosen.text.as_bytes()).nth(chosen.index);
    let found = found.ok_or_else(|| Refused::new(format!("no game {}", chosen.index + 1)))?;
    let record = found.map_err(|error| Refused::new(error.to_string()))?;
    let course = of_record(&record).map_err(|error| Refused::new(&*error))?;
    let mut answer = serde_json::to_value(course).unwrap_or_default();
    answer["names"] = json!(names(&record));
    answer["end"] = json!(record.end);
    answer["result"] = json!(result(&record));
    Ok(answer)
}
