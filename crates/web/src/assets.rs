//! Scripts, styles and pictures, which are inside the binary.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use std::{fs, io};

use axum::extract::Path as Part;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::error::WebError;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// What `crates/browser/build` made before this was built: the WebAssembly module and its script.
#[derive(RustEmbed)]
#[folder = "module"]
struct Module;

/// What a site without a server keeps itself with.
pub(crate) const SERVICE_WORKER: &str = include_str!("../site/sw.js");

/// A module that is used instead of the one inside the binary.
static OTHER: OnceLock<BTreeMap<&'static str, Vec<u8>>> = OnceLock::new();
/// The files of a module.
const MODULE: [&str; 2] = ["floe.js", "floe.wasm"];

/// Has pages use the module of this folder, until the process ends; the first call counts.
pub fn use_module(folder: &Path) -> io::Result<()> {
    let read = |name| -> io::Result<_> { Ok((name, fs::read(folder.join(name))?)) };
    let files = MODULE.into_iter().map(read).collect::<io::Result<_>>()?;
    OTHER.get_or_init(|| files);
    Ok(())
}

/// Whether rules and engines can run in browsers.
pub fn has_module() -> bool {
    MODULE.into_iter().all(|name| module(name).is_some())
}

fn module(name: &str) -> Option<Cow<'static, [u8]>> {
    match OTHER.get() {
        Some(files) => files.get(name).map(|bytes| Cow::Borrowed(&bytes[..])),
        None => Module::get(name).map(|file| file.data),
    }
}

/// The bytes of an asset, or of a file of the module.
fn find(name: &str) -> Option<Cow<'static, [u8]>> {
    Assets::get(name).map_or_else(|| module(name), |file| Some(file.data))
}

/// Every asset, with the module if it is there.
pub(crate) fn all() -> impl Iterator<Item = (String, Vec<u8>)> {
    let names = Assets::iter().map(|name| name.to_string());
    let names = names.chain(MODULE.map(str::to_owned));
    names.filter_map(|name| find(&name).map(|bytes| (name, bytes.into_owned())))
}

/// An asset that is text.
pub(crate) fn text(name: &str) -> Result<String, String> {
    let file = Assets::get(name).ok_or_else(|| format!("there is no asset {name}"))?;
    String::from_utf8(file.data.into_owned()).map_err(|_| format!("{name} is no text"))
}

/// `/assets/NAME`. Browsers ask again each time, and are told when nothing has changed.
pub(crate) async fn asset(Part(name): Part<String>, headers: HeaderMap) -> Response {
    let Some(file) = find(&name) else {
        return WebError::not_found("file").into_response();
    };
    let tag = format!("\"{}\"", tag(&name, &file));
    let known = headers.get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, kind(&name).to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    (headers, file).into_response()
}

/// The kind of a file, by its name.
pub(crate) fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        Some((_, "wasm")) => "application/wasm",
        Some((_, "webmanifest")) => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

/// What tells one version of a file from another.
fn tag(name: &str, bytes: &[u8]) -> String {
    let hash = match Assets::get(name) {
        Some(file) => file.metadata.sha256_hash(),
        None => Sha256::digest(bytes).into(),
    };
    HEXLOWER.encode(&hash[..8])
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
