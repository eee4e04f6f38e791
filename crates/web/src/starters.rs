//! Starter programs to download.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use floe_league::starter;

use crate::error::WebError;

/// `/starters/FILE`: one starter.
pub(crate) async fn starter(Path(file): Path<String>) -> Response {
    let Some(text) = starter::text(&file) else {
        return WebError::not_found("file").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{file}\""),
        ),
    ];
    (headers, text).into_response()
}
