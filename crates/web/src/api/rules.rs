//! The games: their rules, and the forms to begin them.

use axum::Json;
use axum::extract::Path;
use floe_games::AnyGame;
use floe_league::starter::{Starter, starters};
use serde_json::{Value, json};

use super::positions::game;
use crate::error::WebError;

/// `GET /api/v1/rules`: all games.
pub(crate) async fn all() -> Json<Value> {
    let games = floe_games::games().into_iter();
    let games: Vec<Value> = games
        .map(|game| json!({ "name": game.name(), "title": game.title() }))
        .collect();
    Json(json!({ "games": games }))
}

/// `GET /api/v1/rules/{game}`: one game, with everything its form offers.
pub(crate) async fn rules(Path(name): Path<String>) -> Result<Json<Value>, WebError> {
    let game = game(&name).map_err(WebError::for_script)?;
    Ok(Json(described(game)))
}

fn described(game: &'static dyn AnyGame) -> Value {
    let starters: Vec<Value> = starters(game).iter().map(starter).collect();
    let mut described = floe_games::json::rules(game);
    described["starters"] = json!(starters);
    described
}

fn starter(starter: &Starter) -> Value {
    json!({
        "language": starter.language,
        "speaks_lines": starter.speaks_lines,
        "address": format!("/starters/{}", starter.file),
    })
}
