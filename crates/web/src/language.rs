//! The language of a page: the visitor's choice, else what the browser asks for.
//!
//! Templates name their texts in English, `{{ "Play now"|t }}`; `texts/pl.txt` and `texts/ro.txt`
//! translate them, and those of the scripts. What comes from elsewhere filled in, such as a game's
//! rules or an error, is translated by `{{ text|said }}` with `texts/said.*.txt` and the games' own
//! texts. Pages for organisers and programmers are English: [`english`].

mod dictionary;

pub(crate) use dictionary::{dictionary, dictionary_file};

use std::fmt::Display;
use std::sync::LazyLock;

use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;
use floe_language::{Catalogue, Language};

/// The cookie with a visitor's choice.
pub(crate) const COOKIE: &str = "floe-language";

#[derive(Clone, Copy)]
struct Spoken {
    language: Language,
    /// Whether the page offers a choice.
    is_chosen: bool,
}

tokio::task_local! {
    /// The language of the page being rendered.
    static SPOKEN: Spoken;
}

/// The texts of templates and scripts.
fn texts() -> &'static Catalogue {
    static TEXTS: LazyLock<Catalogue> = LazyLock::new(|| {
        Catalogue::new(&[
            (Language::Polish, include_str!("../texts/pl.txt")),
            (Language::Romanian, include_str!("../texts/ro.txt")),
        ])
    });
    &TEXTS
}

/// Texts that arrive filled in, other than the games' texts.
fn messages() -> &'static Catalogue {
    static TEXTS: LazyLock<Catalogue> = LazyLock::new(|| {
        Catalogue::new(&[
            (Language::Polish, include_str!("../texts/said.pl.txt")),
            (Language::Romanian, include_str!("../texts/said.ro.txt")),
        ])
    });
    &TEXTS
}

/// The language of the page being rendered; English otherwise.
pub(crate) fn now() -> Language {
    let language = SPOKEN.try_with(|spoken| spoken.language);
    language.unwrap_or_default()
}

/// Whether the page offers a choice of languages.
pub(crate) fn is_chosen() -> bool {
    SPOKEN.try_with(|spoken| spoken.is_chosen).unwrap_or(false)
}

/// The languages to choose from.
pub(crate) fn choices() -> [Language; 3] {
    Language::ALL
}

pub(crate) fn is_now(language: &Language) -> bool {
    *language == now()
}

/// The name of the asset with the scripts' texts; English needs none.
pub(crate) fn dictionary_name() -> Option<&'static str> {
    dictionary_file(now())
}

/// Makes pages in a language, without a request.
pub(crate) fn within<T>(language: Language, make: impl FnOnce() -> T) -> T {
    let spoken = Spoken {
        language,
        is_chosen: true,
    };
    SPOKEN.sync_scope(spoken, make)
}

/// Renders a page in English, whatever the visitor's language.
pub(crate) fn in_english<T>(make: impl FnOnce() -> T) -> T {
    SPOKEN.sync_scope(ENGLISH, make)
}

const ENGLISH: Spoken = Spoken {
    language: Language::English,
    is_chosen: false,
};

/// Answers in the visitor's language.
pub(crate) async fn speak(request: Request, next: Next) -> Response {
    let spoken = Spoken {
        language: wanted(request.headers()),
        is_chosen: true,
    };
    SPOKEN.scope(spoken, next.run(request)).await
}

/// Answers in English.
pub(crate) async fn english(request: Request, next: Next) -> Response {
    SPOKEN.scope(ENGLISH, next.run(request)).await
}

/// The language for a browser: the visitor's choice, else the first accepted language that is
/// available.
fn wanted(headers: &HeaderMap) -> Language {
    let texts = |name| {
        let values = headers.get_all(name).into_iter();
        values.filter_map(|value| value.to_str().ok())
    };
    let mut cookies = texts(header::COOKIE).flat_map(|value| value.split(';'));
    let chosen = cookies.find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    if let Some(Ok(chosen)) = chosen.map(str::parse) {
        return chosen;
    }
    let accepted = texts(header::ACCEPT_LANGUAGE).flat_map(|value| value.split(','));
    let mut accepted: Vec<(f32, Language)> = accepted.filter_map(weighed).collect();
    // A stable sort: among equal weights, the first language wins.
    accepted.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    accepted
        .first()
        .map_or_else(Language::default, |(_, one)| *one)
}

/// One entry of `Accept-Language`, such as `pl-PL;q=0.8`.
fn weighed(entry: &str) -> Option<(f32, Language)> {
    let mut parts = entry.split(';').map(str::trim);
    let language = Language::of_locale(parts.next()?)?;
    let weight = parts.find_map(|part| part.strip_prefix("q="));
    let weight: f32 = weight.map_or(Ok(1.0), str::parse).ok()?;
    (weight > 0.0).then_some((weight, language))
}

/// A text in the page's language.
pub(crate) fn t(english: &str) -> String {
    texts().text(now(), english, &[])
}

/// A text with a number, by its two English forms.
pub(crate) fn count(one: &str, other: &str, n: impl Display) -> String {
    let n = n.to_string().parse().unwrap_or(u64::MAX);
    texts().count(now(), one, other, n, &[])
}

/// A filled-in text: of a game, of this server, or several sentences of them.
pub(crate) fn said(text: &str) -> String {
    let language = now();
    if language == Language::English || text.is_empty() {
        return text.to_owned();
    }
    let is_one = !text.contains(". ") || catalogues().any(|one| one.find(language, text).is_some());
    if is_one {
        return known(language, text).unwrap_or_else(|| text.to_owned());
    }
    let sentences = sentences(text).into_iter().map(|sentence| {
        let found = known(language, sentence);
        found.unwrap_or_else(|| sentence.to_owned())
    });
    sentences.collect::<Vec<_>>().join(" ")
}

/// The sentences of a text. A single full stop is a move in Flood Wars.
fn sentences(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut sentences = Vec::new();
    let ends = |text: &str| {
        let mut ends = text.match_indices(". ").map(|(at, _)| at);
        let is_end = |at: &usize| text[..*at].ends_with(|before: char| !before.is_whitespace());
        ends.find(is_end)
    };
    while let Some(at) = ends(rest) {
        sentences.push(&rest[..=at]);
        rest = &rest[at + 2..];
    }
    sentences.push(rest);
    sentences
}

/// The catalogues that translate filled-in texts.
fn catalogues() -> impl Iterator<Item = &'static Catalogue> {
    [floe_language::games(), messages()].into_iter()
}

fn known(language: Language, text: &str) -> Option<String> {
    catalogues()
        .map(|catalogue| catalogue.translate(language, text))
        .find(|found| found != text)
}

/// A player's name: an engine's level is translated, a person's name is not.
pub(crate) fn player(name: &str) -> String {
    let is_ours = name.starts_with("floe · ")
        || ["guest", "waiting for a friend", "each other"].contains(&name);
    match is_ours {
        true => said(name),
        false => name.to_owned(),
    }
}

/// The players, for a heading.
pub(crate) fn against(players: &[String]) -> String {
    let players: Vec<String> = players.iter().map(|name| player(name)).collect();
    players.join(&format!(" {} ", t("against")))
}

/// The filters of templates.
#[allow(unreachable_pub)] // the macro makes public what stands for a filter
pub(crate) mod filters {
    use super::Display;

    /// The text in the page's language.
    #[askama::filter_fn]
    pub(crate) fn t<T: Display>(text: T, _: &dyn askama::Values) -> askama::Result<String> {
        Ok(super::t(&text.to_string()))
    }

    /// The translation of a filled-in text.
    #[askama::filter_fn]
    pub(crate) fn said<T: Display>(text: T, _: &dyn askama::Values) -> askama::Result<String> {
        Ok(super::said(&text.to_string()))
    }

    /// Fills in a placeholder.
    #[askama::filter_fn]
    pub(crate) fn with<T: Display, V: Display>(
        text: T,
        _: &dyn askama::Values,
        name: &str,
        value: V,
    ) -> askama::Result<String> {
        let place = format!("{{{name}}}");
        Ok(text.to_string().replacen(&place, &value.to_string(), 1))
    }
}

#[cfg(test)]
mod tests;
