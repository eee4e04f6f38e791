//! The table of questions and their handlers.

use floe_games::json::{
    self, At, ChosenRecord, Looked, Painting, Pointing, RecordFile, Refused, Thinking,
};
use serde_json::{Value, json};

use crate::fields::{number, text};
use crate::{tables, thinking};

/// Answers a question: `{"answer": …}`, or `{"error": …, "place": …}` with what is wrong and where.
pub fn answer(question: &str) -> String {
    let answer = match answered(question) {
        Ok(answer) => json!({ "answer": answer }),
        Err(refused) => serde_json::to_value(refused).unwrap_or_default(),
    };
    serde_json::to_string(&answer).unwrap_or_default()
}

fn answered(question: &str) -> Result<Value, Refused> {
    let question = &json::parse(question)?;
    match text(question, "ask")? {
        "rules" => rules(question),
        "positions" => json::position(&At::of(question)?),
        "forms" => json::forms(&At::of(question)?),
        "checks" => json::check(&At::of(question)?),
        "refusals" => json::refusal(&Pointing::of(question)?),
        "paint" => json::paint(&Painting::of(question)?),
        "thoughts" => thinking::thoughts(&Thinking::of(question)?),
        "reviews" => json::review(Looked::of(question)?),
        "perft" => perft(question),
        "records" => Ok(json::list_records(&RecordFile::of(question)?)),
        "course" => json::course_of(&ChosenRecord::of(question)?),
        "begin" => tables::begin(question),
        "table" => tables::table(question),
        ask => Err(Refused::new(format!("unknown question `{ask}`"))),
    }
}

/// About one game, or all games.
fn rules(question: &Value) -> Result<Value, Refused> {
    match question["game"].as_str() {
        Some(name) => Ok(json::rules(floe_games::find(name)?)),
        None => {
            let games: Vec<Value> = (floe_games::games().into_iter())
                .map(|game| json!({ "name": game.name(), "title": game.title() }))
                .collect();
            Ok(json!({ "games": games }))
        }
    }
}

/// Counts sequences of moves.
fn perft(question: &Value) -> Result<Value, Refused> {
    let (play, _) = At::of(question)?.play()?;
    let depth = u32::try_from(number(question, "depth")?).unwrap_or(u32::MAX);
    Ok(json!({ "count": play.position().perft(depth) }))
}
