//! Games in progress: `/live/ID`, and the projector page.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, Response};
use axum::{Extension, Json};
use floe_arena::live::socket_path;
use floe_arena::standings::Row;
use floe_league::description::Public;
use serde_json::{Value, json, value::RawValue};

use super::{data, page};
use crate::access::Visitor;
use crate::api::leagues::{self, may_watch, seen_by};
use crate::contests::Contest;
use crate::error::WebError;
use crate::language::filters;
use crate::qr;
use crate::state::App;
use crate::tables::{LiveGame, TableEntry};

/// Number of entrants on the projector.
const ROWS: usize = 7;

/// A game in progress, for a page.
pub(crate) struct LiveCard {
    pub(crate) entry: TableEntry,
    /// The data for the page's script.
    pub(crate) state: String,
}

impl LiveCard {
    /// The public games; only those of one match or tournament if it is named.
    pub(crate) fn all(app: &App, visitor: &Visitor, of: Option<&str>) -> Vec<LiveCard> {
        app.far().look();
        let games = seen_by(app, visitor, of).into_iter();
        games.map(|game| LiveCard::of(&game)).collect()
    }

    /// The tables of a league.
    pub(crate) fn of_league(app: &App, visitor: &Visitor, league: &Contest) -> Vec<LiveCard> {
        app.far().listen(socket_path(&league.records));
        LiveCard::all(app, visitor, Some(&league.socket_name()))
    }

    fn of(game: &LiveGame) -> LiveCard {
        let entry = game.entry();
        LiveCard {
            state: game.state().text.replace('<', "\\u003c"),
            entry,
        }
    }
}

/// `GET /api/v1/tables`: every game in progress.
pub(crate) async fn tables(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Value>, WebError> {
    app.far().look();
    let games = seen_by(&app, &visitor, None);
    let tables: Result<Vec<Value>, _> = (games.iter())
        .map(|game| {
            let state = RawValue::from_string(game.state().text.to_string())?;
            Ok::<_, serde_json::Error>(json!({ "table": game.entry(), "state": state }))
        })
        .collect();
    let tables = tables.map_err(|error| WebError::ours(error).for_script())?;
    Ok(Json(json!({ "tables": tables })))
}

#[derive(Template)]
#[template(path = "live.html")]
struct LivePage {
    entry: TableEntry,
    of: String,
    /// The game's contest on this server, for addresses.
    league: Option<String>,
    /// The board as text, for browsers without scripts.
    text: String,
    data: String,
}

/// `/live/ID`: a table of another process.
pub(crate) async fn table(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Html<String>, WebError> {
    let game = app.far().find(&id);
    let game = game.filter(|game| may_watch(&app, &visitor, game.source()));
    let Some(game) = game else {
        return Err(WebError::not_found("game under way"));
    };
    let text = game.board_text();
    let of = game.source().to_owned();
    let game = LiveGame::Far(game);
    let entry = game.entry();
    let state = RawValue::from_string(game.state().text.to_string()).map_err(WebError::ours)?;
    page(&LivePage {
        text,
        league: app.contests().name_of_socket(&of),
        data: data(&json!({ "table": entry, "state": state }))?,
        of,
        entry,
    })
}

#[derive(Template)]
#[template(path = "projector.html")]
struct Projector {
    title: String,
    leagues: Vec<Standing>,
    /// Whether a game is in progress: the page has space for it.
    has_games: bool,
    /// The QR code of this page, as a picture and as text.
    qr: String,
    address: String,
    /// The data for the page's script.
    data: String,
}

/// The head of a table.
struct Standing {
    title: String,
    progress: String,
    rows: Vec<StandingRow>,
}

struct StandingRow {
    place: u64,
    name: String,
    elo: String,
}

impl Standing {
    fn of(league: &Contest) -> Option<Standing> {
        let results = league.results.as_ref()?;
        let row = |row: &Row| StandingRow {
            place: row.place,
            name: row.name.clone(),
            elo: (row.elo.as_ref()).map_or_else(String::new, |elo| {
                // With a minus sign instead of a hyphen.
                format!("{:+.0}", elo.value).replace('-', "−")
            }),
        };
        Some(Standing {
            title: league.title.clone(),
            progress: results.progress(),
            rows: results.rows.iter().take(ROWS).map(row).collect(),
        })
    }
}

/// Every entrant's rank, from 0 to 1: games of the best entrants are shown first.
fn ranks(leagues: &[Arc<Contest>]) -> Value {
    let of = |league: &Arc<Contest>| {
        let rows = league.results.as_ref().map_or(&[][..], |all| &all.rows);
        let last = rows.len().max(2) as f64 - 1.0;
        let rank = |row: &Row| {
            let below = row.place.saturating_sub(1) as f64 / last;
            (row.name.clone(), json!(1.0 - below))
        };
        let ranks: serde_json::Map<String, Value> = rows.iter().map(rank).collect();
        (league.socket_name(), Value::Object(ranks))
    };
    Value::Object(leagues.iter().map(of).collect())
}

fn projector(
    title: String,
    leagues: &[Arc<Contest>],
    of: Option<&str>,
    ends: Option<u64>,
    has_games: bool,
    address: &str,
    qr: String,
) -> Result<Html<String>, WebError> {
    let results = leagues.iter().filter_map(|league| league.results.as_ref());
    let (games, length) = results.fold((0, Some(0)), |(games, length), results| {
        let all = length.zip(results.length);
        (games + results.games, all.map(|(sum, one)| sum + one))
    });
    page(&Projector {
        title,
        has_games,
        leagues: leagues
            .iter()
            .filter_map(|league| Standing::of(league))
            .collect(),
        qr,
        address: address
            .split_once("://")
            .map_or("", |(_, rest)| rest)
            .to_owned(),
        data: data(&json!({
            "of": of,
            "ranks": ranks(leagues),
            "games": games,
            "length": length.filter(|&length| length > 0),
            "ends": ends,
        }))?,
    })
}

/// `/projector`: the most interesting games in turn, for an unattended screen.
pub(crate) async fn of_all(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Result<Html<String>, WebError> {
    app.far().look();
    let leagues = leagues::list(&app, &visitor).await;
    let address = format!("{}/", qr::origin(&app, &headers));
    let qr = "/qr.svg".to_owned();
    let has_games = !seen_by(&app, &visitor, None).is_empty();
    let title = "Floe".to_owned();
    projector(title, &leagues, None, None, has_games, &address, qr)
}

/// `/qr.svg`: the address of this server, for a phone to scan.
pub(crate) async fn qr_of_all(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    qr::answer(&format!("{}/", qr::origin(&app, &headers)))
}

/// `/league/NAME/qr.svg`: the address of a contest.
pub(crate) async fn qr_of_league(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let league = leagues::find(&app, &visitor, &name, Public::Standings).await?;
    qr::answer(&format!(
        "{}{}",
        qr::origin(&app, &headers),
        league.address()
    ))
}

/// `/league/NAME/projector`
pub(crate) async fn of_league(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Html<String>, WebError> {
    app.far().look();
    let league = leagues::find(&app, &visitor, &name, Public::Standings).await?;
    let (title, name) = (league.title.clone(), league.socket_name());
    let ends = match league.is_ladder {
        true => app
            .league_service()
            .and_then(|service| service.league().description().submitting.until),
        false => None,
    };
    let address = format!("{}{}", qr::origin(&app, &headers), league.address());
    let qr = format!("{}/qr.svg", league.address());
    let has_games = !seen_by(&app, &visitor, Some(&name)).is_empty();
    projector(title, &[league], Some(&name), ends, has_games, &address, qr)
}
