//! `/game/ID`: a game of people. `/my`: the visitor's own games.

use std::collections::BTreeMap;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, Response};

use super::room::Room;
use super::{data, page};
use crate::access::{Permission, Visitor, may};
use crate::api::games::{MINE, OwnGame, find, has_open_seat, own_games, summary};
use crate::error::WebError;
use crate::hosted::Standing;
use crate::language::filters;
use crate::qr;
use crate::state::App;

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    title: &'static str,
    players: Vec<String>,
    /// The players' notes, which scripts keep up to date: without them cards would grow.
    notes: Vec<String>,
    /// The board as text, for browsers without scripts.
    text: String,
    /// The space of the board; none without a server.
    room: Room,
    is_over: bool,
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
    if !may(&visitor, Permission::Watch) {
        return Err(WebError::forbidden("You cannot look on at this game"));
    }
    let labels = table.labels(Some(&visitor.hash));
    let (view, text, room) = table.look(|position| {
        let view = position.view();
        let room = Room::in_view(position, &view);
        (view, position.board(), room)
    });
    page(&GamePage {
        title: table.game().title(),
        players: labels.iter().map(|label| label.name.clone()).collect(),
        notes: view.seats.into_iter().map(|seat| seat.note).collect(),
        text,
        room,
        is_over: table.is_over(),
        data: data(&summary(&table, &visitor, None)?)?,
        has_open_seat: has_open_seat(&table),
        is_seated: labels.iter().any(|label| label.is_yours),
    })
}

/// `/game/ID/qr.svg`: the game's address as a QR code, for a phone to scan.
pub(crate) async fn qr(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let table = find(&app, &id)?;
    let address = format!("{}/game/{}", qr::origin(&app, &headers), table.id());
    qr::answer(&address)
}

/// The page of a game stored in the browser, for a site without a server.
pub(crate) fn of_browser() -> Result<Html<String>, WebError> {
    page(&GamePage {
        title: "Game",
        players: Vec::new(),
        notes: Vec::new(),
        text: String::new(),
        room: Room::default(),
        is_over: false,
        data: "null".to_owned(),
        has_open_seat: false,
        is_seated: true,
    })
}

/// The list of games stored in a browser.
pub(crate) fn mine_of_browser() -> Result<Html<String>, WebError> {
    page(&Mine::of(Vec::new()))
}

#[derive(Template)]
#[template(path = "mine.html")]
struct Mine {
    /// Games in progress.
    going: Vec<OwnGame>,
    finished: Vec<OwnGame>,
    /// Number of these won, lost and drawn.
    tally: [usize; 3],
    /// The most frequent engine opponent: its name, and the games won and played against it.
    level: Option<(String, usize, usize)>,
}

/// Number of latest results shown as letters.
const LETTERS: usize = 8;

impl Mine {
    fn of(games: Vec<OwnGame>) -> Mine {
        let (finished, going): (Vec<OwnGame>, _) = games.into_iter().partition(|game| game.is_over);
        let count = |standing| {
            let same = finished.iter().filter(|game| game.standing == standing);
            same.count()
        };
        Mine {
            tally: [Standing::Won, Standing::Lost, Standing::Drawn].map(count),
            level: most_played(&finished),
            going,
            finished,
        }
    }

    /// The last results, oldest first.
    fn newest(&self) -> Vec<&OwnGame> {
        self.finished.iter().take(LETTERS).rev().collect()
    }
}

/// The most frequent engine opponent, if it was played more than once.
fn most_played(finished: &[OwnGame]) -> Option<(String, usize, usize)> {
    let mut levels: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for game in finished {
        if let Some(level) = game.against.strip_prefix("floe · ") {
            let (won, all) = levels.entry(level).or_default();
            *won += usize::from(game.standing == Standing::Won);
            *all += 1;
        }
    }
    let (level, (won, all)) = levels.into_iter().max_by_key(|(_, (_, all))| *all)?;
    let mut letters = level.chars();
    let first = letters.next()?.to_uppercase();
    (all > 1).then(|| (first.chain(letters).collect(), won, all))
}

pub(crate) async fn mine(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    let games = own_games(&app, &visitor, MINE).await?;
    page(&Mine::of(games))
}
