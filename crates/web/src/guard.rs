//! Checks before every page: the client, its rate, its origin, and the headers that restrict
//! browsers.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use floe_league::people::Participant;

use crate::access::Visitor;
use crate::client::{Client, counted};
use crate::error::WebError;
use crate::refusals::is_for_script;
use crate::state::App;
use crate::token::Token;

/// The visitor's cookie.
const VISITOR: &str = "floe";
/// A participant's cookie.
const PARTICIPANT: &str = "floe-participant";
/// The organiser's cookie.
const ORGANISER: &str = "floe-organiser";

const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// The same for a part of a page, which is never a page itself: a game's page has two dozen.
const HEADERS_OF_PARTS: [(HeaderName, &str); 2] = [
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

/// Adds the headers that restrict browsers.
pub(crate) async fn harden(request: Request, next: Next) -> Response {
    // The module's script runs as a worker, which has a policy of its own.
    let is_worker = request.uri().path() == "/assets/floe.js";
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.map_or(&b""[..], HeaderValue::as_bytes);
    let is_part = kind.starts_with(b"text/javascript") || kind.starts_with(b"text/css");
    let policy = match is_part && !is_worker {
        true => &HEADERS_OF_PARTS[..],
        false => &HEADERS,
    };
    for (name, value) in policy {
        headers.insert(name.clone(), HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        let value = HeaderValue::from_static("no-store");
        headers.insert(header::CACHE_CONTROL, value);
    }
    response
}

/// Refuses a body whose declared length exceeds every limit, before reading it.
pub(crate) async fn weigh(State(most): State<usize>, request: Request, next: Next) -> Response {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        let message = "This is too large";
        let help = format!("At most {most} bytes can be sent here.");
        let refusal = WebError::new(StatusCode::PAYLOAD_TOO_LARGE, message, help);
        return match is_for_script(request.uri().path()) {
            true => refusal.for_script().into_response(),
            false => refusal.into_response(),
        };
    }
    next.run(request).await
}

/// Refuses unknown host names: a foreign page could point its own name here, and read what only the
/// local network may read (DNS rebinding).
pub(crate) async fn know_host(State(app): State<App>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST);
    let host = host.map(|host| String::from_utf8_lossy(host.as_bytes()).into_owned());
    if let Some(host) = host.filter(|host| !is_known_host(&app, host)) {
        app.metrics().count_refusal();
        let name: String = host_name(&host).chars().take(100).collect();
        let message = format!("This server does not have the name {name}");
        let help =
            format!("Open it by its IP address; or the organiser starts it with `--host {name}`.");
        let refusal = WebError::new(StatusCode::MISDIRECTED_REQUEST, message, help);
        return match is_for_script(request.uri().path()) {
            true => refusal.for_script().into_response(),
            false => refusal.into_response(),
        };
    }
    next.run(request).await
}

/// The name in a `Host` header, without its port.
fn host_name(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}

/// Whether the server accepts that host: IP addresses always, names only if configured.
fn is_known_host(app: &App, host: &str) -> bool {
    let name = host_name(host).trim_end_matches('.').to_ascii_lowercase();
    // A proxy without configured names passes on only requests meant for this server.
    let is_proxys = app.is_behind_proxy() && app.hosts().is_empty();
    is_proxys
        || name.parse::<IpAddr>().is_ok()
        || name == "localhost"
        || name.ends_with(".localhost")
        || app.hosts().contains(&name)
}

/// The answer to a client with too many requests.
fn too_many(app: &App) -> WebError {
    app.metrics().count_refusal();
    let message = "Too many requests from here";
    let help = "Wait a second and try again.";
    WebError::new(StatusCode::TOO_MANY_REQUESTS, message, help)
}

/// Marks a request charged to a remote program's connection.
#[derive(Clone)]
struct OfConnection;

/// Whether a live connection of a remote program may make this request; `None` if the request has
/// no such connection. Connections have their own budgets, so that pages, other programs at the
/// same address and fast moves cost no games.
fn pays_itself(app: &App, request: &Request) -> Option<bool> {
    let connection = request.uri().path().strip_prefix("/api/v1/remote/")?;
    app.league_service()?.remotes().pay(connection)
}

/// Refuses addresses with too many requests.
pub(crate) async fn slow_down(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Response {
    let may_ask = match pays_itself(&app, &request) {
        Some(may_ask) => {
            request.extensions_mut().insert(OfConnection);
            may_ask
        }
        None => {
            let client = client(&app, &request);
            app.rates().addresses.check_key(&client).is_ok()
        }
    };
    if !may_ask {
        let refusal = too_many(&app);
        return match is_for_script(request.uri().path()) {
            true => refusal.for_script().into_response(),
            false => refusal.into_response(),
        };
    }
    next.run(request).await
}

/// The client's address: the connection's, or the one given by the proxy.
fn client(app: &App, request: &Request) -> IpAddr {
    let forwarded = request.headers().get("x-forwarded-for");
    let last = forwarded
        .filter(|_| app.is_behind_proxy())
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.rsplit(',').next())
        .and_then(|address| address.trim().parse().ok());
    let connection = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let address = last.or_else(|| connection.map(|info| info.0.ip()));
    counted(address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)))
}

/// Identifies the client; a client without a cookie gets one with the answer. Refuses clients with
/// too many actions.
pub(crate) async fn identify(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let known = cookie(&request, VISITOR).and_then(|text| Token::read(&text));
    let organiser = cookie(&request, ORGANISER).and_then(|text| Token::read(&text));
    let (token, is_new) = match known {
        Some(token) => (token, false),
        None => match Token::fresh() {
            Ok(token) => (token, true),
            Err(error) => return WebError::ours(error).into_response(),
        },
    };
    let participant = participant(&app, &request);
    let hash = token.hash();
    // Until a client returns its cookie, its address identifies it.
    let client = Client {
        address: Some(client(&app, &request)),
        who: match (is_new, &participant) {
            (false, _) => Some(hash.clone()),
            (true, participant) => participant.as_ref().map(|one| one.token.clone()),
        },
    };
    let is_paid = request.extensions().get::<OfConnection>().is_some();
    let does = request.method() == Method::POST && !is_paid;
    if does && app.rates().visitors.check_key(&client).is_err() {
        return too_many(&app).into_response();
    }
    request.extensions_mut().insert(Visitor {
        hash,
        client,
        is_organiser: organiser.is_some_and(|token| app.is_organiser(&token)),
        participant,
    });
    let mut response = next.run(request).await;
    if is_new && let Some(value) = set_cookie(&app, VISITOR, &token, 365) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}

/// The participant: by a cookie or, for programs, by `Authorization: Bearer TOKEN`.
fn participant(app: &App, request: &Request) -> Option<Participant> {
    let service = app.league_service()?;
    let bearer = request.headers().get(header::AUTHORIZATION);
    let bearer = bearer.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let text = bearer.map(str::to_owned);
    let text = text.or_else(|| cookie(request, PARTICIPANT))?;
    let token = Token::read(&text)?;
    service.league().participant(&token).ok()
}

/// The cookie of a participant.
pub(crate) fn participant_cookie(app: &App, token: &Token) -> Option<HeaderValue> {
    set_cookie(app, PARTICIPANT, token, 180)
}

/// The cookie of the organiser.
pub(crate) fn organiser_cookie(app: &App, token: &Token) -> Option<HeaderValue> {
    set_cookie(app, ORGANISER, token, 30)
}

fn set_cookie(app: &App, name: &str, token: &Token, days: u32) -> Option<HeaderValue> {
    let secure = if app.is_behind_proxy() {
        "; Secure"
    } else {
        ""
    };
    let age = days * 24 * 3600;
    let text = token.text();
    let value = format!("{name}={text}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&value).ok()
}

fn cookie(request: &Request, name: &str) -> Option<String> {
    let all = request.headers().get_all(header::COOKIE).into_iter();
    all.filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.to_owned())
}
