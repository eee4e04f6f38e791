//! Tournaments and their games.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use floe_arena::history::RatingCurves;
use floe_games::record::Record;
use floe_league::description::Public;
use serde_json::{Value, json};

use crate::access::{Permission, Visitor, may};
use crate::contests::Contest;
use crate::error::WebError;
use crate::state::App;
use crate::tables::{LiveGame, under_way};
use floe_games::json::{self, Timeline};

/// The contest with this name, if this visitor may see that part of it.
pub(crate) async fn find(
    app: &App,
    visitor: &Visitor,
    name: &str,
    what: Public,
) -> Result<Arc<Contest>, WebError> {
    let missing = || WebError::not_found("league");
    let Some(league) = app.contests().find(name).await else {
        let mistake = app.contests().mistake(name);
        let message = "The file of this contest has a mistake";
        return Err(mistake.map_or_else(missing, |mistake| {
            cannot_be_read(visitor, message, &mistake)
        }));
    };
    let shown = league.shown;
    if may(visitor, Permission::See { what, shown }) {
        return match &league.unreadable {
            None => Ok(league),
            Some(why) => Err(cannot_be_read(
                visitor,
                "The games of this contest cannot be read",
                why,
            )),
        };
    }
    match may(
        visitor,
        Permission::See {
            what: Public::Standings,
            shown,
        },
    ) {
        true => Err(WebError::new(
            StatusCode::FORBIDDEN,
            "The games of this league are not public",
            "Participants see them after opening their own link.",
        )),
        // A visitor who may see nothing does not learn that the contest exists.
        false => Err(missing()),
    }
}

/// The answer for a contest whose files are wrong; only the organiser learns why and where.
fn cannot_be_read(visitor: &Visitor, message: &'static str, why: &str) -> WebError {
    let help = match may(visitor, Permission::RunDesk) {
        true => why,
        false => "The organiser finds the error and its place in the server's log.",
    };
    WebError::new(StatusCode::SERVICE_UNAVAILABLE, message, help)
}

/// All contests whose standings this visitor may see.
pub(crate) async fn list(app: &App, visitor: &Visitor) -> Vec<Arc<Contest>> {
    let mut leagues = app.contests().all().await;
    leagues.retain(|league| {
        let (what, shown) = (Public::Standings, league.shown);
        may(visitor, Permission::See { what, shown })
    });
    leagues
}

/// Whether this visitor may watch the games published on the socket with this name.
pub(crate) fn may_watch(app: &App, visitor: &Visitor, socket: &str) -> bool {
    let (what, shown) = (Public::Games, app.contests().shown_of_socket(socket));
    may(visitor, Permission::See { what, shown })
}

/// The games this visitor may see.
pub(crate) fn seen_by(app: &App, visitor: &Visitor, of: Option<&str>) -> Vec<LiveGame> {
    under_way(app.hosted(), app.far(), of, |socket| {
        may_watch(app, visitor, socket)
    })
}

/// A recorded game of a tournament.
pub(crate) struct Replayed {
    pub(crate) record: Record,
    pub(crate) course: Timeline,
}

impl Replayed {
    /// The players' names, by seat.
    pub(crate) fn names(&self) -> Vec<String> {
        let seats = self.record.opening.seats.iter();
        seats.map(|seat| seat.name.clone()).collect()
    }

    /// The game as JSON.
    pub(crate) fn json(&self) -> Value {
        let seats: Vec<Value> = (self.record.opening.seats.iter())
            .map(|seat| json!({ "name": seat.name, "seat": seat.seat }))
            .collect();
        let end = self.record.end.as_ref();
        let end = end.map(|end| json!({ "scores": end.scores, "places": end.places }));
        json!({ "seats": seats, "course": self.course, "end": end })
    }
}

/// The record of a game, by its number from 1, without the parts that this visitor may not read.
pub(crate) async fn record(
    league: &Contest,
    visitor: &Visitor,
    id: u64,
) -> Result<Record, WebError> {
    let missing = || WebError::not_found("game");
    let mut record = league.record(id).await.ok_or_else(missing)?;
    let seats: Vec<bool> = (record.opening.seats.iter())
        .map(|seat| {
            let (shown, entrant) = (league.shown, league.entrant_of(&seat.name));
            may(visitor, Permission::ReadLogs { shown, entrant })
        })
        .collect();
    json::keep_logs(&mut record, |seat| {
        let at = (seat as usize).checked_sub(1);
        at.and_then(|at| seats.get(at)) == Some(&true)
    });
    Ok(record)
}

/// A game of a tournament, position by position, with its players.
pub(crate) async fn replay(
    league: &Contest,
    visitor: &Visitor,
    id: u64,
) -> Result<Replayed, WebError> {
    let record = record(league, visitor, id).await?;
    let made = tokio::task::spawn_blocking(move || {
        let course = json::of_record(&record)?;
        Ok::<_, Arc<str>>(Replayed { record, course })
    });
    made.await.map_err(WebError::ours)?.map_err(WebError::ours)
}

/// `GET /api/v1/leagues`
pub(crate) async fn all(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Json<Value> {
    let leagues = list(&app, &visitor).await;
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
    Json(json!({ "leagues": leagues }))
}

/// All entrants' rating histories.
fn ratings(history: &RatingCurves) -> Value {
    json!({ "names": history.names(), "points": history.points() })
}

/// `GET /api/v1/leagues/{name}`: the table.
pub(crate) async fn league(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(name): Path<String>,
) -> Result<Json<Value>, WebError> {
    let league = find(&app, &visitor, &name, Public::Standings).await;
    let league = league.map_err(WebError::for_script)?;
    Ok(Json(json!({
        "name": league.name,
        "title": league.title,
        "game": league.game,
        "results": league.results,
        "unplayed": league.unplayed,
        "finals": league.finals,
        "ratings": league.history.as_ref().map(ratings),
    })))
}

/// `GET /api/v1/leagues/{name}/games/{number}`: a game, position by position.
pub(crate) async fn game(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, id)): Path<(String, u64)>,
) -> Result<Json<Value>, WebError> {
    let league = find(&app, &visitor, &name, Public::Games).await;
    let league = league.map_err(WebError::for_script)?;
    let replay = replay(&league, &visitor, id).await;
    let replay = replay.map_err(WebError::for_script)?;
    Ok(Json(replay.json()))
}
