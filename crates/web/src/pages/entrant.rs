//! `/league/NAME/entrant/X`: one entrant's results.

mod notable;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Response};
use floe_arena::standings::{HeadToHead, Row};
use floe_league::description::Public;

use self::notable::Notable;
use super::league::{Line, history_of, likely_places, sees_games};
use super::versions::VersionLine;
use super::{kept, packed};
use crate::access::{Permission, Visitor, may};
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
    /// Whether the visitor is of its team.
    is_own: bool,
    /// Number of games lost by a fault.
    fault_count: u64,
    memory: String,
    slowest_ms: String,
    strikes: u64,
    faults: Vec<FaultBar>,
    meetings: Vec<Met>,
    history: Figure,
    times: Figure,
    /// Games worth a look.
    notable: Vec<Notable>,
    /// The latest games.
    games: Vec<GameLine>,
    may_see_games: bool,
    /// What its team sent; of a league alone.
    versions: Vec<VersionLine>,
}

/// How many games were lost by a fault of one kind.
struct FaultBar {
    kind: &'static str,
    count: u64,
    /// The length of its bar, in percent of the longest.
    bar: String,
}

/// A head-to-head result.
struct Met {
    name: String,
    points: String,
    games: u64,
    share: String,
    /// The share of points as a bar from the middle: its start and width, in percent.
    bar: (String, String),
    is_ahead: bool,
    /// The share that both ratings promise, in percent.
    expected: Option<String>,
}

/// The share of points that an Elo difference promises, in percent.
fn expected(own: &Row, other: &Row) -> Option<String> {
    let difference = other.elo.as_ref()?.value - own.elo.as_ref()?.value;
    let share = 100.0 / (1.0 + 10f64.powf(difference / 400.0));
    share.is_finite().then(|| format!("{share:.1}"))
}

impl Met {
    fn of(own: &Row, other: &Row, meeting: &HeadToHead) -> Met {
        let share = 100.0 * meeting.points / meeting.games.max(1) as f64;
        Met {
            name: other.name.clone(),
            expected: expected(own, other),
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
    let most = row.faults.values().copied().max().unwrap_or(0).max(1);
    let team = league.entrant_of(&entrant);
    let is_own = team.is_some_and(|entrant| may(&visitor, Permission::ReadVersions { entrant }));
    let versions = match team {
        Some(team) => VersionLine::all(&app, &league, team, is_own, &found.versions),
        None => Vec::new(),
    };
    let games = match may_see_games {
        true => last_games(&league, &entrant).await,
        false => Vec::new(),
    };
    let notable = notable::games(&league, &entrant, &games).await?;
    let make = || Entrant {
        league: &league,
        is_own,
        row: Line {
            likely: (league.results.as_ref())
                .map_or_else(String::new, |results| likely_places(&results.rows, row)),
            ..Line::of(row, &[])
        },
        fault_count: row.faults.values().sum(),
        seat: row.seat.clone(),
        memory: match row.peak_kib {
            0 => String::new(),
            kib => format!("{:.1} MiB", kib as f64 / 1024.0),
        },
        slowest_ms: format!("{:.1}", row.slowest_ms),
        strikes: row.strikes,
        faults: (row.faults.iter())
            .map(|(&kind, &count)| FaultBar {
                kind,
                count,
                bar: format!("{:.1}", 100.0 * count as f64 / most as f64),
            })
            .collect(),
        meetings: found
            .meetings()
            .map(|(other, met)| Met::of(row, other, met))
            .collect(),
        history: history_of(&league, &[&entrant]),
        times: plots::times(only),
        notable,
        games,
        may_see_games,
        versions,
    };
    // What a team sees of its own changes with every version.
    if is_own {
        return Ok(Html(make().render()?).into_response());
    }
    let what = format!("entrant {may_see_games} {entrant}");
    kept(league.page(what, || packed(&make().render()?))?, &headers)
}
