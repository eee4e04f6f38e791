//! `/learn/GAME`: the rules, and how to write a program.

use std::sync::Arc;

use askama::Template;
use axum::extract::Path;
use axum::response::Html;

use super::{GameCard, page};
use crate::api::positions::game;
use crate::error::WebError;

#[derive(Template)]
#[template(path = "learn.html")]
struct Learn {
    card: Arc<GameCard>,
    rules: Vec<&'static str>,
    setup_help: &'static str,
    dialects: Vec<&'static str>,
}

#[derive(Template)]
#[template(path = "learn-all.html")]
struct LearnAll {
    games: Vec<Arc<GameCard>>,
}

pub(crate) async fn all() -> Result<Html<String>, WebError> {
    let games = floe_games::games().into_iter().map(GameCard::of);
    page(&LearnAll {
        games: games.collect::<Result<_, _>>()?,
    })
}

pub(crate) async fn learn(Path(name): Path<String>) -> Result<Html<String>, WebError> {
    let game = game(&name)?;
    let paragraphs = game.rules().split("\n\n").map(str::trim);
    page(&Learn {
        card: GameCard::of(game)?,
        rules: paragraphs.filter(|text| !text.is_empty()).collect(),
        setup_help: game.setup_help(),
        dialects: game.dialects(),
    })
}
