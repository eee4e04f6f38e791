//! `/`: the games, leagues, and what is played now.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Html;

use super::{GameCard, page};
use crate::api::leagues;
use crate::error::WebError;
use crate::hall::Table;
use crate::leagues::League;
use crate::state::App;

/// How many games under way the front page shows.
const SHOWN: usize = 6;

#[derive(Template)]
#[template(path = "front.html")]
struct Front {
    games: Vec<Arc<GameCard>>,
    live: Vec<LiveCard>,
    leagues: Vec<Arc<League>>,
}

/// A game under way.
struct LiveCard {
    id: String,
    title: &'static str,
    players: String,
    state: String,
}

impl LiveCard {
    fn of(table: &Table) -> LiveCard {
        let names: Vec<String> = (table.labels(None).into_iter())
            .map(|label| label.name)
            .collect();
        LiveCard {
            id: table.id().to_owned(),
            title: table.game().title(),
            players: names.join(" – "),
            state: table.state().1.replace('<', "\\u003c"),
        }
    }
}

pub(crate) async fn front(State(app): State<App>) -> Result<Html<String>, WebError> {
    let games = floe_games::games().into_iter().map(GameCard::of);
    page(&Front {
        games: games.collect::<Result<_, _>>()?,
        live: (app.hall().public(SHOWN).iter())
            .map(|table| LiveCard::of(table))
            .collect(),
        leagues: leagues::list(&app).await?,
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
