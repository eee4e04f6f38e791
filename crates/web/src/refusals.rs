//! What is refused before or beside our own pages, by the router, by limits or by readers of forms:
//! a page or JSON as everything else, not a word in plain text, or nothing.

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{ErrorText, WebError};

/// How much of a refusal's own words is read.
const WORDS: usize = 4096;

/// Whether a script asks there, who reads JSON.
pub(crate) fn is_for_script(path: &str) -> bool {
    path.starts_with("/api/")
}

/// Makes refusals what pages and scripts can read.
pub(crate) async fn explain(request: Request, next: Next) -> Response {
    let is_for_script = is_for_script(request.uri().path());
    let response = next.run(request).await;
    let status = response.status();
    let is_wrong = status.is_client_error() || status.is_server_error();
    if !is_wrong || is_ours(response.headers(), is_for_script) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let error = match parts.extensions.get::<ErrorText>() {
        Some(said) => WebError::new(status, &said.message, &said.help),
        None => {
            // Words that are too long are not worth reading.
            let words = to_bytes(body, WORDS).await.unwrap_or_default();
            about(status, &String::from_utf8_lossy(&words))
        }
    };
    let error = match is_for_script {
        true => error.for_script(),
        false => error,
    };
    let mut response = error.into_response();
    for name in [
        header::CONTENT_TYPE,
        header::CONTENT_LENGTH,
        header::CONTENT_ENCODING,
    ] {
        parts.headers.remove(name);
    }
    response.headers_mut().extend(parts.headers);
    response
}

/// Whether it is what such a client reads already.
fn is_ours(headers: &HeaderMap, is_for_script: bool) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json = kind.starts_with("application/json");
    is_json || (!is_for_script && kind.starts_with("text/html"))
}

/// What a status means, with what was said about it.
fn about(status: StatusCode, words: &str) -> WebError {
    let (message, help) = match status {
        StatusCode::FORBIDDEN => (
            "This came from another site, and nothing was done",
            "Open the page here and do it there.",
        ),
        StatusCode::NOT_FOUND => return WebError::not_found("page"),
        StatusCode::METHOD_NOT_ALLOWED => (
            "This cannot be done at this address",
            "The address is there to be read, or to be sent something: the other of the two.",
        ),
        StatusCode::REQUEST_TIMEOUT => ("This took too long", "Try again in a moment."),
        StatusCode::PAYLOAD_TOO_LARGE => ("This is too large", "Send less at once."),
        _ => ("This request cannot be understood", ""),
    };
    let help = match (help, words) {
        ("", "") => "The address, or what was sent, is not complete.",
        ("", words) => words,
        (help, _) => help,
    };
    WebError::new(status, message, help)
}
