//! `/leagues`, `/league/NAME` and what is below it.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::response::Html;
use floe_arena::tournament::{Results, Row};
use floe_league::description::Public;
use serde::Deserialize;
use serde_json::json;

use super::{data, page};
use crate::access::{Deed, Visitor, may};
use crate::api::leagues::{find, list, replay as replay_of};
use crate::error::WebError;
use crate::leagues::League;
use crate::plots;
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
    plot: String,
    cross: Vec<CrossLine>,
    fault_kinds: Vec<&'static str>,
    progress: String,
}

/// One entrant's line.
struct Line {
    place: u64,
    name: String,
    elo: String,
    score: String,
    results: String,
    games: u64,
    ms: String,
    faults: Vec<u64>,
}

struct CrossLine {
    name: String,
    cells: Vec<String>,
}

impl Line {
    fn of(row: &Row, kinds: &[&'static str]) -> Line {
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

fn cross(results: &Results) -> Vec<CrossLine> {
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
    page(&Standings {
        league: &league,
        rows: rows.iter().map(|row| Line::of(row, &fault_kinds)).collect(),
        plot: plots::ratings(rows),
        cross: results.map(cross).unwrap_or_default(),
        fault_kinds,
        progress,
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

struct GameLine {
    number: u64,
    id: String,
    seats: Vec<SeatCell>,
    moves: u64,
}

struct SeatCell {
    name: String,
    score: i64,
    is_first: bool,
    fault: String,
}

/// The lines of a list of games.
async fn lines(
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
        number: game.number,
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

#[derive(Template)]
#[template(path = "replay.html")]
struct Replay<'a> {
    league: &'a League,
    number: u64,
    players: String,
    data: String,
    turns: Vec<TurnLine>,
}

/// A turn, for those without a script.
struct TurnLine {
    text: String,
    fault: String,
}

pub(crate) async fn replay(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, number)): Path<(String, u64)>,
) -> Result<Html<String>, WebError> {
    let league = find(&app, name).await?;
    let replay = replay_of(&league, number, may(&visitor, Deed::ReadLogs)).await?;
    let names = replay["seats"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let names: Vec<&str> = names
        .iter()
        .filter_map(|seat| seat["name"].as_str())
        .collect();
    let plies = replay["course"]["plies"].as_array();
    let turns = plies.map(Vec::as_slice).unwrap_or_default().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let turns = turns
        .filter(|ply| ply["made"].is_object())
        .map(|ply| TurnLine {
            text: text(&ply["made"]["text"]),
            fault: text(&ply["made"]["fault"]),
        });
    page(&Replay {
        league: &league,
        number,
        players: names.join(" – "),
        turns: turns.collect(),
        data: data(&json!({ "replay": replay, "league": league.name, "number": number }))?,
    })
}

#[derive(Template)]
#[template(path = "entrant.html")]
struct Entrant<'a> {
    league: &'a League,
    row: Line,
    seat: String,
    peak_mib: u64,
    slowest_ms: String,
    faults: Vec<(&'static str, u64)>,
    meetings: Vec<(String, String)>,
    games: Vec<GameLine>,
}

pub(crate) async fn entrant(
    State(app): State<App>,
    Path((name, entrant)): Path<(String, String)>,
) -> Result<Html<String>, WebError> {
    let league = find(&app, name).await?;
    let missing = || WebError::not_found("entrant");
    let results = league.results.as_ref().ok_or_else(missing)?;
    let place = results.rows.iter().position(|row| row.name == entrant);
    let place = place.ok_or_else(missing)?;
    let row = &results.rows[place];
    let met = |(other, meeting): (&Row, &Option<floe_arena::tournament::Meeting>)| {
        let meeting = meeting.as_ref()?;
        let text = format!("{:.1} of {}", meeting.points, meeting.games);
        Some((other.name.clone(), text))
    };
    let meetings = results
        .meetings
        .get(place)
        .map(Vec::as_slice)
        .unwrap_or_default();
    page(&Entrant {
        league: &league,
        row: Line::of(row, &[]),
        seat: row.seat.clone(),
        peak_mib: row.peak_kib / 1024,
        slowest_ms: format!("{:.1}", row.slowest_ms),
        faults: row
            .faults
            .iter()
            .map(|(kind, count)| (*kind, *count))
            .collect(),
        meetings: results.rows.iter().zip(meetings).filter_map(met).collect(),
        games: lines(&league, Some(entrant), false).await?,
    })
}
