//! Addresses as QR codes, for phones to scan.

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};

use crate::error::WebError;
use crate::state::App;

/// The address of this server, as the client uses it.
pub(crate) fn origin(app: &App, headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST);
    let host = host
        .and_then(|host| host.to_str().ok())
        .unwrap_or("localhost");
    let scheme = if app.is_behind_proxy() {
        "https"
    } else {
        "http"
    };
    format!("{scheme}://{host}")
}

/// A text as a picture.
pub(crate) fn picture(text: &str) -> Result<String, WebError> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(WebError::ours)?;
    // Always black on white, because readers expect it.
    let mut picture = code.render::<svg::Color<'_>>();
    Ok(picture.quiet_zone(true).min_dimensions(180, 180).build())
}

/// The QR code as an answer.
pub(crate) fn answer(text: &str) -> Result<Response, WebError> {
    let kind = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((kind, picture(text)?).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_picture_and_a_longer_one_has_more_fields() {
        let short = picture("http://127.0.0.1:4860/game/abc").unwrap();
        let long = picture(&format!("http://127.0.0.1:4860/{}", "x".repeat(600))).unwrap();
        assert!(short.contains("<svg") && short.len() < long.len());
        assert!(picture(&"x".repeat(9000)).is_err());
    }
}
