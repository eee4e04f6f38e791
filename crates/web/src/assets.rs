//! Scripts, styles and pictures inside the binary.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::{fs, io};

use axum::body::Bytes;
use axum::extract::Path as Part;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use floe_language::Language;
use parking_lot::Mutex;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::embedded::Assets;
use crate::error::WebError;
use crate::{language, shrink};

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

/// The bytes of an asset, of a dictionary, or of a file of the module, as browsers get them.
fn find(name: &str) -> Option<Cow<'static, [u8]>> {
    let asset = Assets::get(name).map(|file| file.data);
    let asset = asset.or_else(|| language::dictionary(name).map(Cow::Borrowed));
    let bytes = asset.or_else(|| module(name))?;
    let shrink = match name.rsplit_once('.') {
        Some((_, "js")) => shrink::script,
        Some((_, "css")) => shrink::style,
        _ => return Some(bytes),
    };
    match std::str::from_utf8(&bytes) {
        Ok(text) => Some(shrink(text).into_bytes().into()),
        Err(_) => Some(bytes),
    }
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

/// A file as it is sent: made at the first request for it.
struct Sent {
    plain: Bytes,
    /// Compressed with gzip as well as that can, which is too slow for every request.
    packed: Bytes,
    /// Identifies this version of the file.
    tag: String,
}

impl Sent {
    fn of(name: &str) -> Option<Arc<Sent>> {
        static MADE: Mutex<BTreeMap<String, Arc<Sent>>> = Mutex::new(BTreeMap::new());
        if let Some(sent) = MADE.lock().get(name) {
            return Some(sent.clone());
        }
        let plain = Bytes::from(find(name)?.into_owned());
        let mut packing = GzEncoder::new(Vec::new(), Compression::best());
        packing.write_all(&plain).ok()?;
        let sent = Arc::new(Sent {
            packed: packing.finish().ok()?.into(),
            tag: tag(&plain),
            plain,
        });
        MADE.lock().insert(name.to_owned(), sent.clone());
        Some(sent)
    }
}

/// `/assets/NAME`. Browsers revalidate each time, and get a short answer if nothing has changed.
pub(crate) async fn asset(Part(name): Part<String>, headers: HeaderMap) -> Response {
    if name == PACKED.0 {
        return program(&headers);
    }
    let Some(sent) = Sent::of(&name) else {
        return WebError::not_found("file").into_response();
    };
    match takes(&headers, "gzip") {
        true => answer(
            &name,
            sent.packed.clone(),
            Some("gzip"),
            &sent.tag,
            &headers,
        ),
        false => answer(&name, sent.plain.clone(), None, &sent.tag, &headers),
    }
}

/// The WebAssembly program of the module.
fn program(headers: &HeaderMap) -> Response {
    let packed = takes(headers, "br").then(|| module(PACKED.1)).flatten();
    let coding = packed.is_some().then_some("br");
    let Some(file) = packed.or_else(|| module(PACKED.0)) else {
        return WebError::not_found("file").into_response();
    };
    answer(PACKED.0, file.to_vec().into(), coding, &tag(&file), headers)
}

/// A file in this coding; nothing but its tag if the browser has it.
fn answer(
    name: &str,
    file: Bytes,
    coding: Option<&'static str>,
    tag: &str,
    asked: &HeaderMap,
) -> Response {
    let tag = format!("\"{tag}\"");
    let known = asked.get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, kind(name).to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::VARY, "accept-encoding".to_owned()),
    ];
    let coding = coding.map(|coding| [(header::CONTENT_ENCODING, coding)]);
    (headers, coding, file).into_response()
}

/// Whether a browser unpacks this coding. Most unpack brotli only over HTTPS and from this machine.
pub(crate) fn takes(headers: &HeaderMap, coding: &str) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    let mut codings = accepted.unwrap_or_default().split(',');
    codings.any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let is_refused = |weight: &str| {
            weight
                .strip_prefix("q=")
                .is_some_and(|q| q.parse() == Ok(0.0))
        };
        parts.next() == Some(coding) && !parts.any(is_refused)
    })
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
fn tag(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes)[..8])
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_coding_is_for_those_who_ask_for_it() {
        let takes = |codings: &'static str, coding| {
            let codings = HeaderValue::from_static(codings);
            takes(
                &HeaderMap::from_iter([(header::ACCEPT_ENCODING, codings)]),
                coding,
            )
        };
        assert!(takes("gzip, deflate, br, zstd", "br") && takes("br", "br"));
        assert!(takes("br;q=1.0, gzip;q=0.8", "gzip"));
        assert!(!takes("gzip, deflate", "br") && !takes("gzip, br;q=0", "br"));
        assert!(!takes("", "gzip") && !takes("gzip;q=0.000", "gzip"));
        assert!(!super::takes(&HeaderMap::new(), "br"));
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
