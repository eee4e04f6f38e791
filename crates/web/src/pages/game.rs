//! `/game/ID`: a game of people. `/my`: one's own.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Html;

use super::{data, page};
use crate::access::{Deed, Visitor, may};
use crate::api::games::{find, has_open_seat, summary};
use crate::error::WebError;
use crate::state::App;

/// How many of one's own games are listed.
const MINE: usize = 100;

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    title: &'static str,
    players: Vec<String>,
    /// The board as text, for those without a script.
    text: String,
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
    page(&GamePage {
        title: table.game().title(),
        players: labels.iter().map(|label| label.name.clone()).collect(),
        text: table.board_text(),
        data: data(&summary(&table, &visitor)?)?,
        has_open_seat: has_open_seat(&table),
        is_seated: labels.iter().any(|label| label.is_yours),
    })
}

#[derive(Template)]
#[template(path = "mine.html")]
struct Mine {
    games: Vec<MyGame>,
}

struct MyGame {
    id: String,
    title: &'static str,
    players: String,
    is_over: bool,
}

pub(crate) async fn mine(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    let runtime = tokio::runtime::Handle::current();
    let found = tokio::task::spawn_blocking(move || {
        // Games that come from their files are driven on the runtime's threads.
        let _entered = runtime.enter();
        app.hall().games_of(&visitor.hash, MINE)
    });
    let tables = found.await.map_err(WebError::ours)?;
    let tables = tables.map_err(WebError::ours)?;
    let games = tables.iter().map(|table| {
        let names: Vec<String> = (table.labels(None).into_iter())
            .map(|label| label.name)
            .collect();
        MyGame {
            id: table.id().to_owned(),
            title: table.game().title(),
            players: names.join(" – "),
            is_over: table.is_over(),
        }
    });
    page(&Mine {
        games: games.collect(),
    })
}
