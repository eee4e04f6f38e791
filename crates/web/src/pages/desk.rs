//! `/desk`: the organiser's dashboard.

mod finals;
mod machine;
pub(super) mod overview;

use askama::Template;
use axum::Extension;
use axum::extract::{Form, Path, Query, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use floe_league::event::Activity;
use floe_league::invitation::{Invitation, Invite};
use floe_league::membership::Changed;
use floe_league::people::{Guest, check_name, read_list};
use floe_league::{Event, League, LeagueError, VersionId};
use serde::Deserialize;

use self::finals::Stage;
use self::machine::Machine;
pub(super) use self::machine::lasting;
use self::overview::{FILTERS, Need, Queued, Sent, Team};
use super::page;
use crate::access::{Permission, Visitor, may};
use crate::api::submissions::league_service;
use crate::error::WebError;
use crate::language::filters;
use crate::state::App;

#[derive(Template)]
#[template(path = "desk.html")]
struct Desk {
    league: String,
    needs: Vec<Need>,
    queue: Vec<Queued>,
    machine: Machine,
    sandbox_level: u8,
    /// Whether a cluster plays the games.
    has_cluster: bool,
    teams: Vec<Team>,
    /// Number of participants.
    people: usize,
    versions: Vec<Sent>,
    /// The filter for versions.
    filter: String,
    is_submitting_paused: bool,
    is_ladder_paused: bool,
    finals: finals::Finals,
    /// The address of the ladder's table.
    ladder: String,
    told: ActionResult,
}

/// The result of the organiser's last action.
#[derive(Default)]
struct ActionResult {
    /// Links that are shown once, with their owners' names.
    links: Vec<(String, String)>,
    /// The action that was done.
    done: String,
    problem: String,
    /// The refused list, for correction.
    list: String,
}

/// The query of the dashboard.
#[derive(Deserialize, Default)]
pub(crate) struct Looked {
    /// The filter for versions [default: all].
    #[serde(default)]
    show: String,
}

/// `GET /desk`
pub(crate) async fn desk(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Query(looked): Query<Looked>,
) -> Result<Html<String>, WebError> {
    shown(app, visitor, looked.show, ActionResult::default()).await
}

async fn shown(
    app: App,
    visitor: Visitor,
    filter: String,
    told: ActionResult,
) -> Result<Html<String>, WebError> {
    if !may(&visitor, Permission::RunDesk) {
        return Err(WebError::forbidden("The dashboard is the organiser's"));
    }
    let service = std::sync::Arc::clone(league_service(&app)?);
    let finals = finals::part(&app, &service).await?;
    let ladder = app.contests().ladder_address().unwrap_or_default();
    let contest = match app.contests().ladder_name() {
        Some(name) => app.contests().find(&name).await,
        None => None,
    };
    let (up, has_cluster) = (app.uptime(), app.machines().is_some());
    // Measuring the disk takes a while.
    let gathered = tokio::task::spawn_blocking(move || {
        let league = service.league();
        let disk = league.disk_use();
        let languages = built_here(league)?;
        let (under_way, step_of) = (service.under_way(), |id: &VersionId| service.step_of(id));
        let results = contest
            .as_ref()
            .and_then(|contest| contest.results.as_ref());
        let rows = results.map_or(&[][..], |results| &results.rows);
        league.look(|standing| Desk {
            league: league.description().name.clone(),
            needs: overview::needs(standing),
            queue: overview::queue(standing, &under_way, step_of),
            machine: Machine::of(league.folder(), disk, &languages, up),
            sandbox_level: service.sandbox_level(),
            has_cluster,
            teams: overview::teams(standing),
            people: standing.people.all().len(),
            versions: overview::versions(standing, &filter, rows),
            filter,
            is_submitting_paused: standing.is_paused(Activity::Submitting),
            is_ladder_paused: standing.is_paused(Activity::Ladder),
            finals,
            ladder,
            told,
        })
    });
    let desk = gathered.await.map_err(WebError::ours)?;
    page(&desk.map_err(WebError::ours)?)
}

/// The languages that this machine can build for a league.
fn built_here(league: &League) -> Result<String, LeagueError> {
    let recipes = league.recipes()?;
    let built = recipes.taken().filter(|recipe| recipe.missing().is_empty());
    let names: Vec<&str> = built.map(|recipe| recipe.name.as_str()).collect();
    Ok(names.join(", "))
}

/// The organiser's input.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct DeskForm {
    name: String,
    team: String,
    /// The new name of a person.
    new: String,
    /// People to invite, pasted from a spreadsheet.
    list: String,
    version: String,
    why: String,
    what: Option<Activity>,
    #[serde(flatten)]
    finals: finals::DeskForm,
}

/// `POST /desk/ACT`: invite, again, list, link, remove, rename, move, pull, reinstate, pause, resume, freeze, play or stop.
pub(crate) async fn act(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(act): Path<String>,
    Form(said): Form<DeskForm>,
) -> Result<Response, WebError> {
    if !may(&visitor, Permission::RunDesk) {
        return Err(WebError::forbidden("The dashboard is the organiser's"));
    }
    let service = std::sync::Arc::clone(league_service(&app)?);
    let place = app.clone();
    let list = said.list.clone();
    let done = tokio::task::spawn_blocking(move || {
        let league = service.league();
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
                .ok_or_else(|| refuse("missing field `what`: submitting or ladder".to_owned()))
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
                return Ok(Some(ActionResult {
                    links: vec![link_of(&invitation)],
                    ..ActionResult::default()
                }));
            }
            "list" => return invite_all(league, &said.list).map(Some),
            "link" => {
                let link = format!("/enter/{}", league.new_organiser()?.text());
                return Ok(Some(ActionResult {
                    links: vec![(
                        "the organiser, which lasts until another is made".into(),
                        link,
                    )],
                    ..ActionResult::default()
                }));
            }
            "remove" => {
                let changed = league.remove_person(said.name.trim())?;
                return Ok(Some(tell(
                    &format!("{} left the league", said.name),
                    &changed,
                )));
            }
            "rename" => {
                let (name, new) = (said.name.trim(), said.new.trim());
                let changed = league.rename_person(name, new)?;
                return Ok(Some(tell(&format!("{name} is {new} now"), &changed)));
            }
            "move" => {
                let (name, team) = (said.name.trim(), said.team.trim());
                let team = if team.is_empty() { name } else { team };
                let changed = league.move_person(name, team)?;
                return Ok(Some(tell(&format!("{name} plays as {team} now"), &changed)));
            }
            "pull" => Event::Withdrawn {
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
            _ => return Err(refuse(format!("unknown action {act}; reload the page"))),
        };
        league.record(event)?;
        Ok(None)
    });
    match done.await.map_err(WebError::ours)? {
        Ok(None) => Ok(Redirect::to("/desk").into_response()),
        Ok(Some(told)) => Ok(shown(app, visitor, String::new(), told)
            .await?
            .into_response()),
        Err(LeagueError::Refused(why)) => {
            let told = ActionResult {
                problem: why,
                list,
                ..ActionResult::default()
            };
            let desk = shown(app, visitor, String::new(), told).await?;
            let status = axum::http::StatusCode::UNPROCESSABLE_ENTITY;
            Ok((status, desk).into_response())
        }
        Err(error) => Err(WebError::ours(error)),
    }
}

/// The owner of a link, and the link.
fn link_of(invitation: &Invitation) -> (String, String) {
    let link = format!("/join/{}", invitation.token.text());
    (invitation.name.clone(), link)
}

/// Invites all people on a list; none if a line is wrong.
fn invite_all(league: &League, list: &str) -> Result<ActionResult, LeagueError> {
    let guests = read_list(list);
    let guests = guests.map_err(|error| LeagueError::Refused(format!("line {error}")))?;
    if guests.is_empty() {
        let why = "the list is empty; write a name and a team on each line";
        return Err(LeagueError::Refused(why.to_owned()));
    }
    let invited = league.invite(&guests, Invite::New)?;
    let known = guests.len() - invited.len();
    let done = match known {
        0 => format!("{} invited.", invited.len()),
        _ => format!("{} invited; {known} were invited already.", invited.len()),
    };
    Ok(ActionResult {
        links: invited.iter().map(link_of).collect(),
        done,
        ..ActionResult::default()
    })
}

/// The result of a change to a person, with the versions it withdrew.
fn tell(done: &str, changed: &Changed) -> ActionResult {
    let withdrawn = match changed.withdrawn.as_slice() {
        [] => String::new(),
        withdrawn => format!(
            " Withdrawn, since that entrant has no people left: {}.",
            withdrawn.join(", ")
        ),
    };
    ActionResult {
        done: format!("{done}.{withdrawn}"),
        ..ActionResult::default()
    }
}
