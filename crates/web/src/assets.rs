//! Scripts, styles and pictures inside the binary.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use std::{fs, io};

use axum::extract::Path as Part;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use floe_language::Language;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::embedded::Assets;
use crate::error::WebError;
use crate::language;

/// The output of `crates/browser/build`, if it ran before this build: the WebAssembly module and
/// its script.
#[derive(RustEmbed)]
#[folder = "module"]
struct Module;

/// The service worker that stores a site without a server.
pub(crate) const SERVICE_WORKER: &str = include_str!("../site/sw.js");

/// A module to use instead of the one inside the binary.
static OTHER: OnceLock<BTreeMap<&'static str, Vec<u8>>> = OnceLock::new();
/// The files of a module.
const MODULE: [&str; 2] = ["floe.js", "floe.wasm"];
/// The module as brotli packs it best, which takes seconds: made with it, where its builder can.
const PACKED: (&str, &str) = ("floe.wasm", "floe.wasm.br");

/// Makes pages use the module of this folder until the process ends; only the first call counts.
pub fn use_module(folder: &Path) -> io::Result<()> {
    let read = |name| -> io::Result<_> { Ok((name, fs::read(folder.join(name))?)) };
    let mut files = (MODULE.into_iter().map(read)).collect::<io::Result<BTreeMap<_, _>>>()?;
    // Not every builder makes it.
    files.extend(read(PACKED.1).ok());
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

/// The bytes of an asset, of a dictionary, or of a file of the module.
fn find(name: &str) -> Option<Cow<'static, [u8]>> {
    let asset = Assets::get(name).map(|file| file.data);
    let asset = asset.or_else(|| language::dictionary(name).map(Cow::Borrowed));
    asset.or_else(|| module(name))
}

/// Every asset, with dictionaries, and the module if there is one.
pub(crate) fn all() -> impl Iterator<Item = (String, Vec<u8>)> {
    let names = Assets::iter().map(|name| name.to_string());
    let dictionaries = Language::ALL
        .into_iter()
        .filter_map(language::dictionary_file);
    let names = names.chain(dictionaries.chain(MODULE).map(str::to_owned));
    names.filter_map(|name| find(&name).map(|bytes| (name, bytes.into_owned())))
}

/// `/assets/NAME`. Browsers revalidate each time, and get a short answer if nothing has changed.
pub(crate) async fn asset(Part(name): Part<String>, headers: HeaderMap) -> Response {
    let packed = (name == PACKED.0 && takes_brotli(&headers)).then(|| module(PACKED.1));
    let packed = packed.flatten();
    let is_packed = packed.is_some();
    let Some(file) = packed.or_else(|| find(&name)) else {
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
    let mut answer = (headers, file).into_response();
    if is_packed {
        let brotli = HeaderValue::from_static("br");
        answer
            .headers_mut()
            .insert(header::CONTENT_ENCODING, brotli);
    }
    if name == PACKED.0 {
        let vary = HeaderValue::from_static("accept-encoding");
        answer.headers_mut().insert(header::VARY, vary);
    }
    answer
}

/// Whether a browser unpacks brotli: most do so over HTTPS and from this machine alone.
fn takes_brotli(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    let mut kinds = accepted.unwrap_or_default().split(',');
    kinds.any(|kind| kind.trim() == "br")
}

/// The kind of a file, from its name.
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

/// Identifies a version of a file.
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

    #[test]
    fn brotli_is_for_those_who_ask_for_it() {
        let takes = |kinds: &'static str| {
            let kinds = HeaderValue::from_static(kinds);
            takes_brotli(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, kinds)]))
        };
        assert!(takes("gzip, deflate, br, zstd") && takes("br"));
        assert!(!takes("gzip, deflate") && !takes("gzip, br;q=0") && !takes(""));
        assert!(!takes_brotli(&HeaderMap::new()));
    }

    /// A colour as its three parts, from 0 to 1.
    type Colour = [f64; 3];

    fn colour(text: &str) -> Colour {
        let digits = text.strip_prefix('#').expect("a colour in hex");
        let long: String = match digits.len() {
            3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
            _ => digits.to_owned(),
        };
        let part = |at: usize| {
            let value = u8::from_str_radix(&long[at..at + 2], 16).expect("two digits");
            f64::from(value) / 255.0
        };
        [part(0), part(2), part(4)]
    }

    /// As `color-mix(in srgb, …)` does, and the boards do.
    fn mixed(one: Colour, other: Colour, share: f64) -> Colour {
        [0, 1, 2].map(|part| one[part] * share + other[part] * (1.0 - share))
    }

    fn luminance(colour: Colour) -> f64 {
        let [red, green, blue] = colour.map(|part| match part {
            low if low <= 0.04045 => low / 12.92,
            high => ((high + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: Colour, other: Colour) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    type Tokens = BTreeMap<String, String>;

    /// The tokens of every palette, as they stand on each other in the style sheet: light, dark, and
    /// both for the colour-blind.
    fn palettes() -> [(&'static str, Tokens); 4] {
        let file = Assets::get("floe.css").expect("the style sheet");
        let style = std::str::from_utf8(&file.data).expect("text");
        let blocks: Vec<Tokens> = (style.split(":root").skip(1).take(4))
            .map(|block| {
                let (_, inside) = block.split_once('{').expect("a block");
                let (inside, _) = inside.split_once('}').expect("its end");
                let named = |line: &str| {
                    let (name, value) = line.trim().strip_prefix("--")?.split_once(':')?;
                    Some((name.to_owned(), value.trim().to_owned()))
                };
                inside.split(';').filter_map(named).collect()
            })
            .collect();
        let [light, dark, clear, clear_dark] = blocks.try_into().expect("four palettes");
        let over = |below: &[&Tokens]| -> Tokens {
            below.iter().flat_map(|tokens| (*tokens).clone()).collect()
        };
        [
            ("light", over(&[&light])),
            ("dark", over(&[&light, &dark])),
            ("clear", over(&[&light, &clear])),
            ("clear, dark", over(&[&light, &dark, &clear, &clear_dark])),
        ]
    }

    /// Every pair of colours that something is read in, and how well it must be seen.
    fn pairs(tokens: &Tokens) -> Vec<(String, Colour, Colour, f64)> {
        let token = |name: &str| colour(&tokens[name]);
        let share: f64 = tokens["free-hue"].trim_end_matches('%').parse().unwrap();
        let mut pairs = Vec::new();
        for hue in (1..=10).map(|hue| format!("h{hue}")) {
            let free = mixed(token(&hue), token("free-base"), share / 100.0);
            let off = mixed(token(&hue), token("card"), 0.3);
            pairs.push((format!("glyph on free {hue}"), token("glyph"), free, 4.5));
            pairs.push((format!("key {hue}"), token("key-ink"), token(&hue), 4.5));
            pairs.push((format!("taken key {hue}"), token("ink"), off, 4.5));
        }
        for owner in (1..=9).map(|owner| format!("p{owner}")) {
            let area = mixed(token(&owner), token("card"), 0.8);
            let tint = mixed(token(&owner), token("card"), 0.1);
            pairs.push((format!("sign on {owner}"), token("sign"), area, 3.0));
            pairs.push((
                format!("{owner} on card"),
                token(&owner),
                token("card"),
                3.0,
            ));
            pairs.push((format!("on {owner}"), token("on-p"), token(&owner), 4.5));
            pairs.push((format!("text on tint of {owner}"), token("ink"), tint, 4.5));
            pairs.push((format!("note on tint of {owner}"), token("soft"), tint, 4.5));
        }
        for ground in ["page", "card", "well", "tint"] {
            pairs.push((format!("ink on {ground}"), token("ink"), token(ground), 4.5));
            pairs.push((
                format!("soft on {ground}"),
                token("soft"),
                token(ground),
                4.5,
            ));
        }
        for tone in ["look", "wrong", "good"] {
            let tint = token(&format!("{tone}-tint"));
            pairs.push((format!("{tone} on its tint"), token(tone), tint, 4.5));
            pairs.push((format!("{tone} on card"), token(tone), token("card"), 4.5));
        }
        pairs.push(("accent on card".into(), token("accent"), token("card"), 4.5));
        pairs.push(("on accent".into(), token("on-accent"), token("accent"), 4.5));
        pairs.push((
            "edge of a field".into(),
            token("line-2"),
            token("card"),
            3.0,
        ));
        for ice in ["ice1", "ice2", "ice3"] {
            pairs.push((format!("fish on {ice}"), token("thing"), token(ice), 4.5));
        }
        pairs
    }

    /// Text in pictures is seen by no checker of pages.
    #[test]
    fn everything_on_pages_and_boards_can_be_read_in_every_palette() {
        let mut wrong = Vec::new();
        for (name, tokens) in palettes() {
            for (what, one, other, least) in pairs(&tokens) {
                let found = contrast(one, other);
                if found < least {
                    wrong.push(format!("{name}: {what}: {found:.2} of {least}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
