//! The pages.

pub(crate) mod about;
pub(crate) mod analysis;
mod boards;
pub(crate) mod desk;
pub(crate) mod entrant;
pub(crate) mod front;
pub(crate) mod game;
pub(crate) mod language;
pub(crate) mod league;
pub(crate) mod learn;
pub(crate) mod live;
pub(crate) mod machines;
pub(crate) mod play;
pub(crate) mod puzzles;
pub(crate) mod replay;
pub(crate) mod room;
pub(crate) mod submit;
pub(crate) mod verdict;
mod versions;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::Arc;

use askama::Template;
use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use axum::response::{Html, IntoResponse, Response};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use floe_games::AnyGame;
use parking_lot::Mutex;
use serde::Serialize;

use crate::assets;
use crate::error::WebError;
use crate::language::filters;

/// The answer for unknown addresses.
pub(crate) async fn missing() -> WebError {
    WebError::not_found("page")
}

/// A page from a template.
fn page(template: &impl Template) -> Result<Html<String>, WebError> {
    Ok(Html(template.render()?))
}

#[derive(Template)]
#[template(path = "records.html")]
struct Records;

/// `/records`: the page to open files of records.
pub(crate) async fn records_page() -> Result<Html<String>, WebError> {
    records()
}

/// The same for a site without a server.
pub(crate) fn records() -> Result<Html<String>, WebError> {
    page(&Records)
}

/// A page compressed with gzip, for the cache.
fn packed(text: &str) -> Result<Bytes, WebError> {
    let mut packing = GzEncoder::new(Vec::new(), Compression::default());
    packing.write_all(text.as_bytes()).map_err(WebError::ours)?;
    Ok(packing.finish().map_err(WebError::ours)?.into())
}

/// A cached page, in the client's encoding.
fn kept(page: Bytes, headers: &HeaderMap) -> Result<Response, WebError> {
    // A client that prefers another encoding gets plain text, which is always acceptable.
    if assets::takes(headers, "gzip") {
        let coding = [
            (header::CONTENT_ENCODING, "gzip"),
            (header::VARY, "accept-encoding"),
        ];
        return Ok((coding, Html(page)).into_response());
    }
    let mut text = Vec::new();
    let read = GzDecoder::new(&*page).read_to_end(&mut text);
    read.map_err(WebError::ours)?;
    Ok(Html(text).into_response())
}

/// JSON for a page's script, safe inside HTML: it can contain no end tag.
fn data(value: &impl Serialize) -> Result<String, WebError> {
    let text = serde_json::to_string(value).map_err(WebError::ours)?;
    Ok(text.replace('<', "\\u003c"))
}

/// A game in a list of games.
pub(crate) struct GameCard {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// A description of the game, or the first sentence of its rules.
    pub(crate) about: String,
    /// A position, for a script to draw.
    pub(crate) sample: String,
    /// The position as text.
    pub(crate) text: String,
    /// The size of a small board, for a first game.
    pub(crate) small: String,
    /// How long a game takes a person, roughly.
    pub(crate) minutes: usize,
}

impl GameCard {
    /// The card of a game, made once.
    fn of(game: &'static dyn AnyGame) -> Result<Arc<GameCard>, WebError> {
        static KNOWN: Mutex<BTreeMap<&str, Arc<GameCard>>> = Mutex::new(BTreeMap::new());
        let known = || KNOWN.lock();
        if let Some(card) = known().get(game.name()) {
            return Ok(Arc::clone(card));
        }
        let card = Arc::new(GameCard::made(game)?);
        known().insert(game.name(), Arc::clone(&card));
        Ok(card)
    }

    fn made(game: &'static dyn AnyGame) -> Result<GameCard, WebError> {
        let start = game.start(&game.default_setup(), 1);
        let (position, length) = boards::middle(&*start.map_err(WebError::ours)?);
        Ok(GameCard {
            minutes: boards::minutes(length, position.players()),
            small: boards::small(game),
            name: game.name(),
            title: game.title(),
            about: match game.pitch() {
                "" => first_sentence(game.rules()),
                pitch => pitch.to_owned(),
            },
            sample: data(&floe_games::json::Picture::from(position.view()))?,
            text: position.board(),
        })
    }
}

/// Number of avatar colours.
const AVATARS: usize = 8;

/// A square with the first letter of a name, always in the same colour, as HTML.
pub(crate) fn avatar(name: &str) -> String {
    let first = name.chars().find(|c| c.is_alphanumeric()).unwrap_or('?');
    let letter: String = first.to_uppercase().take(1).collect();
    let sum: usize = name.bytes().map(usize::from).sum();
    format!(
        "<span class=\"ava c{}\" aria-hidden=\"true\">{letter}</span>",
        sum % AVATARS + 1
    )
}

fn first_sentence(text: &str) -> String {
    let text = text.trim().lines().next().unwrap_or_default();
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text.to_owned(),
    }
}
