//! Submissions to the league of the folder, and their verdicts.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use axum::{Extension, Json};
use floe_league::queue::QueuePlace;
use floe_league::recipe::PlanError;
use floe_league::{JudgeEvent, SubmitError, Version, VersionId, VersionState};
use futures_util::stream::{self, Stream};
use serde_json::{Value, json};

use super::upload::{self, About, Uploaded};
use crate::access::{Permission, Visitor, may};
use crate::error::WebError;
use crate::league_service::LeagueService;
use crate::state::App;

/// Interval at which an idle stream shows that it is alive.
const BEAT: Duration = Duration::from_secs(15);

/// The league service, or why there is none.
pub(crate) fn league_service(app: &App) -> Result<&Arc<LeagueService>, WebError> {
    app.league_service()
        .ok_or_else(|| WebError::not_found("league"))
}

/// `POST /api/v1/submissions`: a program, as the body or in a form.
pub(crate) async fn send(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Query(about): Query<About>,
    request: Request,
) -> Result<Json<Value>, WebError> {
    let sent = take(&app, &visitor, about, request, false).await;
    let Taken::Version(version) = sent.map_err(WebError::for_script)? else {
        return Err(WebError::ours("a question to the author of an API request").for_script());
    };
    let page = page_of(&version);
    Ok(Json(json!({
        "version": version,
        "page": page,
        "events": format!("/api/v1/submissions{}/events", page.trim_start_matches("/versions")),
    })))
}

/// The address of a version's page.
pub(crate) fn page_of(version: &VersionId) -> String {
    let mut entrant = String::new();
    for byte in version.entrant.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => entrant.push(byte.into()),
            _ => entrant.push_str(&format!("%{byte:02X}")),
        }
    }
    format!("/versions/{entrant}/{}", version.number)
}

/// The result of a submission.
pub(crate) enum Taken {
    /// The accepted version.
    Version(VersionId),
    /// The author must choose the program among these files; the archive is stored for a while.
    Asked {
        /// The ID of the stored upload.
        parcel: String,
        /// The files.
        files: Vec<String>,
    },
}

/// Takes a submission in any form. If several files could be the program, asks its author, or
/// answers with an error if the client cannot be asked.
pub(crate) async fn take(
    app: &App,
    visitor: &Visitor,
    about: About,
    request: Request,
    asks: bool,
) -> Result<Taken, WebError> {
    let service = Arc::clone(league_service(app)?);
    let participant = visitor.participant.clone();
    let Some(by) = participant.filter(|_| may(visitor, Permission::Submit)) else {
        let message = "Only participants may submit";
        let help = "Open the link you were invited with, or send your token: curl -H \
                    \"Authorization: Bearer TOKEN\" …";
        return Err(WebError::new(StatusCode::UNAUTHORIZED, message, help));
    };
    let most = service.league().description().submitting.size;
    let submission = match upload::read(request, about, most).await? {
        Uploaded::New(submission) => submission,
        Uploaded::Chosen { parcel, main } => {
            let mut asked = service.take_asked(&parcel, &by.entrant).ok_or_else(|| {
                let message = "The archive is no longer stored";
                WebError::new(StatusCode::GONE, message, "Send it again.")
            })?;
            asked.main = Some(main);
            asked
        }
    };
    // Writing waits for the disk.
    let taken = tokio::task::spawn_blocking(move || {
        let taken = service.league().submit(&by, &submission);
        service.ring();
        match taken {
            Err(SubmitError::Plan(PlanError::Several { files, .. })) if asks => {
                let parcel = service.keep_asked(by.entrant, submission);
                Ok(Taken::Asked { parcel, files })
            }
            taken => taken.map(Taken::Version),
        }
    });
    taken.await.map_err(WebError::ours)?.map_err(refusal)
}

/// The error for a refused submission.
pub(super) fn refusal(error: SubmitError) -> WebError {
    let status = match &error {
        SubmitError::Stranger => StatusCode::UNAUTHORIZED,
        SubmitError::Paused => StatusCode::SERVICE_UNAVAILABLE,
        SubmitError::Late(_) => StatusCode::FORBIDDEN,
        SubmitError::Quota { .. } => StatusCode::TOO_MANY_REQUESTS,
        SubmitError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        SubmitError::League(_) => return WebError::ours(error),
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let refusal = WebError::new(status, error.to_string(), "");
    match error {
        SubmitError::Quota { wait_s, .. } => refusal.after(wait_s),
        _ => refusal,
    }
}

/// `GET /api/v1/submissions`: all submissions of the visitor's team, newest first.
pub(crate) async fn all(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Value>, WebError> {
    let versions = own_versions(&app, &visitor).map_err(WebError::for_script)?;
    Ok(Json(json!({
        "entrant": versions.entrant,
        "current": versions.current,
        "versions": versions.all,
    })))
}

/// A team's submissions.
pub(crate) struct OwnVersions {
    pub(crate) entrant: String,
    /// The current version.
    pub(crate) current: Option<VersionId>,
    /// All versions, newest first.
    pub(crate) all: Vec<Version>,
}

/// All submissions of a visitor's team.
pub(crate) fn own_versions(app: &App, visitor: &Visitor) -> Result<OwnVersions, WebError> {
    let service = league_service(app)?;
    let Some(by) = &visitor.participant else {
        return Err(WebError::forbidden("Only participants have versions"));
    };
    let versions = service.league().look(|standing| OwnVersions {
        entrant: by.entrant.clone(),
        current: (standing.versions.current(&by.entrant)).map(|version| version.id.clone()),
        all: (standing.versions.of(&by.entrant).iter().rev())
            .cloned()
            .collect(),
    });
    versions.map_err(WebError::ours)
}

/// `GET /api/v1/submissions/{entrant}/{number}`: a version with its build log and check report.
pub(crate) async fn version(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((entrant, number)): Path<(String, u32)>,
) -> Result<Json<Value>, WebError> {
    let version = readable(&app, &visitor, &entrant, number).map_err(WebError::for_script)?;
    let log = log_of(&app, &version).map_err(WebError::for_script)?;
    let mut answer = json!({ "version": version, "log": log });
    if let Some(place) = league_service(&app)?.queue_place(&version.id) {
        answer["queue"] = json!(place);
    }
    Ok(Json(answer))
}

/// The build log and report of a version; empty before it is judged.
pub(crate) fn log_of(app: &App, version: &Version) -> Result<String, WebError> {
    match version.state {
        VersionState::Waiting => Ok(String::new()),
        _ => (league_service(app)?.league().log(version)).map_err(WebError::ours),
    }
}

/// A version that this visitor may read. For other visitors, it does not exist.
pub(crate) fn readable(
    app: &App,
    visitor: &Visitor,
    entrant: &str,
    number: u32,
) -> Result<Version, WebError> {
    let service = league_service(app)?;
    let missing = || WebError::not_found("version");
    if !may(visitor, Permission::ReadVersions { entrant }) {
        return Err(missing());
    }
    let id = VersionId {
        entrant: entrant.to_owned(),
        number,
    };
    let found = service
        .league()
        .look(|standing| standing.versions.find(&id).cloned());
    found.map_err(WebError::ours)?.ok_or_else(missing)
}

/// `GET /api/v1/submissions/{entrant}/{number}/events`: the events of a version, from the start or
/// from the reader's last one.
pub(crate) async fn events(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path((entrant, number)): Path<(String, u32)>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, WebError> {
    let version = readable(&app, &visitor, &entrant, number).map_err(WebError::for_script)?;
    let seen = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok());
    let seen = seen.and_then(|seen| seen.parse().ok()).unwrap_or(0);
    let service = Arc::clone(league_service(&app)?);
    let reader = Reader {
        changes: service.changes(),
        service,
        id: version.id,
        seen,
        ready: Vec::new(),
        place: None,
        is_over: false,
    };
    let events = stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((Ok(event), reader))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(BEAT)))
}

struct Reader {
    service: Arc<LeagueService>,
    changes: tokio::sync::watch::Receiver<u64>,
    id: VersionId,
    /// Events already sent.
    seen: usize,
    /// Events to send next, the last first.
    ready: Vec<(usize, JudgeEvent)>,
    /// The version's place in the queue, as last sent.
    place: Option<QueuePlace>,
    is_over: bool,
}

impl Reader {
    async fn next(&mut self) -> Option<Event> {
        /// Interval between checks of the journal, if another process judges.
        const LOOK: Duration = Duration::from_millis(500);
        loop {
            if let Some((number, progress)) = self.ready.pop() {
                self.is_over |= matches!(progress, JudgeEvent::Verdict(..));
                let data = serde_json::to_string(&progress).ok()?;
                return Some(Event::default().id(number.to_string()).data(data));
            }
            if self.is_over {
                return None;
            }
            self.changes.mark_unchanged();
            let (service, id, seen) = (Arc::clone(&self.service), self.id.clone(), self.seen);
            let told = tokio::task::spawn_blocking(move || {
                let found = service
                    .league()
                    .look(|standing| standing.versions.find(&id).cloned());
                let version = found.ok().flatten()?;
                let (from, told) = service.events_after(&version, seen);
                Some((from, told, service.queue_place(&id)))
            });
            let (from, told, place) = told.await.ok()??;
            if let Some(place) = place.filter(|place| self.place != Some(*place)) {
                self.place = Some(place);
                let text = place.text(&self.id);
                let data = json!({ "what": "queue", "text": text, "queue": place });
                // Without an ID, so that a reader that reconnects gets the current place.
                return Some(Event::default().event("queue").data(data.to_string()));
            }
            if told.is_empty() {
                let _ = tokio::time::timeout(LOOK, self.changes.changed()).await;
                continue;
            }
            let numbered = (from + 1..).zip(told);
            self.ready = numbered.collect();
            self.seen = from + self.ready.len();
            self.ready.reverse();
        }
    }
}
