//! Looking back at a game: what the moves lost, by what their positions are worth.

use axum::Json;
use floe_games::json::{self, Looked};
use serde_json::Value;

use super::positions::{Refusal, answered};

/// `POST /api/v1/reviews`: how good every move was, and which lost most.
pub(crate) async fn review(Json(looked): Json<Looked>) -> Result<Json<Value>, Refusal> {
    answered(json::review(looked))
}
