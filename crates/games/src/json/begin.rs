use floe_rules::text::is_visible;
use floe_rules::{Setting, Values};
use floe_search::{Kind, Level, Spec};
use serde_json::{Value, json};

use crate::AnyGame;

/// An opponent that a form offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opponent {
    /// The value the form sends.
    pub value: String,
    /// The label the form shows.
    pub label: String,
    /// Whether this opponent is chosen now.
    pub is_chosen: bool,
}

/// The opponents of a form: levels of the engines, and people.
pub fn opponents(chosen: &str) -> Vec<Opponent> {
    let level = |level: Level| {
        let spec = Spec {
            level: Some(level),
            ..Spec::from(Kind::Floe)
        };
        (spec.to_string(), format!("Floe, {}", level.name()))
    };
    let people = [
        ("link".to_owned(), "a person, by a link".to_owned()),
        (
            "here".to_owned(),
            "a person next to me, on this screen".to_owned(),
        ),
    ];
    (Level::ALL.into_iter().map(level).chain(people))
        .map(|(value, label)| Opponent {
            is_chosen: value == chosen,
            value,
            label,
        })
        .collect()
}

/// The default size of a board.
pub fn default_size(game: &dyn AnyGame) -> String {
    let setup = game.default_setup();
    setup.split(',').next().unwrap_or_default().to_owned()
}

/// The setup that a form's fields describe: the size, and the game's settings.
pub fn setup_of<'a>(game: &dyn AnyGame, said: impl Fn(&str) -> Option<&'a str>) -> String {
    let size = said("size").map(|size| size.trim().to_owned());
    let mut setup = vec![size.unwrap_or_else(|| default_size(game))];
    for setting in game.settings() {
        if let Some(value) = said(setting.word).filter(|value| !value.is_empty()) {
            setup.push(format!("{}={}", setting.word, value.trim()));
        }
    }
    setup.join(",")
}

/// A name for tables: short, on one line, without characters that hide or reverse text.
pub fn person_name(text: &str) -> String {
    let name: String = (text.chars().filter(|&c| is_visible(c)).take(30)).collect();
    name.trim().to_owned()
}

/// A game with everything its form offers.
pub fn rules(game: &dyn AnyGame) -> Value {
    let opponents: Vec<Value> = (opponents("").into_iter())
        .map(|opponent| json!({ "opponent": opponent.value, "label": opponent.label }))
        .collect();
    json!({
        "name": game.name(),
        "title": game.title(),
        "rules": game.rules(),
        "size": default_size(game),
        "settings": game.settings().iter().map(setting).collect::<Vec<_>>(),
        "opponents": opponents,
        "protocols": game.dialects(),
    })
}

/// A setting of the setup.
fn setting(setting: &Setting) -> Value {
    match &setting.values {
        Values::Words(words) => {
            json!({ "word": setting.word, "usual": setting.default, "words": words })
        }
        Values::Number(range) => json!({
            "word": setting.word,
            "usual": setting.default,
            "least": range.start(),
            "most": range.end(),
        }),
    }
}
