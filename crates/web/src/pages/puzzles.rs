//! `/puzzles/GAME`: positions in which one move is far better than the others.

use std::time::SystemTime;

use askama::Template;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::{Html, Redirect};
use floe_games::puzzle::{self, Level, Line, Puzzle};
use floe_games::{AnyGame, AnyPosition};
use floe_rules::Player;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::room::Room;
use super::{data, page};
use crate::api::positions::game;
use crate::error::WebError;
use crate::language::{filters, t};
use crate::state::App;

#[derive(Template)]
#[template(path = "puzzles.html")]
struct Puzzles<'a> {
    game: &'static dyn AnyGame,
    games: Vec<&'static dyn AnyGame>,
    /// The open puzzle, if there is one.
    open: Option<Open<'a>>,
    count: usize,
    data: String,
}

struct Open<'a> {
    puzzle: &'a Puzzle,
    number: usize,
    is_of_day: bool,
    text: String,
    /// The player to move, in words.
    who: String,
    room: Room,
    why: String,
}

/// A puzzle for scripts.
#[derive(Serialize)]
struct Shown<'a> {
    position: &'a str,
    turn: Option<u32>,
    level: Level,
    task: &'static str,
    why: String,
    best: &'a Line,
    other: &'a Line,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<&'a str>,
}

impl<'a> Shown<'a> {
    fn of(puzzle: &'a Puzzle) -> Result<Self, WebError> {
        let position = puzzle.start().map_err(WebError::ours)?;
        Ok(Shown {
            position: &puzzle.position,
            turn: position.turn().map(Player::number),
            level: puzzle.level,
            task: puzzle.task(),
            why: puzzle.why(),
            best: &puzzle.best,
            other: &puzzle.other,
            played: puzzle.played.as_deref(),
        })
    }
}

/// The puzzle in an address, from 1.
#[derive(Deserialize, Default)]
pub(crate) struct Which {
    #[serde(default)]
    number: String,
}

/// Puzzles of some game to begin with.
pub(crate) async fn first() -> Result<Redirect, WebError> {
    let games = floe_games::games();
    let first = games.iter().find(|game| !game.puzzles().is_empty());
    let first = first.ok_or_else(|| WebError::not_found("puzzle"))?;
    Ok(Redirect::to(&format!("/puzzles/{}", first.name())))
}

pub(crate) async fn puzzles(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(which): Query<Which>,
) -> Result<Html<String>, WebError> {
    let game = game(&name)?;
    of_game(game, &app.puzzles(game)?, which.number.parse().ok())
}

/// The puzzles that come with a game, for a site without a server.
pub(crate) fn alone(game: &'static dyn AnyGame) -> Result<Html<String>, WebError> {
    let puzzles = puzzle::shipped(game).map_err(WebError::ours)?;
    of_game(game, &puzzles, Some(1))
}

fn of_game(
    game: &'static dyn AnyGame,
    puzzles: &[Puzzle],
    number: Option<usize>,
) -> Result<Html<String>, WebError> {
    let day = of_day(puzzles.len());
    let at = number.map_or(day, |number| number.max(1) - 1);
    let open = match puzzles.get(at).or(puzzles.get(day)) {
        None => None,
        Some(puzzle) => {
            let start = puzzle.start().map_err(WebError::ours)?;
            Some(Open {
                puzzle,
                number: at.min(puzzles.len() - 1) + 1,
                is_of_day: at == day,
                text: start.board(),
                who: mover(&*start),
                room: Room::of(&*start),
                why: puzzle.why(),
            })
        }
    };
    let shown: Vec<Shown<'_>> = puzzles.iter().map(Shown::of).collect::<Result<_, _>>()?;
    page(&Puzzles {
        game,
        games: with_puzzles(),
        open,
        count: puzzles.len(),
        data: data(&json!({ "game": game.name(), "puzzles": shown }))?,
    })
}

/// The player to move and the scores, in a sentence.
fn mover(start: &dyn AnyPosition) -> String {
    let Some(turn) = start.turn() else {
        return String::new();
    };
    // A letter stands on the board; longer names are those of a file.
    let seat = start.view().seats.into_iter().nth(turn.index());
    let name = match seat.map(|seat| seat.name) {
        Some(name) if name.chars().count() == 1 => name,
        _ => t("Player {n}").replace("{n}", &turn.number().to_string()),
    };
    let scores: Vec<String> = start.scores().iter().map(ToString::to_string).collect();
    t("{name} moves, with {scores} points so far.")
        .replace("{name}", &name)
        .replace("{scores}", &scores.join(" : "))
}

/// The games with puzzles of their own.
fn with_puzzles() -> Vec<&'static dyn AnyGame> {
    let mut games = floe_games::games();
    games.retain(|game| !game.puzzles().is_empty());
    games
}

fn of_day(count: usize) -> usize {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    puzzle::of_day(count, now.unwrap_or_default().as_secs())
}

/// `GET /api/v1/puzzles/{game}`: a game's puzzles, and the puzzle of the day.
pub(crate) async fn api(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<Value>, WebError> {
    let game = game(&name).map_err(WebError::for_script)?;
    let puzzles = app.puzzles(game).map_err(WebError::for_script)?;
    let shown: Vec<Shown<'_>> = puzzles.iter().map(Shown::of).collect::<Result<_, _>>()?;
    Ok(Json(json!({
        "game": game.name(),
        "puzzles": shown,
        "of_day": (!puzzles.is_empty()).then(|| of_day(puzzles.len()) + 1),
    })))
}
