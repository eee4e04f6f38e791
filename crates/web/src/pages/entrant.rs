//! `/league/NAME/entrant/X`: what one entrant did.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use floe_arena::tournament::HeadToHead;
use floe_league::description::Public;

use super::league::{Line, history_of, likely_places, sees_games};
use super::{kept, packed};
use crate::access::Visitor;
use crate::api::entrants::EntrantResults;
use crate::api::leagues::find;
use crate::api::lists::{GameLine, last_games};
use crate::contests::Contest;
use crate::error::WebError;
use crate::language::filters;
use crate::plots::{self, Figure};
use crate::state::App;

#[derive(Template)]
#[template(path = "entrant.html")]
struct Entrant<'a> {
    league: &'a Contest,
    row: Line,
    seat: String,
    /// How many of its games were lost by a fault.
    fault_count: u64,
    memory: String,
    slowest_ms: String,
    strikes: u64,
    faults: Vec<(&'static str, u64)>,
    meetings: Vec<Met>,
    history: Figure,
    fault_bars: Figure,
    times: Figure,
    /// The last ones.
    games: Vec<GameLine>,
    may_see_games: bool,
    /// All that its team sent and that has played, and this one; of a league alone.
    versions: Vec<String>,
}

/// A head-to-head result.
struct Met {
    name: String,
    points: String,
    games: u64,
    share: String,
    /// Its share of points as a bar from the middle: where it begins, and how wide it is, in percent.
    bar: (String, String),
    is_ahead: bool,
}

impl Met {
    fn of(name: &str, meeting: &HeadToHead) -> Met {
        let share = 100.0 * meeting.points / meeting.games.max(1) as f64;
        Met {
            name: name.to_owned(),
            points: format!("{:.1}", meeting.points),
            games: meeting.games,
            share: format!("{share:.0} %"),
            bar: (
                format!("{:.1}", share.min(50.0)),
                format!("{:.1}", (share - 50.0).abs()),
            ),
            is_ahead: share >= 50.0,
        }
    }
}

pub(crate) async fn entrant(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((name, entrant)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let league = find(&app, &visitor, &name, Public::Standings).await?;
    let may_see_games = sees_games(&visitor, &league);
    let found = EntrantResults::find(&league, &entrant).await?;
    let row = found.row;
    let only = std::slice::from_ref(row);
    let kinds: Vec<&'static str> = row.faults.keys().copied().collect();
    let games = match may_see_games {
        true => last_games(&league, &entrant).await,
        false => Vec::new(),
    };
    let make = || Entrant {
        league: &league,
        row: Line {
            likely: (league.results.as_ref())
                .map_or_else(String::new, |results| likely_places(&results.rows, row)),
            ..Line::of(row, &[])
        },
        fault_count: row.faults.values().sum(),
        seat: row.seat.clone(),
        memory: match row.peak_kib {
            0 => "not measured".to_owned(),
            kib => format!("{:.1} MiB", kib as f64 / 1024.0),
        },
        slowest_ms: format!("{:.1}", row.slowest_ms),
        strikes: row.strikes,
        faults: (row.faults.iter())
            .map(|(kind, count)| (*kind, *count))
            .collect(),
        meetings: found
            .meetings()
            .map(|(name, met)| Met::of(name, met))
            .collect(),
        history: history_of(&league, &[&entrant]),
        fault_bars: plots::faults(only, &kinds),
        times: plots::times(only),
        games,
        may_see_games,
        versions: found.versions.clone(),
    };
    let what = format!("entrant {may_see_games} {entrant}");
    kept(league.page(what, || packed(&make().render()?))?, &headers)
}
