//! Remote programs: their clients fetch messages and send answers.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use floe_league::people::Participant;
use floe_league::remote::{Hello, NumberedNews, RemoteError, Reply, Welcome};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::submissions::league_service;
use crate::access::{Permission, Visitor, may};
use crate::error::WebError;
use crate::league_service::LeagueService;
use crate::state::App;

/// Longest wait for news before the client asks again.
const WAIT: Duration = Duration::from_secs(10);

/// The league service, and the participant who asks.
fn desk(app: &App, visitor: &Visitor) -> Result<(Arc<LeagueService>, Participant), WebError> {
    let service = league_service(app).map_err(WebError::for_script)?;
    let participant = visitor.participant.clone();
    let by = participant.filter(|_| may(visitor, Permission::Submit));
    let by = by.ok_or_else(|| {
        let message = "Only participants may connect a program";
        let help = "Send your token: Authorization: Bearer TOKEN.";
        WebError::new(StatusCode::UNAUTHORIZED, message, help).for_script()
    })?;
    Ok((Arc::clone(service), by))
}

fn refusal(error: RemoteError) -> WebError {
    let status = match error {
        RemoteError::NotHere => StatusCode::FORBIDDEN,
        RemoteError::Word => StatusCode::UNPROCESSABLE_ENTITY,
        RemoteError::Gone => StatusCode::NOT_FOUND,
        RemoteError::OutOfTurn(_) => StatusCode::CONFLICT,
        RemoteError::Submit(error) => return super::submissions::refusal(error).for_script(),
        error => return WebError::ours(error).for_script(),
    };
    WebError::new(status, error.to_string(), "").for_script()
}

/// `POST /api/v1/remote`
pub(crate) async fn connect(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Json(hello): Json<Hello>,
) -> Result<Json<Welcome>, WebError> {
    let (service, by) = desk(&app, &visitor)?;
    // Connecting may write to the journal, and read the stored games.
    let connected = tokio::task::spawn_blocking(move || service.remotes().connect(&by, &hello));
    let connected = connected.await.map_err(WebError::ours)?;
    connected.map(Json).map_err(refusal)
}

/// The last message a client has.
#[derive(Deserialize)]
pub(crate) struct Heard {
    #[serde(default)]
    after: u64,
}

/// `GET /api/v1/remote/{connection}`: waits a while for news.
pub(crate) async fn news(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(connection): Path<String>,
    Query(heard): Query<Heard>,
) -> Result<Json<Value>, WebError> {
    let (service, by) = desk(&app, &visitor)?;
    let _listener = service
        .remotes()
        .listen(&by, &connection)
        .map_err(refusal)?;
    let mut changes = service.remote_news();
    let until = Instant::now() + WAIT;
    loop {
        changes.mark_unchanged();
        let news: Vec<NumberedNews> = (service.remotes())
            .news_after(&by, &connection, heard.after)
            .map_err(refusal)?;
        let is_late = news.is_empty() && timeout_at(until, changes.changed()).await.is_err();
        if !news.is_empty() || is_late {
            return Ok(Json(json!({ "news": news })));
        }
    }
}

/// `POST /api/v1/remote/{connection}`
pub(crate) async fn reply(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(connection): Path<String>,
    Json(reply): Json<Reply>,
) -> Result<Json<Value>, WebError> {
    let (service, by) = desk(&app, &visitor)?;
    let taken = service.remotes().reply(&by, &connection, reply);
    taken.map_err(refusal)?;
    Ok(Json(json!({})))
}

/// `DELETE /api/v1/remote/{connection}`
pub(crate) async fn leave(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(connection): Path<String>,
) -> Result<Json<Value>, WebError> {
    let (service, by) = desk(&app, &visitor)?;
    service.remotes().leave(&by, &connection).map_err(refusal)?;
    Ok(Json(json!({})))
}
