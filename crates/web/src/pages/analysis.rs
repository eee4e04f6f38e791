//! `/analysis/GAME`: a board to try moves on.

use askama::Template;
use axum::extract::{Path, Query};
use axum::response::{Html, Redirect};
use floe_games::AnyGame;
use serde::Deserialize;
use serde_json::json;

use super::room::Room;
use super::{data, page};
use crate::api::positions::game;
use crate::error::WebError;
use crate::language::filters;

#[derive(Template)]
#[template(path = "analysis.html")]
struct Analysis {
    game: &'static str,
    title: &'static str,
    others: Vec<(&'static str, &'static str)>,
    text: String,
    room: Room,
    data: String,
}

/// A shared position in an address.
#[derive(Deserialize, Default)]
pub(crate) struct Shared {
    #[serde(default)]
    position: String,
    /// The tried moves, with variations; `assets/tree.js` describes the format.
    #[serde(default)]
    moves: String,
    /// The shown position among these moves; by default the end of the main line.
    #[serde(default)]
    at: Option<u32>,
}

/// Redirects to the first game.
pub(crate) async fn first() -> Result<Redirect, WebError> {
    let games = floe_games::games();
    let first = games.first().ok_or_else(|| WebError::not_found("game"))?;
    Ok(Redirect::to(&format!("/analysis/{}", first.name())))
}

pub(crate) async fn analysis(
    Path(name): Path<String>,
    Query(shared): Query<Shared>,
) -> Result<Html<String>, WebError> {
    of_game(game(&name)?, &shared)
}

/// The page of a game.
pub(crate) fn of_game(
    game: &'static dyn AnyGame,
    shared: &Shared,
) -> Result<Html<String>, WebError> {
    let (text, room) = match shared.position.as_str() {
        "" => {
            let start = game.start(&game.default_setup(), 1);
            let start = start.map_err(WebError::ours)?;
            (start.write(), Room::of(&*start))
        }
        // The script says what is wrong with a text that cannot be read.
        text => {
            let position = game.read(text);
            let room = position.map_or_else(|_| Room::default(), |position| Room::of(&*position));
            (text.to_owned(), room)
        }
    };
    let others = floe_games::games().into_iter();
    page(&Analysis {
        game: game.name(),
        title: game.title(),
        others: others.map(|game| (game.name(), game.title())).collect(),
        data: data(&json!({
            "game": game.name(), "position": text, "moves": shared.moves, "at": shared.at,
        }))?,
        text,
        room,
    })
}
