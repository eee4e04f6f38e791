//! Sending programs to the league of the folder, and following what comes of them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Multipart, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use axum::{Extension, Json};
use floe_league::{Progress, Submission, SubmitError, Version, VersionId, VersionState};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::access::{Deed, Visitor, may};
use crate::error::WebError;
use crate::office::Office;
use crate::state::App;

/// How often an idle stream shows that it is alive.
const BEAT: Duration = Duration::from_secs(15);

/// What an address says about a file that is its body.
#[derive(Deserialize)]
pub(crate) struct About {
    file: Option<String>,
    word: Option<String>,
    protocol: Option<String>,
}

/// The office, or why there is none.
pub(crate) fn office(app: &App) -> Result<&Arc<Office>, WebError> {
    app.office().ok_or_else(|| WebError::not_found("league"))
}

/// `POST /api/v1/submissions`: a program, as the body or in a form.
pub(crate) async fn send(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Query(about): Query<About>,
    request: Request,
) -> Result<Json<Value>, WebError> {
    let sent = take(&app, &visitor, about, request).await;
    let version = sent.map_err(WebError::for_script)?;
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

/// Takes what somebody sends, in whichever way.
pub(crate) async fn take(
    app: &App,
    visitor: &Visitor,
    about: About,
    request: Request,
) -> Result<VersionId, WebError> {
    let office = Arc::clone(office(app)?);
    let participant = visitor.participant.clone();
    let Some(by) = participant.filter(|_| may(visitor, Deed::Submit)) else {
        let message = "Only participants may submit";
        let help = "Open the link you were invited with, or send your token: curl -H \
                    \"Authorization: Bearer TOKEN\" …";
        return Err(WebError::new(StatusCode::UNAUTHORIZED, message, help));
    };
    let kind = request.headers().get(header::CONTENT_TYPE);
    let is_form = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/form-data"));
    let submission = match is_form {
        true => form(request).await?,
        false => {
            let bytes = Bytes::from_request(request, app).await;
            let bytes = bytes.map_err(|error| too_large(&error.body_text(), error.status()))?;
            let Some(file) = about.file else {
                let help = "Say how the file is called: …/submissions?file=bot.c";
                return Err(WebError::bad("The file has no name", help));
            };
            Submission {
                file,
                bytes: bytes.into(),
                word: about.word,
                protocol: about.protocol,
            }
        }
    };
    // Writing waits for the disk.
    let taken = tokio::task::spawn_blocking(move || {
        let taken = office.league().submit(&by, &submission);
        office.ring();
        taken
    });
    taken.await.map_err(WebError::ours)?.map_err(refusal)
}

fn too_large(cause: &str, status: StatusCode) -> WebError {
    WebError::new(status, format!("The file was not taken: {cause}"), "")
}

/// A file, or pasted source, with what is said about it.
async fn form(request: Request) -> Result<Submission, WebError> {
    let bad = |error: axum::extract::multipart::MultipartError| {
        too_large(&error.body_text(), error.status())
    };
    let mut parts = Multipart::from_request(request, &())
        .await
        .map_err(|error| WebError::bad(error.body_text(), ""))?;
    let mut submission = Submission::default();
    let (mut pasted, mut name) = (String::new(), String::new());
    while let Some(part) = parts.next_field().await.map_err(bad)? {
        let field = part.name().unwrap_or_default().to_owned();
        let file = part.file_name().map(str::to_owned);
        let bytes = part.bytes().await.map_err(bad)?;
        let text = || String::from_utf8_lossy(&bytes).into_owned();
        match field.as_str() {
            "file" if !bytes.is_empty() || file.as_ref().is_some_and(|file| !file.is_empty()) => {
                submission.file = file.unwrap_or_default();
                submission.bytes = bytes.into();
            }
            "source" => pasted = text(),
            "name" => name = text().trim().to_owned(),
            "word" => submission.word = Some(text()),
            "protocol" => submission.protocol = Some(text()),
            _ => {}
        }
    }
    if submission.file.is_empty() {
        if pasted.trim().is_empty() {
            let help = "Choose a file, or paste source and say how its file is called.";
            return Err(WebError::bad("There is nothing to send", help));
        }
        submission.file = name;
        // Browsers send both ends of a line.
        submission.bytes = pasted.replace("\r\n", "\n").into_bytes();
    }
    Ok(submission)
}

/// Why something was not taken.
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
    WebError::new(status, error.to_string(), "")
}

/// `GET /api/v1/submissions`: everything one's team has sent, the newest first.
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

/// What a team has sent.
pub(crate) struct OwnVersions {
    pub(crate) entrant: String,
    /// The one that plays.
    pub(crate) current: Option<VersionId>,
    /// All, the newest first.
    pub(crate) all: Vec<Version>,
}

/// Everything a visitor's team has sent.
pub(crate) fn own_versions(app: &App, visitor: &Visitor) -> Result<OwnVersions, WebError> {
    let office = office(app)?;
    let Some(by) = &visitor.participant else {
        return Err(WebError::forbidden("Only participants have versions"));
    };
    let versions = office.league().look(|standing| OwnVersions {
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
    Ok(Json(json!({ "version": version, "log": log })))
}

/// What building and checking a version said; nothing before it is judged.
pub(crate) fn log_of(app: &App, version: &Version) -> Result<String, WebError> {
    match version.state {
        VersionState::Waiting => Ok(String::new()),
        _ => (office(app)?.league().log(version)).map_err(WebError::ours),
    }
}

/// A version that this visitor may read. To others it is not there at all.
pub(crate) fn readable(
    app: &App,
    visitor: &Visitor,
    entrant: &str,
    number: u32,
) -> Result<Version, WebError> {
    let office = office(app)?;
    let missing = || WebError::not_found("version");
    if !may(visitor, Deed::ReadVersions { entrant }) {
        return Err(missing());
    }
    let id = VersionId {
        entrant: entrant.to_owned(),
        number,
    };
    let found = office
        .league()
        .look(|standing| standing.versions.find(&id).cloned());
    found.map_err(WebError::ours)?.ok_or_else(missing)
}

/// `GET /api/v1/submissions/{entrant}/{number}/events`: what comes of a version, from the start or
/// from where the reader was.
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
    let office = Arc::clone(office(&app)?);
    let reader = Reader {
        changes: office.changes(),
        office,
        id: version.id,
        seen,
        ready: Vec::new(),
        is_over: false,
    };
    let events = stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((Ok(event), reader))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(BEAT)))
}

struct Reader {
    office: Arc<Office>,
    changes: tokio::sync::watch::Receiver<u64>,
    id: VersionId,
    /// How much was told already.
    seen: usize,
    /// What is to be told next, the last first.
    ready: Vec<(usize, Progress)>,
    is_over: bool,
}

impl Reader {
    async fn next(&mut self) -> Option<Event> {
        /// How often the journal is looked at, where another process judges.
        const LOOK: Duration = Duration::from_millis(500);
        loop {
            if let Some((number, progress)) = self.ready.pop() {
                self.is_over |= matches!(progress, Progress::Verdict(..));
                let data = serde_json::to_string(&progress).ok()?;
                return Some(Event::default().id(number.to_string()).data(data));
            }
            if self.is_over {
                return None;
            }
            self.changes.mark_unchanged();
            let (office, id, seen) = (Arc::clone(&self.office), self.id.clone(), self.seen);
            let told = tokio::task::spawn_blocking(move || {
                let found = office
                    .league()
                    .look(|standing| standing.versions.find(&id).cloned());
                let version = found.ok().flatten()?;
                Some(office.told_after(&version, seen))
            });
            let (from, told) = told.await.ok()??;
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
