//! The table of questions and their handlers.

use floe_games::json::{self, Refused};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{tables, thinking};

/// Answers a question: `{"answer": …}`, or `{"error": …, "place": …}` with what is wrong and where.
pub fn answer(question: &str) -> String {
    let answer = match answered(question) {
        Ok(answer) => json!({ "answer": answer }),
        Err(refused) => serde_json::to_value(refused).unwrap_or_default(),
    };
    answer.to_string()
}

#[derive(Deserialize)]
struct Asked {
    ask: String,
}

fn answered(question: &str) -> Result<Value, Refused> {
    let Asked { ask } = read(question)?;
    match ask.as_str() {
        "rules" => rules(&read(question)?),
        "positions" => json::position(&read(question)?),
        "forms" => json::forms(&read(question)?),
        "checks" => json::check(&read(question)?),
        "refusals" => json::refusal(&read(question)?),
        "paint" => json::paint(&read(question)?),
        "thoughts" => thinking::thoughts(&read(question)?),
        "reviews" => json::review(read(question)?),
        "perft" => perft(&read(question)?),
        "records" => Ok(json::list_records(&read(question)?)),
        "course" => json::course_of(&read(question)?),
        "begin" => tables::begin(&read(question)?),
        "table" => tables::table(read(question)?),
        _ => Err(Refused::new(format!("unknown question `{ask}`"))),
    }
}

/// From bytes, as records are read: each type is then compiled once.
fn read<T: DeserializeOwned>(question: &str) -> Result<T, Refused> {
    serde_json::from_slice(question.as_bytes())
        .map_err(|error| Refused::new(format!("the question cannot be read: {error}")))
}

/// One game, or all games.
#[derive(Deserialize)]
struct Rules {
    #[serde(default)]
    game: Option<String>,
}

fn rules(rules: &Rules) -> Result<Value, Refused> {
    match &rules.game {
        Some(name) => Ok(json::rules(floe_games::find(name)?)),
        None => {
            let games: Vec<Value> = (floe_games::games().into_iter())
                .map(|game| json!({ "name": game.name(), "title": game.title() }))
                .collect();
            Ok(json!({ "games": games }))
        }
    }
}

/// Move sequences to count.
#[derive(Deserialize)]
struct Perft {
    #[serde(flatten)]
    at: json::At,
    depth: u32,
}

fn perft(perft: &Perft) -> Result<Value, Refused> {
    let (play, _) = perft.at.play()?;
    Ok(json!({ "count": play.position().perft(perft.depth) }))
}
