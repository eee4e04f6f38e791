//! An engine's values of every position of a recorded game, computed once for all clients.

use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use floe_games::json::verdict;
use floe_games::record::Record;
use floe_league::description::Public;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::leagues::{find, record};
use crate::access::Visitor;
use crate::error::WebError;
use crate::evaluations::{Evaluated, Evaluation, EvaluationError};
use crate::state::App;

/// Longest wait for news.
const PATIENCE: Duration = Duration::from_secs(20);

impl From<EvaluationError> for WebError {
    fn from(error: EvaluationError) -> Self {
        let status = match &error {
            EvaluationError::Share | EvaluationError::Busy => StatusCode::TOO_MANY_REQUESTS,
            EvaluationError::TooLong(_) => StatusCode::UNPROCESSABLE_ENTITY,
            EvaluationError::Record(cause) => return WebError::ours(cause),
        };
        WebError::new(
            status,
            error.to_string(),
            "The game itself can still be viewed.",
        )
    }
}

/// The progress the client knows already.
#[derive(Deserialize)]
pub(crate) struct Known {
    /// Number of positions, from the first on.
    #[serde(default)]
    done: usize,
}

/// The record of a league's game, if this visitor may see it.
pub(crate) async fn of_game(
    app: &App,
    visitor: &Visitor,
    name: &str,
    id: u64,
) -> Result<Record, WebError> {
    let league = find(app, visitor, name, Public::Games).await?;
    record(&league, visitor, id).await
}

/// `POST /api/v1/leagues/{name}/games/{number}/evaluation`: starts the evaluation, unless it
/// exists.
pub(crate) async fn begin(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, id)): Path<(String, u64)>,
) -> Result<Json<Value>, WebError> {
    let record = of_game(&app, &visitor, &name, id).await;
    let record = record.map_err(WebError::for_script)?;
    let evaluation = app.evaluations().begin(&record, &visitor.client);
    let evaluation = evaluation.map_err(|error| WebError::from(error).for_script())?;
    Ok(Json(state_of(&evaluation, 0)))
}

/// `GET /api/v1/leagues/{name}/games/{number}/evaluation`: the values beyond those the client
/// knows, once there are more.
pub(crate) async fn evaluation(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, id)): Path<(String, u64)>,
    Query(known): Query<Known>,
) -> Result<Json<Value>, WebError> {
    let record = of_game(&app, &visitor, &name, id).await;
    let record = record.map_err(WebError::for_script)?;
    let evaluation = app.evaluations().find(&record);
    let missing = || WebError::not_found("evaluation; it begins with a POST").for_script();
    let evaluation = evaluation.ok_or_else(missing)?;
    // A client that has waited long enough gets an answer without news.
    let _ = timeout(PATIENCE, evaluation.after(known.done)).await;
    Ok(Json(state_of(&evaluation, known.done)))
}

fn state_of(evaluation: &Evaluation, known: usize) -> Value {
    evaluation.look(|now| {
        let worths: Vec<Option<Value>> = (known..now.done).map(|turn| worth(now, turn)).collect();
        let mut answer = verdict(&now.review);
        answer["positions"] = json!(now.review.positions());
        answer["done"] = json!(now.done);
        answer["is_over"] = json!(now.is_over());
        answer["is_given_up"] = json!(now.is_given_up);
        // Only the values from the client's first unknown position on.
        answer["worths"] = json!(worths);
        answer
    })
}

fn worth(now: &Evaluated, turn: usize) -> Option<Value> {
    let worth = now.review.worth(turn)?;
    Some(json!({
        "scores": worth.scores,
        "shares": now.review.shares(turn),
        "line": now.lines.get(turn),
        "depth": worth.depth,
        "proven": worth.proven,
    }))
}
