//! `/learn/GAME`: the rules step by step, a first game, and a page for programmers.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query};
use axum::response::Html;
use floe_games::AnyGame;
use floe_games::json::{Pick, Picture, picks};
use floe_league::starter::{Starter, starters};
use floe_rules::Step;
use floe_search::Level;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::room::Room;
use super::{GameCard, data, page};
use crate::api::positions::game;
use crate::error::WebError;
use crate::language::{filters, in_english};

/// The opponent in a first game.
const GENTLE: Level = Level::Beginner;

#[derive(Template)]
#[template(path = "learn.html")]
struct Learn {
    game: &'static dyn AnyGame,
    games: Vec<&'static dyn AnyGame>,
    rules: Vec<&'static str>,
    steps: Vec<Shown>,
    /// The open step, from 0.
    now: usize,
    first_size: String,
    has_puzzles: bool,
    starters: Vec<Starter>,
    data: String,
}

/// A step of a lesson with its board.
struct Shown {
    step: &'static Step,
    /// The board as text.
    text: String,
    room: Room,
}

/// A step for the script.
#[derive(Serialize)]
struct StepData {
    #[serde(flatten)]
    step: &'static Step,
    picture: Picture,
    moves: Vec<Pick>,
}

/// The step in an address, from 1.
#[derive(Deserialize, Default)]
pub(crate) struct Which {
    #[serde(default)]
    step: String,
}

#[derive(Template)]
#[template(path = "learn-all.html")]
struct LearnAll {
    games: Vec<Arc<GameCard>>,
}

pub(crate) async fn all() -> Result<Html<String>, WebError> {
    list()
}

/// The page with all games.
pub(crate) fn list() -> Result<Html<String>, WebError> {
    let games = floe_games::games().into_iter().map(GameCard::of);
    page(&LearnAll {
        games: games.collect::<Result<_, _>>()?,
    })
}

pub(crate) async fn learn(
    Path(name): Path<String>,
    Query(which): Query<Which>,
) -> Result<Html<String>, WebError> {
    let step: usize = which.step.parse().unwrap_or(1);
    of_game(game(&name)?, step)
}

/// The page of a game, open at a step, from 1.
pub(crate) fn of_game(game: &'static dyn AnyGame, step: usize) -> Result<Html<String>, WebError> {
    let lesson = game.lesson();
    let mut steps = Vec::new();
    let mut of_script = Vec::new();
    for step in lesson {
        let position = game.read(step.position).map_err(WebError::ours)?;
        let view = position.view();
        of_script.push(StepData {
            step,
            moves: picks(&*position, &view),
            picture: view.into(),
        });
        steps.push(Shown {
            step,
            text: position.board(),
            room: Room::of(&*position),
        });
    }
    let paragraphs = game.rules().lines().map(str::trim);
    page(&Learn {
        game,
        games: floe_games::games(),
        rules: paragraphs.filter(|text| !text.is_empty()).collect(),
        now: step.clamp(1, steps.len().max(1)) - 1,
        steps,
        first_size: first_size(game),
        has_puzzles: !game.puzzles().is_empty(),
        starters: one_a_language(game),
        data: data(&json!({ "game": game.name(), "steps": of_script }))?,
    })
}

/// The size of a first game's board.
fn first_size(game: &dyn AnyGame) -> String {
    let setup = match game.first_setup() {
        "" => game.default_setup(),
        setup => setup.to_owned(),
    };
    let size = setup.split(',').next().unwrap_or_default();
    size.replace('x', " × ")
}

/// The first starter of each language.
fn one_a_language(game: &'static dyn AnyGame) -> Vec<Starter> {
    let mut known = Vec::new();
    let mut starters = starters(game);
    starters.retain(|starter| {
        let is_new = !known.contains(&starter.language);
        known.push(starter.language);
        is_new
    });
    starters
}

#[derive(Template)]
#[template(path = "first.html")]
struct First {
    game: &'static dyn AnyGame,
    text: String,
    room: Room,
    data: String,
}

pub(crate) async fn first(Path(name): Path<String>) -> Result<Html<String>, WebError> {
    first_game(game(&name)?)
}

/// The page of a first game.
pub(crate) fn first_game(game: &'static dyn AnyGame) -> Result<Html<String>, WebError> {
    let setup = game.setup(game.first_setup()).map_err(WebError::ours)?;
    let start = game.start(&setup, 1).map_err(WebError::ours)?;
    let engine = format!("floe:{}", GENTLE.name());
    page(&First {
        game,
        text: start.board(),
        room: Room::of(&*start),
        data: data(&json!({ "game": game.name(), "setup": setup, "engine": engine }))?,
    })
}

#[derive(Template)]
#[template(path = "program.html")]
struct Program {
    game: &'static dyn AnyGame,
    setup_help: &'static str,
    dialects: Vec<&'static str>,
    starters: Vec<Starter>,
}

pub(crate) async fn program(Path(name): Path<String>) -> Result<Html<String>, WebError> {
    for_programmers(game(&name)?)
}

/// The page for programmers, in English.
pub(crate) fn for_programmers(game: &'static dyn AnyGame) -> Result<Html<String>, WebError> {
    let program = Program {
        game,
        setup_help: game.setup_help(),
        dialects: game.dialects(),
        starters: starters(game),
    };
    in_english(|| page(&program))
}
