//! Turns refusals by the router, limits and form readers into a page or JSON, like all other
//! answers, instead of plain text.

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{ErrorText, WebError};

/// Bytes to read of a refusal's own text.
const WORDS: usize = 4096;

/// Whether an address is for scripts, which read JSON.
pub(crate) fn is_for_script(path: &str) -> bool {
    path.starts_with("/api/")
}

/// Turns refusals into pages or JSON.
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
            // A text that is too long is not used.
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

/// Whether the answer is already a page or JSON for this client.
fn is_ours(headers: &HeaderMap, is_for_script: bool) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json = kind.starts_with("application/json");
    is_json || (!is_for_script && kind.starts_with("text/html"))
}

/// The meaning of a status, with the given text.
fn about(status: StatusCode, words: &str) -> WebError {
    let (message, help) = match status {
        StatusCode::FORBIDDEN => (
            "This request came from another site and was ignored",
            "Open the page on this site and do it there.",
        ),
        StatusCode::NOT_FOUND => return WebError::not_found("page"),
        StatusCode::METHOD_NOT_ALLOWED => (
            "This cannot be done at this address",
            "This address accepts only the other kind of request: reading (GET) or sending (POST).",
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
