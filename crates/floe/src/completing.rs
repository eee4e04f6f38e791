//! Values that a shell offers for an argument.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use floe_search::{Kind, Level};

/// The variable by which a shell asks for completions.
pub(crate) const VARIABLE: &str = "FLOE_COMPLETE";

/// One seat: an engine with its levels, or a program's file.
pub(crate) fn seat() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let mut found = starting_with(current, "", engines());
        found.extend(PathCompleter::any().complete(current));
        found
    })
}

/// Several seats with commas between them; people are allowed.
pub(crate) fn seats() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let text = current.to_string_lossy();
        let before = text.rfind(',').map_or("", |at| &text[..=at]);
        let people = ("human".to_owned(), "a person at this keyboard".to_owned());
        let words = [vec![people], engines()].concat();
        starting_with(current, before, words)
    })
}

/// An engine.
pub(crate) fn engine() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| starting_with(current, "", engines()))
}

/// A file of records.
pub(crate) fn records() -> ArgValueCompleter {
    ArgValueCompleter::new(PathCompleter::any().stdio().filter(is_records))
}

/// A contest: records, a tournament's description or a league's folder.
pub(crate) fn contest() -> ArgValueCompleter {
    let is_contest = |path: &Path| {
        let is_description = path.extension().is_some_and(|end| end == "toml");
        is_description || path.join("league.toml").is_file() || is_records(path)
    };
    ArgValueCompleter::new(PathCompleter::any().filter(is_contest))
}

/// A setting's value, whatever the setting.
pub(crate) fn setting_value() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let keys = floe_terminal::config::KEYS.iter();
        let words = keys.flat_map(|key| {
            let about = |value: &&str| ((*value).to_owned(), format!("for {}", key.name));
            key.values.iter().map(about).collect::<Vec<_>>()
        });
        starting_with(current, "", words.collect())
    })
}

fn is_records(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::to_string_lossy);
    name.is_some_and(|name| name.ends_with(".jsonl") || name.ends_with(".jsonl.zst"))
}

/// The engines of all games, with the levels of the strongest.
fn engines() -> Vec<(String, String)> {
    let games = floe_games::games();
    let kinds: BTreeSet<&str> = (games.iter().flat_map(|game| game.engines()))
        .map(|kind| kind.name())
        .collect();
    let kinds = kinds
        .into_iter()
        .map(|name| (name.to_owned(), "an engine".to_owned()));
    let floe = Kind::Floe.name();
    let levels = Level::ALL.map(|level| {
        let about = format!("Floe's engine, level {}", level.name());
        (format!("{floe}:{}", level.name()), about)
    });
    kinds.chain(levels).collect()
}

/// The values that begin with the typed text; `before` is the unchanged part.
fn starting_with(
    current: &OsStr,
    before: &str,
    words: Vec<(String, String)>,
) -> Vec<CompletionCandidate> {
    let text = current.to_string_lossy();
    let candidates = words
        .into_iter()
        .map(|(word, about)| (format!("{before}{word}"), about));
    candidates
        .filter(|(word, _)| word.starts_with(&*text))
        .map(|(word, about)| CompletionCandidate::new(word).help(Some(about.into())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(completer: &ArgValueCompleter, text: &str) -> Vec<String> {
        let candidates = completer.complete(OsStr::new(text));
        let value = |one: &CompletionCandidate| one.get_value().to_string_lossy().into_owned();
        candidates.iter().map(value).collect()
    }

    #[test]
    fn seats_are_engines_with_levels_and_people() {
        let found = offered(&seat(), "floe:");
        for level in Level::ALL {
            assert!(
                found.contains(&format!("floe:{}", level.name())),
                "{found:?}"
            );
        }
        assert_eq!(offered(&seats(), "human,gre"), ["human,greedy"]);
        assert_eq!(offered(&seats(), "hu"), ["human"]);
        assert!(offered(&engine(), "").contains(&"mcts".to_owned()));
        assert!(offered(&setting_value(), "colour").contains(&"colour-blind".to_owned()));
    }
}
