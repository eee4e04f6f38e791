//! Every text for players has its translations, with the same placeholders.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use floe_language::{Catalogue, Language, games, placeholders};

use super::super::texts::{catalogue, set_own_language};
use super::{ASCII, PLAIN, Stand, after, played};
use crate::look::Look;
use crate::theme::Theme;

const FOREIGN: [Language; 2] = [Language::Polish, Language::Romanian];

/// The texts of this crate, and whether each counts things.
fn texts() -> BTreeSet<(String, bool)> {
    fn files(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() && !name.ends_with("/tests") {
                files(&path, found);
            } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
                found.push(fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut sources = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut sources,
    );
    let mut found = BTreeSet::new();
    for source in sources {
        for (name, counts) in [("t!(", false), ("tn!(", true)] {
            for (at, _) in source.match_indices(name) {
                let before = source[..at].chars().next_back();
                if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '`') {
                    continue;
                }
                let rest = source[at + name.len()..].trim_start();
                let Some((first, rest)) = literal(rest) else {
                    continue;
                };
                let second = literal(rest.trim_start_matches([',', ' ', '\n']));
                found.insert(match (counts, second) {
                    (true, Some((second, _))) => (second, true),
                    _ => (first, false),
                });
            }
        }
    }
    assert!(found.len() > 300, "{}", found.len());
    found
}

/// A string at the start of a source text, and what follows it.
fn literal(source: &str) -> Option<(String, &str)> {
    let rest = source.strip_prefix('"')?;
    let end = rest
        .match_indices('"')
        .find(|(at, _)| !rest[..*at].ends_with('\\'))?
        .0;
    let text = rest[..end].replace("\\\"", "\"");
    let mut joined = String::new();
    for (i, part) in text.split("\\\n").enumerate() {
        joined.push_str(if i == 0 { part } else { part.trim_start() });
    }
    Some((joined, &rest[end + 1..]))
}

/// Texts without a translation, and translations that do not fit their texts.
fn problems(catalogue: &Catalogue, texts: &BTreeSet<(String, bool)>) -> Vec<String> {
    let mut problems = Vec::new();
    for language in FOREIGN {
        for (text, counts) in texts {
            let Some(translation) = catalogue.find(language, text) else {
                problems.push(format!("{language}: no translation: {text}"));
                continue;
            };
            let forms: Vec<&str> = translation.split(" | ").collect();
            let most = if *counts { language.forms() } else { 1 };
            if forms.len() != 1 && forms.len() != most {
                problems.push(format!(
                    "{language}: {most} forms are needed: {translation}"
                ));
            }
            for form in forms {
                if placeholders(form) != placeholders(text) {
                    problems.push(format!("{language}: other placeholders: {text}: {form}"));
                }
            }
        }
        let is_used = |known: &str| texts.iter().any(|(text, _)| text == known);
        let unused = catalogue.known(language).filter(|known| !is_used(known));
        problems.extend(unused.map(|text| format!("{language}: not used: {text}")));
    }
    problems
}

#[test]
fn every_text_is_translated_with_its_placeholders() {
    let problems = problems(catalogue(), &texts());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_text_of_a_game_is_translated() {
    let mut texts = BTreeSet::new();
    for game in floe_games::games() {
        let mut add = |text: &str| {
            texts.insert(text.to_owned());
        };
        add(game.title());
        add(game.pitch());
        game.rules().lines().for_each(&mut add);
        game.special_move().into_iter().for_each(&mut add);
        for setting in game.settings() {
            add(setting.word);
        }
        for step in game.lesson() {
            for text in [
                step.name, step.note, step.title, step.text, step.task, step.done,
            ] {
                add(text);
            }
        }
        for puzzle in floe_games::puzzle::shipped(game).unwrap() {
            add(puzzle.task());
            let sentences = crate::puzzles::sentences(&puzzle);
            assert_eq!(sentences.join(" "), puzzle.why());
            sentences.iter().for_each(|sentence| add(sentence));
            add(&format!(
                "{} {}.",
                puzzle.other.first(),
                puzzle.other.words()
            ));
        }
        // What is said on the way.
        let mut session = played(game.name(), "5x4", "human,human", 0);
        loop {
            let view = session.position().view();
            for seat in &view.seats {
                add(&seat.note);
            }
            view.notes.iter().for_each(|note| add(note));
            add(&view.phase);
            add(&view.task);
            let Some(mv) = session.position().moves().into_iter().next() else {
                break;
            };
            session
                .make(&mv, std::time::Duration::ZERO, String::new())
                .unwrap();
        }
    }
    texts.remove("");
    let mut missing = Vec::new();
    for language in FOREIGN {
        for text in &texts {
            let is_same = games().translate(language, text) == *text;
            if is_same && games().find(language, text).is_none() {
                missing.push(format!("{language}: {text}"));
            }
        }
        for text in games().known(language) {
            let forms = games().find(language, text).unwrap_or_default();
            for form in forms.split(" | ") {
                if placeholders(form) != placeholders(text) {
                    missing.push(format!("{language}: other placeholders: {form}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn a_game_is_played_in_every_language() {
    for language in FOREIGN {
        set_own_language(language);
        let session = after("gamma", "5x4,areas=2", "human,floe:medium", "a1 e4 c3 e2");
        let stand = Stand::game(PLAIN, (80, 24), session);
        insta::assert_snapshot!(format!("gamma_{language}"), stand.shown());
        insta::assert_snapshot!(
            format!("form_{language}"),
            form_without_board(&Stand::new(PLAIN, (60, 24)).shown())
        );
        let session = played("penguins", "6x5,penguins=2", "human,floe:medium", 4);
        let stand = Stand::game(ASCII, (80, 24), session);
        assert!(stand.shown().is_ascii(), "{}", stand.shown());
        let mut out = Vec::new();
        let look = Look {
            color: false,
            unicode: true,
            columns: Some(80),
            theme: Theme::None,
        };
        let session = played("penguins", "6x5,penguins=2", "human,floe:nodes=1", 4);
        super::super::line_mode::run(
            crate::Begin::Play(Box::new(session)),
            &crate::Home::default(),
            &mut "look b5\nhelp\nboard\nquit\n".as_bytes(),
            &mut out,
            look,
        )
        .unwrap();
        insta::assert_snapshot!(format!("lines_{language}"), String::from_utf8(out).unwrap());
    }
    set_own_language(Language::English);
}

/// The form without what the seed decides.
fn form_without_board(shown: &str) -> String {
    let line = |line: &str| format!("{}\n", line.chars().take(34).collect::<String>().trim_end());
    shown.lines().map(line).collect()
}

#[test]
fn a_square_at_the_start_of_a_sentence_keeps_its_small_letter() {
    let sentence = super::super::texts::sentence;
    assert_eq!(sentence("c1 holds 2 fish"), "c1 holds 2 fish");
    assert_eq!(sentence("the field is taken"), "The field is taken");
    assert_eq!(sentence(""), "");
}
