//! `/`: the games, leagues, and games in progress.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::response::Html;

use super::live::LiveCard;
use super::{GameCard, page};
use crate::access::Visitor;
use crate::api::games::{OwnGame, waiting_game};
use crate::api::leagues;
use crate::contests::Contest;
use crate::error::WebError;
use crate::hosted::{FinishedGame, OpenGame};
use crate::language::filters;
use crate::state::App;

#[derive(Template)]
#[template(path = "front.html")]
struct Front {
    games: Vec<Arc<GameCard>>,
    live: Vec<LiveCard>,
    leagues: Vec<Arc<Contest>>,
    finished: Vec<FinishedGame>,
    /// A game of the visitor's own that waits for a move.
    waiting: Option<OwnGame>,
    /// Games with free seats that their hosts offer.
    lobby: Vec<OpenGame>,
}

/// The games alone, for a site without a server.
pub(crate) fn games_alone() -> Result<Html<String>, WebError> {
    let games = floe_games::games().into_iter().map(GameCard::of);
    page(&Front {
        games: games.collect::<Result<_, _>>()?,
        live: Vec::new(),
        leagues: Vec::new(),
        finished: Vec::new(),
        waiting: None,
        lobby: Vec::new(),
    })
}

pub(crate) async fn front(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    let games = floe_games::games().into_iter().map(GameCard::of);
    page(&Front {
        games: games.collect::<Result<_, _>>()?,
        live: LiveCard::all(&app, &visitor, None),
        leagues: leagues::list(&app, &visitor).await,
        finished: app.hosted().finished().await.map_err(WebError::ours)?,
        waiting: waiting_game(&app, &visitor).await?,
        lobby: app.hosted().open_games(&visitor.hash),
    })
}

#[cfg(test)]
mod tests {
    use crate::pages::data;

    #[test]
    fn no_text_ends_the_script_it_stands_in() {
        let text = data(&"</script><script>alert(1)</script>").unwrap();
        assert!(!text.contains('<'));
        assert_eq!(serde_json::from_str::<String>(&text).unwrap().len(), 34);
    }
}
