//! `/versions/ENTRANT/N`: the verdict on a version, step by step.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{Html, Redirect};
use floe_arena::conformance::{Cause, CheckReport};
use floe_games::AnyGame;
use floe_games::json::Picture;
use floe_league::{Event, Version, VersionId, VersionState};
use floe_rules::Square;
use serde_json::json;

use super::desk::lasting;
use super::desk::overview::tag;
use super::room::Room;
use super::submit::Line;
use super::{data, page};
use crate::access::{Permission, Visitor, may};
use crate::api::submissions::{league_service, log_of, page_of, readable};
use crate::error::WebError;
use crate::language::filters;
use crate::state::App;

/// Number of versions listed next to a verdict.
const LISTED: usize = 6;
/// Why a version was withdrawn, if its own team did it.
const BY_ITS_TEAM: &str = "by its team";

#[derive(Template)]
#[template(path = "version.html")]
struct Verdict {
    league: String,
    learn: String,
    line: Line,
    /// How long it took until it was judged; empty while it is not.
    took: String,
    is_waiting: bool,
    /// The address of the ladder, once the version has played there.
    ladder: Option<String>,
    /// The address that takes it out of the queue, for its team.
    withdraw: Option<String>,
    /// The mark of the verdict, and its CSS class.
    sign: String,
    tone: &'static str,
    title: String,
    /// The headline.
    say: String,
    /// What to do, and which version plays until then: a label and a sentence each.
    todo: Vec<(&'static str, String)>,
    steps: Vec<StepLine>,
    causes: Vec<Shown>,
    versions: Vec<Other>,
    events: String,
    log: String,
}

/// A step of judging.
struct StepLine {
    name: &'static str,
    about: String,
    /// The mark and its CSS class.
    sign: &'static str,
    tone: &'static str,
    part: Part,
}

/// The contents of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Log,
    Failures,
    Remarks,
    Nothing,
}

/// A fault or remark, with its board.
struct Shown {
    cause: Cause,
    /// The cases in which it showed.
    seen: String,
    /// The board for the script: its picture and the marked fields.
    board: Option<String>,
    room: Room,
}

/// Another version of the same team.
struct Other {
    line: Line,
    tag: &'static str,
    state: &'static str,
}

impl Shown {
    fn of(game: &'static dyn AnyGame, cause: &Cause) -> Result<Shown, WebError> {
        let position = cause
            .position
            .as_ref()
            .and_then(|text| game.read(text).ok());
        let room = position.as_deref();
        let room = room.map_or_else(Room::default, Room::of_board);
        let board = position.map(|position| {
            let view = position.view();
            let (width, height) = (view.width, view.height);
            let squares = cause.marked.iter().filter_map(|square| square.parse().ok());
            let inside = squares.filter(|at: &Square| at.column < width && at.row < height);
            let marked: Vec<u32> = inside
                .map(|at| (height - 1 - at.row) * width + at.column)
                .collect();
            data(&json!({ "picture": Picture::from(view), "marked": marked }))
        });
        let first = cause.cases.first().map_or("", String::as_str);
        Ok(Shown {
            seen: match cause.tally() {
                Some(tally) => format!("{tally}, first in {first}"),
                None => format!("In {first}"),
            },
            cause: cause.clone(),
            board: board.transpose()?,
            room,
        })
    }
}

pub(crate) async fn version(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((entrant, number)): Path<(String, u32)>,
) -> Result<Html<String>, WebError> {
    let version = readable(&app, &visitor, &entrant, number)?;
    let service = league_service(&app)?;
    let league = service.league();
    let log = log_of(&app, &version)?;
    let report = league.check_report(&version).map_err(WebError::ours)?;
    let looked = league.look(|standing| {
        let current = standing.versions.current(&entrant);
        let current = current.map(|version| version.id.clone());
        let all: Vec<Version> = standing.versions.of(&entrant).to_vec();
        (current, all)
    });
    let (current, all) = looked.map_err(WebError::ours)?;
    let queue = service.queue_place(&version.id);
    let ladder = match app.contests().ladder_name() {
        Some(name) => app.contests().find(&name).await,
        None => None,
    };
    let ladder = ladder.filter(|ladder| {
        let id = version.id.to_string();
        let mut rows = ladder.results.iter().flat_map(|results| &results.rows);
        rows.any(|row| row.name == id && row.games > 0)
    });
    let description = league.description();
    let causes = report.iter().flat_map(|report| &report.causes);
    let is_waiting = version.state == VersionState::Waiting;
    let found = Found {
        version: &version,
        current: current.as_ref(),
        report: report.as_ref(),
        place: queue.map(|place| (place.place, place.text(&version.id))),
    };
    page(&Verdict {
        league: description.name.clone(),
        learn: format!("/learn/{}", description.game.name()),
        is_waiting,
        ladder: ladder.map(|ladder| ladder.address()),
        withdraw: (is_waiting && may(&visitor, Permission::Withdraw { entrant: &entrant }))
            .then(|| format!("{}/withdraw", page_of(&version.id))),
        sign: found.sign(),
        tone: found.tone(),
        title: found.title(),
        say: found.say(),
        todo: found.todo(),
        steps: found.steps(),
        causes: causes
            .map(|cause| Shown::of(description.game, cause))
            .collect::<Result<_, _>>()?,
        versions: (all.iter().rev().take(LISTED))
            .map(|version| {
                let line = Line::of(version, current.as_ref());
                let (tag, state) = tag(version.state, line.is_current);
                Other { line, tag, state }
            })
            .collect(),
        events: format!(
            "/api/v1/submissions{}/events",
            page_of(&version.id).trim_start_matches("/versions")
        ),
        line: Line::of(&version, current.as_ref()),
        took: (version.judged).map_or_else(String::new, |judged| {
            lasting(judged.saturating_sub(version.sent))
        }),
        log,
    })
}

/// `POST /versions/ENTRANT/N/withdraw`: takes a version that is not judged yet out of the queue.
pub(crate) async fn withdraw(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((entrant, number)): Path<(String, u32)>,
) -> Result<Redirect, WebError> {
    let id = readable(&app, &visitor, &entrant, number)?.id;
    if !may(&visitor, Permission::Withdraw { entrant: &entrant }) {
        return Err(WebError::forbidden("Only its team may withdraw a version"));
    }
    let (service, page) = (Arc::clone(league_service(&app)?), page_of(&id));
    let done = tokio::task::spawn_blocking(move || {
        service.league().change(|standing| {
            let known = standing.versions.find(&id);
            // A version with a verdict keeps it.
            let is_waiting = known.is_some_and(|known| known.state == VersionState::Waiting);
            let withdrawn = is_waiting.then(|| Event::Withdrawn {
                version: id.clone(),
                why: BY_ITS_TEAM.to_owned(),
            });
            Ok((withdrawn.into_iter().collect(), ()))
        })
    });
    done.await
        .map_err(WebError::ours)?
        .map_err(WebError::ours)?;
    Ok(Redirect::to(&page))
}

/// The facts about a version.
struct Found<'a> {
    version: &'a Version,
    /// The team's current version.
    current: Option<&'a VersionId>,
    report: Option<&'a CheckReport>,
    /// The place in the queue, and a sentence with it.
    place: Option<(usize, String)>,
}

impl Found<'_> {
    fn is_current(&self) -> bool {
        self.current == Some(&self.version.id)
    }

    /// Whether a machine failure has delayed the verdict.
    fn has_trouble(&self) -> bool {
        self.version.state == VersionState::Waiting && !self.version.why.is_empty()
    }

    fn sign(&self) -> String {
        match (self.version.state, &self.place) {
            _ if self.has_trouble() => "!".to_owned(),
            (VersionState::Waiting, Some((place, _))) => place.to_string(),
            (VersionState::Waiting, None) => "…".to_owned(),
            (VersionState::Accepted, _) => "✓".to_owned(),
            (VersionState::Refused, _) => "✗".to_owned(),
            (VersionState::Withdrawn | VersionState::Suspended, _) => "!".to_owned(),
        }
    }

    fn tone(&self) -> &'static str {
        match self.version.state {
            _ if self.has_trouble() => "look",
            VersionState::Waiting => "on",
            VersionState::Accepted => "good",
            VersionState::Refused => "wrong",
            VersionState::Withdrawn | VersionState::Suspended => "look",
        }
    }

    fn title(&self) -> String {
        let id = &self.version.id;
        match (self.version.state, &self.place) {
            _ if self.has_trouble() => {
                format!("{id} has to wait: our machine failed, not your program")
            }
            (VersionState::Waiting, Some(_)) => format!("{id} waits"),
            (VersionState::Waiting, None) => format!("{id} is being judged"),
            (state, _) => format!("{id} is {}", state.name()),
        }
    }

    fn say(&self) -> String {
        let version = self.version;
        match (version.state, &self.place) {
            _ if self.has_trouble() => sentence(&version.why),
            (VersionState::Waiting, Some((_, text))) => format!(
                "{text}. Teams take turns, so a team that sends much waits for those that send little."
            ),
            (VersionState::Waiting, None) => "What happens appears below.".to_owned(),
            (VersionState::Accepted, _) if self.is_current() => {
                let remarks = match version.has_remarks {
                    true => " There are remarks: they cost nothing today, but may later.",
                    false => "",
                };
                format!("It is accepted and plays on the ladder now.{remarks}")
            }
            (VersionState::Accepted, _) => match self.current {
                Some(current) => format!("It was accepted; {current} plays now."),
                None => "It was accepted.".to_owned(),
            },
            (VersionState::Refused, _) => match self.failure() {
                Some(cause) => sentence(&cause.headline()),
                None => sentence(&version.why),
            },
            (VersionState::Withdrawn, _) if version.why == BY_ITS_TEAM => {
                "Its team withdrew it before it was judged.".to_owned()
            }
            (VersionState::Withdrawn, _) if version.why.is_empty() => {
                "The organiser withdrew it.".to_owned()
            }
            (VersionState::Withdrawn, _) => {
                format!("The organiser withdrew it: {}", sentence(&version.why))
            }
            (VersionState::Suspended, _) => sentence(&version.why),
        }
    }

    fn failure(&self) -> Option<&Cause> {
        self.report?.failures().next()
    }

    fn todo(&self) -> Vec<(&'static str, String)> {
        let mut todo = Vec::new();
        match self.version.state {
            _ if self.has_trouble() => {
                todo.push((
                    "You",
                    "Nothing to do. The server tries again by itself.".to_owned(),
                ));
            }
            VersionState::Refused => {
                let advice = self.failure().map(|cause| cause.advice.as_str());
                let advice = advice.filter(|advice| !advice.is_empty());
                let advice = advice.map_or_else(|| "Mend this fault.".to_owned(), sentence);
                todo.push(("Do this", format!("{advice} Then submit again.")));
            }
            VersionState::Suspended => {
                todo.push(("Do this", "Fix the faults, then submit again.".to_owned()));
            }
            _ => {}
        }
        let is_out = self.version.state != VersionState::Accepted;
        if let Some(current) = self.current.filter(|_| is_out) {
            todo.push((
                "Until then",
                format!("{current} still plays. Nothing is lost."),
            ));
        }
        todo
    }

    /// The steps so far.
    fn steps(&self) -> Vec<StepLine> {
        let is_judged = self.version.judged.is_some();
        let report = self.report;
        let build = match (is_judged, report) {
            (true, Some(_)) => ("✓", "good", "built".to_owned()),
            (true, None) if self.version.state == VersionState::Refused => {
                ("✗", "wrong", "it could not be built or started".to_owned())
            }
            (true, None) => ("✓", "good", String::new()),
            (false, _) => ("·", "", String::new()),
        };
        let games = match report {
            Some(report) if report.plays => ("✓", "good", report.playing()),
            Some(report) => ("✗", "wrong", report.playing()),
            None => ("·", "", String::new()),
        };
        let remarks = report.map_or(0, |report| report.remarks().count());
        let letter = match report {
            Some(report) if !report.is_passed() && report.plays => ("✗", "wrong", report.letter()),
            Some(report) if remarks > 0 => ("!", "look", report.letter()),
            // The failures say what its answers lack.
            Some(report) if !report.plays => ("·", "", String::new()),
            Some(report) => ("✓", "good", report.letter()),
            None => ("·", "", String::new()),
        };
        let step =
            |name, (sign, tone, about): (&'static str, &'static str, String), part| StepLine {
                name,
                about,
                sign,
                tone,
                part,
            };
        let failures = match report.is_some_and(|report| report.failures().next().is_some()) {
            true => Part::Failures,
            false => Part::Nothing,
        };
        let odd = if remarks > 0 {
            Part::Remarks
        } else {
            Part::Nothing
        };
        vec![
            step("Unpack and build", build, Part::Log),
            step("Whole games", games, failures),
            step("Remarks", letter, odd),
        ]
    }
}

/// A text as a separate sentence.
fn sentence(text: &str) -> String {
    let mut chars = text.trim().chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    let mut sentence = first.unwrap_or_default() + chars.as_str();
    if !sentence.is_empty() && !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_sentences() {
        assert_eq!(sentence("it chose #"), "It chose #.");
        assert_eq!(sentence("Done."), "Done.");
        assert_eq!(sentence(" "), "");
    }
}
