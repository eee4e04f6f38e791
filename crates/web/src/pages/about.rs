//! About this server: its state and its operator.

use std::fmt::Write;
use std::sync::atomic::Ordering;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::{Extension, Json};

use serde_json::{Value, json};

use super::page;
use crate::access::{Permission, Visitor, may};
use crate::error::WebError;
use crate::guard::organiser_cookie;
use crate::language::filters;
use crate::state::App;
use crate::token::Token;

/// The licence as an SPDX expression.
const LICENCE: &str = env!("CARGO_PKG_LICENSE");

#[derive(Template)]
#[template(path = "about.html")]
struct About {
    version: &'static str,
    games: Vec<&'static str>,
    is_organiser: bool,
}

pub(crate) async fn about(
    Extension(visitor): Extension<Visitor>,
) -> Result<Html<String>, WebError> {
    let games = floe_games::games().into_iter();
    page(&About {
        version: env!("CARGO_PKG_VERSION"),
        games: games.map(floe_games::AnyGame::title).collect(),
        is_organiser: visitor.is_organiser,
    })
}

/// `GET /api/v1/about`
pub(crate) async fn about_json() -> Json<Value> {
    Json(json!({ "name": "Floe", "version": env!("CARGO_PKG_VERSION"), "licence": LICENCE }))
}

/// `/health`: the server answers.
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// `/enter/TOKEN`: gives this browser the organiser's cookie.
pub(crate) async fn enter(
    State(app): State<App>,
    Path(token): Path<String>,
) -> Result<Response, WebError> {
    let token = Token::read(&token).filter(|token| app.is_organiser(token));
    let Some(token) = token else {
        let help = "The server prints a new link at every start.";
        let message = "This link is not valid any more";
        return Err(WebError::new(StatusCode::FORBIDDEN, message, help));
    };
    let mut response = Redirect::to("/").into_response();
    if let Some(cookie) = organiser_cookie(&app, &token) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// `/metrics`: figures for Prometheus.
pub(crate) async fn metrics(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Response, WebError> {
    if !may(&visitor, Permission::ReadMetrics) {
        return Err(WebError::forbidden("The figures are the organiser's"));
    }
    let (requests, refusals, watchers) = app.metrics().figures();
    let figures = [
        (
            "floe_requests_total",
            "counter",
            "requests answered",
            requests,
        ),
        (
            "floe_refusals_total",
            "counter",
            "requests refused because there were too many",
            refusals,
        ),
        (
            "floe_watchers",
            "gauge",
            "streams of events that are open",
            watchers,
        ),
        (
            "floe_games",
            "gauge",
            "games in memory",
            app.hosted().count() as u64,
        ),
        (
            "floe_questions_waiting",
            "gauge",
            "questions that wait for an engine",
            app.engines().waiting() as u64,
        ),
        (
            "floe_contests_opened_total",
            "counter",
            "contests whose games were all read",
            app.contests().work().opened.load(Ordering::Relaxed),
        ),
        (
            "floe_tables_made_total",
            "counter",
            "tables of contests made after a change",
            app.contests().work().tables.load(Ordering::Relaxed),
        ),
        (
            "floe_uptime_seconds",
            "gauge",
            "seconds since the start",
            app.uptime().as_secs(),
        ),
    ];
    let mut text = String::new();
    for (name, kind, about, value) in figures {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "# HELP {name} {about}\n# TYPE {name} {kind}\n{name} {value}"
        );
    }
    let kind = [(
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    )];
    Ok((kind, text).into_response())
}
