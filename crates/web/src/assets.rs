//! Scripts, styles and pictures, which are inside the binary.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use rust_embed::RustEmbed;

use crate::error::WebError;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// An asset that is text.
pub(crate) fn text(name: &str) -> Result<String, String> {
    let file = Assets::get(name).ok_or_else(|| format!("there is no asset {name}"))?;
    String::from_utf8(file.data.into_owned()).map_err(|_| format!("{name} is no text"))
}

/// `/assets/NAME`. Browsers ask again each time, and are told when nothing has changed.
pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(file) = Assets::get(&name) else {
        return WebError::not_found("file").into_response();
    };
    let hash = file.metadata.sha256_hash();
    let tag = format!("\"{}\"", HEXLOWER.encode(&hash[..8]));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value = u8::from_str_radix(&colour[at..at + 2], 16).expect("two digits");
            match f64::from(value) / 255.0 {
                low if low <= 0.04045 => low / 12.92,
                high => ((high + 0.055) / 1.055).powf(2.4),
            }
        };
        0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
    }

    /// Every colour that the style sheet gives a name that begins like this, in every palette.
    fn colours<'a>(style: &'a str, name: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        style.split("--").filter_map(move |piece| {
            let (found, value) = piece.split_once(": #")?;
            found.starts_with(name).then_some((found, value.get(..6)?))
        })
    }

    #[test]
    fn the_symbol_of_every_hue_can_be_read() {
        let file = Assets::get("floe.css").expect("the style sheet");
        let style = std::str::from_utf8(&file.data).expect("text");
        let (_, glyph) = colours(style, "glyph").next().expect("the ink of symbols");
        let hues: Vec<_> = colours(style, "h")
            .filter(|(name, _)| name[1..].parse::<u8>().is_ok())
            .collect();
        assert!(hues.len() >= 18, "{hues:?}");
        for (name, hue) in hues {
            let (one, other) = (luminance(hue), luminance(glyph));
            let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
            assert!(contrast >= 4.5, "{name} {hue}: {contrast:.2}");
        }
    }
}
