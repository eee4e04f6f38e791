//! Parts that the arguments of all commands share.

use std::ffi::OsString;

use clap::builder::styling::{AnsiColor, Style, Styles};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use floe_games::AnyGame;
use floe_search::Spec;

const HEADING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const STYLES: Styles = Styles::styled()
    .header(HEADING)
    .usage(HEADING)
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Green.on_default());

/// Reads the name of a game; help, errors and completions list all names.
pub(crate) fn game() -> impl TypedValueParser<Value = &'static dyn AnyGame> {
    let names = floe_games::games().into_iter().map(AnyGame::name);
    PossibleValuesParser::new(names).try_map(|name| floe_games::find(&name))
}

/// Reads a node limit as engine specs write it, such as `50k`.
pub(crate) fn nodes(text: &str) -> Result<u64, &'static str> {
    let spec = format!("floe:nodes={text}").parse();
    match spec {
        Ok(Spec {
            nodes: Some(nodes), ..
        }) if nodes > 0 && !text.contains(',') => Ok(nodes),
        _ => Err("a node limit looks like 500, 50k or 2M"),
    }
}

/// The same words, with `play` before a game's name that comes first.
pub(crate) fn spelt_out(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let is_game = |word: &OsString| floe_games::games().iter().any(|game| *word == *game.name());
    if words.get(1).is_some_and(is_game) {
        words.insert(1, "play".into());
    }
    words
}

/// The error with the name of a game that resembles an unknown subcommand, if clap suggests none.
pub(crate) fn with_suggestion(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    // The threshold is clap's own.
    let likeness = |game: &&dyn AnyGame| strsim::jaro(word, game.name());
    let games = floe_games::games().into_iter();
    let likely = games.filter(|game| likeness(game) > 0.7);
    let likeliest = likely.max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    let suggested = error.get(ContextKind::SuggestedSubcommand);
    if let (Some(game), None) = (likeliest, suggested) {
        let names = ContextValue::Strings(vec![game.name().to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, names);
    }
    error
}

/// A line above a part of a help text, as clap styles its own.
pub(crate) fn heading(text: &str) -> String {
    format!("{HEADING}{text}{HEADING:#}")
}

/// The end of a help text: commands to type, a line each.
pub(crate) fn examples(lines: &str) -> String {
    let indented: Vec<String> = lines.lines().map(|line| format!("  {line}")).collect();
    format!("{}\n{}", heading("Examples:"), indented.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_has_the_units_of_a_spec() {
        let read = ["1", "500", "50k", "1.5k", "2M"].map(nodes);
        assert_eq!(read, [1, 500, 50_000, 1_500, 2_000_000].map(Ok));
        for wrong in ["", "0", "0k", "-1", "k", "50kb", "10k,seed=3", "1.0001k"] {
            assert!(nodes(wrong).is_err(), "{wrong}");
        }
    }
}
