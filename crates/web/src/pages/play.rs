//! `/play/GAME`: against whom, on what, with which clock.

use std::collections::HashMap;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Path, Query, State};
use axum::response::{Html, Redirect};
use floe_games::AnyGame;
use floe_games::json::{Opponent, default_size, opponents};
use floe_rules::Values;

use super::page;
use crate::access::Visitor;
use crate::api::positions::game;
use crate::begin::{NotBegun, begun};
use crate::error::WebError;
use crate::state::App;

#[derive(Template)]
#[template(path = "play.html")]
struct PlayForm {
    game: &'static str,
    title: &'static str,
    size: String,
    fields: Vec<Field>,
    opponents: Vec<Opponent>,
    /// A position to play on from; empty for a new board.
    position: String,
    problem: String,
    has_rules: bool,
}

/// One word of the setup, as a field of the form.
struct Field {
    word: &'static str,
    value: String,
    /// Words to choose from; empty for a number.
    words: Vec<&'static str>,
    least: u32,
    most: u32,
}

impl PlayForm {
    fn new(game: &'static dyn AnyGame, said: &HashMap<String, String>) -> Self {
        let text = |key: &str, usual: &str| said.get(key).map_or(usual, String::as_str).to_owned();
        let field = |setting: &floe_rules::Setting| Field {
            word: setting.word,
            value: text(setting.word, setting.default),
            words: match &setting.values {
                Values::Words(words) => words.to_vec(),
                Values::Number(_) => Vec::new(),
            },
            least: match &setting.values {
                Values::Number(range) => *range.start(),
                Values::Words(_) => 0,
            },
            most: match &setting.values {
                Values::Number(range) => *range.end(),
                Values::Words(_) => 0,
            },
        };
        PlayForm {
            game: game.name(),
            title: game.title(),
            size: text("size", &default_size(game)),
            fields: game.settings().iter().map(field).collect(),
            opponents: opponents(&text("opponent", "floe:easy")),
            position: text("position", ""),
            problem: String::new(),
            has_rules: !game.rules().is_empty(),
        }
    }
}

/// The form as it is at first, for a site without a server.
pub(crate) fn first(game: &'static dyn AnyGame) -> Result<Html<String>, WebError> {
    page(&PlayForm::new(game, &HashMap::new()))
}

pub(crate) async fn form(
    Path(name): Path<String>,
    Query(said): Query<HashMap<String, String>>,
) -> Result<Html<String>, WebError> {
    page(&PlayForm::new(game(&name)?, &said))
}

/// Begins the game the form describes, or shows the form with what is wrong with it.
pub(crate) async fn begin(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(name): Path<String>,
    Form(said): Form<HashMap<String, String>>,
) -> Result<Redirect, Result<Html<String>, WebError>> {
    let game = game(&name).map_err(Err)?;
    match begun(&app, &visitor, game, &said) {
        Ok(table) => Ok(Redirect::to(&format!("/game/{}", table.id()))),
        Err(NotBegun::Refused(error)) => Err(Err(error)),
        Err(NotBegun::Wrong(problem)) => Err(page(&PlayForm {
            problem,
            ..PlayForm::new(game, &said)
        })),
    }
}
