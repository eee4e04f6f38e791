//! Games of people.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::{Extension, Json};
use floe_games::json;
use floe_games::json::person_name;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::access::{Permission, Visitor, may};
use crate::begin::{NotBegun, begun};
use crate::client::Client;
use crate::error::WebError;
use crate::feed::Update;
use crate::hosted::{SeatHolder, Standing, Table};
use crate::state::App;

/// How many of one's own games are listed.
pub(crate) const MINE: usize = 100;
/// How many of them are looked at for one that waits.
const LATEST: usize = 8;

/// The game of this id, or why there is none.
pub(crate) fn find(app: &App, id: &str) -> Result<Arc<Table>, WebError> {
    let table = app.hall().find(id).map_err(WebError::ours)?;
    table.ok_or_else(|| WebError::not_found("game"))
}

/// Everything a page needs to show a game to a visitor: the whole state, or if they name a version
/// that they have, what has changed since.
pub(crate) fn summary(
    table: &Table,
    visitor: &Visitor,
    version: Option<usize>,
) -> Result<Value, WebError> {
    let guests = table.guests();
    let mut summary = json!({
        "id": table.id(),
        "game": table.game().name(),
        "title": table.game().title(),
        "seats": table.labels(Some(&visitor.hash)),
        "clock": guests.clock,
        "can_take_back": guests.is_alone(&visitor.hash),
        "rematch": guests.rematch,
    });
    let raw = |update: &Update| serde_json::from_str::<Value>(&update.text);
    let (updates, turn_ms) = table.updates(version);
    match updates.as_slice() {
        [update] if update.is_whole => summary["state"] = raw(update).map_err(WebError::ours)?,
        changes => {
            let changes: Result<Vec<Value>, _> = changes.iter().map(raw).collect();
            summary["changes"] = json!(changes.map_err(WebError::ours)?);
            summary["turn_ms"] = json!(turn_ms);
        }
    }
    Ok(summary)
}

#[derive(Deserialize)]
pub(crate) struct Known {
    /// The version that a page has.
    version: Option<usize>,
}

/// `GET /api/v1/games/{id}`: the whole game; `?version=N`: what has changed since then.
pub(crate) async fn game(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(known): Query<Known>,
) -> Result<Json<Value>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    Ok(Json(summary(&table, &visitor, known.version)?))
}

/// `POST /api/v1/games`: begins a game, with the words of the form for one.
pub(crate) async fn begin(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Json(said): Json<HashMap<String, Value>>,
) -> Result<Json<Value>, WebError> {
    let word = |(key, value): (String, Value)| match value {
        Value::String(text) => Some((key, text)),
        // As a box of a form that is not ticked.
        Value::Null | Value::Bool(false) => None,
        other => Some((key, other.to_string())),
    };
    let mut said: HashMap<String, String> = said.into_iter().filter_map(word).collect();
    said.entry("opponent".to_owned())
        .or_insert_with(|| "floe:easy".to_owned());
    let name = said.get("game").map(String::as_str).unwrap_or_default();
    let game = super::positions::game(name).map_err(WebError::for_script)?;
    let table = begun(&app, &visitor, game, &said).map_err(|error| match error {
        NotBegun::Refused(error) => error.for_script(),
        NotBegun::Wrong(problem) => {
            let help = format!("/api/v1/rules/{} lists what can be said.", game.name());
            WebError::bad(problem, help).for_script()
        }
    })?;
    Ok(Json(summary(&table, &visitor, None)?))
}

/// `GET /api/v1/my`: one's own games, the newest first.
pub(crate) async fn mine(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Value>, WebError> {
    let games = own_games(&app, &visitor, MINE).await;
    let games = games.map_err(WebError::for_script)?;
    Ok(Json(json!({ "games": games })))
}

/// A game as its players' lists show it.
#[derive(Serialize)]
pub(crate) struct OwnGame {
    pub(crate) id: String,
    pub(crate) title: &'static str,
    pub(crate) players: Vec<String>,
    pub(crate) is_over: bool,
    /// How it stands for the one whose list it is.
    pub(crate) standing: Standing,
    /// Who plays against them.
    pub(crate) against: String,
    /// Scores, by seat.
    pub(crate) scores: Vec<i64>,
    /// How many turns were made.
    pub(crate) turns: usize,
    /// The position, as a script draws it.
    #[serde(skip)]
    pub(crate) state: String,
}

impl OwnGame {
    fn new(table: &Table, visitor: &Visitor) -> OwnGame {
        let labels = table.labels(Some(&visitor.hash));
        let (standing, scores, turns) = table.standing(&visitor.hash);
        let others = labels.iter().filter(|label| !label.is_yours);
        let against: Vec<&str> = others.map(|label| label.name.as_str()).collect();
        OwnGame {
            id: table.id().to_owned(),
            title: table.game().title(),
            against: match against.is_empty() {
                true => "each other".to_owned(),
                false => against.join(", "),
            },
            players: labels.into_iter().map(|label| label.name).collect(),
            is_over: table.is_over(),
            standing,
            scores,
            turns,
            state: table.state().text.replace('<', "\\u003c"),
        }
    }

    /// The result in words, with its margin where one of two players won.
    pub(crate) fn outcome(&self) -> String {
        let words = self.standing.words();
        match (self.standing, self.scores.as_slice()) {
            (Standing::Won | Standing::Lost, [one, other]) if one != other => {
                format!("{words} by {}", one.abs_diff(*other))
            }
            _ => words.to_owned(),
        }
    }

    /// The scores as people write them.
    pub(crate) fn score(&self) -> String {
        let scores: Vec<String> = self.scores.iter().map(ToString::to_string).collect();
        scores.join(" : ")
    }
}

/// The most urgent game of a visitor: one in which it is their turn, or else one in progress.
pub(crate) async fn waiting_game(
    app: &App,
    visitor: &Visitor,
) -> Result<Option<OwnGame>, WebError> {
    if !app.hall().may_play(&visitor.hash) {
        return Ok(None);
    }
    let mut games = own_games(app, visitor, LATEST).await?;
    games.retain(|game| !game.is_over);
    let best = games
        .iter()
        .position(|game| game.standing == Standing::YourTurn);
    Ok((!games.is_empty()).then(|| games.swap_remove(best.unwrap_or(0))))
}

/// A visitor's own games, the newest first.
pub(crate) async fn own_games(
    app: &App,
    visitor: &Visitor,
    most: usize,
) -> Result<Vec<OwnGame>, WebError> {
    let runtime = tokio::runtime::Handle::current();
    let (hall, who) = (app.hall().clone(), visitor.hash.clone());
    let found = tokio::task::spawn_blocking(move || {
        // Games that come from their files are driven on the runtime's threads.
        let _entered = runtime.enter();
        hall.games_of(&who, most)
    });
    let tables = found.await.map_err(WebError::ours)?;
    let tables = tables.map_err(WebError::ours)?;
    let own = tables.iter().map(|table| OwnGame::new(table, visitor));
    Ok(own.collect())
}

/// `GET /api/v1/finished`: public games that ended lately, newest first.
pub(crate) async fn finished(State(app): State<App>) -> Result<Json<Value>, WebError> {
    let games = app.hall().finished().await;
    let games = games.map_err(|error| WebError::ours(error).for_script())?;
    Ok(Json(json!({ "games": games })))
}

#[derive(Deserialize)]
pub(crate) struct AtPly {
    ply: usize,
}

/// `GET /api/v1/games/{id}/moves?ply=N`: the moves of the player to move then.
pub(crate) async fn moves(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(at): Query<AtPly>,
) -> Result<Json<Value>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    Ok(Json(json!({ "ply": at.ply, "moves": table.picks(at.ply) })))
}

/// `GET /api/v1/games/{id}/choices?ply=N`: the same in few bytes, grouped.
pub(crate) async fn choices(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(at): Query<AtPly>,
) -> Result<Json<Value>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    let groups = table.pick_groups(at.ply);
    Ok(Json(json!({ "ply": at.ply, "groups": groups })))
}

#[derive(Deserialize)]
pub(crate) struct LookedBack {
    ply: usize,
    /// A ply that the page has, of this version.
    from: Option<usize>,
    version: Option<usize>,
}

/// `GET /api/v1/games/{id}/ply?ply=N`: the position after N turns; with `from` and `version`, what is
/// different from the position after that many turns, which the page has.
pub(crate) async fn ply(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(back): Query<LookedBack>,
) -> Result<Json<Value>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    let from = back.version.zip(back.from);
    let earlier = tokio::task::spawn_blocking(move || table.earlier(back.ply, from));
    let earlier = earlier.await.map_err(WebError::ours)?;
    let earlier = serde_json::from_str(&earlier).map_err(WebError::ours)?;
    Ok(Json(earlier))
}

/// `GET /api/v1/games/{id}/start`: the first position as text.
pub(crate) async fn start(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Value>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    Ok(Json(json!({ "position": table.origin().0.write() })))
}

/// `GET /api/v1/games/{id}/turn`: how far a game is, for pages that only glance at it.
pub(crate) async fn turn(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Value>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    let (version, turn, is_waiting) = table.turn();
    let turn = turn.map(floe_rules::Player::number);
    Ok(Json(
        json!({ "version": version, "turn": turn, "is_waiting": is_waiting }),
    ))
}

/// `GET /api/v1/games/{id}/course`: every position so far.
pub(crate) async fn course(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<json::Timeline>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    let record = table.record();
    let course = tokio::task::spawn_blocking(move || json::of_record(&record));
    let course = course.await.map_err(WebError::ours)?;
    course.map(Json).map_err(WebError::ours)
}

/// A visitor's action in a game.
#[derive(Deserialize, Default)]
pub(crate) struct Act {
    /// How many turns they saw, so that an act on a page that is not up to date changes nothing.
    ply: Option<usize>,
    /// The version they have: the answer is what has changed since.
    version: Option<usize>,
    /// The move.
    #[serde(default, rename = "move")]
    mv: String,
    /// What they want to be called.
    #[serde(default)]
    name: String,
}

/// `POST /api/v1/games/{id}/{act}`: `move`, `give-up`, `take-back`, `resign`, `sit`, `rematch`.
pub(crate) async fn act(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((id, deed)): Path<(String, String)>,
    Json(act): Json<Act>,
) -> Result<Json<Value>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    let guests = table.guests();
    let needed = match deed.as_str() {
        "sit" => Permission::Sit(&guests),
        "move" | "give-up" | "take-back" | "resign" | "rematch" => Permission::Play(&guests),
        _ => return Err(WebError::not_found("act").for_script()),
    };
    if !may(&visitor, needed) {
        let message = match deed.as_str() {
            "sit" => "you have a seat already",
            _ => "you have no seat in this game",
        };
        return Err(WebError::forbidden(message).for_script());
    }
    let who = &visitor.hash;
    let ply = act.ply.unwrap_or(0);
    match deed.as_str() {
        "move" => table.make(who, ply, &act.mv)?,
        "give-up" => table.give_up(who, ply)?,
        "take-back" => table.take_back(who, ply)?,
        "resign" => table.resign(who, act.ply)?,
        "sit" => {
            table.sit(who, &person_name(&act.name))?;
            app.hall().note_guests(&table);
        }
        _ => {
            if !table.is_over() {
                let help = "Finish it, or resign.";
                return Err(WebError::bad("the game is not over yet", help).for_script());
            }
            let id = rematch(&app, &table, visitor.asker)?;
            return Ok(Json(json!({ "rematch": id })));
        }
    }
    Ok(Json(summary(&table, &visitor, act.version)?))
}

/// The same game again with all players one seat further.
fn rematch(app: &App, table: &Table, asker: Client) -> Result<String, WebError> {
    let mut guests = table.guests();
    if let Some(id) = guests.rematch {
        return Ok(id);
    }
    guests.seats.rotate_right(1);
    let (start, origin) = table.origin();
    // Another board of the same kind, where there is one.
    let (start, origin) = match origin {
        Some((setup, seed)) => {
            let seed = seed.wrapping_add(1);
            let again = start.game().start(&setup, seed);
            (again.unwrap_or(start), Some((setup, seed)))
        }
        None => (start, None),
    };
    guests.rematch = None;
    let next = app
        .hall()
        .begin(start, origin, guests, asker)
        .map_err(WebError::ours)?;
    Ok(table.set_rematch(next.id())?)
}

/// Whether a seat is open.
pub(crate) fn has_open_seat(table: &Table) -> bool {
    table.guests().seats.contains(&SeatHolder::Open)
}
