//! `/submit`, `/versions` and `/join`: the participants' pages.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use floe_arena::amount::shown_bytes;
use floe_league::starter::{Starter, starters};
use floe_league::{Recipe, Version, VersionId, VersionState, time};

use super::desk::lasting;
use super::league::terms;
use super::page;
use crate::access::{Permission, Visitor, may};
use crate::api::submissions::{Taken, league_service, own_versions, page_of, take};
use crate::api::upload::About;
use crate::error::WebError;
use crate::guard::participant_cookie;
use crate::language::filters;
use crate::state::App;
use crate::token::Token;

#[derive(Template)]
#[template(path = "submit.html")]
struct Form {
    league: String,
    /// The title of the game, and the limits of programs.
    terms: String,
    /// The address of the ladder's table.
    ladder: String,
    name: String,
    entrant: String,
    /// The version that this would be.
    next: String,
    /// The team's version that plays now, if there is one.
    current: Option<String>,
    /// The accepted languages that this machine can build.
    languages: String,
    /// Whether executable programs are accepted.
    takes_programs: bool,
    takes_own: bool,
    /// Default file name of pasted source.
    pasted: String,
    protocols: Vec<&'static str>,
    /// The most bytes of a submission, and the same for readers.
    most: u64,
    size: String,
    left: u32,
    /// When submitting ends, and how long it is until then; empty if it does not, or has.
    until: String,
    wait: String,
    problem: String,
    /// The page with the rules and protocols.
    learn: String,
    /// Starters in languages that this machine can build.
    starters: Vec<Starter>,
}

/// A version in a list.
pub(super) struct Line {
    pub(super) id: String,
    pub(super) page: String,
    pub(super) state: &'static str,
    pub(super) has_remarks: bool,
    pub(super) file: String,
    pub(super) by: String,
    pub(super) sent: String,
    /// How long ago that was.
    pub(super) ago: String,
    pub(super) word: String,
    pub(super) why: String,
    pub(super) is_current: bool,
    pub(super) is_out: bool,
}

impl Line {
    pub(super) fn of(version: &Version, current: Option<&VersionId>) -> Line {
        Line {
            id: version.id.to_string(),
            page: page_of(&version.id),
            state: version.state.name(),
            has_remarks: version.has_remarks,
            file: version.file.clone(),
            by: version.by.clone(),
            sent: time::write(version.sent),
            ago: lasting(time::now().saturating_sub(version.sent)),
            word: version.word.clone().unwrap_or_default(),
            why: version.why.clone(),
            is_current: current == Some(&version.id),
            is_out: matches!(
                version.state,
                VersionState::Withdrawn | VersionState::Suspended
            ),
        }
    }
}

/// `/join/TOKEN`: gives this browser a participant's cookie.
pub(crate) async fn join(
    State(app): State<App>,
    Path(text): Path<String>,
) -> Result<Response, WebError> {
    let is_known =
        |token: &Token| league_service(&app).is_ok_and(|o| o.league().participant(token).is_ok());
    let Some(token) = Token::read(&text).filter(is_known) else {
        let help = "It may have been replaced: ask the organiser for a new one.";
        let message = "This link is not valid any more";
        return Err(WebError::new(StatusCode::FORBIDDEN, message, help));
    };
    let mut response = Redirect::to("/submit").into_response();
    if let Some(cookie) = participant_cookie(&app, &token) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// `GET /submit`
pub(crate) async fn form(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    shown(&app, &visitor, String::new())
}

fn shown(app: &App, visitor: &Visitor, problem: String) -> Result<Html<String>, WebError> {
    let service = league_service(app)?;
    let participant = visitor.participant.as_ref();
    let Some(by) = participant.filter(|_| may(visitor, Permission::Submit)) else {
        let message = "Only participants may submit";
        return Err(WebError::forbidden(message));
    };
    let description = service.league().description();
    let rules = &description.submitting;
    let today = time::now() / time::DAY;
    let looked = service.league().look(|standing| {
        let versions = standing.versions.of(&by.entrant).iter();
        let sent = versions.filter(|version| version.sent / time::DAY == today);
        let current = standing.versions.current(&by.entrant);
        (
            sent.count(),
            standing.versions.next_of(&by.entrant).to_string(),
            current.map(|version| version.id.to_string()),
        )
    });
    let (sent, next, current) = looked.map_err(WebError::ours)?;
    let sent = u32::try_from(sent).unwrap_or(u32::MAX);
    let (limits, until) = terms(app);
    let left_s = (rules.until).map_or(0, |until| until.saturating_sub(time::now()));
    let recipes = service.league().recipes().map_err(WebError::ours)?;
    let built: Vec<&Recipe> = (recipes.taken())
        .filter(|recipe| recipe.missing().is_empty())
        .collect();
    let languages: Vec<&str> = built.iter().map(|recipe| recipe.name.as_str()).collect();
    let mut protocols = description.game.dialects();
    protocols.push("line");
    let mut starters = starters(description.game);
    starters.retain(|starter| languages.contains(&starter.language));
    page(&Form {
        league: description.name.clone(),
        terms: format!("{}, {limits}", description.game.title()),
        ladder: app.contests().ladder_address().unwrap_or_default(),
        name: by.name.clone(),
        entrant: by.entrant.clone(),
        next,
        current,
        languages: languages.join(", "),
        takes_programs: recipes.takes_programs(),
        takes_own: recipes.takes_own(),
        pasted: pasted(&built),
        protocols,
        most: rules.size,
        size: shown_bytes(rules.size),
        left: rules.quota.saturating_sub(sent),
        wait: match left_s {
            0 => String::new(),
            seconds => lasting(seconds),
        },
        until,
        problem,
        learn: format!("/learn/{}", description.game.name()),
        starters,
    })
}

/// The default file name of pasted source: Python's, if Python is built here, or that of the first
/// language that is.
fn pasted(built: &[&Recipe]) -> String {
    let ends = built.iter().flat_map(|recipe| &recipe.matches);
    let mut ends: Vec<&str> = ends.map(String::as_str).collect();
    ends.retain(|end| end.starts_with('.'));
    ends.sort_by_key(|&end| end != ".py");
    format!("bot{}", ends.first().unwrap_or(&""))
}

/// `POST /submit`: submits, then shows the version's page.
pub(crate) async fn send(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Query(about): Query<About>,
    request: Request,
) -> Result<Response, WebError> {
    match take(&app, &visitor, about, request, true).await {
        Ok(Taken::Version(version)) => Ok(Redirect::to(&page_of(&version)).into_response()),
        Ok(Taken::Asked { parcel, files }) => {
            let asked = page(&Asked { parcel, files })?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, asked).into_response())
        }
        // A visitor who may not submit has no form to return to.
        Err(error) if error.status == StatusCode::UNAUTHORIZED => Err(error),
        Err(error) if error.status.is_server_error() => Err(error),
        Err(error) => {
            let problem = format!("{} {}", error.message, error.help);
            let form = shown(&app, &visitor, problem.trim().to_owned())?;
            Ok((error.status, form).into_response())
        }
    }
}

/// The question which of several files is the program.
#[derive(Template)]
#[template(path = "asked.html")]
struct Asked {
    parcel: String,
    files: Vec<String>,
}

#[derive(Template)]
#[template(path = "versions.html")]
struct Versions {
    entrant: String,
    lines: Vec<Line>,
}

/// `/versions`: all submissions of the visitor's team.
pub(crate) async fn versions(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    let versions = own_versions(&app, &visitor)?;
    let line = |version| Line::of(version, versions.current.as_ref());
    page(&Versions {
        lines: versions.all.iter().map(line).collect(),
        entrant: versions.entrant,
    })
}
