//! One entrant's results in a contest.

use axum::extract::{Path, State};
use axum::{Extension, Json};
use floe_arena::history::RatingCurves;
use floe_arena::standings::{HeadToHead, Row, Standings};
use floe_league::description::Public;
use serde_json::{Value, json};

use super::leagues::find;
use super::lists::last_games;
use crate::access::{Permission, Visitor, may};
use crate::contests::Contest;
use crate::error::WebError;
use crate::state::App;

/// An entrant's part of the table.
pub(crate) struct EntrantResults<'a> {
    results: &'a Standings,
    /// The entrant's row number.
    number: usize,
    pub(crate) row: &'a Row,
    /// All versions of the team that have played, including this one; only in a league.
    pub(crate) versions: Vec<String>,
}

impl<'a> EntrantResults<'a> {
    /// The entrant with this name.
    pub(crate) async fn find(league: &'a Contest, name: &str) -> Result<Self, WebError> {
        let missing = || WebError::not_found("entrant");
        let results = league.results.as_ref().ok_or_else(missing)?;
        let number = results.rows.iter().position(|row| row.name == name);
        let number = number.ok_or_else(missing)?;
        let mut versions = Vec::new();
        if let Some(team) = league.entrant_of(name) {
            versions = league.versions(team).await;
            if !versions.iter().any(|version| version == name) {
                versions.push(name.to_owned());
            }
        }
        Ok(EntrantResults {
            results,
            number,
            row: &results.rows[number],
            versions,
        })
    }

    /// The entrant's head-to-head results.
    pub(crate) fn meetings(&self) -> impl Iterator<Item = (&'a Row, &'a HeadToHead)> {
        let met = self.results.meetings.get(self.number);
        let met = met.map(Vec::as_slice).unwrap_or_default();
        let rows = self.results.rows.iter().zip(met);
        rows.filter_map(|(other, met)| Some((other, met.as_ref()?)))
    }
}

/// How an entrant's rating came about.
fn ratings(history: &RatingCurves, name: &str) -> Vec<Value> {
    let number = history.names().iter().position(|known| known == name);
    let Some(number) = number else {
        return Vec::new();
    };
    let points = history.points().iter();
    points
        .filter_map(|point| {
            let elo = (*point.elo.get(number)?)?;
            Some(json!({ "games": point.games, "began": point.began, "elo": elo }))
        })
        .collect()
}

/// `GET /api/v1/leagues/{name}/entrants/{entrant}`
pub(crate) async fn entrant(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, entrant)): Path<(String, String)>,
) -> Result<Json<Value>, WebError> {
    let league = find(&app, &visitor, &name, Public::Standings).await;
    let league = league.map_err(WebError::for_script)?;
    let found = EntrantResults::find(&league, &entrant).await;
    let found = found.map_err(WebError::for_script)?;
    let (what, shown) = (Public::Games, league.shown);
    let games = match may(&visitor, Permission::See { what, shown }) {
        true => Some(last_games(&league, &entrant).await),
        false => None,
    };
    let meetings: Vec<Value> = (found.meetings())
        .map(|(other, met)| json!({ "against": other.name, "points": met.points, "games": met.games }))
        .collect();
    Ok(Json(json!({
        "row": found.row,
        "meetings": meetings,
        "versions": found.versions,
        "ratings": league.history.as_ref().map(|history| ratings(history, &entrant)),
        "games": games,
    })))
}
