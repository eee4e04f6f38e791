use std::fs;
use std::path::Path;

use axum::http::HeaderValue;
use floe_language::placeholders;

use super::dictionary::{arguments, first, of_scripts, second};
use super::*;

/// Templates for organisers and programmers, in English.
const ENGLISH_TEMPLATES: [&str; 19] = [
    "asked.html",
    "cause.html",
    "cluster.html",
    "desk.html",
    "entrant.html",
    "freeze.html",
    "game-lines.html",
    "games.html",
    "heat.html",
    "league-live.html",
    "league.html",
    "leagues.html",
    "opening.html",
    "program.html",
    "report.html",
    "submit.html",
    "tables.html",
    "version.html",
    "versions.html",
];
/// Scripts for them.
const ENGLISH_SCRIPTS: [&str; 4] = ["desk.js", "submit.js", "verdict.js", "sort.js"];
/// Texts that have no translation yet.
const UNTRANSLATED: [(Language, &str); 0] = [];

const OTHERS: [Language; 2] = [Language::Polish, Language::Romanian];

/// The templates for players, by name.
fn templates() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = files.map(|file| {
        let name = file.file_name().into_string().unwrap();
        (name, fs::read_to_string(file.path()).unwrap())
    });
    named
        .filter(|(name, _)| !ENGLISH_TEMPLATES.contains(&name.as_str()))
        .collect()
}

/// Every text that templates name, and code for them.
fn of_templates() -> Vec<String> {
    let mut found = Vec::new();
    for (name, template) in templates() {
        for (end, _) in template.match_indices("\"|t") {
            let is_filter = !template[end + 3..].starts_with(char::is_alphanumeric);
            let begin = template[..end].rfind('"').unwrap() + 1;
            assert!(is_filter, "{name}: {}", &template[begin..]);
            found.push(template[begin..end].to_owned());
        }
        let calls = template.replace("language::count(", "count(");
        found.extend(arguments(&calls, "count").into_iter().filter_map(second));
    }
    found.extend(of_code());
    found
}

/// Every text that code names.
fn of_code() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = [
        "language.rs",
        "pages/puzzles.rs",
        "pages/replay.rs",
        "plots.rs",
    ];
    let files = files
        .into_iter()
        .chain(["plots/timeline.rs", "plots/evaluation.rs"]);
    files
        .flat_map(|file| {
            let code = fs::read_to_string(folder.join(file)).unwrap();
            let named: Vec<String> = arguments(&code, "t")
                .into_iter()
                .filter_map(first)
                .collect();
            assert!(!named.is_empty(), "{file}");
            named
        })
        .collect()
}

#[test]
fn every_text_for_players_is_translated() {
    let mut missing = Vec::new();
    let named: Vec<String> = of_templates().into_iter().chain(of_scripts()).collect();
    assert!(named.len() > 300, "{}", named.len());
    for language in OTHERS {
        for text in &named {
            if texts().find(language, text).is_none() {
                missing.push((language, text.as_str()));
            }
        }
    }
    assert_eq!(missing, UNTRANSLATED);
}

#[test]
fn no_translation_is_left_over() {
    let named: Vec<String> = of_templates().into_iter().chain(of_scripts()).collect();
    for language in OTHERS {
        for text in texts().known(language) {
            assert!(
                named.iter().any(|one| one == text),
                "{language}: {text} is used nowhere"
            );
        }
    }
    let [polish, romanian] = OTHERS.map(|language| {
        let mut known: Vec<&str> = messages().known(language).collect();
        known.sort_unstable();
        known
    });
    assert_eq!(polish, romanian, "said.pl.txt and said.ro.txt");
}

#[test]
fn translations_have_the_places_of_their_texts() {
    for language in OTHERS {
        for catalogue in [texts(), messages()] {
            for text in catalogue.known(language) {
                let translation = catalogue.find(language, text).unwrap();
                for form in translation.split(" | ") {
                    assert_eq!(placeholders(form), placeholders(text), "{language}: {text}");
                }
                let forms = translation.split(" | ").count();
                assert!(
                    forms == 1 || forms == language.forms(),
                    "{language}: {text} has {forms} forms"
                );
            }
        }
    }
}

/// Text of a template outside of tags and of what is filled in.
fn literals(template: &str) -> String {
    let mut rest = template.to_owned();
    for (opening, closing) in [
        ("{%", "%}"),
        ("{{", "}}"),
        ("<script", "</script>"),
        ("<pre", "</pre>"),
        ("<code", "</code>"),
        ("<", ">"),
    ] {
        while let Some(begin) = rest.find(opening) {
            let length = rest[begin..].find(closing).expect("it is closed");
            rest.replace_range(begin..begin + length + closing.len(), " ");
        }
    }
    rest
}

/// Names that are the same in every language.
const NAMES: [&str; 7] = ["Floe", "nbsp", "Python", "Rust", "Go", "Java", "JavaScript"];

#[test]
fn templates_for_players_have_no_text_of_their_own() {
    for (name, template) in templates() {
        let text = literals(&template);
        let words: Vec<&str> = text
            .split(|letter: char| !letter.is_alphabetic())
            .filter(|word| word.len() > 1 && !NAMES.contains(word))
            .collect();
        assert!(words.is_empty(), "{name}: {words:?}");
        for attribute in ["aria-label", "alt", "placeholder", "title"] {
            for (at, _) in template.match_indices(&format!(" {attribute}=\"")) {
                let value = &template[at + attribute.len() + 3..];
                let is_filled = value.starts_with("{{") || value.starts_with('"');
                assert!(is_filled, "{name}: {}", &template[at..at + 60]);
            }
        }
    }
}

#[test]
fn scripts_for_players_name_their_sentences() {
    for (name, script) in crate::embedded::scripts() {
        if ENGLISH_SCRIPTS.contains(&name.as_str()) {
            continue;
        }
        let named: Vec<String> = ["t", "count"]
            .into_iter()
            .flat_map(|function| arguments(&script, function))
            .flat_map(|all| [first(all), second(all)])
            .flatten()
            .collect();
        let lines = script.lines().filter(|line| {
            let line = line.trim_start();
            !line.starts_with("//") && !line.starts_with('*') && !line.starts_with("/*")
        });
        for line in lines {
            for literal in line.split('"').skip(1).step_by(2) {
                let mut letters = literal.chars();
                let is_sentence = letters.next().is_some_and(char::is_uppercase)
                    && letters.next().is_some_and(char::is_lowercase)
                    && literal.contains(' ');
                assert!(
                    !is_sentence || named.iter().any(|text| text == literal),
                    "{name}: {literal:?}"
                );
            }
        }
    }
}

#[test]
fn what_the_server_says_is_translated() {
    use crate::engine_pool::ThoughtError;
    use crate::hosted::{ActError, Standing};
    let standings = [
        Standing::YourTurn,
        Standing::TheirTurn,
        Standing::Waiting,
        Standing::Won,
        Standing::Lost,
        Standing::Drawn,
    ];
    let mut all: Vec<String> = standings.map(|one| one.words().to_owned()).into();
    let acts = [
        ActError::Over,
        ActError::NotYourTurn,
        ActError::Stale,
        ActError::NotYours,
        ActError::NoWayBack,
        ActError::NoSeat,
        ActError::NoGivingUp,
    ];
    all.extend(acts.iter().map(ToString::to_string));
    all.extend([ThoughtError::Busy, ThoughtError::NoAnswer].map(|error| error.to_string()));
    for level in floe_search::Level::ALL {
        all.push(format!("floe · {}", level.name()));
    }
    all.push("There is no such page".to_owned());
    for language in OTHERS {
        for text in &all {
            assert!(known(language, text).is_some(), "{language}: {text}");
        }
    }
}

#[test]
fn several_sentences_are_translated_one_by_one() {
    within(Language::Polish, || {
        let text = said("Wait a second and try again. Nothing known. Send less at once.");
        let polish = "Poczekaj sekundę i spróbuj ponownie. Nothing known. Wyślij mniej naraz.";
        assert_eq!(text, polish);
        let why = "b3! leads by 1. The next best move, a2, is even.";
        let polish = "b3! prowadzi, przewaga 1. Drugi najlepszy ruch, a2, daje równowagę.";
        assert_eq!(said(why), polish);
        let why = ". leads by 1. The next best move, *, is even.";
        let polish = ". prowadzi, przewaga 1. Drugi najlepszy ruch, *, daje równowagę.";
        assert_eq!(said(why), polish);
        assert_eq!(said("There is no such page"), "Nie znaleziono: strona");
        assert_eq!(count("{n} game", "{n} games", 3), "3 partie");
        // A person may be called anything.
        assert_eq!(player("Easy"), "Easy");
        assert_eq!(player("floe · easy"), "floe · łatwy");
    });
    assert_eq!(said("Send less at once."), "Send less at once.");
}

#[test]
fn the_choice_counts_more_than_the_browser() {
    let asked = |name: header::HeaderName, value: &'static str| {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_static(value));
        headers
    };
    let accepted = |value| wanted(&asked(header::ACCEPT_LANGUAGE, value));
    assert_eq!(accepted("pl-PL,pl;q=0.9,en;q=0.8"), Language::Polish);
    assert_eq!(accepted("en;q=0.2, ro;q=0.7"), Language::Romanian);
    assert_eq!(accepted("de, ro;q=0.5, en;q=0.5"), Language::Romanian);
    assert_eq!(accepted("de, pl;q=0"), Language::English);
    assert_eq!(accepted("pl;q=many"), Language::English);
    assert_eq!(wanted(&HeaderMap::new()), Language::English);
    let mut both = asked(header::ACCEPT_LANGUAGE, "pl");
    let cookie = HeaderValue::from_static("floe=x; floe-language=ro");
    both.insert(header::COOKIE, cookie);
    assert_eq!(wanted(&both), Language::Romanian);
    let other = HeaderValue::from_static("floe-language=xx");
    both.insert(header::COOKIE, other);
    assert_eq!(wanted(&both), Language::Polish);
}

#[test]
fn dictionaries_have_the_texts_of_scripts_alone() {
    let polish = std::str::from_utf8(dictionary("texts-pl.js").unwrap()).unwrap();
    assert!(polish.contains("\"Resign\":\"Poddaj się\""));
    assert!(!polish.contains("Skip to the content"));
    assert!(dictionary("texts-en.js").is_none());
}
