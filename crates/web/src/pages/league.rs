//! `/leagues`, `/league/NAME` and its list of games.

pub(crate) mod axis;
mod heat;
mod news;

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Response};
use floe_arena::amount::shown_bytes;
use floe_arena::standings::{Row, Standings, csv};
use floe_games::FaultKind;
use floe_league::description::{Public, RemoteRating};
use floe_league::{VersionId, time};
use floe_search::Spec;

use self::axis::{RatingAxis, Whisker};
pub(crate) use self::heat::{CrossLine, cross, expected, expected_share};
use self::news::News;
use super::live::LiveCard;
use super::replay::download;
use super::{kept, packed, page};
use crate::access::{Permission, Visitor, may};
use crate::api::leagues::{find, list};
use crate::api::lists::{GameLine, Which, game_lines};
use crate::contests::{Contest, Faults, GameResult};
use crate::error::WebError;
use crate::language::filters;
use crate::plots::{self, Figure};
use crate::state::App;

#[derive(Template)]
#[template(path = "leagues.html")]
struct All {
    leagues: Vec<Arc<Contest>>,
    /// The folder's own league, if this visitor may see it.
    own: Option<String>,
    /// Whether this visitor may submit to the league.
    may_submit: bool,
    may_run_desk: bool,
}

pub(crate) async fn all(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    let is_league = app.league_service().is_some();
    let leagues = list(&app, &visitor).await;
    let own = leagues.iter().find(|league| league.is_ladder);
    page(&All {
        own: own.map(|league| format!("{}, {}", league.title, league.game_title)),
        may_submit: is_league && may(&visitor, Permission::Submit),
        may_run_desk: is_league && may(&visitor, Permission::RunDesk),
        leagues,
    })
}

#[derive(Template)]
#[template(path = "league.html")]
struct StandingsPage<'a> {
    league: &'a Contest,
    /// The tables and figures below, from the cache.
    tables: &'a str,
    progress: String,
    /// The limits of a ladder's programs.
    limits: String,
    /// When submitting ends; empty if it does not, or has.
    until: String,
    live: Vec<LiveCard>,
    /// The standings of a ladder's remote programs.
    remote: Option<RemoteTable>,
    /// What happened on the ladder lately.
    news: Vec<News>,
    /// Whether this visitor may follow the links to games.
    may_see_games: bool,
    may_submit: bool,
    may_run_desk: bool,
    /// What this machine can do, for the organiser of a ladder without games.
    machine: Option<Abilities>,
}

/// What this machine can do for a league.
struct Abilities {
    sandbox_level: u8,
    /// The languages that it builds, and those that it could with more programs installed.
    built: String,
    missing: String,
    /// Whether the league has participants.
    has_people: bool,
}

impl Abilities {
    fn of(app: &App) -> Option<Abilities> {
        let service = app.league_service()?;
        let recipes = service.league().recipes().ok()?;
        let names = |is_built: bool| {
            let some = recipes.taken();
            let some = some.filter(|recipe| recipe.missing().is_empty() == is_built);
            let names: Vec<&str> = some.map(|recipe| recipe.name.as_str()).collect();
            names.join(", ")
        };
        let people = service
            .league()
            .look(|standing| standing.people.all().len());
        Some(Abilities {
            sandbox_level: service.sandbox_level(),
            built: names(true),
            missing: names(false),
            has_people: people.ok()? > 0,
        })
    }
}

/// The standings of remote programs and their opponents.
struct RemoteTable {
    /// The start of the addresses of their games.
    base: String,
    /// All rows, and whether each is a remote program.
    rows: Vec<(Line, bool)>,
    progress: String,
    /// Whether their games also count in the ladder's table.
    is_rated_with_ladder: bool,
}

impl RemoteTable {
    async fn of(app: &App, ladder: &Contest) -> Option<RemoteTable> {
        let games = app.contests().remote_of(ladder).await?;
        let rows = &games.results.as_ref()?.rows;
        let league = app.league_service()?.league();
        let rows = league.look(|standing| {
            let is_home = |row: &Row| {
                let id: Option<VersionId> = row.name.parse().ok();
                let version = id.and_then(|id| standing.versions.find(&id));
                version.is_some_and(|version| version.is_remote)
            };
            let line = |row| (Line::of(row, &[]), is_home(row));
            rows.iter().map(line).collect::<Vec<_>>()
        });
        let rows = rows.ok()?;
        let rated = league.description().remote.rated;
        (!rows.is_empty()).then(|| RemoteTable {
            base: games.address(),
            rows,
            progress: games.progress(),
            is_rated_with_ladder: rated == RemoteRating::Ladder,
        })
    }
}

#[derive(Template)]
#[template(path = "tables.html")]
struct Tables {
    rows: Vec<Line>,
    axis: RatingAxis,
    history: Figure,
    faults: Figure,
    times: Figure,
    cross: Vec<CrossLine>,
    /// What the first ones would make of each other.
    expected: Vec<CrossLine>,
    /// The start of this league's addresses.
    base: String,
}

pub(super) fn sees_games(visitor: &Visitor, league: &Contest) -> bool {
    let (what, shown) = (Public::Games, league.shown);
    may(visitor, Permission::See { what, shown })
}

/// One entrant's row.
pub(crate) struct Line {
    pub(crate) place: u64,
    /// The places that are statistically possible.
    pub(crate) likely: String,
    pub(crate) name: String,
    /// The rating and its margin in one: `+363 ± 66`.
    pub(crate) elo: String,
    /// The same apart.
    pub(crate) rating: String,
    pub(crate) margin: String,
    pub(crate) score: String,
    pub(crate) results: String,
    pub(crate) games: u64,
    pub(crate) ms: String,
    pub(crate) faults: Vec<u64>,
    /// Games won, drawn and lost.
    pub(crate) record: [u64; 3],
    /// The rating on an axis shared by all rows.
    pub(crate) whisker: Option<Whisker>,
    /// The entrant's newest version, which has not played yet: this row stands for it.
    pub(crate) stands_for: Option<String>,
    /// Whether the entrant is one of Floe's own engines.
    pub(crate) is_house: bool,
    /// The rating over time as the points of a small line; empty if too little is known.
    pub(crate) spark: String,
}

impl Line {
    pub(crate) fn of(row: &Row, kinds: &[&'static str]) -> Line {
        Line {
            place: row.place,
            likely: String::new(),
            name: row.name.clone(),
            elo: row.elo.as_ref().map_or_else(String::new, |elo| {
                let text = format!("{:.0} ± {:.0}", elo.value, elo.margin());
                // With a minus sign instead of a hyphen.
                text.replace('-', "−")
            }),
            rating: row
                .elo
                .as_ref()
                .map_or_else(String::new, |elo| signed(elo.value)),
            margin: (row.elo.as_ref())
                .map_or_else(String::new, |elo| format!("±{:.0}", elo.margin())),
            score: (row.score).map_or_else(String::new, |score| format!("{:.1} %", 100.0 * score)),
            results: format!("+{} ={} −{}", row.wins, row.draws, row.losses),
            games: row.games,
            ms: row
                .ms_per_move
                .map_or_else(String::new, |ms| format!("{ms:.1}")),
            faults: (kinds.iter())
                .map(|kind| row.faults.get(kind).copied().unwrap_or(0))
                .collect(),
            record: [row.wins, row.draws, row.losses],
            whisker: None,
            stands_for: None,
            is_house: row.seat.parse::<Spec>().is_ok(),
            spark: String::new(),
        }
    }

    /// Games lost by a fault, of every kind.
    pub(crate) fn fault_count(&self) -> u64 {
        self.faults.iter().sum()
    }
}

/// A rating with its sign: a minus, not a hyphen.
pub(super) fn signed(rating: f64) -> String {
    let text = format!("{rating:+.0}").replace('-', "−");
    match text.as_str() {
        "+0" | "−0" => "0".to_owned(),
        _ => text,
    }
}

/// The statistically possible places, if intervals overlap: `2–6`; empty if the place is certain or
/// nothing is known.
pub(crate) fn likely_places(rows: &[Row], row: &Row) -> String {
    let Some(own) = &row.elo else {
        return String::new();
    };
    let others = || rows.iter().filter(|other| other.name != row.name);
    let known = || others().filter_map(|other| other.elo.as_ref());
    let best = 1 + known().filter(|other| other.low > own.high).count();
    let worst = 1 + known().filter(|other| other.high >= own.low).count();
    match best == worst {
        true => String::new(),
        false => format!("{best}–{worst}"),
    }
}

/// The rating history of these entrants.
pub(super) fn history_of(league: &Contest, named: &[&str]) -> Figure {
    let history = league.history.as_ref();
    history.map_or_else(Figure::default, |history| plots::history(history, named))
}

/// The tables and figures of a league.
fn tables(league: &Contest) -> Result<String, WebError> {
    let results = league.results.as_ref();
    let rows = results.map_or(&[][..], |results| &results.rows);
    if rows.is_empty() {
        return Ok(String::new());
    }
    let fault_kinds = results.map(Standings::fault_kinds).unwrap_or_default();
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let axis = RatingAxis::of(rows);
    let tables = Tables {
        base: league.address(),
        rows: (rows.iter())
            .map(|row| Line {
                stands_for: league.unplayed.get(&row.name).cloned(),
                likely: likely_places(rows, row),
                whisker: axis.whisker(row),
                spark: (league.history.as_ref())
                    .map_or_else(String::new, |history| plots::sparkline(history, &row.name)),
                ..Line::of(row, &fault_kinds)
            })
            .collect(),
        history: history_of(league, &names),
        faults: plots::faults(rows, &fault_kinds),
        times: plots::times(rows),
        cross: results.map(cross).unwrap_or_default(),
        expected: expected(rows),
        axis,
    };
    Ok(tables.render()?)
}

pub(crate) async fn standings(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let league = find(&app, &visitor, &name, Public::Standings).await?;
    let may_see_games = sees_games(&visitor, &league);
    let live = LiveCard::of_league(&app, &visitor, &league);
    let progress = league.progress();
    let may_submit = league.is_ladder && may(&visitor, Permission::Submit);
    let may_run_desk = league.is_ladder && may(&visitor, Permission::RunDesk);
    let remote = RemoteTable::of(&app, &league).await;
    let is_lasting = live.is_empty() && remote.is_none();
    let news = match league.is_ladder {
        true => News::of(&app),
        false => Vec::new(),
    };
    let (limits, until) = match league.is_ladder {
        true => terms(&app),
        false => Default::default(),
    };
    let has_games = (league.results.as_ref()).is_some_and(|results| !results.rows.is_empty());
    let machine = (may_run_desk && !has_games)
        .then(|| Abilities::of(&app))
        .flatten();
    let has_people = machine.as_ref().is_some_and(|machine| machine.has_people);
    // A version that is judged changes no table before its first game.
    let newest = (news.first()).map_or_else(String::new, |news| format!("{news:?}"));
    let what = format!(
        "standings {until} {may_see_games} {may_submit} {may_run_desk} {has_people} {newest}"
    );
    let make = |live| {
        // Most of the page does not change while games are in progress.
        let tables = league.page("tables".to_owned(), || tables(&league).map(Bytes::from))?;
        let page = StandingsPage {
            league: &league,
            tables: std::str::from_utf8(&tables).map_err(WebError::ours)?,
            progress,
            limits,
            until,
            live,
            remote,
            news,
            may_see_games,
            may_submit,
            may_run_desk,
            machine,
        };
        Ok::<_, WebError>(page.render()?)
    };
    // Games in progress change while the ladder's table does not.
    if !is_lasting {
        return Ok(Html(make(live)?).into_response());
    }
    let page = league.page(what, || packed(&make(live)?))?;
    kept(page, &headers)
}

/// The limits of programs, and when submitting ends, of the league that the folder is.
pub(super) fn terms(app: &App) -> (String, String) {
    let Some(service) = app.league_service() else {
        return Default::default();
    };
    let description = service.league().description();
    let limits = &description.limits;
    let limits = format!(
        "{} s per move, {}",
        limits.move_ms as f64 / 1000.0,
        shown_bytes(limits.memory_mib << 20)
    );
    let until = description.submitting.until;
    let until = until.filter(|&until| until > time::now());
    (limits, until.map(time::write).unwrap_or_default())
}

/// `/league/NAME/standings.csv`: the standings, in the command's format.
pub(crate) async fn standings_csv(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(name): Path<String>,
) -> Result<Response, WebError> {
    let league = find(&app, &visitor, &name, Public::Standings).await?;
    let results = league.results.as_ref();
    let results = results.ok_or_else(|| WebError::not_found("table: no game is finished yet"))?;
    let file = format!("{}.csv", league.name);
    Ok(download(&file, "text/csv; charset=utf-8", csv(results)))
}

/// A choice in a form.
struct Choice {
    value: &'static str,
    label: &'static str,
    is_chosen: bool,
}

impl Choice {
    fn new(value: &'static str, label: &'static str, chosen: &str) -> Choice {
        let is_chosen = value == chosen;
        Choice {
            value,
            label,
            is_chosen,
        }
    }
}

/// The kinds of faults in a form.
fn faults(fault: Option<Faults>) -> Vec<Choice> {
    let chosen = match fault {
        None => "",
        Some(Faults::Any) => "any",
        Some(Faults::Of(kind)) => kind.name(),
    };
    let any = [("", "with or without faults"), ("any", "with a fault")];
    let kinds = FaultKind::ALL.map(|kind| (kind.name(), kind.name()));
    (any.into_iter().chain(kinds))
        .map(|(value, label)| Choice::new(value, label, chosen))
        .collect()
}

/// The results in a form.
fn results(result: Option<GameResult>) -> Vec<Choice> {
    let chosen = result.map_or("", GameResult::name);
    let any = Choice::new("", "any result", chosen);
    let names = GameResult::ALL.map(GameResult::name);
    let named = names.map(|name| Choice::new(name, name, chosen));
    [any].into_iter().chain(named).collect()
}

#[derive(Template)]
#[template(path = "games.html")]
struct Games<'a> {
    league: &'a Contest,
    of: String,
    against: String,
    entrants: Vec<String>,
    results: Vec<Choice>,
    faults: Vec<Choice>,
    games: Vec<GameLine>,
    /// The numbers for the links to earlier and later games.
    earlier: Option<u64>,
    later: Option<u64>,
}

impl Games<'_> {
    /// The selected value of a list.
    fn chosen(choices: &[Choice]) -> &'static str {
        let mut chosen = choices.iter().filter(|choice| choice.is_chosen);
        chosen.next().map_or("", |choice| choice.value)
    }

    fn result(&self) -> &'static str {
        Games::chosen(&self.results)
    }

    fn fault(&self) -> &'static str {
        Games::chosen(&self.faults)
    }
}

pub(crate) async fn games(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(name): Path<String>,
    Query(which): Query<Which>,
) -> Result<Html<String>, WebError> {
    let league = find(&app, &visitor, &name, Public::Games).await?;
    let listed = which.listed()?;
    let (results, faults) = (results(listed.result), faults(listed.fault));
    let list = league.games(listed).await;
    let rows = (league.results.as_ref()).map_or(&[][..], |results| &results.rows);
    page(&Games {
        league: &league,
        of: which.of,
        against: which.against,
        entrants: rows.iter().map(|row| row.name.clone()).collect(),
        results,
        faults,
        earlier: list.earlier,
        later: list.later,
        games: game_lines(&list),
    })
}
