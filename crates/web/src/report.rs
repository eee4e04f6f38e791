//! Reports: the results of a contest, with games that can be stepped through, in one HTML file that
//! needs no server and loads nothing.
//!
//! It is made of the same tables, figures and board as the pages. Scripts and styles are inline; a
//! policy in its head lists their hashes, so that a browser runs nothing else.

mod finals;
mod inline;
mod pick;
mod podium;
mod reel;

use std::collections::HashMap;

use askama::Template;
use floe_arena::history::RatingHistory;
use floe_arena::standings::{Row, Standings};
use floe_arena::store::{Filter, GameSummary, Store, StoreError};
use floe_games::FaultKind;
use floe_league::finals::Freeze;
use thiserror::Error;

use self::finals::FinalsPart;
use self::podium::Head;
use crate::language::filters;
use crate::pages::league::axis::RatingAxis;
use crate::pages::league::{CrossLine, Line, cross, expected, likely_places};
use crate::plots::{self, Figure};
use floe_games::json::{self, Timeline};

/// Most games with a fault of one kind to list for an entrant.
const FAULTS: usize = 3;

/// The parts of a report.
#[derive(Debug, Clone)]
pub struct ReportSettings {
    /// Number of closest games, and of most lopsided games, that can be stepped through.
    pub top: usize,
    /// Whether to include programs' standard error.
    pub with_logs: bool,
    /// Finals at the top, in this order.
    pub finals: Vec<ReportedFinals>,
    /// Number of participants, if known.
    pub people: Option<u64>,
    /// Number of submitted versions, if known.
    pub versions: Option<u64>,
}

impl Default for ReportSettings {
    /// Three games of each kind, and no standard error.
    fn default() -> Self {
        ReportSettings {
            top: 3,
            with_logs: false,
            finals: Vec::new(),
            people: None,
            versions: None,
        }
    }
}

/// Finals of a league, for a report.
#[derive(Debug, Clone)]
pub struct ReportedFinals {
    /// The results of the finals.
    pub results: Standings,
    /// The frozen versions and the seed.
    pub freeze: Freeze,
    /// Start times of the first and the last game, in seconds since 1970.
    pub played: Option<(u64, u64)>,
    /// The place in the league's description.
    pub place: Option<String>,
}

/// The reason why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The results cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game cannot be replayed.
    #[error("game {id}: {cause}; see `floe verify`")]
    Game {
        /// The game.
        id: String,
        /// The cause.
        cause: String,
    },
    /// The page cannot be made.
    #[error("cannot make the page: {0}")]
    Page(String),
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    results: &'a Standings,
    head: Head,
    policy: String,
    style: &'a str,
    script: &'a str,
    icon: String,
    version: &'static str,
    /// The start of links; empty, because a report has none.
    base: &'static str,
    progress: String,
    rows: Vec<Line>,
    axis: RatingAxis,
    cross: Vec<CrossLine>,
    expected: Vec<CrossLine>,
    ratings: Figure,
    history: Figure,
    faults: Figure,
    times: Figure,
    faulty: Vec<FaultLine>,
    is_cut: bool,
    groups: Vec<Group>,
    finals: Vec<FinalsPart>,
}

/// A game lost by a fault.
struct FaultLine {
    id: String,
    name: String,
    kind: &'static str,
    message: String,
}

/// Games of one kind that can be stepped through.
struct Group {
    title: &'static str,
    games: Vec<ShownGame>,
}

/// A game that can be stepped through.
struct ShownGame {
    id: String,
    /// The players and the scores.
    title: String,
    /// Every position, compressed.
    reel: String,
    /// The moves of the opening; empty without one.
    opening: String,
    turns: Vec<String>,
    scores: Figure,
    said: Figure,
    times: Figure,
}

/// The report on a contest, as one page of HTML. `progress` receives each step, in words.
///
/// Reads the index once, and of the records those of the games that are shown.
pub fn report(
    results: &Standings,
    store: &Store,
    settings: &ReportSettings,
    progress: &mut dyn FnMut(&str),
) -> Result<String, ReportError> {
    progress("ratings over time");
    let names: Vec<String> = results.rows.iter().map(|row| row.name.clone()).collect();
    let mut history = RatingHistory::new(names.clone(), results.table);
    history.catch_up(store)?;
    progress("games to show");
    let entrants = store.entrants();
    let called = |entrant: usize| {
        let entrant = entrants.get(entrant);
        entrant.map_or_else(String::new, |entrant| entrant.name.clone())
    };
    let mut faulty = Vec::new();
    let mut told: HashMap<(usize, FaultKind), usize> = HashMap::new();
    let filter = Filter {
        faulty: true,
        ..Filter::default()
    };
    store.each(&filter, |game| {
        for seat in &game.seats {
            let Some((kind, message)) = &seat.fault else {
                continue;
            };
            let told = told.entry((seat.entrant, *kind)).or_insert(0);
            *told += 1;
            if *told <= FAULTS {
                faulty.push(FaultLine {
                    id: game.id(),
                    name: called(seat.entrant),
                    kind: kind.name(),
                    message: message.clone(),
                });
            }
        }
    })?;
    let (closest, lopsided) = pick::games(store, settings.top)?;
    let mut groups = Vec::new();
    for (title, picked) in [
        ("The closest games", closest),
        ("The most lopsided", lopsided),
    ] {
        let mut games = Vec::new();
        for game in &picked {
            progress(&format!("game {}", game.id()));
            games.push(shown(store, game, settings.with_logs)?);
        }
        groups.push(Group { title, games });
    }
    groups.retain(|group| !group.games.is_empty());
    progress("the page");
    let fault_kinds = results.fault_kinds();
    let rows = &results.rows;
    let leaders: Vec<&str> = names.iter().map(String::as_str).collect();
    let inlined = inline::inlined("report.js").map_err(ReportError::Page)?;
    let game_title = floe_games::find(&results.game)
        .map_or_else(|_| results.game.clone(), |game| game.title().to_owned());
    let mut finals: Vec<FinalsPart> = settings.finals.iter().map(FinalsPart::of).collect();
    if let Some(last) = finals.last_mut() {
        // The head of the page shows the headline already.
        last.headline.clear();
    }
    let page = Page {
        results,
        head: Head::of(results, &game_title, settings),
        policy: inlined.policy(),
        icon: inlined.icon.clone(),
        version: env!("CARGO_PKG_VERSION"),
        base: "",
        progress: results.progress(),
        axis: RatingAxis::of(rows),
        rows: lines(rows, &fault_kinds),
        cross: cross(results),
        expected: expected(&results.rows),
        ratings: plots::ratings(rows),
        history: plots::history(history.curves(), &leaders),
        faults: plots::faults(rows, &fault_kinds),
        times: plots::times(rows),
        is_cut: told.values().any(|&count| count > FAULTS),
        faulty,
        groups,
        finals,
        style: &inlined.style,
        script: &inlined.script,
    };
    page.render()
        .map_err(|error| ReportError::Page(error.to_string()))
}

/// The rows of a table, each with the statistically possible places.
fn lines(rows: &[Row], fault_kinds: &[&'static str]) -> Vec<Line> {
    let axis = RatingAxis::of(rows);
    let line = |row| Line {
        likely: likely_places(rows, row),
        whisker: axis.whisker(row),
        ..Line::of(row, fault_kinds)
    };
    rows.iter().map(line).collect()
}

/// A game for the page.
fn shown(store: &Store, game: &GameSummary, with_logs: bool) -> Result<ShownGame, ReportError> {
    let wrong = |cause: String| ReportError::Game {
        id: game.id(),
        cause,
    };
    let record = store.record(game)?;
    let mut record = record.ok_or_else(|| wrong("its record is not there".to_owned()))?;
    json::keep_logs(&mut record, |_| with_logs);
    let course = json::of_record(&record).map_err(|cause| wrong(cause.to_string()))?;
    let seats = record.opening.seats.iter();
    let names: Vec<String> = seats.map(|seat| seat.name.clone()).collect();
    let sides: Vec<String> = (names.iter().zip(&game.seats))
        .map(|(name, seat)| format!("{name} {}", seat.score))
        .collect();
    Ok(ShownGame {
        id: game.id(),
        title: sides.join(" – "),
        opening: course.opening.join(" "),
        turns: turns(&course),
        scores: plots::scores(&course, &names),
        said: plots::said(&course, &names),
        times: plots::turn_times(&course, &names),
        reel: reel::packed(&record, &course).map_err(wrong)?,
    })
}

/// The moves, for browsers without scripts.
fn turns(course: &Timeline) -> Vec<String> {
    let turns = course.plies.iter().filter_map(|ply| ply.made.as_ref());
    turns.map(|turn| turn.text.clone()).collect()
}
