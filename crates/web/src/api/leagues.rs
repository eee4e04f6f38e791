//! Tournaments and their games.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::{Extension, Json};
use floe_games::record::Record;
use serde_json::{Value, json};

use crate::access::{Deed, Visitor, may};
use crate::course::{self, Course};
use crate::error::WebError;
use crate::leagues::League;
use crate::state::App;

/// The tournament of this name. Files are read off the threads that answer.
pub(crate) async fn find(app: &App, name: String) -> Result<Arc<League>, WebError> {
    let app = app.clone();
    let found = tokio::task::spawn_blocking(move || app.leagues().find(&name));
    let found = found.await.map_err(WebError::ours)?;
    found.ok_or_else(|| WebError::not_found("league"))
}

/// All tournaments.
pub(crate) async fn list(app: &App) -> Result<Vec<Arc<League>>, WebError> {
    let app = app.clone();
    let found = tokio::task::spawn_blocking(move || app.leagues().all());
    found.await.map_err(WebError::ours)
}

/// A game of a tournament that is looked back at.
pub(crate) struct Replayed {
    pub(crate) record: Record,
    pub(crate) course: Course,
}

impl Replayed {
    /// Everybody's names, by seat.
    pub(crate) fn names(&self) -> Vec<String> {
        let seats = self.record.opening.seats.iter();
        seats.map(|seat| seat.name.clone()).collect()
    }

    /// As scripts get it.
    pub(crate) fn json(&self) -> Value {
        let seats: Vec<Value> = (self.record.opening.seats.iter())
            .map(|seat| json!({ "name": seat.name, "seat": seat.seat }))
            .collect();
        let end = self.record.end.as_ref();
        let end = end.map(|end| json!({ "scores": end.scores, "places": end.places }));
        json!({ "seats": seats, "course": self.course, "end": end })
    }
}

/// The record of a game, by its number as people count.
pub(crate) async fn record(league: &Arc<League>, id: u64) -> Result<Record, WebError> {
    let league = Arc::clone(league);
    let read = tokio::task::spawn_blocking(move || league.record(id));
    let read = read.await.map_err(WebError::ours)?;
    read.ok_or_else(|| WebError::not_found("game"))
}

/// A game of a tournament, position by position, with who played it.
pub(crate) async fn replay(
    league: &Arc<League>,
    id: u64,
    with_logs: bool,
) -> Result<Replayed, WebError> {
    let record = record(league, id).await?;
    let made = tokio::task::spawn_blocking(move || {
        let course = course::of_record(&record, with_logs)?;
        Ok::<_, Arc<str>>(Replayed { record, course })
    });
    made.await.map_err(WebError::ours)?.map_err(WebError::ours)
}

/// `GET /api/v1/leagues`
pub(crate) async fn all(State(app): State<App>) -> Result<Json<Value>, WebError> {
    let leagues = list(&app).await.map_err(WebError::for_script)?;
    let leagues: Vec<Value> = (leagues.iter())
        .map(|league| {
            let results = league.results.as_ref();
            json!({
                "name": league.name,
                "title": league.title,
                "game": league.game,
                "games": results.map_or(0, |results| results.games),
                "length": results.and_then(|results| results.length),
                "is_finished": results.is_some_and(|results| results.is_finished),
            })
        })
        .collect();
    Ok(Json(json!({ "leagues": leagues })))
}

/// `GET /api/v1/leagues/{name}`: the table.
pub(crate) async fn league(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<Value>, WebError> {
    let league = find(&app, name).await.map_err(WebError::for_script)?;
    Ok(Json(json!({
        "name": league.name,
        "title": league.title,
        "game": league.game,
        "results": league.results,
    })))
}

/// `GET /api/v1/leagues/{name}/games/{number}`: a game, position by position.
pub(crate) async fn game(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, id)): Path<(String, u64)>,
) -> Result<Json<Value>, WebError> {
    let league = find(&app, name).await.map_err(WebError::for_script)?;
    let with_logs = may(&visitor, Deed::ReadLogs);
    let replay = replay(&league, id, with_logs).await;
    let replay = replay.map_err(WebError::for_script)?;
    Ok(Json(replay.json()))
}
