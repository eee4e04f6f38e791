//! Games of people.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::{Extension, Json};
use floe_games::json;
use floe_games::json::person_name;
use floe_league::time;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::access::{Permission, Visitor, may};
use crate::begin::{NotBegun, begun};
use crate::client::Client;
use crate::error::WebError;
use crate::feed::Update;
use crate::hosted::{SeatHolder, Standing, Table};
use crate::state::App;

/// Most of a visitor's own games to list.
pub(crate) const MINE: usize = 100;
/// Most of these games to check for the visitor's turn.
const LATEST: usize = 8;

/// The game with this ID, or the error.
pub(crate) fn find(app: &App, id: &str) -> Result<Arc<Table>, WebError> {
    let table = app.hosted().find(id).map_err(WebError::ours)?;
    table.ok_or_else(|| WebError::not_found("game"))
}

/// Everything a page needs to show a game to a visitor: the whole state, or the changes since the
/// visitor's version.
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
        "unit": table.game().unit(),
        "seats": table.labels(Some(&visitor.hash)),
        "clock": guests.clock,
        "can_take_back": guests.is_alone(&visitor.hash),
        "rematch": guests.rematch,
        "lent": table.lent(&visitor.hash),
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
    /// The version that the page has.
    version: Option<usize>,
}

/// `GET /api/v1/games/{id}`: the whole game; `?version=N`: the changes since that version.
pub(crate) async fn game(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(known): Query<Known>,
) -> Result<Json<Value>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    Ok(Json(summary(&table, &visitor, known.version)?))
}

/// `POST /api/v1/games`: begins a game from the fields of the form.
pub(crate) async fn begin(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Json(said): Json<HashMap<String, Value>>,
) -> Result<Json<Value>, WebError> {
    let word = |(key, value): (String, Value)| match value {
        Value::String(text) => Some((key, text)),
        // Like a checkbox that is not ticked.
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

/// `GET /api/v1/my`: the visitor's own games, newest first.
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
    /// The game's standing for this player.
    pub(crate) standing: Standing,
    /// The names of the opponents.
    pub(crate) against: String,
    /// Scores, by seat.
    pub(crate) scores: Vec<i64>,
    /// Number of turns.
    pub(crate) turns: usize,
    /// The position, for a script to draw.
    #[serde(skip)]
    pub(crate) state: String,
    /// How many days ago it began.
    #[serde(skip)]
    pub(crate) days: u64,
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
            days: time::now().saturating_sub(table.began()) / time::DAY,
        }
    }

    /// The picture of the opponent.
    pub(crate) fn face(&self) -> &'static str {
        match self.against.strip_prefix("floe · ") {
            Some("beginner" | "easy") => "easy",
            Some("medium") => "medium",
            Some(_) => "hard",
            None if self.against == "each other" => "here",
            None => "friend",
        }
    }

    /// The result in words, with the margin if one of two players won.
    pub(crate) fn outcome(&self) -> String {
        let words = self.standing.words();
        match (self.standing, self.scores.as_slice()) {
            (Standing::Won | Standing::Lost, [one, other]) if one != other => {
                format!("{words} by {}", one.abs_diff(*other))
            }
            _ => words.to_owned(),
        }
    }

    /// The scores as text.
    pub(crate) fn score(&self) -> String {
        let scores: Vec<String> = self.scores.iter().map(ToString::to_string).collect();
        scores.join(" : ")
    }
}

/// A visitor's most urgent game: one that waits for their move, or else one in progress.
pub(crate) async fn waiting_game(
    app: &App,
    visitor: &Visitor,
) -> Result<Option<OwnGame>, WebError> {
    if !app.hosted().may_play(&visitor.hash) {
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
    let (hosted, who) = (app.hosted().clone(), visitor.hash.clone());
    let found = tokio::task::spawn_blocking(move || {
        // Games loaded from files run on the runtime's threads.
        let _entered = runtime.enter();
        hosted.games_of(&who, most)
    });
    let tables = found.await.map_err(WebError::ours)?;
    let tables = tables.map_err(WebError::ours)?;
    let own = tables.iter().map(|table| OwnGame::new(table, visitor));
    Ok(own.collect())
}

/// `GET /api/v1/finished`: public games that ended recently, newest first.
pub(crate) async fn finished(State(app): State<App>) -> Result<Json<Value>, WebError> {
    let games = app.hosted().finished().await;
    let games = games.map_err(|error| WebError::ours(error).for_script())?;
    Ok(Json(json!({ "games": games })))
}

#[derive(Deserialize)]
pub(crate) struct AtPly {
    ply: usize,
}

/// `GET /api/v1/games/{id}/moves?ply=N`: the legal moves at that turn.
pub(crate) async fn moves(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(at): Query<AtPly>,
) -> Result<Json<Value>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    Ok(Json(json!({ "ply": at.ply, "moves": table.picks(at.ply) })))
}

/// `GET /api/v1/games/{id}/choices?ply=N`: the legal moves in few bytes, grouped.
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
    /// A turn of this version that the page has.
    from: Option<usize>,
    version: Option<usize>,
}

/// `GET /api/v1/games/{id}/ply?ply=N`: the position after N turns; with `from` and `version`, the
/// difference from the position after that many turns.
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

/// `GET /api/v1/games/{id}/turn`: the number of turns, for pages with a preview.
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
    /// Number of turns on the visitor's page, so that an outdated page changes nothing.
    ply: Option<usize>,
    /// The page's version: the answer is the changes since then.
    version: Option<usize>,
    /// The move.
    #[serde(default, rename = "move")]
    mv: String,
    /// The chosen name.
    #[serde(default)]
    name: String,
    /// Whether their browser thinks for the engines from now on.
    #[serde(default)]
    thinks: bool,
}

/// `POST /api/v1/games/{id}/{act}`: `move`, `give-up`, `take-back`, `resign`, `sit`, `name`, `rematch`,
/// and `answer` with the move of an engine for which the player's browser was asked to think.
pub(crate) async fn act(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((id, action)): Path<(String, String)>,
    Json(act): Json<Act>,
) -> Result<Json<Value>, WebError> {
    let table = find(&app, &id).map_err(WebError::for_script)?;
    let guests = table.guests();
    let needed = match action.as_str() {
        "sit" => Permission::Sit(&guests),
        "move" | "answer" | "give-up" | "take-back" | "resign" | "name" | "rematch" => {
            Permission::Play(&guests)
        }
        _ => return Err(WebError::not_found("act").for_script()),
    };
    if !may(&visitor, needed) {
        let message = match action.as_str() {
            "sit" => "you have a seat already",
            _ => "you have no seat in this game",
        };
        return Err(WebError::forbidden(message).for_script());
    }
    let who = &visitor.hash;
    let ply = act.ply.unwrap_or(0);
    table.set_helper(who, act.thinks);
    match action.as_str() {
        "move" => table.make(who, ply, &act.mv)?,
        "answer" => table.answer_lent(who, ply, &act.mv)?,
        "give-up" => table.give_up(who, ply)?,
        "take-back" => table.take_back(who, ply)?,
        "resign" => table.resign(who, act.ply)?,
        "name" => table.name(who, &person_name(&act.name))?,
        "sit" => {
            table.sit(who, &person_name(&act.name))?;
            app.hosted().note_guests(&table);
        }
        _ => {
            if !table.is_over() {
                let help = "Finish it, or resign.";
                return Err(WebError::bad("the game is not over yet", help).for_script());
            }
            let id = rematch(&app, &table, visitor.client)?;
            return Ok(Json(json!({ "rematch": id })));
        }
    }
    Ok(Json(summary(&table, &visitor, act.version)?))
}

/// The same game again, with all players one seat further.
fn rematch(app: &App, table: &Table, client: Client) -> Result<String, WebError> {
    let mut guests = table.guests();
    if let Some(id) = guests.rematch {
        return Ok(id);
    }
    guests.seats.rotate_right(1);
    let (start, origin) = table.origin();
    // Another board of the same kind, if possible.
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
        .hosted()
        .begin(start, origin, guests, client)
        .map_err(WebError::ours)?;
    Ok(table.set_rematch(next.id())?)
}

/// Whether a seat is open.
pub(crate) fn has_open_seat(table: &Table) -> bool {
    table.guests().seats.contains(&SeatHolder::Open)
}
