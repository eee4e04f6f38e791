//! The dashboard's part about finals: freezing, playing, and what was drawn.

use std::sync::Arc;

use floe_arena::tournament::{Format, FormatName};
use floe_league::event::Freeze;
use floe_league::finals::{FinalsError, FinalsFailure, FinalsRequest};
use floe_league::{Event, League, LeagueError};
use serde::Deserialize;

use crate::error::WebError;
use crate::league_service::LeagueService;
use crate::state::App;

/// The dashboard's data about finals.
pub(super) struct Finals {
    pub(super) last: Option<LastFinals>,
    /// Earlier finals: their names and addresses.
    pub(super) earlier: Vec<(String, String)>,
    /// The number of the next finals.
    pub(super) next: usize,
    /// Whether new finals may be frozen now.
    pub(super) may_freeze: bool,
    pub(super) formats: [(&'static str, &'static str); 4],
    /// The possible challengers.
    pub(super) entrants: Vec<String>,
    /// Default number of boards of a meeting.
    pub(super) boards: u64,
}

/// The latest frozen finals.
pub(super) struct LastFinals {
    pub(super) number: u32,
    pub(super) address: String,
    pub(super) format: String,
    pub(super) freeze: Freeze,
    pub(super) progress: String,
    /// Percentage of games played.
    pub(super) percent: u64,
    pub(super) stage: Stage,
    /// The failure that prevents the games.
    pub(super) trouble: String,
    /// The command to play them, if this server does not.
    pub(super) command: String,
    /// Whether there are games already.
    pub(super) is_begun: bool,
}

/// The stage of finals.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// They can be played here, and are not being played.
    Still,
    /// This process is playing them.
    Here,
    /// Another process is playing them.
    Elsewhere,
    /// This server plays no games.
    ByCommand,
    /// All games are played.
    Over,
}

/// The organiser's choices for finals; empty fields mean the defaults.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct DeskForm {
    format: String,
    boards: String,
    rounds: String,
    challenger: String,
    /// The number that the organiser expects for the finals.
    number: String,
}

/// The dashboard's data about finals now.
pub(super) async fn part(app: &App, service: &Arc<LeagueService>) -> Result<Finals, WebError> {
    let league = service.league();
    let looked = league.look(|standing| {
        let current = standing.versions.all_current();
        let entrants = current.map(|version| version.id.entrant.clone()).collect();
        let is_wanted = standing.are_finals_wanted;
        (standing.finals.clone(), is_wanted, entrants)
    });
    let (mut frozen, is_wanted, entrants) = looked.map_err(WebError::ours)?;
    let next = frozen.len() + 1;
    let last = match frozen.pop() {
        Some(freeze) => Some(last(app, league, freeze, is_wanted).await?),
        None => None,
    };
    let earlier = frozen.iter().map(|freeze| {
        let number = freeze.number;
        (
            format!("Finals {number}"),
            format!("/league/finals-{number}"),
        )
    });
    let is_played = |last: &LastFinals| matches!(last.stage, Stage::Here | Stage::Elsewhere);
    Ok(Finals {
        may_freeze: !last.as_ref().is_some_and(is_played),
        last,
        earlier: earlier.collect(),
        next,
        formats: FormatName::ALL.map(|format| (format.name(), about(format))),
        entrants,
        boards: league.description().finals.boards,
    })
}

fn about(format: FormatName) -> &'static str {
    match format {
        FormatName::RoundRobin => "round-robin: every entrant meets every other",
        FormatName::Gauntlet => "gauntlet: one entrant meets all others",
        FormatName::Swiss => "swiss: entrants with about equal points meet, round after round",
        FormatName::Knockout => "knockout: the loser of a match leaves",
    }
}

async fn last(
    app: &App,
    league: &League,
    freeze: Freeze,
    is_wanted: bool,
) -> Result<LastFinals, WebError> {
    let name = format!("finals-{}", freeze.number);
    let contest = app.contests().find(&name).await;
    let is_over = contest
        .as_ref()
        .is_some_and(|contest| contest.is_finished());
    let results = contest
        .as_ref()
        .and_then(|contest| contest.results.as_ref());
    let is_begun = results.is_some_and(|results| results.games > 0);
    let percent = results.map_or(0, |results| {
        let length = results.length.unwrap_or(0);
        (100 * results.games)
            .checked_div(length)
            .unwrap_or(0)
            .min(100)
    });
    let is_played = league.plays_finals().map_err(WebError::ours)?;
    let stage = match app.finals() {
        _ if is_over => Stage::Over,
        Some(_) if is_wanted => Stage::Here,
        _ if is_played => Stage::Elsewhere,
        Some(_) => Stage::Still,
        None => Stage::ByCommand,
    };
    let trouble = app.finals().filter(|_| stage == Stage::Here);
    let folder = league.folder().to_string_lossy();
    let format = match freeze.format {
        Format::Swiss { rounds } => format!("swiss, {rounds} rounds"),
        Format::Gauntlet { challengers } => {
            let first = freeze.versions.iter().take(challengers);
            let names: Vec<&str> = first.map(|one| one.version.entrant.as_str()).collect();
            format!("gauntlet: {} against all others", names.join(", "))
        }
        format => about(format.name()).to_owned(),
    };
    Ok(LastFinals {
        number: freeze.number,
        address: format!("/league/{name}"),
        format,
        freeze,
        percent,
        progress: contest.map_or_else(String::new, |contest| contest.progress()),
        stage,
        trouble: trouble.and_then(FinalsFailure::now).unwrap_or_default(),
        command: format!("floe league final {}", shell_words::quote(&folder)),
        is_begun,
    })
}

/// Freezes the finals that the organiser requested.
pub(super) fn freeze(league: &League, said: &DeskForm) -> Result<(), LeagueError> {
    let refuse = |why: String| LeagueError::Refused(why);
    if league.plays_finals()? || league.look(|standing| standing.are_finals_wanted)? {
        let why = "finals are being played; freeze others once these are over or stopped";
        return Err(refuse(why.to_owned()));
    }
    let number = |what: &str, text: &str| match text.trim() {
        "" => Ok(None),
        text => {
            (text.parse().map(Some)).map_err(|_| refuse(format!("{what} are a number, such as 10")))
        }
    };
    let mut formats = FormatName::ALL.into_iter();
    let format = formats.find(|format| format.name() == said.format);
    let challenger = said.challenger.trim();
    let wish = FinalsRequest {
        format: format.ok_or_else(|| refuse("there is no such format of finals".to_owned()))?,
        boards: number("boards", &said.boards)?,
        rounds: number("rounds", &said.rounds)?,
        challengers: match challenger {
            "" => Vec::new(),
            name => vec![name.to_owned()],
        },
        number: said.number.parse().ok(),
    };
    match wish.freeze(league) {
        Ok(_) => Ok(()),
        Err(FinalsError::League(error)) => Err(error),
        Err(error) => Err(refuse(error.to_string())),
    }
}

/// Starts or stops the latest finals in the background.
pub(super) fn want(app: &App, league: &League, is_so: bool) -> Result<(), LeagueError> {
    let refuse = |why: &str| LeagueError::Refused(why.to_owned());
    if app.finals().is_none() {
        let why = "these pages play no games; the command that plays finals is below";
        return Err(refuse(why));
    }
    league.change(|standing| match standing.finals.is_empty() {
        true => Err(refuse("there are no finals; freeze some first")),
        false => Ok((vec![Event::FinalsWanted { is_so }], ())),
    })
}
