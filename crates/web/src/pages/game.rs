//! `/game/ID`: a game of people. `/my`: one's own.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, Response};

use super::{data, page};
use crate::access::{Deed, Visitor, may};
use crate::api::games::{MINE, OwnGame, find, has_open_seat, own_games, summary};
use crate::error::WebError;
use crate::qr;
use crate::state::App;

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    title: &'static str,
    players: Vec<String>,
    /// The board as text, for those without a script.
    text: String,
    /// How many columns and rows, so that the page has room for the board; none without a server.
    width: u32,
    height: u32,
    data: String,
    has_open_seat: bool,
    is_seated: bool,
}

pub(crate) async fn game(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Html<String>, WebError> {
    let table = find(&app, &id)?;
    if !may(&visitor, Deed::Watch) {
        return Err(WebError::forbidden("You cannot look on at this game"));
    }
    let labels = table.labels(Some(&visitor.hash));
    let (width, height) = table.size();
    page(&GamePage {
        title: table.game().title(),
        players: labels.iter().map(|label| label.name.clone()).collect(),
        text: table.board_text(),
        width,
        height,
        data: data(&summary(&table, &visitor)?)?,
        has_open_seat: has_open_seat(&table),
        is_seated: labels.iter().any(|label| label.is_yours),
    })
}

/// `/game/ID/qr.svg`: the game's address as a QR code, for a phone to read from a screen.
pub(crate) async fn qr(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let table = find(&app, &id)?;
    let address = format!("{}/game/{}", qr::origin(&app, &headers), table.id());
    qr::answer(&address)
}

/// The page of a game that a browser keeps, for a site without a server.
pub(crate) fn of_browser() -> Result<Html<String>, WebError> {
    page(&GamePage {
        title: "Game",
        players: Vec::new(),
        text: String::new(),
        width: 0,
        height: 0,
        data: "null".to_owned(),
        has_open_seat: false,
        is_seated: true,
    })
}

/// The list of games that a browser keeps.
pub(crate) fn mine_of_browser() -> Result<Html<String>, WebError> {
    page(&Mine {
        going: Vec::new(),
        finished: Vec::new(),
    })
}

#[derive(Template)]
#[template(path = "mine.html")]
struct Mine {
    /// Those that go on.
    going: Vec<OwnGame>,
    finished: Vec<OwnGame>,
}

pub(crate) async fn mine(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    let games = own_games(&app, &visitor, MINE).await?;
    let (finished, going) = games.into_iter().partition(|game| game.is_over);
    page(&Mine { going, finished })
}
