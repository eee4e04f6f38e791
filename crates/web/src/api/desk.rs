//! The data of the organiser's dashboard.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use floe_league::Version;
use floe_league::event::Activity;
use serde_json::{Value, json};

use super::submissions::league_service;
use crate::access::{Permission, Visitor, may};
use crate::error::WebError;
use crate::state::App;

/// `GET /api/v1/desk`: people, versions, the queue and paused activities; for the organiser only.
pub(crate) async fn desk(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Value>, WebError> {
    if !may(&visitor, Permission::RunDesk) {
        return Err(WebError::forbidden("The dashboard is the organiser's").for_script());
    }
    let service = Arc::clone(league_service(&app).map_err(WebError::for_script)?);
    // Measuring the disk takes a while.
    let gathered = tokio::task::spawn_blocking(move || {
        let league = service.league();
        let disk = league.disk_use();
        league.look(|standing| {
            let people: Vec<Value> = (standing.people.all().iter())
                .map(|person| {
                    json!({
                        "name": person.name,
                        "entrant": person.entrant,
                        "invited": person.invited,
                    })
                })
                .collect();
            json!({
                "league": league.description().name,
                "people": people,
                "versions": standing.versions.all().collect::<Vec<&Version>>(),
                "waiting": standing.waiting.iter().collect::<Vec<_>>(),
                "disk_bytes": disk,
                "is_submitting_paused": standing.is_paused(Activity::Submitting),
                "is_ladder_paused": standing.is_paused(Activity::Ladder),
            })
        })
    });
    let desk = gathered.await.map_err(WebError::ours)?;
    Ok(Json(desk.map_err(WebError::ours)?))
}
