//! Lists of a contest's games.

use axum::extract::{Path, Query, State};
use axum::{Extension, Json};
use floe_arena::store::GameSummary;
use floe_games::FaultKind;
use floe_league::description::Public;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::leagues::find;
use crate::access::Visitor;
use crate::contests::{Contest, Faults, GameList, GameResult, Listed};
use crate::error::WebError;
use crate::state::App;

/// Most games per page of a list.
const GAMES: u64 = 100;

/// The filters in an address or form; empty ones do not filter.
#[derive(Deserialize)]
pub(crate) struct Which {
    #[serde(default)]
    pub(crate) of: String,
    #[serde(default)]
    pub(crate) against: String,
    #[serde(default)]
    result: String,
    /// A kind of fault, or `any`.
    #[serde(default)]
    fault: String,
    /// Any text here asks for games with a fault.
    faulty: Option<String>,
    from: Option<u64>,
    before: Option<u64>,
}

impl Which {
    pub(crate) fn listed(&self) -> Result<Listed, WebError> {
        let named = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
        Ok(Listed {
            of: named(&self.of),
            against: named(&self.against),
            result: self.result()?,
            fault: self.fault()?,
            from: self.from,
            before: self.before,
            most: GAMES,
        })
    }

    fn result(&self) -> Result<Option<GameResult>, WebError> {
        if self.result.is_empty() {
            return Ok(None);
        }
        let mut known = GameResult::ALL.into_iter();
        let found = known.find(|result| result.name() == self.result);
        let help = "A game is won, drawn or lost.";
        let unknown = || WebError::bad("There is no such result", help);
        found.map(Some).ok_or_else(unknown)
    }

    fn fault(&self) -> Result<Option<Faults>, WebError> {
        match (self.fault.as_str(), &self.faulty) {
            ("", None) => return Ok(None),
            ("any", _) | ("", Some(_)) => return Ok(Some(Faults::Any)),
            _ => {}
        }
        let mut known = FaultKind::ALL.into_iter();
        let found = known.find(|kind| kind.name() == self.fault);
        let help = "The list of games has a form with all kinds of faults.";
        let unknown = || WebError::bad("There is no such kind of fault", help);
        found.map(|kind| Some(Faults::Of(kind))).ok_or_else(unknown)
    }
}

/// A game in a list.
#[derive(Serialize)]
pub(crate) struct GameLine {
    pub(crate) id: String,
    pub(crate) seats: Vec<SeatCell>,
    pub(crate) moves: u64,
}

/// A seat's result in a game.
#[derive(Serialize)]
pub(crate) struct SeatCell {
    pub(crate) name: String,
    pub(crate) score: i64,
    pub(crate) is_first: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) fault: String,
}

/// The lines of a list of games.
pub(crate) fn game_lines(list: &GameList) -> Vec<GameLine> {
    let line = |game: &GameSummary| GameLine {
        id: game.id(),
        moves: game.moves(),
        seats: (game.seats.iter())
            .map(|seat| SeatCell {
                name: list.names.get(seat.entrant).cloned().unwrap_or_default(),
                score: seat.score,
                is_first: seat.place == 1,
                fault: (seat.fault.as_ref()).map_or_else(String::new, |(kind, message)| {
                    format!("{}: {message}", kind.name())
                }),
            })
            .collect(),
    };
    list.games.iter().map(line).collect()
}

/// The last games of an entrant.
pub(crate) async fn last_games(league: &Contest, of: &str) -> Vec<GameLine> {
    let listed = Listed {
        of: Some(of.to_owned()),
        before: Some(u64::MAX),
        most: GAMES,
        ..Listed::default()
    };
    let mut lines = game_lines(&league.games(listed).await);
    lines.reverse();
    lines
}

/// `GET /api/v1/leagues/{name}/games`: the games, filtered by player, result and fault; in pages.
pub(crate) async fn games(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(name): Path<String>,
    Query(which): Query<Which>,
) -> Result<Json<Value>, WebError> {
    let league = find(&app, &visitor, &name, Public::Games).await;
    let league = league.map_err(WebError::for_script)?;
    let listed = which.listed().map_err(WebError::for_script)?;
    let list = league.games(listed).await;
    Ok(Json(json!({
        "games": game_lines(&list),
        "before": list.earlier,
        "from": list.later,
    })))
}
