//! Positions for the analysis page, and engines' opinions of them.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use floe_games::AnyGame;
use floe_games::json::{self, At, ChosenRecord, Painting, Pointing, Refused, Thinking};
use floe_search::{Kind, Spec};
use serde_json::{Value, json};

use crate::access::Visitor;
use crate::engine_pool::EngineJob;
use crate::error::WebError;
use crate::state::App;

/// Time limit of an engine for a page.
pub(super) const LONGEST: Duration = Duration::from_secs(5);
/// Most moves ranked for a page.
pub(super) const TOP: usize = 8;

/// The game with this name.
pub(crate) fn game(name: &str) -> Result<&'static dyn AnyGame, WebError> {
    floe_games::find(name).map_err(|error| {
        WebError::new(
            StatusCode::NOT_FOUND,
            error.to_string(),
            "See the front page.",
        )
    })
}

/// The error, for a script.
pub(crate) type Refusal = (StatusCode, Json<Value>);

/// An answer, for a script.
pub(crate) fn answered(answer: Result<Value, Refused>) -> Result<Json<Value>, Refusal> {
    answer.map(Json).map_err(|refused| refusal(&refused))
}

fn refusal(refused: &Refused) -> Refusal {
    let body = json!(refused);
    (StatusCode::UNPROCESSABLE_ENTITY, Json(body))
}

/// `POST /api/v1/paint`: the text with one change, which need not be a legal position yet.
pub(crate) async fn paint(Json(painting): Json<Painting>) -> Result<Json<Value>, Refusal> {
    answered(json::paint(&painting))
}

/// `POST /api/v1/positions`: a position as drawn, its text, and its moves.
pub(crate) async fn position(Json(at): Json<At>) -> Result<Json<Value>, Refusal> {
    answered(json::position(&at))
}

/// `POST /api/v1/forms`: a position as text, in every form programs read.
pub(crate) async fn forms(Json(at): Json<At>) -> Result<Json<Value>, Refusal> {
    answered(json::forms(&at))
}

/// `POST /api/v1/courses`: a record, position by position. The server stores nothing.
pub(crate) async fn course(Json(chosen): Json<ChosenRecord>) -> Result<Json<Value>, WebError> {
    let course = tokio::task::spawn_blocking(move || json::course_of(&chosen));
    let course = course.await.map_err(WebError::ours)?;
    course.map(Json).map_err(|refused| {
        let help = "Drop a file of records (.jsonl) that Floe wrote.";
        WebError::bad(refused.message, help).for_script()
    })
}

/// `POST /api/v1/refusals`: why a square cannot be chosen.
pub(crate) async fn refused(Json(pointing): Json<Pointing>) -> Result<Json<Value>, Refusal> {
    answered(json::refusal(&pointing))
}

/// `POST /api/v1/checks`: all errors in a text.
pub(crate) async fn check(Json(at): Json<At>) -> Result<Json<Value>, Refusal> {
    answered(json::check(&at))
}

/// `POST /api/v1/thoughts`: an engine's best moves in a position, best first.
pub(crate) async fn thoughts(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Json(thinking): Json<Thinking>,
) -> Result<Json<Value>, Refusal> {
    let (play, _) = thinking.at.play().map_err(|refused| refusal(&refused))?;
    let asked = thinking.spec().map_err(|refused| refusal(&refused))?;
    let question = EngineJob {
        position: play.position().clone_position(),
        // A client chooses the engine's level, but not its limits.
        spec: Spec {
            level: asked.level,
            ..Kind::Floe.into()
        },
        usual: thinking.time(LONGEST),
        top: thinking.top.clamp(1, TOP),
    };
    let found = match play.turn() {
        Some(_) => app.engines().ask(&visitor.client, question).await,
        None => Ok(Vec::new()),
    };
    let found = found.map_err(|error| {
        let error = WebError::from(error);
        (error.status, Json(json!({ "error": error.message })))
    })?;
    let answer = json::thoughts(&play, thinking.explain, |_| Ok(found));
    answered(answer.map_err(|error| Refused::new(error.to_string())))
}
