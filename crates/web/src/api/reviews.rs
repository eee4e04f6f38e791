//! Reviews a game: the loss of each move, from the positions' values.

use axum::Json;
use floe_games::json::{self, Looked};
use serde_json::Value;

use super::positions::{Refusal, answered};

/// `POST /api/v1/reviews`: the grade of every move, and the worst moves.
pub(crate) async fn review(Json(looked): Json<Looked>) -> Result<Json<Value>, Refusal> {
    answered(json::review(looked))
}
