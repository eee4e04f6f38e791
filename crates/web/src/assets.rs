//! Scripts, styles and pictures, which are inside the binary.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::error::WebError;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// `/assets/NAME`. Browsers ask again each time, and are told when nothing has changed.
pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(file) = Assets::get(&name) else {
        return WebError::not_found("file").into_response();
    };
    let hash = file.metadata.sha256_hash();
    let digits = hash[..8].iter().map(|byte| format!("{byte:02x}"));
    let tag = format!("\"{}\"", digits.collect::<String>());
    let known = headers.get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let kind = match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    (headers, file.data).into_response()
}
