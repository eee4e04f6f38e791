//! `/learn/GAME`: the rules, and how to write a program.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::Path;
use axum::response::Html;
use parking_lot::Mutex;

use floe_games::AnyGame;
use floe_games::json::{Pick, Picture, last_pick};
use floe_league::starter::{Starter, starters};
use serde::Serialize;

use super::{GameCard, data, page};
use crate::api::positions::game;
use crate::error::WebError;

#[derive(Template)]
#[template(path = "learn.html")]
struct Learn {
    card: Arc<GameCard>,
    rules: Vec<&'static str>,
    setup_help: &'static str,
    dialects: Vec<&'static str>,
    starters: Vec<Starter>,
    /// A few moves of a game, which the page shows again and again.
    course: Arc<str>,
}

/// A position of the game that is shown, and the move that led to it.
#[derive(Serialize)]
struct Shown {
    picture: Picture,
    last: Option<Pick>,
}

/// How many moves are shown.
const MOVES: usize = 16;

/// The first moves of a game, which are made once, off the threads that answer.
async fn known_course(game: &'static dyn AnyGame) -> Result<Arc<str>, WebError> {
    static KNOWN: Mutex<BTreeMap<&str, Arc<str>>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock();
    if let Some(course) = known().get(game.name()) {
        return Ok(Arc::clone(course));
    }
    // Two who ask at once make it twice; nobody waits.
    let made = tokio::task::spawn_blocking(move || course(game));
    let made: Arc<str> = made.await.map_err(WebError::ours)??.into();
    known().insert(game.name(), Arc::clone(&made));
    Ok(made)
}

/// The first moves of a game between modest players, as boards draw them.
fn course(game: &'static dyn AnyGame) -> Result<String, WebError> {
    let start = game.start(&game.default_setup(), 1);
    let mut position = start.map_err(WebError::ours)?;
    let mut engine = game.engine(&floe_search::Kind::Greedy.into());
    let mut plies = vec![Shown {
        picture: position.view().into(),
        last: None,
    }];
    while plies.len() <= MOVES {
        let Ok(thought) = engine.think(&*position, &Default::default()) else {
            break;
        };
        let last = last_pick(&*position, &thought.best);
        if position.play(&thought.best).is_err() {
            break;
        }
        plies.push(Shown {
            picture: position.view().into(),
            last,
        });
    }
    data(&plies)
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

pub(crate) async fn learn(Path(name): Path<String>) -> Result<Html<String>, WebError> {
    let game = game(&name)?;
    of_game(game, known_course(game).await?)
}

/// The page of a game, for a site without a server.
pub(crate) fn alone(game: &'static dyn AnyGame) -> Result<Html<String>, WebError> {
    of_game(game, course(game)?.into())
}

fn of_game(game: &'static dyn AnyGame, course: Arc<str>) -> Result<Html<String>, WebError> {
    let paragraphs = game.rules().split("\n\n").map(str::trim);
    page(&Learn {
        card: GameCard::of(game)?,
        rules: paragraphs.filter(|text| !text.is_empty()).collect(),
        setup_help: game.setup_help(),
        dialects: game.dialects(),
        starters: starters(game),
        course,
    })
}
