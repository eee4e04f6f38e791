//! `/leagues`, `/league/NAME` and its list of games.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::response::Html;
use floe_arena::tournament::{Results, Row};
use floe_league::description::Public;
use serde::Deserialize;

use super::live::LiveCard;
use super::page;
use crate::access::{Deed, Visitor, may};
use crate::api::leagues::{find, list};
use crate::error::WebError;
use crate::leagues::League;
use crate::plots::{self, Figure};
use crate::state::App;

/// The most games a list shows.
const GAMES: u64 = 500;

#[derive(Template)]
#[template(path = "leagues.html")]
struct All {
    leagues: Vec<Arc<League>>,
    /// What the folder itself is a league of, if this visitor may know.
    own: Option<String>,
    /// Whether there is a league to submit to, and this visitor may.
    may_submit: bool,
    may_run_desk: bool,
}

pub(crate) async fn all(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    let is_league = app.office().is_some();
    let own = app.office().and_then(|office| {
        let description = office.league().description();
        let (what, shown) = (Public::Standings, description.public);
        let title = description.game.title();
        may(&visitor, Deed::See { what, shown }).then(|| format!("{}, {title}", description.name))
    });
    page(&All {
        own,
        may_submit: is_league && may(&visitor, Deed::Submit),
        may_run_desk: is_league && may(&visitor, Deed::RunDesk),
        leagues: list(&app).await?,
    })
}

#[derive(Template)]
#[template(path = "league.html")]
struct Standings<'a> {
    league: &'a League,
    rows: Vec<Line>,
    ratings: Figure,
    history: Figure,
    faults: Figure,
    times: Figure,
    cross: Vec<CrossLine>,
    /// What addresses of this league begin with.
    base: String,
    fault_kinds: Vec<&'static str>,
    progress: String,
    live: Vec<LiveCard>,
}

/// One entrant's line.
pub(crate) struct Line {
    pub(crate) place: u64,
    pub(crate) name: String,
    pub(crate) elo: String,
    pub(crate) score: String,
    pub(crate) results: String,
    pub(crate) games: u64,
    pub(crate) ms: String,
    pub(crate) faults: Vec<u64>,
}

/// What one entrant made of everybody.
pub(crate) struct CrossLine {
    pub(crate) name: String,
    pub(crate) cells: Vec<String>,
}

impl Line {
    pub(crate) fn of(row: &Row, kinds: &[&'static str]) -> Line {
        Line {
            place: row.place,
            name: row.name.clone(),
            elo: row.elo.as_ref().map_or_else(String::new, |elo| {
                format!("{:.0} ± {:.0}", elo.value, elo.margin())
            }),
            score: (row.score).map_or_else(String::new, |score| format!("{:.1} %", 100.0 * score)),
            results: format!("+{} ={} −{}", row.wins, row.draws, row.losses),
            games: row.games,
            ms: row
                .ms_per_move
                .map_or_else(String::new, |ms| format!("{ms:.1}")),
            faults: (kinds.iter())
                .map(|kind| row.faults.get(kind).copied().unwrap_or(0))
                .collect(),
        }
    }
}

/// What everybody made of everybody.
pub(crate) fn cross(results: &Results) -> Vec<CrossLine> {
    let line = |(row, meetings): (&Row, &Vec<Option<floe_arena::tournament::Meeting>>)| CrossLine {
        name: row.name.clone(),
        cells: (meetings.iter())
            .map(|meeting| match meeting {
                Some(met) => format!("{:.1}/{}", met.points, met.games),
                None => String::new(),
            })
            .collect(),
    };
    results
        .rows
        .iter()
        .zip(&results.meetings)
        .map(line)
        .collect()
}

/// How the ratings of these came about.
pub(super) fn history_of(league: &League, named: &[&str]) -> Figure {
    let history = league.history.as_ref();
    history.map_or_else(Figure::default, |history| plots::history(history, named))
}

pub(crate) async fn standings(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Html<String>, WebError> {
    let league = find(&app, name).await?;
    let results = league.results.as_ref();
    let fault_kinds = results.map(Results::fault_kinds).unwrap_or_default();
    let rows = results.map_or(&[][..], |results| &results.rows);
    let progress = match results {
        None => "no game is finished yet".to_owned(),
        Some(results) => match results.length {
            Some(length) => format!("{} of {length} games", results.games),
            None => format!("{} games", results.games),
        },
    };
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    page(&Standings {
        league: &league,
        base: league.address(),
        rows: rows.iter().map(|row| Line::of(row, &fault_kinds)).collect(),
        ratings: plots::ratings(rows),
        history: history_of(&league, &names),
        faults: plots::faults(rows, &fault_kinds),
        times: plots::times(rows),
        cross: results.map(cross).unwrap_or_default(),
        fault_kinds,
        progress,
        live: LiveCard::of_league(&app, &league),
    })
}

#[derive(Deserialize)]
pub(crate) struct Which {
    of: Option<String>,
    faulty: Option<String>,
}

#[derive(Template)]
#[template(path = "games.html")]
struct Games<'a> {
    league: &'a League,
    of: String,
    entrants: Vec<String>,
    faulty: bool,
    games: Vec<GameLine>,
    is_cut: bool,
}

pub(super) struct GameLine {
    pub(super) id: String,
    pub(super) seats: Vec<SeatCell>,
    pub(super) moves: u64,
}

pub(super) struct SeatCell {
    pub(super) name: String,
    pub(super) score: i64,
    pub(super) is_first: bool,
    pub(super) fault: String,
}

/// The lines of a list of games.
pub(super) async fn lines(
    league: &Arc<League>,
    of: Option<String>,
    faulty: bool,
) -> Result<Vec<GameLine>, WebError> {
    let league = Arc::clone(league);
    let read = tokio::task::spawn_blocking(move || league.games(of.as_deref(), faulty, GAMES));
    let Some(list) = read.await.map_err(WebError::ours)? else {
        return Ok(Vec::new());
    };
    let line = |game: &floe_arena::store::GameSummary| GameLine {
        id: game.id(),
        moves: game.moves(),
        seats: (game.seats.iter())
            .map(|seat| SeatCell {
                name: list.names.get(seat.entrant).cloned().unwrap_or_default(),
                score: seat.score,
                is_first: seat.place == 1,
                fault: (seat.fault.as_ref()).map_or_else(String::new, |(kind, message)| {
                    format!("{}: {message}", kind.name())
                }),
            })
            .collect(),
    };
    Ok(list.games.iter().map(line).collect())
}

pub(crate) async fn games(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(which): Query<Which>,
) -> Result<Html<String>, WebError> {
    let league = find(&app, name).await?;
    let of = which.of.filter(|of| !of.is_empty());
    let faulty = which.faulty.is_some();
    let games = lines(&league, of.clone(), faulty).await?;
    let rows = league
        .results
        .as_ref()
        .map_or(&[][..], |results| &results.rows);
    page(&Games {
        league: &league,
        of: of.unwrap_or_default(),
        entrants: rows.iter().map(|row| row.name.clone()).collect(),
        faulty,
        is_cut: games.len() as u64 >= GAMES,
        games,
    })
}
