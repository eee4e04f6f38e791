//! `/desk`: what the organiser of a league does.

mod finals;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Path, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use floe_league::event::Activity;
use floe_league::invitation::Invite;
use floe_league::people::{Guest, check_name};
use floe_league::{Event, LeagueError, VersionId, time};
use serde::Deserialize;

use self::finals::Stage;
use super::page;
use super::submit::Line;
use crate::access::{Deed, Visitor, may};
use crate::api::submissions::office;
use crate::error::WebError;
use crate::state::App;

#[derive(Template)]
#[template(path = "desk.html")]
struct Desk {
    league: String,
    people: Vec<Person>,
    lines: Vec<Line>,
    waiting: Vec<String>,
    disk_kib: u64,
    is_submitting_paused: bool,
    is_ladder_paused: bool,
    finals: finals::Finals,
    /// Where the ladder's table is.
    ladder: String,
    /// Shown once, to whoever asked for it.
    link: String,
    invited: String,
    problem: String,
}

struct Person {
    name: String,
    entrant: String,
    invited: String,
}

/// `GET /desk`
pub(crate) async fn desk(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    shown(app, visitor, String::new(), String::new(), String::new()).await
}

async fn shown(
    app: App,
    visitor: Visitor,
    invited: String,
    link: String,
    problem: String,
) -> Result<Html<String>, WebError> {
    if !may(&visitor, Deed::RunDesk) {
        return Err(WebError::forbidden("The desk is the organiser's"));
    }
    let office = std::sync::Arc::clone(office(&app)?);
    let finals = finals::part(&app, &office).await?;
    let ladder = app.leagues().ladder_address().unwrap_or_default();
    // Counting what is on the disk takes a while.
    let gathered = tokio::task::spawn_blocking(move || {
        let league = office.league();
        let disk = league.disk_use();
        league.look(|standing| Desk {
            league: league.description().name.clone(),
            people: (standing.people.all().iter())
                .map(|person| Person {
                    name: person.name.clone(),
                    entrant: person.entrant.clone(),
                    invited: time::write(person.invited),
                })
                .collect(),
            lines: (standing.versions.all())
                .map(|version| {
                    let current = standing.versions.current(&version.id.entrant);
                    Line::of(version, current.map(|current| &current.id))
                })
                .collect(),
            waiting: standing.waiting.iter().map(ToString::to_string).collect(),
            disk_kib: disk.div_ceil(1024),
            is_submitting_paused: standing.is_paused(Activity::Submitting),
            is_ladder_paused: standing.is_paused(Activity::Ladder),
            finals,
            ladder,
            link,
            invited,
            problem,
        })
    });
    let desk = gathered.await.map_err(WebError::ours)?;
    page(&desk.map_err(WebError::ours)?)
}

/// What the organiser says about it.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Said {
    name: String,
    team: String,
    version: String,
    why: String,
    what: Option<Activity>,
    #[serde(flatten)]
    finals: finals::Said,
}

/// `POST /desk/ACT`: invite, again, pull, reinstate, pause, resume, freeze, play or stop.
pub(crate) async fn act(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(act): Path<String>,
    Form(said): Form<Said>,
) -> Result<Response, WebError> {
    if !may(&visitor, Deed::RunDesk) {
        return Err(WebError::forbidden("The desk is the organiser's"));
    }
    let office = std::sync::Arc::clone(office(&app)?);
    let place = app.clone();
    let done = tokio::task::spawn_blocking(move || {
        let league = office.league();
        let refuse = |why: String| LeagueError::Refused(why);
        let version = || -> Result<VersionId, LeagueError> {
            let id: VersionId = (said.version.parse())
                .map_err(|error: floe_league::versions::NotAVersion| refuse(error.to_string()))?;
            let is_known = league.look(|standing| standing.versions.find(&id).is_some())?;
            match is_known {
                true => Ok(id),
                false => Err(refuse(format!("there is no version {id}"))),
            }
        };
        let what = || {
            said.what
                .ok_or_else(|| refuse("say what is to stand still".to_owned()))
        };
        let event = match act.as_str() {
            "invite" | "again" => {
                let how = if act == "again" {
                    Invite::Again
                } else {
                    Invite::New
                };
                let (name, team) = (said.name.trim(), said.team.trim());
                let entrant = if team.is_empty() { name } else { team };
                for name in [name, entrant] {
                    check_name(name).map_err(refuse)?;
                }
                let guest = Guest {
                    name: name.to_owned(),
                    entrant: entrant.to_owned(),
                };
                let invited = league.invite(&[guest], how)?;
                let Some(invitation) = invited.into_iter().next() else {
                    let why = format!("{name} is invited already; a new link ends the old one");
                    return Err(refuse(why));
                };
                let link = format!("/join/{}", invitation.token.text());
                return Ok(Some((invitation.name, link)));
            }
            "pull" => Event::Pulled {
                version: version()?,
                why: said
                    .why
                    .chars()
                    .filter(|c| !c.is_control())
                    .take(200)
                    .collect(),
            },
            "reinstate" => Event::Reinstated {
                version: version()?,
            },
            "freeze" => return finals::freeze(league, &said.finals).map(|()| None),
            "play" | "stop" => {
                return finals::want(&place, league, act == "play").map(|()| None);
            }
            "pause" => Event::Paused { what: what()? },
            "resume" => Event::Resumed { what: what()? },
            _ => return Err(refuse("nobody does that here".to_owned())),
        };
        league.record(event)?;
        Ok(None)
    });
    match done.await.map_err(WebError::ours)? {
        Ok(None) => Ok(Redirect::to("/desk").into_response()),
        Ok(Some((invited, link))) => {
            let desk = shown(app, visitor, invited, link, String::new()).await?;
            Ok(desk.into_response())
        }
        Err(LeagueError::Refused(why)) => {
            let desk = shown(app, visitor, String::new(), String::new(), why).await?;
            let status = axum::http::StatusCode::UNPROCESSABLE_ENTITY;
            Ok((status, desk).into_response())
        }
        Err(error) => Err(WebError::ours(error)),
    }
}
