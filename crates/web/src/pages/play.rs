//! `/play/GAME`: opponents, setup and clock.

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Path, Query, State};
use axum::response::{Html, Redirect};
use floe_games::AnyGame;
use floe_games::json::{Opponent, default_size, opponents};
use floe_rules::Values;

use super::boards::{self, Board};
use super::{GameCard, page};
use crate::access::Visitor;
use crate::api::positions::game;
use crate::begin::{NotBegun, begun};
use crate::error::WebError;
use crate::language::filters;
use crate::state::App;

#[derive(Template)]
#[template(path = "play.html")]
struct PlayForm {
    game: &'static str,
    title: &'static str,
    size: String,
    /// Boards to choose from.
    boards: Arc<Vec<Board>>,
    fields: Vec<Field>,
    opponents: Vec<OpponentCard>,
    clocks: Vec<ClockCard>,
    /// All games, by name and title.
    games: Vec<(&'static str, &'static str)>,
    /// A position of the game, for a script to draw.
    sample: String,
    /// A position to play on from; empty for a new board.
    position: String,
    problem: String,
    has_rules: bool,
}

/// An opponent to choose: a level of the computer, or a person.
struct OpponentCard {
    value: String,
    label: String,
    about: &'static str,
    /// The picture of the position.
    face: &'static str,
    /// Whether few choose it: it gets less room, below the others.
    is_rare: bool,
    is_chosen: bool,
}

impl From<Opponent> for OpponentCard {
    fn from(opponent: Opponent) -> Self {
        let level = opponent.value.strip_prefix("floe:");
        let (about, face) = match level.unwrap_or(&opponent.value) {
            "link" => ("You send a link.", "friend"),
            "here" => ("One screen, in turns.", "here"),
            "beginner" => ("For a first game.", "easy"),
            "easy" => ("Still learning. Leaves you openings.", "easy"),
            "medium" => ("Solid. Punishes careless moves.", "medium"),
            "hard" => ("Looks far ahead. Few people win.", "hard"),
            _ => ("As strong as it gets.", "hard"),
        };
        let label = match (level, opponent.value.as_str()) {
            (Some(level), _) => {
                let mut letters = level.chars();
                let first = letters.next().into_iter().flat_map(char::to_uppercase);
                first.chain(letters).collect()
            }
            (None, "link") => "A friend".to_owned(),
            (None, "here") => "Together here".to_owned(),
            (None, _) => opponent.label,
        };
        OpponentCard {
            is_rare: matches!(level, Some("beginner" | "max")),
            value: opponent.value,
            label,
            about,
            face,
            is_chosen: opponent.is_chosen,
        }
    }
}

/// A clock to choose.
struct ClockCard {
    value: &'static str,
    label: &'static str,
    about: &'static str,
    is_chosen: bool,
}

const CLOCKS: [(&str, &str, &str); 5] = [
    ("none", "No clock", "take your time"),
    ("10s", "10 s per move", "quick and lively"),
    ("30s", "30 s per move", "with some thought"),
    ("3m+2s", "3 min + 2 s", "a whole game fast"),
    ("10m+5s", "10 min + 5 s", "think it through"),
];

/// One setting of the setup, as a field of the form.
struct Field {
    word: &'static str,
    value: String,
    /// Values to choose from; empty for a number.
    words: Vec<&'static str>,
    least: u32,
    most: u32,
}

impl PlayForm {
    fn new(game: &'static dyn AnyGame, said: &HashMap<String, String>) -> Result<Self, WebError> {
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
        let opponents = opponents(&text("opponent", "floe:easy")).into_iter();
        let clock = text("clock", "none");
        let clocks = CLOCKS.into_iter().map(|(value, label, about)| ClockCard {
            is_chosen: value == clock,
            value,
            label,
            about,
        });
        let games = floe_games::games().into_iter();
        Ok(PlayForm {
            game: game.name(),
            title: game.title(),
            size: text("size", &default_size(game)),
            boards: boards::of(game)?,
            fields: game.settings().iter().map(field).collect(),
            opponents: {
                let mut cards: Vec<OpponentCard> = opponents.map(OpponentCard::from).collect();
                cards.sort_by_key(|card| card.is_rare);
                cards
            },
            clocks: clocks.collect(),
            games: games.map(|game| (game.name(), game.title())).collect(),
            sample: GameCard::of(game)?.sample.clone(),
            position: text("position", ""),
            problem: String::new(),
            has_rules: !game.rules().is_empty(),
        })
    }
}

/// The empty form, for a site without a server.
pub(crate) fn first(game: &'static dyn AnyGame) -> Result<Html<String>, WebError> {
    page(&PlayForm::new(game, &HashMap::new())?)
}

pub(crate) async fn form(
    Path(name): Path<String>,
    Query(said): Query<HashMap<String, String>>,
) -> Result<Html<String>, WebError> {
    page(&PlayForm::new(game(&name)?, &said)?)
}

/// Begins the form's game, or shows the form with its errors.
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
        Err(NotBegun::Wrong(problem)) => {
            let form = PlayForm::new(game, &said).map_err(Err)?;
            Err(page(&PlayForm { problem, ..form }))
        }
    }
}
