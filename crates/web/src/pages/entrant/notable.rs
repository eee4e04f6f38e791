//! The games of an entrant that are worth a look: the win and the loss that its rating promised
//! least, and its last game with a fault.

use floe_arena::standings::Row;
use floe_games::json::Picture;
use serde_json::json;

use super::super::data;
use super::super::league::expected_share;
use crate::api::lists::{GameLine, SeatCell};
use crate::contests::{Contest, GameResult};
use crate::error::WebError;

/// A game worth a look, with its last position.
pub(super) struct Notable {
    pub(super) id: String,
    /// Why it is shown, in one word, and the CSS class of the word.
    pub(super) word: &'static str,
    pub(super) tone: &'static str,
    pub(super) title: String,
    pub(super) about: String,
    /// The last position, for a script to draw.
    pub(super) picture: String,
}

/// A game with two seats, as one of the players sees it.
struct Seen<'a> {
    game: &'a GameLine,
    own: &'a SeatCell,
    other: &'a SeatCell,
    /// The share of points that both ratings promise.
    expected: Option<f64>,
}

impl<'a> Seen<'a> {
    fn of(game: &'a GameLine, name: &str, rows: &[Row]) -> Option<Seen<'a>> {
        let (own, other) = match game.seats.as_slice() {
            [own, other] if own.name == name => (own, other),
            [other, own] if own.name == name => (own, other),
            _ => return None,
        };
        let rating = |name: &str| Some(rows.iter().find(|row| row.name == name)?.elo?.value);
        let both = rating(&own.name).zip(rating(&other.name));
        Some(Seen {
            game,
            own,
            other,
            expected: both.map(|(own, other)| expected_share(own, other)),
        })
    }

    fn result(&self) -> GameResult {
        match (self.own.is_first, self.other.is_first) {
            (true, false) => GameResult::Won,
            (false, true) => GameResult::Lost,
            _ => GameResult::Drawn,
        }
    }

    fn has_fault(&self) -> bool {
        !self.own.fault.is_empty() || !self.other.fault.is_empty()
    }

    fn scores(&self) -> String {
        format!("{} : {}", self.own.score, self.other.score)
    }
}

/// At most three games among these, none twice.
pub(super) async fn games(
    league: &Contest,
    name: &str,
    games: &[GameLine],
) -> Result<Vec<Notable>, WebError> {
    let rows = (league.results.as_ref()).map_or(&[][..], |results| &results.rows);
    let seen: Vec<Seen<'_>> = (games.iter())
        .filter_map(|game| Seen::of(game, name, rows))
        .collect();
    let rated = |result: GameResult| {
        let some = seen.iter();
        let some = some.filter(move |seen| seen.result() == result && !seen.has_fault());
        some.filter_map(|seen| Some((seen, seen.expected?)))
    };
    let best = rated(GameResult::Won).min_by(|(_, one), (_, other)| one.total_cmp(other));
    let worst = rated(GameResult::Lost).max_by(|(_, one), (_, other)| one.total_cmp(other));
    // The list begins with the newest.
    let fault = seen.iter().find(|seen| !seen.own.fault.is_empty());
    let mut notable = Vec::new();
    if let Some((seen, expected)) = best {
        let title = format!("Beat {}, {}", seen.other.name, seen.scores());
        let about = format!("expected: {:.0} points of 100", 100.0 * expected);
        notable.push(shown(league, seen, "best", "good", title, about).await?);
    }
    if let Some((seen, expected)) = worst {
        let title = format!("Lost to {}, {}", seen.other.name, seen.scores());
        let about = format!("expected: {:.0} points of 100", 100.0 * expected);
        notable.push(shown(league, seen, "worst", "wrong", title, about).await?);
    }
    if let Some(seen) = fault {
        let title = format!("Lost to {} by a fault", seen.other.name);
        let about = seen.own.fault.clone();
        notable.push(shown(league, seen, "fault", "look", title, about).await?);
    }
    Ok(notable)
}

async fn shown(
    league: &Contest,
    seen: &Seen<'_>,
    word: &'static str,
    tone: &'static str,
    title: String,
    about: String,
) -> Result<Notable, WebError> {
    let id = seen.game.id.parse().ok();
    let record = match id {
        Some(id) => league.record(id).await,
        None => None,
    };
    let last = record.and_then(|record| record.at(record.moves().len()).ok());
    Ok(Notable {
        id: seen.game.id.clone(),
        word,
        tone,
        title,
        about,
        picture: match last {
            Some(play) => data(&json!(Picture::from(play.position().view())))?,
            None => "{}".to_owned(),
        },
    })
}
