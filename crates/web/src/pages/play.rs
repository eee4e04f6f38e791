//! `/play/GAME`: against whom, on what, with which clock.

use std::collections::HashMap;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Path, Query, State};
use axum::response::{Html, Redirect};
use floe_games::{AnyGame, AnyPosition};
use floe_rules::Values;
use floe_search::{Kind, Level, Spec};

use super::page;
use crate::access::{Deed, Visitor, may};
use crate::api::games::person_name;
use crate::api::positions::game;
use crate::error::WebError;
use crate::hall::{Guests, SeatHolder};
use crate::start;
use crate::state::App;
use crate::token::fresh_id;

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

struct Opponent {
    value: String,
    label: String,
    is_chosen: bool,
}

/// The levels of the engines, and people.
fn opponents(chosen: &str) -> Vec<Opponent> {
    let level = |level: Level| {
        let spec = Spec {
            level: Some(level),
            ..Spec::from(Kind::Floe)
        };
        (spec.to_string(), format!("Floe, {}", level.name()))
    };
    let people = [
        ("link".to_owned(), "somebody by a link".to_owned()),
        (
            "here".to_owned(),
            "somebody beside me, on this screen".to_owned(),
        ),
    ];
    (Level::ALL.into_iter().map(level).chain(people))
        .map(|(value, label)| Opponent {
            is_chosen: value == chosen,
            value,
            label,
        })
        .collect()
}

impl PlayForm {
    fn new(game: &'static dyn AnyGame, said: &HashMap<String, String>) -> Self {
        let text = |key: &str, usual: &str| said.get(key).map_or(usual, String::as_str).to_owned();
        let field = |setting: &floe_rules::Setting| Field {
            word: setting.word,
            value: text(setting.word, setting.usual),
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
            size: text("size", &usual_size(game)),
            fields: game.settings().iter().map(field).collect(),
            opponents: opponents(&text("opponent", "floe:easy")),
            position: text("position", ""),
            problem: String::new(),
            has_rules: !game.rules().is_empty(),
        }
    }
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
    let wrong = |problem: String| {
        page(&PlayForm {
            problem,
            ..PlayForm::new(game, &said)
        })
    };
    if !may(&visitor, Deed::Begin) {
        return Err(Err(WebError::forbidden("You cannot begin games here")));
    }
    let (start, origin) = asked_start(game, &said).map_err(wrong)?;
    let guests = guests(&visitor, start.players(), &said).map_err(wrong)?;
    let table = app.hall().begin(start, origin, guests, visitor.asker);
    let table = table.map_err(|error| Err(WebError::ours(error)))?;
    Ok(Redirect::to(&format!("/game/{}", table.id())))
}

/// The size a board has when nobody says.
fn usual_size(game: &dyn AnyGame) -> String {
    let usual = game.default_setup();
    usual.split(',').next().unwrap_or_default().to_owned()
}

type Start = (Box<dyn AnyPosition>, Option<(String, u64)>);

/// The position the form asks for, and the setup and the seed it is made from.
fn asked_start(
    game: &'static dyn AnyGame,
    said: &HashMap<String, String>,
) -> Result<Start, String> {
    let position = said
        .get("position")
        .map(|text| text.trim_end())
        .unwrap_or_default();
    let (start, origin) = if position.is_empty() {
        let size = said.get("size").map(|size| size.trim().to_owned());
        let mut setup = vec![size.unwrap_or_else(|| usual_size(game))];
        for setting in game.settings() {
            if let Some(value) = said.get(setting.word).filter(|value| !value.is_empty()) {
                setup.push(format!("{}={}", setting.word, value.trim()));
            }
        }
        let setup = setup.join(",");
        let seed = fresh_seed()?;
        let start = start::of_setup(game, &setup, seed).map_err(|error| error.to_string())?;
        (start, Some((setup, seed)))
    } else {
        let text = format!("{position}\n");
        let start = start::of_text(game, &text).map_err(|error| error.to_string())?;
        (start, None)
    };
    if start.turn().is_none() {
        return Err("the game is over in this position".to_owned());
    }
    Ok((start, origin))
}

fn fresh_seed() -> Result<u64, String> {
    let id = fresh_id().map_err(|error| error.to_string())?;
    let number = |seed: u64, byte: u8| seed.wrapping_mul(37).wrapping_add(u64::from(byte));
    // Small enough to be typed after `--seed`.
    Ok(id.bytes().fold(0, number) % 1_000_000_000)
}

/// Who sits where.
fn guests(
    visitor: &Visitor,
    players: u32,
    said: &HashMap<String, String>,
) -> Result<Guests, String> {
    let text = |key: &str| said.get(key).map(String::as_str).unwrap_or_default();
    let me = SeatHolder::Person {
        who: visitor.hash.clone(),
        name: person_name(text("name")),
    };
    let opponent = match text("opponent") {
        "link" => SeatHolder::Open,
        "here" => me.clone(),
        word => {
            let is_known = opponents(word).iter().any(|known| known.is_chosen);
            if !is_known {
                return Err(format!("there is no opponent {word:?}"));
            }
            SeatHolder::Engine(word.to_owned())
        }
    };
    let mine = match text("side") {
        "last" => players - 1,
        "any" => fresh_seed()? as u32 % players,
        _ => 0,
    };
    let seats = (0..players).map(|seat| match seat == mine {
        true => me.clone(),
        false => opponent.clone(),
    });
    Ok(Guests {
        seats: seats.collect(),
        clock: text("clock").parse().map_err(|error| format!("{error}"))?,
        is_public: said.contains_key("public"),
        rematch: None,
    })
}
