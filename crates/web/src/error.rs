//! Errors for clients, as a page or JSON, with the cause and advice.

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::engine_pool::ThoughtError;
use crate::hosted::ActError;
use crate::language::filters;
use crate::token::fresh_id;

/// An error in a request, or of the server.
#[derive(Debug)]
pub(crate) struct WebError {
    pub(crate) status: StatusCode,
    /// The cause.
    pub(crate) message: String,
    /// The advice.
    pub(crate) help: String,
    /// Whether to answer a script, with JSON.
    is_for_script: bool,
    /// Seconds until the request may be repeated, if there were too many.
    wait_s: u64,
}

/// The text of an error page, stored with the answer for clients that do not read pages.
#[derive(Debug, Clone)]
pub(crate) struct ErrorText {
    pub(crate) message: String,
    pub(crate) help: String,
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    title: &'a str,
    message: &'a str,
    help: &'a str,
}

impl WebError {
    pub(crate) fn new(
        status: StatusCode,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        WebError {
            status,
            message: message.into(),
            help: help.into(),
            is_for_script: false,
            wait_s: 1,
        }
    }

    /// The same with another time until the request can be repeated.
    #[must_use]
    pub(crate) fn after(mut self, wait_s: u64) -> Self {
        self.wait_s = wait_s;
        self
    }

    pub(crate) fn not_found(what: &str) -> Self {
        let help = "It may have been removed, or the address is not complete.";
        WebError::new(
            StatusCode::NOT_FOUND,
            format!("There is no such {what}"),
            help,
        )
    }

    pub(crate) fn bad(message: impl Into<String>, help: impl Into<String>) -> Self {
        WebError::new(StatusCode::BAD_REQUEST, message, help)
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        let help = "Ask the organiser of this site for the link.";
        WebError::new(StatusCode::FORBIDDEN, message, help)
    }

    /// A server error: logged under an ID that the client sees.
    pub(crate) fn ours(cause: impl std::fmt::Display) -> Self {
        let id = fresh_id().unwrap_or_default();
        // On one line, so that a search for the ID finds the cause.
        let cause = cause.to_string().replace(['\n', '\r'], " ");
        tracing::error!(id, cause, "a request failed");
        WebError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Something went wrong here",
            format!(
                "Try again; if it happens once more, send the organiser of this site the number {id}."
            ),
        )
    }

    /// The same error as JSON.
    #[must_use]
    pub(crate) fn for_script(mut self) -> Self {
        self.is_for_script = true;
        self
    }
}

impl From<ActError> for WebError {
    fn from(error: ActError) -> Self {
        let status = match &error {
            ActError::Over | ActError::Stale | ActError::NotYourTurn | ActError::NoSeat => {
                StatusCode::CONFLICT
            }
            ActError::NotYours => StatusCode::FORBIDDEN,
            ActError::NoWayBack | ActError::NoGivingUp | ActError::Move(_) | ActError::Event(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            ActError::Record(cause) => return WebError::ours(cause).for_script(),
        };
        WebError::new(status, error.to_string(), "").for_script()
    }
}

impl From<ThoughtError> for WebError {
    fn from(error: ThoughtError) -> Self {
        let status = match error {
            ThoughtError::Busy => StatusCode::TOO_MANY_REQUESTS,
            ThoughtError::NoAnswer => StatusCode::UNPROCESSABLE_ENTITY,
        };
        WebError::new(status, error.to_string(), "").for_script()
    }
}

impl From<askama::Error> for WebError {
    fn from(error: askama::Error) -> Self {
        WebError::ours(error)
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let mut response = if self.is_for_script {
            let body = json!({ "error": self.message, "help": self.help });
            axum::Json(body).into_response()
        } else {
            let page = ErrorPage {
                title: self.status.canonical_reason().unwrap_or("Error"),
                message: &self.message,
                help: &self.help,
            };
            match page.render() {
                Ok(text) => axum::response::Html(text).into_response(),
                Err(_) => self.message.clone().into_response(),
            }
        };
        response.extensions_mut().insert(ErrorText {
            message: self.message,
            help: self.help,
        });
        *response.status_mut() = self.status;
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            let wait = HeaderValue::from(self.wait_s);
            response.headers_mut().insert(header::RETRY_AFTER, wait);
        }
        response
    }
}
