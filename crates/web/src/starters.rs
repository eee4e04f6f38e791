//! Programs to start from, which are inside the binary: small bots in many languages.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use floe_games::{AnyGame, games};
use floe_league::Recipes;
use rust_embed::RustEmbed;

use crate::error::WebError;

#[derive(RustEmbed)]
#[folder = "../../examples/bots"]
struct Files;

/// A program to start from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Starter {
    /// The file.
    pub(crate) file: String,
    /// What it is written in.
    pub(crate) language: &'static str,
    /// Whether it speaks the line protocol, and not a contest's own way.
    pub(crate) speaks_lines: bool,
}

/// The language of a file, as leagues build it; nothing for files that are no programs.
fn language(file: &str) -> Option<&'static str> {
    static RECIPES: LazyLock<Recipes> = LazyLock::new(Recipes::usual);
    RECIPES.for_file(file).map(|recipe| recipe.name.as_str())
}

/// Whether a file plays a game: its name names it, or no game at all.
fn plays(file: &str, game: &str) -> bool {
    let stem = file.split('.').next().unwrap_or_default().to_lowercase();
    let names = |name: &str| stem.split('_').any(|part| part == name);
    names(game) || !games().into_iter().any(|other| names(other.name()))
}

/// The programs that play a game, by language.
pub(crate) fn starters(game: &dyn AnyGame) -> Vec<Starter> {
    let files = Files::iter().filter(|file| plays(file, game.name()));
    let starter = |file: std::borrow::Cow<'_, str>| {
        Some(Starter {
            language: language(&file)?,
            speaks_lines: file.starts_with("line"),
            file: file.into_owned(),
        })
    };
    let mut starters: Vec<Starter> = files.filter_map(starter).collect();
    starters.sort_by(|a, b| (a.language, &a.file).cmp(&(b.language, &b.file)));
    starters
}

/// `/starters/FILE`: one of them, to be kept.
pub(crate) async fn starter(Path(file): Path<String>) -> Response {
    let found = Files::get(&file).filter(|_| language(&file).is_some());
    let Some(found) = found else {
        return WebError::not_found("file").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{file}\""),
        ),
    ];
    (headers, found.data).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_programs_to_start_from() {
        for game in games() {
            let starters = starters(game);
            for language in ["C", "JavaScript", "Python", "Rust"] {
                let has_it = starters.iter().any(|one| one.language == language);
                assert!(has_it, "{}: {language}: {starters:?}", game.name());
            }
            assert!(starters.iter().any(|one| one.speaks_lines));
            assert!(!starters.iter().any(|one| one.file == "README.md"));
        }
    }
}
